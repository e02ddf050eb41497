"""Text that a site repeats from page to page (``WEBTEXT_REPEATS``)."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from scrapy_webtext.page import Page
from scrapy_webtext.reader import PageReader
from scrapy_webtext.results import Extraction, Judgement, WebTextResult

#: Maximum number of sites; those with the latest pages are kept.
MAX_SITES: Final = 1_000
#: Maximum number of hashes of all sites; maximum number of one site's blocks, and of its texts.
MAX_HASHES: Final = 100_000
MAX_SITE_HASHES: Final = 1_000
#: A block is repeated if it is on at least this many pages and this share of its site's pages.
REPEAT_PAGES: Final = 3
REPEAT_SHARE: Final = 0.1
#: Blocks with fewer characters are never counted, because labels and headings often repeat.
LEAST_CHARS: Final = 40
#: If repeated blocks have a greater share of a text's characters, no block counts as repeated,
#: because then the pages have the whole text in common.
MAX_SHARE: Final = 0.5
#: A page has no article if at least this many earlier pages of its site had the same text.
NO_ARTICLE_FROM: Final = 2


@dataclass(slots=True)
class _SiteHashes:
    pages: int = 0
    blocks: dict[int, int] = field(default_factory=dict)  #: hash of a block -> pages with it
    texts: dict[int, int] = field(default_factory=dict)  #: hash of a text -> pages with it


@dataclass(frozen=True, slots=True)
class Repeated:
    """The parts of a page's main text that earlier pages of the site had, too."""

    blocks: frozenset[int] = frozenset()  #: blocks of the page that are repeated
    text_repeats: int = 0  #: earlier pages with the same text

    @property
    def is_no_article(self) -> bool:
        """Whether at least `NO_ARTICLE_FROM` earlier pages had this text."""
        return self.text_repeats >= NO_ARTICLE_FROM


class Repeats:
    """Counts the blocks and texts of each site's pages by hash; about 100 bytes per hash."""

    def __init__(self) -> None:
        self._sites: OrderedDict[str, _SiteHashes] = OrderedDict()

    def __len__(self) -> int:
        """Return the number of hashes that are remembered."""
        return sum(len(site.blocks) + len(site.texts) for site in self._sites.values())

    def see(self, host: str, page: Page, text: str, chosen: Sequence[int]) -> Repeated:
        """Count a page of a site; return the parts of its text that earlier pages had.

        ``chosen`` are the blocks of the text. The result has no blocks if repeated blocks exceed
        `MAX_SHARE` of the text.
        """
        site = self._sites.pop(host, None) or _SiteHashes()
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
        if len(self) > MAX_HASHES:  # the limit of each site falls with each new site
            for other in self._sites.values():
                self._shrink(other)
        least = max(REPEAT_PAGES, REPEAT_SHARE * site.pages)
        found = frozenset(b for b, key in keys.items() if site.blocks.get(key, 0) >= least)
        chars = sum(len(texts[block]) for block in found)
        if chars > MAX_SHARE * sum(len(texts[block]) for block in chosen):
            return Repeated(text_repeats=earlier)
        return Repeated(found, earlier)

    def _shrink(self, site: _SiteHashes) -> None:
        limit = min(MAX_SITE_HASHES, MAX_HASHES // (2 * len(self._sites)))
        for counts in (site.blocks, site.texts):
            if len(counts) > limit:
                by_pages = sorted(counts, key=counts.__getitem__)  # stable: oldest first
                for key in by_pages[: -(limit // 2)]:
                    del counts[key]


def combine(
    seen: Repeated, page: Page, judgement: Judgement, extraction: Extraction, reader: PageReader
) -> WebTextResult:
    """Return the result of a page, changed by the texts of earlier pages.

    If earlier pages had the whole text, the page has no article. Under ``WEBTEXT_REPEATS`` repeated
    blocks are marked, or removed from the text of an article.
    """
    if seen.is_no_article:
        judgement = replace(judgement, has_article=False)
    if reader.repeats == "drop" and judgement.has_article and seen.blocks:
        kept = (block for block in extraction.chosen if block not in seen.blocks)
        extraction = extraction.with_blocks(page, kept)
    found = reader.result(page, judgement, extraction)
    rows = found.blocks
    if rows is not None and seen.blocks:
        repeated = {page.blocks.text[block] for block in seen.blocks}
        rows = tuple(replace(row, is_repeated=row.text in repeated) for row in rows)
    return replace(found, text_repeats=seen.text_repeats, blocks=rows)
