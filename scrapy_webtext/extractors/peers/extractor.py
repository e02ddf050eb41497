"""The extractors of other packages as extractors of this one."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

from scrapy_webtext.extractors.peers.blocks import matching_blocks
from scrapy_webtext.extractors.peers.calls import CALLS, Call
from scrapy_webtext.page import Page
from scrapy_webtext.results import Extraction


@lru_cache
def _call(name: str) -> Call:
    """Return the function of a peer, imported once; MissingExtraError where it is not installed."""
    return CALLS[name]()


@dataclass(frozen=True)
class PeerExtractor:
    """Base of the peers. They give no ``score``: it is 1 where there is a text, else 0.

    ``chosen`` has the blocks of the page whose words are a line of the text. What a peer raises
    is an error of that page.
    """

    name: ClassVar[str]

    def __post_init__(self) -> None:
        _call(self.name)  # a missing package is told here, not on the first page

    def extract(self, page: Page) -> Extraction:
        """Return the text that the package finds in the page's HTML."""
        if not page.source.strip():
            return Extraction("", 0.0, self.name)
        text = (_call(self.name)(page.source, page.url) or "").strip()
        return Extraction(text, float(bool(text)), self.name, matching_blocks(page, text))


@dataclass(frozen=True)
class TrafilaturaExtractor(PeerExtractor):
    """trafilatura, without comments (Barbaresi 2021)."""

    name: ClassVar[str] = "trafilatura"


@dataclass(frozen=True)
class ResiliparseExtractor(PeerExtractor):
    """Resiliparse's plain text of main content (Bevendorff et al. 2021)."""

    name: ClassVar[str] = "resiliparse"


@dataclass(frozen=True)
class ReadabilityExtractor(PeerExtractor):
    """readability-lxml, its HTML turned into text by html-text."""

    name: ClassVar[str] = "readability"


@dataclass(frozen=True)
class Newspaper4kExtractor(PeerExtractor):
    """newspaper4k; nothing is downloaded."""

    name: ClassVar[str] = "newspaper4k"
