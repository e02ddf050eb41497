"""The outline of chosen text: its blocks in order, each with its containers.

All renderings (text, Markdown, HTML, rows) are made from one outline, so they have the same words
in the same order.
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
from scrapy_webtext.render.code import clean_code, find_listings
from scrapy_webtext.render.containers import (
    MAX_DEPTH,
    Containers,
    Part,
    Path,
    Role,
    Roles,
    join_runs,
)
from scrapy_webtext.render.formulas import find_formulas, place_formulas
from scrapy_webtext.render.pictures import PLAYERS, Image, find_images

T = TypeVar("T")
#: (block, its chosen runs, whether all its runs are chosen).
_Chosen = tuple[int, Sequence[int], bool]

_PARTS_OF_TABLES: Final = ("table", "row", "cell", "caption")
#: Roles of containers that cannot contain a picture between blocks.
_WITHOUT_PICTURES: Final = ("heading", "code", "term")


@dataclass(frozen=True, slots=True)
class Outline:
    """The parts of a text, in order."""

    page: Page
    parts: Sequence[Part]
    role: Roles = field(default_factory=dict)  #: container -> role
    left_out: frozenset[int] = frozenset()  #: containers that have no meaning for this text
    notes: Mapping[int, str] = field(default_factory=dict)
    """First run of a footnote's mark -> its label; "" for further runs of the mark."""
    lines_of: str = ""  #: the whole text, if it is not from the page's blocks
    headline: str = ""  #: first line of Markdown and HTML; it is not in ``parts``
    links: bool = True  #: whether renderings have the addresses of links
    is_storable: bool = True  #: whether no character of the text must be removed
    pictures: Mapping[int, Sequence[Image]] = field(default_factory=dict)
    """Run -> pictures directly before it, in its block."""

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


def _outline(page: Page, blocks: list[_Chosen]) -> Outline:
    """Return the outline of blocks. The page caches no `Outline`, which would refer to the page."""
    made = _cache_last(page, "outline", blocks, lambda: _make_outline(page, blocks))
    parts, role, left_out, is_storable = made
    return Outline(page, parts, role, left_out, is_storable=is_storable)


def outline_blocks(page: Page, chosen: Iterable[int]) -> Outline:
    """Return the outline of whole blocks; ``chosen`` ascends."""
    return _outline(page, [(b, page.blocks.runs(b), True) for b in chosen])


def outline_runs(page: Page, chosen: Iterable[int]) -> Outline:
    """Return the outline of these runs; ``chosen`` ascends."""
    first, end = map(arrays.as_longs, (page.blocks.first_run, page.blocks.end_run))
    return _outline(page, _group_by_block(list(chosen), first, end, page.blocks))


def _group_by_block(
    runs: list[int], first_run: array[int], end_run: array[int], blocks: Blocks
) -> list[_Chosen]:
    """Group runs by block: (block, its runs, whether these are all runs of the block)."""
    begin, end = arrays.longs(first_run), arrays.longs(end_run)
    found: list[_Chosen] = []
    first, n, unshown = 0, len(runs), blocks.unshown
    for block in range(len(end_run)):
        last = first
        while last < n and runs[last] < end[block]:  # objects
            last += 1
        if last > first:
            size = len(blocks.runs(block)) if unshown else end[block] - begin[block]
            found.append((block, runs[first:last], last - first == size))
            first = last
    return found


def outline_lines(page: Page, text: str) -> Outline:
    """Return the outline of a text that is not from blocks: one paragraph per line."""
    lines = filter(None, map(str.strip, text.splitlines()))
    return Outline(page, list(map(Part, lines)), lines_of=text)


def blocks_in_tables(page: Page, chosen: Iterable[int]) -> frozenset[int]:
    """Return the chosen blocks in cells or captions of a data table.

    A table that contains all chosen blocks does not count.
    """
    outline = outline_blocks(page, chosen)
    return frozenset(
        part.block
        for part in outline.parts
        if any(outline.role[i] == "cell" or page.nodes.tag[i] == "caption" for i in part.path)
    )


def add_pictures(outline: Outline, players: bool = False) -> Outline:
    """Add pictures to an outline; ``players`` also adds players of videos and sounds."""
    page, blocks = outline.page, outline.parts
    shown = {i for formula in find_formulas(page) for i in range(formula.node, formula.end)}
    runs = [k for part in blocks for k in part.runs]
    players = players and not PLAYERS.keys().isdisjoint(page.nodes.names)
    images = _cache_last(
        page, "images", (runs, players), lambda: find_images(page, runs, shown, players)
    )
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
    for number in range(len(blocks) + 1):
        for image in between.get(number, ()):
            path = _find_picture_path(outline, containers, image, tables)
            parts.append(Part("", path, image=image))
        if number < len(blocks):
            part = blocks[number]
            containers.of(part.node(page))
            parts.append(part)
    return replace(outline, parts=parts, role=containers.role, pictures=within)


def _find_picture_path(
    outline: Outline, containers: Containers, image: Image, tables: set[int]
) -> Path:
    """Return the path of a picture; tables count only if they contain text of the outline."""
    path = [i for i in containers.of(image.node) if i not in outline.left_out]
    role = containers.role
    if not any(i in tables for i in path):
        path = [i for i in path if role[i] not in _PARTS_OF_TABLES]
    # ``left_out`` has the rows of layout tables, but not the cells without text.
    path = [
        i for k, i in enumerate(path) if role[i] != "cell" or (k and role[path[k - 1]] == "row")
    ]
    found = containers.complete(tuple(path[:MAX_DEPTH]))
    while found and role[found[-1]] in _WITHOUT_PICTURES:
        found = containers.complete(found[:-1])
    return found


def _make_outline(
    page: Page, blocks: list[_Chosen]
) -> tuple[Sequence[Part], Roles, frozenset[int], bool]:
    """Return parts, roles, left out containers and ``is_storable`` of an outline of blocks."""
    containers = Containers(page.nodes, find_listings(page))
    role, runs, node = containers.role, page.runs, page.runs.node
    if find_formulas(page):
        whole = {block: own for block, own, is_whole in blocks if is_whole}
        placed = place_formulas(page, [Part("", (), block, own) for block, own, _ in blocks])
        rows = [
            (one.node(page), one.block, one.runs, one.runs is whole.get(one.block), one.formulas)
            for one in placed
        ]
    else:
        rows = [(node[own[0]], block, own, is_whole, ()) for block, own, is_whole in blocks]
    paths = [containers.complete(containers.of(row[0])) for row in rows]
    texts, own_texts = [], page.blocks.text
    for path, (_, block, own, is_whole, formulas) in zip(paths, rows, strict=True):
        if (
            is_whole
            and not formulas
            and (not runs.preformatted or (path and role[path[-1]] == "code"))
        ):
            texts.append(own_texts[block])  # `clean_code` builds the text of code
        else:
            texts.append(join_runs(runs, own, formulas))
    paths, left_out = containers.meaningful(paths, texts)
    parts = [
        Part(text, path, block, own, None, formulas)
        for text, path, (_, block, own, _, formulas) in zip(texts, paths, rows, strict=True)
    ]
    if "code" in role.values():
        parts = clean_code(page, parts, role)
    text = "".join([part.text for part in parts])
    is_storable = storable_text(text) == text
    if not is_storable:
        parts = [part._replace(text=_clean_text(part, role)) for part in parts]
        parts = [part for part in parts if part.text.strip()]
    return parts, role, left_out, is_storable


def _clean_text(part: Part, role: Roles) -> str:
    """Return the text of a part without characters that cannot be stored."""
    text = storable_text(part.text)
    if part.path and role[part.path[-1]] == "code":
        return text
    return "\n".join(" ".join(line.split()) for line in text.split("\n"))
