"""Chosen text as rows and as an outline: its blocks in order, each with its containers.

Plain text is written from rows, all other renderings from the outline of the same rows. So they
have the same words in the same order.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, TypeVar

from scrapy_webtext.core import arrays
from scrapy_webtext.page import Blocks, Page
from scrapy_webtext.page.encoding import storable_text
from scrapy_webtext.render.captions import captions_of, find_captions
from scrapy_webtext.render.code import clean_code, find_listings
from scrapy_webtext.render.containers import (
    CHILDREN,
    MAX_DEPTH,
    ROLES,
    Containers,
    Path,
    Role,
    Roles,
)
from scrapy_webtext.render.formulas import find_formulas, place_formulas
from scrapy_webtext.render.pictures import PLAYERS, find_images
from scrapy_webtext.render.tree import Formula, Image, Part, join_runs

T = TypeVar("T")
#: (block, its chosen runs, whether all its runs are chosen).
_Chosen = tuple[int, Sequence[int], bool]
#: (text, frame, block, runs, formulas): a `Part` with a frame in place of its path.
_Row = tuple[str, int, int, Sequence[int], Sequence[tuple[int, Formula]]]

_PARTS_OF_TABLES: Final = ("table", "row", "cell", "caption")
#: Roles of containers that cannot contain a picture between blocks.
_WITHOUT_PICTURES: Final = (*CHILDREN, "heading", "code", "term")


@dataclass(frozen=True, slots=True)
class Outline:
    """The parts of a text, in order."""

    page: Page
    parts: Sequence[Part]
    rows: Rows  #: the parts for plain text, also if ``parts`` was replaced
    role: Roles = field(default_factory=dict)  #: container -> role
    notes: Mapping[int, str] = field(default_factory=dict)
    """First run of a footnote's mark -> its label; "" for further runs of the mark."""
    lines_of: str = ""  #: the whole text, if it is not from the page's blocks
    headline: str = ""  #: first line of Markdown and HTML; it is not in ``parts``
    links: bool = True  #: whether renderings have the addresses of links
    pictures: Mapping[int, Sequence[Image]] = field(default_factory=dict)
    """Run -> pictures directly before it, in its block."""
    chosen: Sequence[int] = ()  #: runs of the plain text
    captions: frozenset[int] = frozenset()  #: blocks that are not in the plain text

    def innermost(self, path: Path) -> Role:
        """Return the role of the innermost container; "" if there is none."""
        return self.role[path[-1]] if path else ""


def _cache_last(page: Page, name: str, key: object, compute: Callable[[], T]) -> T:
    """Return the value of a key. The page caches the value of the last key.

    So the renderings of one text share its outline and its pictures.
    """
    last: list[Any] = page.cached(name, lambda: [None, None])
    if last[0] != key:
        last[:] = key, compute()
    return last[1]  # type: ignore[no-any-return]


@dataclass(frozen=True, slots=True)
class Rows:
    """The parts of a text as rows, in order, each with its frame; for plain text."""

    rows: Sequence[_Row]
    containers: Containers
    left_out: frozenset[int] = frozenset()  #: containers that have no meaning for this text
    is_storable: bool = True  #: whether no character of the text must be removed


def rows_of_blocks(page: Page, chosen: Iterable[int]) -> Rows:
    """Return the rows of whole blocks; ``chosen`` ascends."""
    blocks = [(b, page.blocks.runs(b), True) for b in chosen]
    return _cache_last(page, "rows", blocks, lambda: _make_rows(page, blocks))


def rows_of_runs(page: Page, chosen: Sequence[int]) -> Rows:
    """Return the rows of these runs; ``chosen`` ascends."""
    first, end = map(arrays.as_longs, (page.blocks.first_run, page.blocks.end_run))
    blocks = _group_by_block(arrays.as_longs(chosen), first, end, page.blocks)
    return _cache_last(page, "rows", blocks, lambda: _make_rows(page, blocks))


def outline_rows(page: Page, rows: Rows) -> Outline:
    """Return the outline of rows."""
    parts = _make_parts(rows.rows, rows.containers)
    chosen = [k for part in parts for k in part.runs]
    return Outline(page, parts, rows, rows.containers.role, chosen=chosen)


def outline_captions(outline: Outline) -> Outline:
    """Return an outline with the captions of its pictures."""
    page, blocks = outline.page, {part.block for part in outline.parts}
    if outline.lines_of or not find_captions(page):
        return outline
    images = _find_pictures(outline, players=False)
    captions = {*captions_of(page, [image.node for _, image in images])} - blocks
    if not captions:
        return outline
    runs = sorted({*outline.chosen, *(k for b in captions for k in page.blocks.runs(b))})
    whole = outline_rows(page, rows_of_runs(page, runs))
    return replace(whole, chosen=outline.chosen, captions=frozenset(captions))


def with_captions(page: Page, chosen: Sequence[int]) -> list[int]:
    """Return the blocks ``chosen`` with the captions of their pictures."""
    whole = outline_captions(outline_rows(page, rows_of_blocks(page, chosen)))
    return sorted({*chosen, *whole.captions})


def outline_lines(page: Page, text: str) -> Outline:
    """Return the outline of a text that is not from blocks: one paragraph per line."""
    lines = [line for line in map(str.strip, text.splitlines()) if line]
    rows = Rows([(line, 0, -1, (), ()) for line in lines], Containers(page.nodes))
    return replace(outline_rows(page, rows), lines_of=text)


def _group_by_block(
    chosen: array[int], first_run: array[int], end_run: array[int], blocks: Blocks
) -> list[_Chosen]:
    """Group runs by block: (block, its runs, whether these are all runs of the block)."""
    begin, end, runs = arrays.longs(first_run), arrays.longs(end_run), arrays.longs(chosen)
    found: list[_Chosen] = []
    last, n, unshown = 0, len(chosen), blocks.unshown
    for block in range(len(end_run)):
        if last == n or runs[last] >= end[block]:
            continue
        first = last
        while last < n and runs[last] < end[block]:
            last += 1
        k, size = runs[first], last - first
        is_series = runs[last - 1] - k == size - 1
        own = range(k, k + size) if is_series else chosen[first:last].tolist()
        of_block = end[block] - begin[block]
        for run in range(begin[block], end[block] if unshown else begin[block]):
            of_block -= run in unshown  # objects
        found.append((block, own, size == of_block))
    return found


def blocks_in_tables(page: Page, chosen: Iterable[int]) -> frozenset[int]:
    """Return the chosen blocks in cells or captions of a data table.

    A table that contains all chosen blocks does not count.
    """
    outline = outline_rows(page, rows_of_blocks(page, chosen))
    return frozenset(
        part.block
        for part in outline.parts
        if any(outline.role[i] == "cell" or page.nodes.tag[i] == "caption" for i in part.path)
    )


def add_pictures(outline: Outline, players: bool = False) -> Outline:
    """Add pictures to an outline; ``players`` also adds players of videos and sounds."""
    page, blocks = outline.page, outline.parts
    images = _find_pictures(outline, players)
    if not images:
        return outline
    first = [part.first_run for part in blocks]
    within: dict[int, list[Image]] = {}
    between: dict[int, list[Image]] = {}  # index of the next part -> pictures
    for at, image in images:
        number = bisect_left(first, at)
        own = blocks[number - 1].runs if number else ()
        if own and at <= own[-1]:
            within.setdefault(own[bisect_left(own, at)], []).append(image)
        else:
            between.setdefault(number, []).append(image)
    containers = Containers(page.nodes, find_listings(page))
    tables = {i for part in blocks for i in part.path if outline.role[i] == "table"}
    parts: list[Part] = []
    role: dict[int, Role] = {}  # of the containers found so far
    for number in range(len(blocks) + 1):
        for image in between.get(number, ()):
            inner = containers.path(containers.of(image.node))
            for frame in range(len(role) + 1, containers.count):
                role[containers.node[frame]] = ROLES[containers.kind[frame]]
            path = _find_picture_path(outline, inner, role, tables)
            parts.append(Part("", path, image=image))
        if number < len(blocks):
            part = blocks[number]
            containers.of(part.node(page))
            parts.append(part)
    return replace(outline, parts=parts, role=containers.role, pictures=within)


def _find_pictures(outline: Outline, players: bool) -> list[tuple[int, Image]]:
    """Return (next run, picture) of the pictures in the plain text."""
    page, runs = outline.page, outline.chosen
    players = players and not PLAYERS.keys().isdisjoint(page.nodes.names)

    def find() -> list[tuple[int, Image]]:
        shown = {i for formula in find_formulas(page) for i in range(formula.node, formula.end)}
        return find_images(page, runs, shown, players)

    return _cache_last(page, f"images {players}", runs, find)


def _find_picture_path(outline: Outline, inner: Path, role: Roles, tables: set[int]) -> Path:
    """Return the path of a picture; tables count only if they contain text of the outline."""
    path = [i for i in inner if i not in outline.rows.left_out]
    if not any(i in tables for i in path):
        path = [i for i in path if role[i] not in _PARTS_OF_TABLES]
    # ``left_out`` has the rows of layout tables, but not the cells without text.
    path = [
        i for k, i in enumerate(path) if role[i] != "cell" or (k and role[path[k - 1]] == "row")
    ]
    del path[MAX_DEPTH:]
    while path and role[path[-1]] in _WITHOUT_PICTURES:
        path.pop()
    return tuple(path)


def _make_rows(page: Page, blocks: list[_Chosen]) -> Rows:
    """Return the rows of blocks. The page caches them, so they must not refer to the page."""
    containers = Containers(page.nodes, find_listings(page))
    runs, own_texts, owner = page.runs, page.blocks.text, page.runs.node
    given: list[tuple[int, int, Sequence[int], bool, Any]] = []
    if find_formulas(page):
        whole = {block: own for block, own, is_whole in blocks if is_whole}
        for part in place_formulas(page, [Part("", (), block, own) for block, own, _ in blocks]):
            is_whole = part.runs is whole.get(part.block)
            given.append((part.node(page), part.block, part.runs, is_whole, part.formulas))
    else:
        given = [(owner[own[0]], block, own, is_whole, ()) for block, own, is_whole in blocks]
    frames, texts, has_code = [], [], False
    for node, block, own, is_whole, formulas in given:
        frame = containers.complete(containers.of(node))
        is_code = containers.is_code(frame)
        has_code = has_code or is_code
        if is_whole and not formulas and (is_code or not runs.preformatted):
            texts.append(own_texts[block])  # `clean_code` builds the text of code
        else:
            texts.append(join_runs(runs, own, formulas))
        frames.append(frame)
    frames, left_out = containers.drop_meaningless(frames, texts)
    rows: list[_Row] = [
        (text, frame, block, own, formulas)
        for text, frame, (_, block, own, _, formulas) in zip(texts, frames, given, strict=True)
    ]
    if has_code:
        parts = clean_code(page, _make_parts(rows, containers), containers.role)
        frame_of = {containers.path(frame): frame for frame in frames}
        rows = [(part.text, frame_of[part.path], *part[2:5]) for part in parts]
    text = "".join([row[0] for row in rows])
    is_storable = storable_text(text) == text
    if not is_storable:
        cleaned = [(_clean_text(row[0], containers.is_code(row[1])), *row[1:]) for row in rows]
        rows = [row for row in cleaned if row[0].strip()]
    return Rows(rows, containers, left_out, is_storable)


def _make_parts(rows: Sequence[_Row], containers: Containers) -> list[Part]:
    paths = {frame: containers.path(frame) for _, frame, *_ in rows}
    return [Part(row[0], paths[row[1]], *row[2:]) for row in rows]


def _clean_text(text: str, is_code: bool) -> str:
    """Return the text of a part without characters that cannot be stored."""
    text = storable_text(text)
    return text if is_code else "\n".join(" ".join(line.split()) for line in text.split("\n"))
