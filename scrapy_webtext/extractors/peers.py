"""Extractors of other packages (peers), for comparison in a crawl and for migration.

``trafilatura``, ``resiliparse``, ``readability`` (readability-lxml) and ``newspaper4k`` are
registered. The extra ``peers`` installs their packages, which are imported when an extractor is
made. Each package parses the page's HTML again and returns a text. `matching_blocks` finds the
blocks of the page in this text.
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import metadata
from typing import Any, ClassVar, Final, TypeAlias

from scrapy_webtext.errors import import_extra
from scrapy_webtext.extractors.readings import page_source
from scrapy_webtext.page import Page
from scrapy_webtext.results import Extraction

#: A function of HTML and address that returns a text.
Call: TypeAlias = Callable[[str, str | None], str | None]


def _import(peer: str, module: str, package: str) -> Any:
    return import_extra(module, f"The extractor {peer!r}", "", package)


def _trafilatura() -> Call:
    module = _import("trafilatura", "trafilatura", "trafilatura")
    return lambda html, _url: module.extract(html, include_comments=False)


def _resiliparse() -> Call:
    module = _import("resiliparse", "resiliparse.extract.html2text", "resiliparse")
    return lambda html, _url: module.extract_plain_text(
        html, main_content=True, alt_texts=False, links=False, preserve_formatting=True
    )


def _readability() -> Call:
    readability = _import("readability", "readability", "readability-lxml")
    html_text = _import("readability", "html_text", "html-text")
    return lambda html, _url: html_text.extract_text(
        readability.Document(html).summary(html_partial=True)
    )


def newspaper_reader() -> Callable[[str, str | None], Any]:
    """Return a function of HTML and address that returns newspaper4k's ``Article``."""
    with warnings.catch_warnings():  # warnings of nltk, which newspaper4k's summaries need
        warnings.simplefilter("ignore")
        newspaper = _import("newspaper4k", "newspaper", "newspaper4k")

    def read(html: str, url: str | None) -> Any:
        article = newspaper.Article(url or "https://example.com/", fetch_images=False)
        article.download(input_html=html)
        article.parse()
        return article

    return read


def _newspaper4k() -> Call:
    read = newspaper_reader()
    return lambda html, url: str(read(html, url).text or "")


def _html_text() -> Call:
    module = _import("html_text", "html_text", "html-text")
    return lambda html, _url: module.extract_text(html)


#: Peer -> function that imports its package and returns the `Call`.
CALLS: Final[Mapping[str, Callable[[], Call]]] = {
    "trafilatura": _trafilatura,
    "resiliparse": _resiliparse,
    "readability": _readability,
    "newspaper4k": _newspaper4k,
    "html_text": _html_text,
}


def versions_of(name: str) -> Iterator[tuple[str, str]]:
    """Yield the packages whose versions decide the text of a registered peer, and the versions."""
    for package in ("readability-lxml", "html-text") if name == "readability" else (name,):
        yield f"package {package}", metadata.version(package)


def matching_blocks(page: Page, text: str) -> tuple[int, ...]:
    """Return the blocks that are a line of the text, comparing letters and digits; ascending.

    Each line matches at most one block, the first with equal letters and digits. A block does not
    match if the text splits it or joins it with other blocks on one line.
    """
    lines = Counter(filter(None, map(_letters, text.split("\n"))))
    found = []
    for b, block in enumerate(page.blocks.text):
        letters = _letters(block)
        if lines[letters]:
            lines[letters] -= 1
            found.append(b)
    return tuple(found)


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text))


@lru_cache
def _call(name: str) -> Call:
    """Return the `Call` of a peer; raise MissingExtraError if its package is not installed."""
    return CALLS[name]()


@dataclass(frozen=True)
class PeerExtractor:
    """Base class of the peers.

    Peers have no score of their own: ``score`` is 1 if there is a text, else 0. ``chosen`` has the
    `matching_blocks`. If the package raises on a page, the page fails.
    """

    name: ClassVar[str]

    def __post_init__(self) -> None:
        _call(self.name)  # so that a missing package raises now, not on the first page

    def extract(self, page: Page) -> Extraction:
        """Return the text that the package extracts from the page's HTML."""
        source = page_source(page)
        if not source.strip():
            return Extraction("", 0.0, self.name)
        text = (_call(self.name)(source, page.url) or "").strip()
        return Extraction(text, float(bool(text)), self.name, matching_blocks(page, text))


class TrafilaturaExtractor(PeerExtractor):
    """trafilatura, without comments (Barbaresi 2021)."""

    name: ClassVar[str] = "trafilatura"


class ResiliparseExtractor(PeerExtractor):
    """Resiliparse's plain text of main content (Bevendorff et al. 2021)."""

    name: ClassVar[str] = "resiliparse"


class ReadabilityExtractor(PeerExtractor):
    """readability-lxml; html-text converts its HTML to text."""

    name: ClassVar[str] = "readability"


class Newspaper4kExtractor(PeerExtractor):
    """newspaper4k; nothing is downloaded."""

    name: ClassVar[str] = "newspaper4k"
