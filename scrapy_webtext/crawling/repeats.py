"""Text that a site repeats from page to page, as far as its pages were read."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

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


class Repeats:
    """Hashes of the blocks and texts of pages, by site, in bounded memory (100 bytes a hash)."""

    def __init__(self) -> None:
        self._sites: OrderedDict[str, _Site] = OrderedDict()

    def __len__(self) -> int:
        """Return the number of hashes that are remembered."""
        return sum(len(site.blocks) + len(site.texts) for site in self._sites.values())

    def see(self, host: str, page: Page, text: str, chosen: Sequence[int]) -> Repeated:
        """Count a page of a site; return what of its text earlier pages had.

        ``chosen`` are the blocks of the text. No block repeats if most do.
        """
        site = self._sites.pop(host, None) or _Site()
        self._sites[host] = site
        if len(self._sites) > MAX_SITES:
            self._sites.popitem(last=False)
        site.pages += 1
        if not text:
            return Repeated()
        texts = page.blocks.text
        keys = {block: hash(texts[block]) for block in chosen if len(texts[block]) >= LEAST_CHARS}
        for key in {*keys.values()}:
            site.blocks[key] = site.blocks.get(key, 0) + 1
        earlier = site.texts.get(hash(text), 0)
        site.texts[hash(text)] = earlier + 1
        self._shrink(site)
        least = max(LEAST_PAGES, LEAST_SHARE * site.pages)
        found = frozenset(b for b, key in keys.items() if site.blocks.get(key, 0) >= least)
        chars = sum(len(texts[block]) for block in found)
        if chars > MAX_SHARE * sum(len(texts[block]) for block in chosen):
            return Repeated(text_repeats=earlier)
        return Repeated(found, earlier)

    def _shrink(self, site: _Site) -> None:
        limit = min(MAX_SITE_HASHES, MAX_HASHES // (2 * len(self._sites)))
        for counts in (site.blocks, site.texts):
            if len(counts) > limit:
                by_pages = sorted(counts, key=counts.__getitem__)  # the oldest first of equals
                for key in by_pages[: -(limit // 2)]:
                    del counts[key]
