"""Chosen text as plain text: a line per block, lists with their markers, tables row by row."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Final, NamedTuple

from scrapy_webtext.page.tree import Page
from scrapy_webtext.render.containers import CELL, DEFINITION, ITEM, ROW, Path
from scrapy_webtext.render.lists import Numbers
from scrapy_webtext.render.outline import Outline, outline_of_blocks, outline_of_runs
from scrapy_webtext.render.tables import cells_of_row

#: Between the cells of a row. A tab, which browsers copy, is lost where white space is folded.
CELL_SEPARATOR: Final = " | "
#: Between the lines of one cell, as lines of verse are set in a sentence.
LINE_SEPARATOR: Final = " / "
INDENT: Final = "  "
BULLET: Final = "- "


def render_runs(page: Page, chosen: Iterable[int]) -> str:
    """Text of these runs, given in ascending order."""
    return render_text(outline_of_runs(page, chosen))


def render_blocks(page: Page, chosen: Iterable[int]) -> str:
    """Text of these blocks, given in ascending order."""
    return render_text(outline_of_blocks(page, chosen))


def render_text(outline: Outline) -> str:
    """Return the text of an outline."""
    if not any(outline.paths):
        return "\n".join(outline.texts)
    before, pieces = render_pieces(outline)
    return "".join(chain.from_iterable(zip(before, pieces, strict=True)))


def render_pieces(outline: Outline) -> tuple[list[str], list[str]]:
    """Return the text of an outline piece by piece: what stands before each block, and its text.

    Put together by turns they are the text.
    """
    texts, paths = outline.texts, outline.paths
    if not any(paths):
        return ["", *["\n"] * (len(texts) - 1)][: len(texts)], list(texts)
    pieces: list[str] = []
    before: list[str] = []  # what stands before each piece
    places: dict[Path, _Place] = {}
    numbers = Numbers(outline.page.nodes if outline.page is not None else None)
    last: Path = ()
    row: list[int] = []  # blocks of the outline
    for k, (text, path) in enumerate(zip(texts, paths, strict=True)):
        place = places.get(path)
        if place is None:
            place = places[path] = _place(outline, path)
        if row and (place.row < 0 or place.row != places[last].row):
            add_row(outline, row, pieces, before)
            row = []
        if not row:
            before.append("\n" + _lead(place, last, numbers) if place.level else "\n")
        last = path
        if place.row >= 0:
            row.append(k)
            continue
        if place.level and "\n" in text:
            text = text.replace("\n", "\n" + INDENT * place.level)
        pieces.append(text)
    if row:
        add_row(outline, row, pieces, before)
    before[0] = before[0][1:]
    return before, pieces


class _Place(NamedTuple):
    """Where blocks with the same containers stand on the page of text."""

    level: int  #: of indentation
    item: int  #: of a list, whose marker stands before its first block; -1 for none
    list: int  #: that the item is of
    row: int  #: of a table; -1 outside


def _place(outline: Outline, path: Path) -> _Place:
    level, item, items_list = 0, -1, -1
    for depth, i in enumerate(path):
        role = outline.role[i]
        if role == ITEM:
            level, item, items_list = level + 1, i, path[depth - 1]
        elif role == DEFINITION:
            level, item = level + 1, -1
        elif role == ROW:
            return _Place(level, item, items_list, i)
    return _Place(level, item, items_list, -1)


def _lead(place: _Place, last: Path, numbers: Numbers) -> str:
    """Return what stands before a line that follows on a block with the containers ``last``."""
    if place.item < 0 or place.item in last:
        return INDENT * place.level
    number = numbers.of(place.list, place.item)
    return INDENT * (place.level - 1) + (BULLET if number is None else f"{number}. ")


def add_row(outline: Outline, row: Sequence[int], pieces: list[str], before: list[str]) -> None:
    """Add the blocks of a row, in whose line the first stands already.

    Empty cells at its end are left out, others are kept.
    """
    role, texts, paths = outline.role, outline.texts, outline.paths
    inside: dict[int, list[str]] = {}
    for k in row:
        cell = next(i for i in paths[k] if role[i] == CELL)
        inside.setdefault(cell, []).append(texts[k])
    node = next(i for i in paths[row[0]] if role[i] == ROW)
    gap = before.pop()
    cells = cells_of_row(outline, node, inside)
    for number, cell in enumerate(cells):
        if number:
            gap += CELL_SEPARATOR if number > 1 or cells[0] in inside else CELL_SEPARATOR[1:]
        for k, text in enumerate(inside.get(cell, ())):
            before.append(LINE_SEPARATOR if k else gap)
            pieces.append(text.replace("\n", LINE_SEPARATOR))
            gap = ""
