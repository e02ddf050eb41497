"""Chosen text as rows, one per block: for chunking, and for finding text again on its page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from scrapy_webtext.render.containers import (
    CAPTION,
    CELL,
    CODE,
    DEFINITION,
    HEADING,
    ITEM,
    QUOTE,
    TERM,
)
from scrapy_webtext.render.outline import Leaf, Outline
from scrapy_webtext.render.plain_text import render_pieces
from scrapy_webtext.render.xpaths import XPaths

#: Kinds of blocks, from the innermost container that has one.
KINDS: Final = {
    HEADING: "heading",
    CODE: "code",
    CAPTION: "caption",
    CELL: "table_cell",
    ITEM: "list_item",
    TERM: "term",
    DEFINITION: "definition",
    QUOTE: "quote",
}


@dataclass(frozen=True, slots=True)
class TextBlock:
    """One block of a page's main text."""

    kind: str
    """"paragraph", "heading", "list_item", "quote", "code", "table_header", "table_cell",
    "caption", "term" or "definition"."""
    level: int
    """Of headings 1 to 6; of list items, definitions and quotes how many of them are around the
    text; 0 for others."""
    text: str  #: as it stands in the main text, without a list's marker
    xpath: str | None  #: of the element that it stands in; None where the page does not show it
    start: int  #: in the main text: ``main_text[start:end] == text``
    end: int


def render_rows(outline: Outline) -> tuple[TextBlock, ...]:
    """Return the blocks of an outline."""
    before, pieces = render_pieces(outline)
    page = outline.page
    xpaths = XPaths(page.nodes) if page is not None else None
    rows = []
    end = 0
    for leaf, gap, text in zip(outline.leaves, before, pieces, strict=True):
        start = end + len(gap) if page is not None else outline.lines_of.index(text, end)
        end = start + len(text)
        xpath = None
        if page is not None and xpaths is not None:
            xpath = xpaths.of(page.blocks.node[leaf.block])
        kind, level = _kind(outline, leaf)
        rows.append(TextBlock(kind, level, text, xpath, start, end))
    return tuple(rows)


def _kind(outline: Outline, leaf: Leaf) -> tuple[str, int]:
    role, page = outline.role, outline.page
    for i in reversed(leaf.path):
        if role[i] not in KINDS:
            continue
        kind = KINDS[role[i]]
        assert page is not None
        if role[i] == HEADING:
            return kind, int(page.nodes.tag[i][1])
        if role[i] == CELL:
            return ("table_header" if page.nodes.tag[i] == "th" else kind), 0
        if role[i] in (ITEM, DEFINITION, QUOTE):
            return kind, sum(role[j] == role[i] for j in leaf.path)
        return kind, 0
    return "paragraph", 0
