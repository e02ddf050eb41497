"""Tables of data as GitHub's Markdown has them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from scrapy_webtext.render.containers import CODE
from scrapy_webtext.render.escaping import code_span
from scrapy_webtext.render.flow import Part
from scrapy_webtext.render.inline import InlineReader
from scrapy_webtext.render.lists import integer
from scrapy_webtext.render.markdown_inline import markdown_of
from scrapy_webtext.render.outline import Outline
from scrapy_webtext.render.tables import cells_of_row
from scrapy_webtext.render.units import Unit

#: Columns and rows that one cell may take, so that a page cannot make much of little.
MAX_SPAN: Final = 20
LINE_BREAK: Final = "<br>"


def table_lines(outline: Outline, unit: Unit, inline: InlineReader) -> list[str]:
    """Return the lines of a table; its header is empty where its first row has data cells."""
    page = outline.page
    assert page is not None
    rows: dict[int, dict[int, list[Part]]] = {}
    for part in unit.parts:
        row = part.path[len(unit.path) + 1]
        cell = part.path[len(unit.path) + 2]
        rows.setdefault(row, {}).setdefault(cell, []).append(part)
    written: list[list[str]] = []
    spans: dict[int, int] = {}  # column -> further rows that a cell above it takes
    for row, filled in rows.items():
        texts = {i: _cell(outline, parts, inline) for i, parts in filled.items()}
        written.append(_row(outline, cells_of_row(outline, row, filled), texts, spans))
    columns = max(map(len, written))
    first = next(iter(rows.values()))
    has_header = all(page.nodes.tag[cell] == "th" for cell in first)
    header = written.pop(0) if has_header else []
    header += [""] * (columns - len(header))
    return [_line(header), _line(["---"] * columns), *map(_line, written)]


def _row(
    outline: Outline, cells: Sequence[int], texts: dict[int, str], spans: dict[int, int]
) -> list[str]:
    assert outline.page is not None
    row: list[str] = []

    def skip() -> None:
        while spans.get(len(row), 0) > 0:
            spans[len(row)] -= 1
            row.append("")

    for cell in cells:
        skip()
        attributes = dict(outline.page.nodes.attributes[cell])
        width = min(max(integer(attributes.get("colspan")) or 1, 1), MAX_SPAN)
        height = min(max(integer(attributes.get("rowspan")) or 1, 1), MAX_SPAN)
        for column in range(len(row), len(row) + width):
            spans[column] = height - 1
        row += [texts.get(cell, ""), *[""] * (width - 1)]
    skip()
    return row


def _cell(outline: Outline, parts: Sequence[Part], inline: InlineReader) -> str:
    pieces = []
    for part in parts:
        if part.image is not None:
            pieces.append(markdown_of(inline.picture(part.image), " "))
        elif part.leaf is not None and outline.kind(part.leaf) == CODE:
            pieces.append(code_span(part.leaf.text))
        elif part.leaf is not None:
            pieces.append(markdown_of(inline.tokens(part.leaf), LINE_BREAK))
    return LINE_BREAK.join(pieces).replace("|", "\\|")


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
