"""Text that a site repeats from page to page, as far as its pages were read."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import urlsplit

from scrapy_webtext.page import Page

#: Sites that are remembered; the one that was not met for the longest time is forgotten first.
MAX_SITES: Final = 1_000
#: Hashes that are remembered of all sites, and of one.
MAX_HASHES: Final = 100_000
MAX_SITE_HASHES: Final = 1_000
#: A block repeats if it is on this many pages of its site, and on this share of them.
LEAST_PAGES: Final = 3
LEAST_SHARE: Final = 0.1
#: Characters of a block that is looked for: labels and headings repeat by nature.
LEAST_CHARS: Final = 40
#: Repeated blocks may make up this share of a text; else the text as a whole repeats.
MAX_SHARE: Final = 0.5
#: Earlier pages with the same text, from which on a page is no article.
NO_ARTICLE_FROM: Final = 2


@dataclass(slots=True)
class _Site:
    pages: int = 0
    blocks: dict[int, int] = field(default_factory=dict)  #: hash of a block -> pages with it
    texts: dict[int, int] = field(default_factory=dict)  #: hash of a text -> pages with it


@dataclass(frozen=True, slots=True)
class Repeated:
    """The part of a page's main text that earlier pages of the site had."""

    blocks: frozenset[int] = frozenset()  #: blocks of the page that repeat
    text_repeats: int = 0  #: earlier pages with the same text

    @property
    def is_no_article(self) -> bool:
        """Return whether too many pages have this text for an article."""
        return self.text_repeats >= NO_ARTICLE_FROM


def host_of(url: str | None) -> str:
    """Return the host of an address, by which pages belong to a site; empty if it has none."""
    try:
        return ascii_host(urlsplit(url or "").hostname or "")
    except ValueError:
        return ""


def ascii_host(host: str) -> str:
    """Return a host as Scrapy writes it into addresses: letters outside ASCII in punycode."""
    try:
        return host if host.isascii() else host.encode("idna").decode()
    except UnicodeError:
        return host


class Repeats:
    """Hashes of the blocks and texts of pages, by site, in bounded memory (100 bytes a hash)."""

    def __init__(self, max_sites: int = MAX_SITES, max_hashes: int = MAX_HASHES) -> None:
        self._max_sites, self._max_hashes = max_sites, max_hashes
        self._sites: OrderedDict[str, _Site] = OrderedDict()

    def __len__(self) -> int:
        """Return the number of hashes that are remembered."""
        return sum(len(site.blocks) + len(site.texts) for site in self._sites.values())

    def see(self, host: str, page: Page, text: str, chosen: Sequence[int]) -> Repeated:
        """Count a page of a site; return what of its text earlier pages had.

        ``chosen`` are the blocks of the text.
        """
        texts = [page.blocks.text[block] for block in chosen]
        earlier = self.count(host, text, texts)
        found = zip(chosen, self.repeated(host, texts), strict=True)
        return Repeated(frozenset(block for block, is_found in found if is_found), earlier)

    def count(self, host: str, text: str, blocks: Sequence[str]) -> int:
        """Count a page of a site by its text and blocks; return the earlier pages with the text."""
        site = self._sites.pop(host, None) or _Site()
        self._sites[host] = site
        if len(self._sites) > self._max_sites:
            self._sites.popitem(last=False)
        site.pages += 1
        if not text:
            return 0
        for key in {hash(block) for block in blocks if len(block) >= LEAST_CHARS}:
            site.blocks[key] = site.blocks.get(key, 0) + 1
        key = hash(text)
        earlier = site.texts.get(key, 0)
        site.texts[key] = earlier + 1
        self._shrink(site)
        return earlier

    def repeated(self, host: str, blocks: Sequence[str]) -> list[bool]:
        """Return for each block of a text whether its site repeats it; none if most do."""
        site = self._sites.get(host, _Site())
        least = max(LEAST_PAGES, LEAST_SHARE * site.pages)
        found = [
            len(block) >= LEAST_CHARS and site.blocks.get(hash(block), 0) >= least
            for block in blocks
        ]
        chars = sum(len(block) for block, is_found in zip(blocks, found, strict=True) if is_found)
        return found if chars <= MAX_SHARE * sum(map(len, blocks)) else [False] * len(blocks)

    def _shrink(self, site: _Site) -> None:
        limit = min(MAX_SITE_HASHES, self._max_hashes // (2 * len(self._sites)))
        for counts in (site.blocks, site.texts):
            if len(counts) > limit:
                by_pages = sorted(counts, key=counts.__getitem__)  # the oldest first of equals
                for key in by_pages[: -(limit // 2)]:
                    del counts[key]
