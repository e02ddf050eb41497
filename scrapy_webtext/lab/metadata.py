"""Scores of titles, authors and dates, and those of other packages on the same pages.

The gold is a file of JSON lines, ``metadata.jsonl.gz``, in the folder of the corpora. ``corpus``
(the name of a file there) and ``id`` name a page; ``title``, ``authors`` and ``published`` are
optional. A value is right, wrong, or missing. Shares are of the pages whose gold is known.
"""

from __future__ import annotations

import re
import time
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from html import unescape
from pathlib import Path
from statistics import median
from typing import Any, Final, NamedTuple

from scrapy_webtext.errors import CorpusError, MissingExtraError, import_extra
from scrapy_webtext.extractors.peers import newspaper_reader
from scrapy_webtext.lab import Table
from scrapy_webtext.lab.corpus import LabelledPage, corpus_name, read_json_lines
from scrapy_webtext.reader import PageReader


class Described(NamedTuple):
    """Metadata of an article, as a system returns it."""

    title: str | None = None
    authors: Sequence[str] = ()
    published: str | None = None  #: begins with the day, as ISO 8601 has it


System = Callable[[str, str | None], Described]


def _webtext() -> System:
    reader = PageReader.of(include=Described._fields)

    def call(html: str, url: str | None) -> Described:
        found = reader.result(reader.page(html, url=url))
        return Described(found.title, found.authors or (), found.published)

    return call


def _trafilatura() -> System:
    module = import_extra("trafilatura", "The peer trafilatura", "peers")

    def call(html: str, url: str | None) -> Described:
        found = module.bare_extraction(html, url=url, with_metadata=True)
        if found is None:
            return Described()
        authors = [name.strip() for name in (found.author or "").split(";")]
        return Described(found.title, list(filter(None, authors)), found.date)

    return call


def _newspaper4k() -> System:
    read = newspaper_reader()

    def call(html: str, url: str | None) -> Described:
        article = read(html, url)
        day = str(article.publish_date)[:10] if article.publish_date else None
        return Described(article.title, article.authors, day)

    return call


#: Name in the table -> function that imports a system. All systems return text and metadata.
SYSTEMS: Final[Mapping[str, Callable[[], System]]] = {
    "webtext": _webtext,
    "trafilatura": _trafilatura,
    "newspaper4k": _newspaper4k,
}


GOLD: Final = "metadata.jsonl.gz"

Gold = Mapping[str, Any]

_WORD: Final = re.compile(r"\w+")

#: Figure -> the field that is compared.
FIGURES: Final = {
    "title": "title",
    "authors": "authors",
    "exact authors": "authors",
    "published": "published",
}

#: Per figure whose gold is known: right (True), wrong (False) or missing (None).
Compared = Mapping[str, bool | None]


class PageScore(NamedTuple):
    """The score of one system on one page."""

    compared: Compared
    seconds: float  #: CPU time
    is_error: bool


def compare(found: Described, gold: Gold) -> Compared:
    """Return for each figure whose gold is known whether the found value is right.

    Titles and authors are compared by their words, without case, accents and punctuation. Authors
    are right if at least one name is in the gold, and exact if the names are those of the gold.
    """
    authors = set(filter(None, map(_folded, found.authors)))
    known = set(filter(None, map(_folded, gold.get("authors") or ())))
    is_right = {
        "title": _folded(found.title) == _folded(gold.get("title")),
        "authors": bool(authors & known),
        "exact authors": authors == known,
        "published": (found.published or "")[:10] == (gold.get("published") or "")[:10],
    }
    return {
        name: is_right[name] if getattr(found, field) else None
        for name, field in FIGURES.items()
        if gold.get(field)
    }


def _folded(text: str | None) -> str:
    plain = unicodedata.normalize("NFKD", unescape(text or "").replace("\xad", "")).casefold()
    return " ".join(_WORD.findall("".join(c for c in plain if not unicodedata.combining(c))))


def read_gold(folder: Path) -> dict[str, dict[str, Gold]]:
    """Return the gold of a folder by corpus and page; CorpusError if it cannot be read."""
    path = folder / GOLD
    if not path.is_file():
        raise CorpusError(f"No {GOLD} in {folder}: write it to the folder of the corpora")
    gold: dict[str, dict[str, Gold]] = defaultdict(dict)
    for _, where, row in read_json_lines(path):
        if not {"corpus", "id"} <= row.keys():
            raise CorpusError(f"{where}: no gold: give it a corpus and an id")
        gold[row["corpus"]][row["id"]] = row
    return gold


def score_metadata(
    corpora: Iterable[Path], read: Callable[[Sequence[Path]], Iterable[LabelledPage]]
) -> list[dict[str, Any]]:
    """Return the scores of our extraction and of every installed peer, corpus by corpus.

    ``read`` reads the pages of corpora. Each system parses each page and extracts its text, too.
    CorpusError if no page has gold.
    """
    found = []
    systems: dict[str, System] = {}
    for name, make in SYSTEMS.items():
        with suppress(MissingExtraError):
            systems[name] = make()
    for path in corpora:
        gold = read_gold(path.parent).get(corpus_name(path), {})
        rows = [
            [_score(system, page, gold[page.id]) for system in systems.values()]
            for page in read([path])
            if page.id in gold
        ]
        for name, scores in zip(systems, zip(*rows, strict=True), strict=False):
            found.append({"corpus": corpus_name(path), "system": name, **_summary(scores)})
    if not found:
        raise CorpusError("No page of these corpora has gold metadata to compare with")
    return found


def corpora_with_gold(folder: Path) -> list[Path]:
    """Return the corpora in a folder that are named in its gold."""
    paths = (folder / f"{name}.jsonl.gz" for name in read_gold(folder))
    return [path for path in paths if path.is_file()]


def _score(system: System, page: LabelledPage, gold: Gold) -> PageScore:
    began = time.thread_time()
    is_error = False
    try:
        found = system(page.html, page.url)
    except Exception:  # of a peer, any
        found, is_error = Described(), True
    return PageScore(compare(found, gold), time.thread_time() - began, is_error)


def _summary(scores: Sequence[PageScore]) -> dict[str, Any]:
    """Return shares of the pages whose gold is known, by figure; median time; errors."""
    summary: dict[str, Any] = {}
    for name in FIGURES:
        counts = [score.compared[name] for score in scores if name in score.compared]
        if counts:
            right, wrong = (counts.count(value) / len(counts) for value in (True, False))
            summary[name] = {"right": right, "wrong": wrong, "pages": len(counts)}
    seconds = median(score.seconds for score in scores)
    return {**summary, "seconds_median": seconds, "errors": sum(s.is_error for s in scores)}


def metadata_table(scores: Sequence[Mapping[str, Any]]) -> Table:
    """Return the table: right and wrong of each field, CPU time of a page."""
    kinds = [(name, kind) for name in FIGURES for kind in ("right", "wrong")]
    rows = [
        [
            score["corpus"],
            score["system"],
            *(f"{score[name][kind]:.3f}" if name in score else "" for name, kind in kinds),
            f"{1e3 * score['seconds_median']:.1f}",
            f"{score['errors']}",
        ]
        for score in scores
    ]
    return Table(["corpus", "system", *map(" ".join, kinds), "ms median", "errors"], rows)
