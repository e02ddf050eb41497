"""Which tables hold data in rows and columns, and which only lay out the page.

Decided by the text that was chosen alone, so that a rendered table is a table when it is read
again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from scrapy_webtext.page.nodes import Nodes
from scrapy_webtext.render.containers import CAPTION, CELL, CODE, HEADING, ROW, TABLE, Path

#: A cell with more characters or blocks than this is a column of a layout.
MAX_CELL_CHARS: Final = 600
MAX_CELL_BLOCKS: Final = 8


def layout_tables(
    nodes: Nodes, role: Mapping[int, str], paths: Sequence[Path], texts: Sequence[str]
) -> set[int]:
    """Return the containers of tables that only lay out the page: with rows, cells, captions.

    ``paths`` and ``texts`` have the containers and the text of each block of the text.
    """
    if TABLE not in role.values():
        return set()
    places: dict[int, list[tuple[int, int]]] = {}  # table -> block, depth of the table
    for number, path in enumerate(paths):
        for depth, i in enumerate(path):
            if role[i] == TABLE:
                places.setdefault(i, []).append((number, depth))
    layout: set[int] = set()
    data: set[int] = set()
    for table in sorted(places, reverse=True):  # those inside others first
        inside = places[table]
        cells = [(paths[n][depth + 1 :], texts[n]) for n, depth in inside]
        if _holds_data(nodes.tag, role, cells, data):
            data.add(table)
            continue
        layout.add(table)
        for number, depth in inside:
            layout.update(
                i for i in paths[number][depth + 1 : depth + 3] if role[i] in (ROW, CELL, CAPTION)
            )
    return layout


def _holds_data(
    tag: Sequence[str], role: Mapping[int, str], inside: Sequence[tuple[Path, str]], data: set[int]
) -> bool:
    """Whether a table is one of data, given its blocks, their containers below the table.

    It has two columns or more, and two rows or a header cell. No cell holds headings, another
    table of data, lines of code or much text.
    """
    rows: dict[int, set[int]] = {}
    chars: dict[int, int] = {}
    blocks: dict[int, int] = {}
    for path, text in inside:
        if len(path) < 2 or role[path[0]] != ROW:
            continue
        row, cell, *deeper = path
        if any(role[i] == HEADING or i in data for i in deeper):
            return False
        if deeper and role[deeper[-1]] == CODE and "\n" in text:
            return False
        rows.setdefault(row, set()).add(cell)
        chars[cell] = chars.get(cell, 0) + len(text)
        blocks[cell] = blocks.get(cell, 0) + 1
    if max(map(len, rows.values()), default=0) < 2:
        return False
    if max(chars.values()) > MAX_CELL_CHARS or max(blocks.values()) > MAX_CELL_BLOCKS:
        return False
    return len(rows) > 1 or any(tag[cell] == "th" for cell in chars)
