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
from functools import partial
from html import unescape
from pathlib import Path
from statistics import median
from typing import Any, Final, NamedTuple

from scrapy_webtext.errors import CorpusError, MissingExtraError
from scrapy_webtext.extraction import extract_page, resolve
from scrapy_webtext.lab import load
from scrapy_webtext.lab.corpus import LabelledPage, corpus_name
from scrapy_webtext.lab.tables import Table
from scrapy_webtext.metadata import metadata
from scrapy_webtext.page import parse
from scrapy_webtext.registry import DEFAULT_EXTRACTOR, DEFAULT_JUDGE


class Described(NamedTuple):
    """What a system says of a page's article."""

    title: str | None = None
    authors: Sequence[str] = ()
    published: str | None = None  #: begins with the day, as ISO 8601 has it
    seconds: float | None = None  #: CPU time of what is scored, where that is not the whole call


#: What systems are asked for.
FIELDS: Final = ("title", "authors", "published")

System = Callable[[str, str | None], Described]


def _webtext() -> System:
    extractor, judge = resolve(DEFAULT_EXTRACTOR, DEFAULT_JUDGE, {})

    def call(html: str, url: str | None) -> Described:
        found = extract_page(parse(html, url=url), extractor, judge, formats=FIELDS)
        return Described(found.title, found.authors or (), found.published)

    return call


def _webtext_metadata(*, is_parsed: bool) -> System:
    """Metadata of pages whose text is known; ``is_parsed`` leaves the parse out of the time."""
    extractor, _ = resolve(DEFAULT_EXTRACTOR, DEFAULT_JUDGE, {})

    def call(html: str, url: str | None) -> Described:
        page = parse(html, url=url)
        extraction = extractor.extract(page)
        began = time.thread_time()
        found = metadata(page if is_parsed else parse(html, url=url), extraction, FIELDS)
        seconds = time.thread_time() - began
        return Described(found.title, found.authors, found.published, seconds)

    return call


def _trafilatura() -> System:
    module = load("trafilatura", "the peer trafilatura", extra="peers")

    def call(html: str, url: str | None) -> Described:
        return _of_trafilatura(module.bare_extraction(html, url=url, with_metadata=True))

    return call


def _trafilatura_metadata() -> System:
    module = load("trafilatura.metadata", "the peer trafilatura", extra="peers")
    return lambda html, url: _of_trafilatura(module.extract_metadata(html, default_url=url))


def _of_trafilatura(found: Any) -> Described:
    if found is None:
        return Described()
    authors = [name.strip() for name in (found.author or "").split(";")]
    return Described(found.title, list(filter(None, authors)), found.date)


def _newspaper4k() -> System:
    newspaper = load("newspaper", "the peer newspaper4k", "newspaper4k", "peers")

    def call(html: str, url: str | None) -> Described:
        article = newspaper.Article(url or "https://example.com/", fetch_images=False)
        article.download(input_html=html)
        article.parse()
        day = str(article.publish_date)[:10] if article.publish_date else None
        return Described(article.title, article.authors, day)

    return call


#: Name in the table -> what imports a system. Text and metadata, but for those that say otherwise.
SYSTEMS: Final[Mapping[str, Callable[[], System]]] = {
    "webtext": _webtext,
    "webtext, metadata alone": partial(_webtext_metadata, is_parsed=False),
    "webtext, metadata beside the text": partial(_webtext_metadata, is_parsed=True),
    "trafilatura": _trafilatura,
    "trafilatura, metadata alone": _trafilatura_metadata,
    "newspaper4k": _newspaper4k,
}


GOLD: Final = ("metadata.jsonl.gz", "metadata.jsonl")

Gold = Mapping[str, Any]

_WORD: Final = re.compile(r"\w+")


#: What is compared; "exact authors" are all of them and no others.
FIGURES: Final = (*FIELDS, "exact authors")

#: Per figure whose gold is known: right (True), wrong (False) or not given (None).
Compared = Mapping[str, bool | None]


class PageScore(NamedTuple):
    """How well one system does on one page."""

    compared: Compared
    seconds: float  #: CPU time
    is_error: bool


def compare(found: Described, gold: Gold) -> Compared:
    """Return for each figure whose gold is known whether what was found is right."""
    one, same = same_authors(found.authors, gold.get("authors") or ())
    is_right = {
        "title": is_title(found.title, gold.get("title") or ""),
        "authors": one,
        "exact authors": same,
        "published": (found.published or "")[:10] == (gold.get("published") or "")[:10],
    }
    fields = {name: name.removeprefix("exact ") for name in FIGURES}
    return {
        name: is_right[name] if getattr(found, field) else None
        for name, field in fields.items()
        if gold.get(field)
    }


def is_title(found: str | None, gold: str) -> bool:
    """Whether two titles have the same words, whatever their case, accents and punctuation."""
    return _folded(found) == _folded(gold)


def same_authors(found: Sequence[str], gold: Sequence[str]) -> tuple[bool, bool]:
    """Return whether one of the authors was found, and whether all and no others were."""
    one, other = set(filter(None, map(_folded, found))), set(filter(None, map(_folded, gold)))
    return bool(one & other), one == other


def _folded(text: str | None) -> str:
    plain = unicodedata.normalize("NFKD", unescape(text or "").replace("\xad", "")).casefold()
    return " ".join(_WORD.findall("".join(c for c in plain if not unicodedata.combining(c))))


def read_gold(folder: Path) -> dict[str, dict[str, Gold]]:
    """Return the gold by corpus and page; CorpusError where there is none in a folder."""
    path = next((folder / name for name in GOLD if (folder / name).is_file()), None)
    if path is None:
        raise CorpusError(f"No {GOLD[0]} in {folder}: it must stand beside the corpora")
    gold: dict[str, dict[str, Gold]] = defaultdict(dict)
    number = 0
    opened = gzip.open if path.suffix == ".gz" else open
    try:
        with opened(path, "rt", encoding="utf-8") as lines:
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

    ``read`` reads the pages of corpora. Each system reads each page from its HTML; the text is
    part of it, but where its name says that it is not. CorpusError where no page has gold.
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
    """Return the corpora in a folder for whose pages its gold tells something."""
    names = read_gold(folder)
    paths = (folder / f"{name}.jsonl{end}" for name in names for end in (".gz", ""))
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
    seconds = time.thread_time() - began if found.seconds is None else found.seconds
    return PageScore(compare(found, gold), seconds, is_error)


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
    columns = ("title", "authors", "exact authors", "published")
    kinds = [(name, kind) for name in columns for kind in ("right", "wrong")]
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
