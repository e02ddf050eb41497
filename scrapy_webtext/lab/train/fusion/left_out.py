"""Groups of pages that a validation leaves out together: a fold of sites, a corpus, a script.

The sites of one corpus are similar: in language, in age, and in how they were found. A model for
any site must be tested on a corpus, and on a script, that is not in its training.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from scrapy_webtext.lab.corpus import LabelledPage
from scrapy_webtext.lab.corpus.scripts import script_of
from scrapy_webtext.lab.train.folds import fold_of
from scrapy_webtext.lab.train.fusion.examples import FOLDS, corpus_name
from scrapy_webtext.page import parse

LEAVE: Final = ("domain", "corpus", "script")


def script_of_page(page: LabelledPage) -> str:
    """Return the script of a page's gold text, or of all its text if it has no gold text."""
    return script_of(page.text or "\n".join(parse(page.html).blocks.text))


def groups_of(
    leave: str, pages: Iterable[tuple[str, LabelledPage]], seed: int
) -> Mapping[str, Sequence[tuple[str, str]]]:
    """Return the pages of each group, as (corpus, id).

    A page whose URL is in two corpora belongs to the groups of both.
    """
    found: dict[str, list[tuple[str, str]]] = {}
    addresses: dict[str, set[str]] = {}
    rows = [(corpus_name(path), page) for path, page in pages]
    for corpus, page in rows:
        addresses.setdefault(page.url or "", set()).add(corpus)
    for corpus, page in rows:
        groups = {
            "domain": {f"fold {fold_of(page.domain, FOLDS, seed)}"},
            "corpus": addresses[page.url] if page.url else {corpus},
            "script": {script_of_page(page)} if leave == "script" else set(),
        }[leave]
        for name in sorted(groups):
            found.setdefault(name, []).append((corpus, page.id))
    return dict(sorted(found.items()))
