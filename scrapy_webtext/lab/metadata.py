"""Scores of titles, authors and dates beside other packages', in one run.

The gold is a file of JSON lines, ``metadata.jsonl.gz``, beside the corpora: ``corpus`` (the name of
a file there) and ``id`` name a page; ``title``, ``authors`` and ``published`` are known or left
out. A value is right, wrong, or not given; both shares are of the pages whose gold is known.
"""

from __future__ import annotations

import gzip
import json
import re
import time
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from html import unescape
from pathlib import Path
from statistics import median
from typing import Any, Final, NamedTuple

from scrapy_webtext.errors import CorpusError, MissingExtraError
from scrapy_webtext.extraction import extract_page, resolve
from scrapy_webtext.lab import load
from scrapy_webtext.lab.corpus import LabelledPage, corpus_name
from scrapy_webtext.lab.tables import Table
from scrapy_webtext.page import parse
from scrapy_webtext.registry import DEFAULT_EXTRACTOR, DEFAULT_JUDGE


class Described(NamedTuple):
    """What a system says of a page's article."""

    title: str | None = None
    authors: Sequence[str] = ()
    published: str | None = None  #: begins with the day, as ISO 8601 has it


System = Callable[[str, str | None], Described]


def _webtext() -> System:
    extractor, judge = resolve(DEFAULT_EXTRACTOR, DEFAULT_JUDGE, {})

    def call(html: str, url: str | None) -> Described:
        found = extract_page(parse(html, url=url), extractor, judge, formats=Described._fields)
        return Described(found.title, found.authors or (), found.published)

    return call


def _trafilatura() -> System:
    module = load("trafilatura", "the peer trafilatura", extra="peers")

    def call(html: str, url: str | None) -> Described:
        found = module.bare_extraction(html, url=url, with_metadata=True)
        if found is None:
            return Described()
        authors = [name.strip() for name in (found.author or "").split(";")]
        return Described(found.title, list(filter(None, authors)), found.date)

    return call


def _newspaper4k() -> System:
    newspaper = load("newspaper", "the peer newspaper4k", "newspaper4k", "peers")

    def call(html: str, url: str | None) -> Described:
        article = newspaper.Article(url or "https://example.com/", fetch_images=False)
        article.download(input_html=html)
        article.parse()
        day = str(article.publish_date)[:10] if article.publish_date else None
        return Described(article.title, article.authors, day)

    return call


#: Name in the table -> what imports a system. Each gives text and metadata.
SYSTEMS: Final[Mapping[str, Callable[[], System]]] = {
    "webtext": _webtext,
    "trafilatura": _trafilatura,
    "newspaper4k": _newspaper4k,
}


GOLD: Final = "metadata.jsonl.gz"

Gold = Mapping[str, Any]

_WORD: Final = re.compile(r"\w+")

#: What is compared -> the field.
FIGURES: Final = {
    "title": "title",
    "authors": "authors",
    "exact authors": "authors",
    "published": "published",
}

#: Per figure whose gold is known: right (True), wrong (False) or not given (None).
Compared = Mapping[str, bool | None]


class PageScore(NamedTuple):
    """How well one system does on one page."""

    compared: Compared
    seconds: float  #: CPU time
    is_error: bool


def compare(found: Described, gold: Gold) -> Compared:
    """Return for each figure whose gold is known whether what was found is right.

    Titles and authors are compared by their words, whatever their case, accents and punctuation;
    authors are right if one of them is, and exact if all are and there are no others.
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
    """Return the gold by corpus and page; CorpusError where there is none in a folder."""
    path = folder / GOLD
    if not path.is_file():
        raise CorpusError(f"No {GOLD} in {folder}: it must stand beside the corpora")
    gold: dict[str, dict[str, Gold]] = defaultdict(dict)
    number = 0
    try:
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for line in lines:
                number += 1
                row = json.loads(line)
                gold[row["corpus"]][row["id"]] = row
    except (OSError, EOFError, ValueError, KeyError, TypeError) as error:
        raise CorpusError(f"{path}: line {number}: no gold: {error!r}") from None
    return dict(gold)


def score_metadata(
    corpora: Iterable[Path], read: Callable[[Sequence[Path]], Iterable[LabelledPage]]
) -> list[dict[str, Any]]:
    """Return the scores of our extraction and of every installed peer, corpus by corpus.

    ``read`` reads the pages of corpora. Each system reads each page from its HTML, its text, too.
    CorpusError if no page has gold.
    """
    found = []
    systems = dict(_installed())
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
    """Return the corpora in a folder that its gold names."""
    paths = (folder / f"{name}.jsonl.gz" for name in read_gold(folder))
    return [path for path in paths if path.is_file()]


def _installed() -> Iterator[tuple[str, System]]:
    for name, make in SYSTEMS.items():
        with suppress(MissingExtraError):
            yield name, make()


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
