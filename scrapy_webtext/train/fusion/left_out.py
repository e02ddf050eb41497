"""What is left out together when a model is validated: a fold of sites, a corpus, a script.

Sites of one corpus share language, era and the way they were found. A model that is to work
anywhere must do so on a corpus, and in a script, of which it saw nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from scrapy_webtext.corpus import LabelledPage
from scrapy_webtext.corpus.scripts import script_of
from scrapy_webtext.page import parse
from scrapy_webtext.train.fusion.examples import FOLDS, corpus_name, fold_of

LEAVE: Final = ("domain", "corpus", "script")


def script_of_page(page: LabelledPage) -> str:
    """Return the script of a page's gold text, or of all its text where it has no gold."""
    return script_of(page.text or "\n".join(parse(page.html).blocks.text))


def groups_of(
    leave: str, pages: Iterable[tuple[str, LabelledPage]], seed: int
) -> Mapping[str, Sequence[tuple[str, str]]]:
    """Return per group the pages, by corpus and id, that are left out with it.

    A page that two corpora have by the same address goes with both of them.
    """
    found: dict[str, list[tuple[str, str]]] = {}
    addresses: dict[str, set[str]] = {}
    rows = [(corpus_name(path), page) for path, page in pages]
    for corpus, page in rows:
        addresses.setdefault(page.url or "", set()).add(corpus)
    for corpus, page in rows:
        names = {
            "domain": {f"fold {fold_of(page.domain, FOLDS, seed)}"},
            "corpus": addresses[page.url] if page.url else {corpus},
            "script": {script_of_page(page)} if leave == "script" else set(),
        }[leave]
        for name in sorted(names):
            found.setdefault(name, []).append((corpus, page.id))
    return dict(sorted(found.items()))
