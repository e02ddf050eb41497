"""The rows of tables of data."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from scrapy_webtext.render.outline import Outline

_CELLS: Final = frozenset({"td", "th"})


def cells_of_row(outline: Outline, row: int, known: Iterable[int]) -> list[int]:
    """Return the cells of a row that are shown, empty ones too; ``known`` are some of them."""
    page = outline.page
    assert page is not None
    tag, end, hidden = page.nodes.tag, page.nodes.end, page.hidden
    cells = set(known)
    child = row + 1
    while child < end[row]:
        if tag[child] in _CELLS and not hidden[child]:
            cells.add(child)
        child = end[child]
    return sorted(cells)
