"""Parts of an article that a user asks for or asks to leave out: its headline, its tables."""

from __future__ import annotations

from collections.abc import Sequence

from scrapy_webtext.page import Page
from scrapy_webtext.render import blocks_in_tables, render_blocks
from scrapy_webtext.results import Extraction


def with_headline(page: Page, chosen: Sequence[int]) -> list[int]:
    """Return the blocks ``chosen`` with that of the headline, where the page shows it above them.

    Which it is, `scrapy_webtext.metadata` finds: it is the block of the ``title``.
    """
    block = _headline(page, chosen)
    if block < 0 or not chosen or block >= chosen[0]:
        return list(chosen)
    return [block, *chosen]


def without_headline(page: Page, chosen: Sequence[int]) -> list[int]:
    """Return the blocks ``chosen`` without that of the headline; all where nothing else is left."""
    block = _headline(page, chosen)
    return [b for b in chosen if b != block] or list(chosen)


def without_tables(page: Page, chosen: Sequence[int]) -> list[int]:
    """Return the blocks ``chosen`` that are in no table; all where nothing else is left.

    A table that lays out the page is none: it is the one that Markdown has no table for.
    """
    inside = blocks_in_tables(page, chosen)
    return [b for b in chosen if b not in inside] or list(chosen)


def _headline(page: Page, chosen: Sequence[int]) -> int:
    # Who does not ask does not import it.
    from scrapy_webtext.metadata import headline_block

    extraction = Extraction(render_blocks(page, chosen), 0.0, "fusion", tuple(chosen))
    return headline_block(page, extraction)
