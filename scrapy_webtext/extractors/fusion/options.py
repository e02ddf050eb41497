"""Parts of an article that options add or leave out: its headline, its tables, pull quotes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from scrapy_webtext.core.texts import Signs
from scrapy_webtext.page import Page, tags
from scrapy_webtext.render.outline import blocks_in_tables
from scrapy_webtext.results import Extraction

#: A headline that is no heading element is one of the first `_LINES_ABOVE` blocks and has at most
#: `_MAX_HEADLINE` characters.
_LINES_ABOVE: Final = 2
_MAX_HEADLINE: Final = 200


def with_headline(page: Page, chosen: Sequence[int]) -> list[int]:
    """Return the blocks ``chosen`` and the block of the headline, which is the ``title``."""
    return sorted({_headline_of(page, chosen), *chosen} - {-1}) if chosen else []


def without_headline(page: Page, chosen: Sequence[int]) -> list[int]:
    """Return the blocks ``chosen`` without the headline's block, unless it has all the text."""
    if not _has_heading(page, chosen):
        return list(chosen)
    block = _headline_of(page, chosen)
    if block >= 0 and len(page.blocks.text[block]) > _MAX_HEADLINE:  # it has other text, too
        return list(chosen)
    return [b for b in chosen if b != block] or list(chosen)


def _headline_of(page: Page, chosen: Sequence[int]) -> int:
    """Return the block of the headline of a text of these blocks; -1 if missing."""
    from scrapy_webtext.metadata import find_shown_headline  # many pages do not need it

    # The text may be empty: the headline is searched in the page's blocks.
    return find_shown_headline(page, Extraction("", 0.0, "fusion", tuple(chosen)))[1]


def _has_heading(page: Page, chosen: Sequence[int]) -> bool:
    """Return whether one of the first blocks may be a headline, or any block is in a heading."""
    texts, node, tag, parent = page.blocks.text, page.blocks.node, page.nodes.tag, page.nodes.parent
    for block in chosen[:_LINES_ABOVE]:
        if len(texts[block]) <= _MAX_HEADLINE and texts[block][-1] not in ".。":
            return True
    for block in chosen:
        i = node[block]
        if tag[i] in tags.HEADINGS or (parent[i] >= 0 and tag[parent[i]] in tags.HEADINGS):
            return True
    return False


def without_tables(page: Page, chosen: Sequence[int]) -> list[int]:
    """Return the blocks ``chosen`` that are in no table; all blocks if none would be left.

    Layout tables, which Markdown does not render as tables, do not count.
    """
    inside = blocks_in_tables(page, chosen)
    return [b for b in chosen if b not in inside] or list(chosen)


_PULL_QUOTES: Final = {"class": Signs("pullquote", "pull-quote", "pull_quote", "pulled-quote")}
_LEAST_QUOTE: Final = 15  #: letters
_MAX_SOURCE: Final = 80  #: characters of the name below a pull quote


def without_pull_quotes(page: Page, chosen: Sequence[int]) -> list[int]:
    """Return the blocks ``chosen`` without pull quotes that repeat a sentence of the others."""
    named = page.nodes.attributes.with_signs(_PULL_QUOTES)
    quotes = page.nodes.outermost([node for node, _, _ in named])
    texts, kept = page.blocks.text, {*chosen}
    inside = [[b for b in page.blocks_in(node) if b in kept] for node in quotes]
    within = {b for some in inside for b in some}
    if not within:
        return list(chosen)
    others = "\n".join([_all_letters(texts[b]) for b in chosen if b not in within])
    for some in inside:
        repeated = [
            len(own := _all_letters(texts[b])) >= _LEAST_QUOTE and own in others for b in some
        ]
        if any(repeated):
            is_short = (len(texts[b]) <= _MAX_SOURCE for b in some)
            pairs = zip(some, repeated, is_short, strict=True)
            kept.difference_update(b for b, again, short in pairs if again or short)
    return sorted(kept)


def _all_letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.lower()))
