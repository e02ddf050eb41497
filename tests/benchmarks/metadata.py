"""Scores of titles, authors and dates, and those of other packages on the same pages.

    python -m tests.benchmarks.metadata [CORPUS...] [--every 10] [--bare]

The gold is a file of JSON lines, ``metadata.jsonl.gz``, in the folder of the corpora. ``corpus``
(the name of a file there) and ``id`` name a page; ``title``, ``authors`` and ``published`` are
optional. The default is all corpora of WEBTEXT_CORPORA that the gold names. A value is right,
wrong, or missing. Shares are of the pages whose gold is known. With ``--bare`` the pages lose what
they declare: <meta>, JSON-LD, microdata, and the names of elements (class, id, rel, data-*).
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from html import unescape
from itertools import chain, islice
from pathlib import Path
from statistics import median
from time import thread_time
from typing import Any, Final, NamedTuple

from lxml import etree
from lxml.html import HTMLParser, document_fromstring, tostring

from scrapy_webtext.errors import MissingExtraError, import_extra
from scrapy_webtext.extractors.peers import newspaper_reader
from scrapy_webtext.lab import Table
from scrapy_webtext.lab.corpus import corpus_name, corpus_path, read_corpus, read_json_lines
from scrapy_webtext.lab.metrics import share
from scrapy_webtext.reader import PageReader
from tests.benchmarks.pages import CORPORA, parser_of


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
    module = import_extra("trafilatura", "The peer trafilatura", "")

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


def _htmldate() -> System:
    module = import_extra("htmldate", "The peer htmldate", "peers")

    def call(html: str, url: str | None) -> Described:
        return Described(published=module.find_date(html, url=url, original_date=True))

    return call


#: Name in the table -> function that imports a system. All systems return text and metadata.
SYSTEMS: Final[Mapping[str, Callable[[], System]]] = {
    "webtext": _webtext,
    "trafilatura": _trafilatura,
    "newspaper4k": _newspaper4k,
    "htmldate": _htmldate,
}


#: Attributes that name elements or declare metadata; those that begin with "data-", too.
_NAMES: Final = frozenset("class id rel itemprop itemtype itemscope property typeof".split())


def bare(html: str) -> str:
    """Return a page without declared metadata and without names of elements."""
    tree = document_fromstring(html.encode("utf-8", "replace"), parser=HTMLParser(encoding="utf-8"))
    for element in list(tree.iter(etree.Element)):
        if element.tag == "meta" or "json" in (element.get("type") or ""):
            element.drop_tree()
        for name in element.attrib:
            if name in _NAMES or name.startswith("data-"):
                del element.attrib[name]
    return tostring(tree, encoding="unicode")


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
    """Return the gold of a folder by corpus and page."""
    gold: dict[str, dict[str, Gold]] = defaultdict(dict)
    for _, _, row in read_json_lines(folder / GOLD):
        gold[row["corpus"]][row["id"]] = row
    return gold


def score_corpus(path: Path, every: int = 1, is_bare: bool = False) -> Iterator[list[str]]:
    """Yield a row for our extraction and for every installed peer.

    It has the shares of right, wrong and missing values, the median CPU time of a page in
    milliseconds, and the number of errors. Each system parses each page and extracts its text, too.
    """
    gold = read_gold(path.parent)[corpus_name(path)]
    pages = [page for page in islice(read_corpus(path), None, None, every) if page.id in gold]
    for name, make in SYSTEMS.items():
        try:
            system = make()
        except MissingExtraError:
            continue
        compared, seconds, errors = [], [], 0
        for page in pages:
            html = bare(page.html) if is_bare else page.html
            began = thread_time()
            try:
                found = system(html, page.url)
            except Exception:  # of a peer, any
                found, errors = Described(), errors + 1
            seconds.append(thread_time() - began)
            compared.append(compare(found, gold[page.id]))
        shares = []
        for figure in FIGURES:
            known = [one[figure] for one in compared if figure in one]
            shares += [
                f"{share(known.count(kind), len(known)):.3f}" for kind in (True, False, None)
            ]
        yield [corpus_name(path), name, *shares, f"{1e3 * median(seconds):.1f}", f"{errors}"]


def metadata_table(paths: Iterable[Path], every: int = 1, is_bare: bool = False) -> str:
    """Return the table of all systems on some corpora."""
    kinds = [f"{name} {kind}" for name in FIGURES for kind in ("right", "wrong", "missing")]
    rows = list(chain.from_iterable(score_corpus(path, every, is_bare) for path in paths))
    return str(Table(["corpus", "system", *kinds, "ms median", "errors"], rows))


if __name__ == "__main__":
    parser = parser_of(__doc__)
    parser.add_argument("--bare", action="store_true", help="without declared metadata and names")
    given = parser.parse_args()
    named = map(corpus_path, given.corpora or read_gold(CORPORA))
    print(metadata_table(filter(Path.is_file, named), given.every, given.bare))
