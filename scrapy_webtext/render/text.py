"""Renders chosen text as plain text and as rows; lists its links and pictures.

Plain text has one line per block, markers of list items, and one line per row of a table. Rows are
data about blocks, for chunking and for finding a text on its page.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final, NamedTuple

from scrapy_webtext.page import Nodes, Page
from scrapy_webtext.render.containers import Numbers, Part, Path, Roles, list_cells, number_items
from scrapy_webtext.render.inline import InlineReader
from scrapy_webtext.render.outline import Outline, add_pictures, outline_blocks, outline_runs

#: Separator of cells. Browsers copy a tab, but folding white space would remove it.
CELL_SEPARATOR: Final = " | "
#: Separator of lines in a cell, as when verse is quoted in a sentence.
LINE_SEPARATOR: Final = " / "
INDENT: Final = "  "
BULLET: Final = "- "

#: Role of a container -> kind of a row; the innermost container with such a role counts.
KINDS: Final = {
    **{kind: kind for kind in ("heading", "code", "caption", "term", "definition", "quote")},
    "cell": "table_cell",
    "item": "list_item",
}
#: A deeper element gets its index in the document as XPath, because a path grows with the depth.
MAX_XPATH_DEPTH: Final = 64
_XPATH_NAME: Final = re.compile(r"\A[a-z][a-z0-9_.-]*\Z")


def render_runs(page: Page, chosen: Iterable[int]) -> str:
    """Return the text of these runs; ``chosen`` ascends."""
    return render_text(outline_runs(page, chosen))


def render_blocks(page: Page, chosen: Iterable[int]) -> str:
    """Return the text of these blocks; ``chosen`` ascends."""
    return render_text(outline_blocks(page, chosen))


def render_text(outline: Outline) -> str:
    """Return the plain text of an outline."""
    return "".join(chain.from_iterable(zip(*_render_pieces(outline), strict=True)))


def _render_pieces(outline: Outline) -> tuple[list[str], list[str]]:
    """Return the separator before each block, and the text of each block."""
    if not any(part.path for part in outline.parts):
        texts = [part.text for part in outline.parts]
        return ["", *["\n"] * (len(texts) - 1)][: len(texts)], texts
    pieces: list[str] = []
    before: list[str] = []  # separators
    places: dict[Path, _Place] = {(): _Place(0, -1, -1, -1)}
    numbers = number_items(outline.page)
    last: Path = ()
    row: list[Part] = []
    for part in outline.parts:
        text, path = part.text, part.path
        place = places.get(path)
        if place is None:
            place = places[path] = _find_place(outline.role, path)
        level, number = place.level, place.row
        if row and (number < 0 or number != places[last].row):
            _add_row(outline, row, pieces, before)
            row = []
        if not row:
            before.append("\n" + _make_lead(place, last, numbers) if level else "\n")
        last = path
        if number >= 0:
            row.append(part)
            continue
        if level and "\n" in text:
            text = text.replace("\n", "\n" + INDENT * level)
        pieces.append(text)
    if row:
        _add_row(outline, row, pieces, before)
    before[0] = before[0][1:]
    return before, pieces


class _Place(NamedTuple):
    """Indentation, list item and table row of blocks with the same containers."""

    level: int  #: number of indentations
    item: int  #: innermost list item; -1 if none
    list: int  #: list of the item
    row: int  #: row of a table; -1 if none


def _find_place(role: Roles, path: Path) -> _Place:
    level, item, items_list = 0, -1, -1
    for depth, i in enumerate(path):
        kind = role[i]
        if kind == "item":
            level, item, items_list = level + 1, i, path[depth - 1]
        elif kind == "definition":
            level, item = level + 1, -1
        elif kind == "row":
            return _Place(level, item, items_list, i)
    return _Place(level, item, items_list, -1)


def _make_lead(place: _Place, last: Path, numbers: Numbers) -> str:
    """Return indentation and marker of a line; ``last`` is the path of the previous block."""
    if place.item < 0 or place.item in last:
        return INDENT * place.level
    number = numbers.get((place.list, place.item))
    return INDENT * (place.level - 1) + (BULLET if number is None else f"{number}. ")


def _add_row(outline: Outline, row: Sequence[Part], pieces: list[str], before: list[str]) -> None:
    """Add the blocks of a row as one line; empty cells at its end are left out."""
    role = outline.role
    inside: dict[int, list[str]] = {}
    for part in row:
        cell = next(i for i in part.path if role[i] == "cell")
        inside.setdefault(cell, []).append(part.text)
    node = next(i for i in row[0].path if role[i] == "row")
    gap = before.pop()
    cells = list_cells(outline.page, node, inside)
    for number, cell in enumerate(cells):
        if number:
            gap += CELL_SEPARATOR if number > 1 or cells[0] in inside else CELL_SEPARATOR[1:]
        for k, text in enumerate(inside.get(cell, ())):
            before.append(LINE_SEPARATOR if k else gap)
            pieces.append(text.replace("\n", LINE_SEPARATOR))
            gap = ""


@dataclass(frozen=True, slots=True)
class TextBlock:
    """One block of a page's main text."""

    kind: str
    """"paragraph", "heading", "list_item", "quote", "code", "table_header", "table_cell",
    "caption", "term" or "definition"."""
    level: int
    """1 to 6 for headings; depth of nesting for list items, definitions and quotes; else 0."""
    text: str  #: text as in the main text, without the marker of a list item
    xpath: str | None  #: XPath of its element; None if the page does not show the text
    start: int  #: offset in the main text: ``main_text[start:end] == text``
    end: int
    #: The headings above the block, outermost first; a heading's own text is not included.
    section: tuple[str, ...] = ()
    is_repeated: bool = False  #: whether earlier pages of the site have it (``WEBTEXT_REPEATS``)


def render_rows(outline: Outline) -> tuple[TextBlock, ...]:
    """Return the blocks of an outline."""
    page = outline.page
    xpaths = XPaths(page.nodes)
    rows = []
    headings: list[TextBlock] = []
    end = 0
    for part, gap, text in zip(outline.parts, *_render_pieces(outline), strict=True):
        node = page.blocks.node[part.block] if part.block >= 0 else -1
        if part.block < 0 and part.formulas:
            node = part.formulas[0][1].node
        if part.path and outline.role[part.path[-1]] == "code":
            node = part.path[-1]
        start = end + len(gap) if node >= 0 else outline.lines_of.index(text, end)
        end = start + len(text)
        xpath = xpaths.of(node) if node >= 0 else None
        kind, level = _find_kind(outline, part.path)
        while kind == "heading" and headings and headings[-1].level >= level:
            headings.pop()
        section = tuple(heading.text for heading in headings)
        rows.append(TextBlock(kind, level, text, xpath, start, end, section))
        if kind == "heading":
            headings.append(rows[-1])
    return tuple(rows)


def _find_kind(outline: Outline, path: Path) -> tuple[str, int]:
    """Return the kind and the level of a block."""
    role, tag = outline.role, outline.page.nodes.tag
    i = next((i for i in reversed(path) if role[i] in KINDS), None)
    if i is None:
        return "paragraph", 0
    if role[i] == "heading":
        return "heading", int(tag[i][1])
    if role[i] == "cell":
        return ("table_header" if tag[i] == "th" else "table_cell"), 0
    has_level = role[i] in ("item", "definition", "quote")
    return KINDS[role[i]], sum(role[j] == role[i] for j in path) if has_level else 0


class XPaths:
    """XPaths of the elements of one page, for ``response.xpath``.

    An example is ``/html/body/div[2]/p[3]``. The XPath is ``(//*)[417]`` for a deep element, for a
    name that XPath does not allow, and outside of <body>, where parsers disagree.
    """

    def __init__(self, nodes: Nodes) -> None:
        self._nodes = nodes
        self._steps: dict[int, str] = {}  # element -> last step of its XPath

    def of(self, node: int) -> str:
        """Return the XPath of an element."""
        tag, parent = self._nodes.tag, self._nodes.parent
        steps: list[str] = []
        at = node
        while at >= 0 and len(steps) < MAX_XPATH_DEPTH and _XPATH_NAME.match(tag[at]):
            if at not in self._steps:
                self._add_children(parent[at])
            steps.append(self._steps[at])
            at = parent[at]
        path = "".join(reversed(steps))
        if at < 0 and path.startswith("/html/body"):
            return path
        return f"(//*)[{node + 1}]"

    def _add_children(self, parent: int) -> None:
        """Add the steps of an element's children; of the root if ``parent`` is -1."""
        tag, end = self._nodes.tag, self._nodes.end
        same: dict[str, list[int]] = {}  # tag -> children
        child = parent + 1
        while child < (end[parent] if parent >= 0 else len(tag)):
            same.setdefault(tag[child], []).append(child)
            child = end[child]
        for name, children in same.items():
            is_one = len(children) == 1
            for position, child in enumerate(children, 1):
                self._steps[child] = f"/{name}" if is_one else f"/{name}[{position}]"


@dataclass(frozen=True, slots=True)
class Link:
    """A link in the main text."""

    text: str  #: text of the link, white space folded
    url: str  #: address; absolute if the page's address is known
    block: int  #: index of its block in ``blocks``


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture in the main text."""

    url: str  #: absolute if the page's address is known
    alt: str
    caption: str  #: empty if it has none
    block: int  #: index in ``blocks`` of its block or of the block before it; -1 if none


def render_links(outline: Outline) -> tuple[Link, ...]:
    """Return the links of an outline, in order."""
    reader = InlineReader(outline)
    found: list[Link] = []
    for number, part in enumerate(outline.parts):
        pieces: list[str] = []
        for token in reader.tokens(part):
            if token.kind == "link" and token.is_start:
                pieces = []
            elif token.kind == "link":
                found.append(Link(" ".join("".join(pieces).split()), token.text, number))
            else:
                pieces.append(" " if token.kind == "break" else token.raw or token.text)
    return tuple(found)


def render_images(outline: Outline) -> tuple[Picture, ...]:
    """Return the pictures of an outline, in order."""
    whole = add_pictures(outline)
    captions: dict[int, str] = {}  # figure -> its <figcaption>; without one, its first text
    for part in whole.parts:
        for figure, inner in zip(part.path, (*part.path[1:], -1), strict=False):
            if part.text and whole.role[figure] == "figure":
                captions.setdefault(figure, part.text)
                if whole.role.get(inner) == "caption":
                    captions[figure] = part.text
    found: list[Picture] = []
    number = -1
    for part in whole.parts:
        images = [part.image] if part.image is not None else []
        if not images:
            number += 1
            images = [image for run in part.runs for image in whole.pictures.get(run, ())]
        for image in images:
            caption = next((captions[i] for i in reversed(part.path) if i in captions), "")
            found.append(Picture(image.source, image.alt, caption, number))
    return tuple(found)
