"""Renders chosen text as plain text and as rows; lists its links and pictures.

Plain text has one line per block, markers of list items, and one line per row of a table. Rows are
data about blocks, for chunking and for finding a text on its page.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from itertools import chain
from typing import Final

from scrapy_webtext.page import Nodes, Page
from scrapy_webtext.render.captions import find_captions
from scrapy_webtext.render.inline import InlineReader
from scrapy_webtext.render.outline import Outline, add_pictures, outline_blocks, outline_runs
from scrapy_webtext.render.pictures import REACH
from scrapy_webtext.render.tree import Node, Part, leaves, number_items, parse_integer, tree_of

#: Separator of cells. Browsers copy a tab, but folding white space would remove it.
CELL_SEPARATOR: Final = " | "
#: Separator of lines in a cell, as when verse is quoted in a sentence.
LINE_SEPARATOR: Final = " / "
INDENT: Final = "  "
BULLET: Final = "- "

#: Maximum number of columns or rows that a cell spans, so that a small page has no large rendering.
MAX_SPAN: Final = 20
_CELLS: Final = frozenset({"td", "th"})
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
    return render_text(outline_runs(page, [*chosen]))


def render_blocks(page: Page, chosen: Iterable[int]) -> str:
    """Return the text of these blocks; ``chosen`` ascends."""
    return render_text(outline_blocks(page, chosen))


def render_text(outline: Outline) -> str:
    """Return the plain text of an outline."""
    return "".join(_write(outline))


def _write(outline: Outline) -> list[str]:
    """Return the separator before each part, and its text, in turn."""
    writer = _Writer(outline.page)
    writer.write(tree_of(outline.parts), 0)
    return writer.pieces


class _Writer:
    """Writes the containers of a tree as plain text."""

    def __init__(self, page: Page) -> None:
        self._page, self._numbers = page, number_items(page)
        self._sign = ""  # of the list item that begins
        self.pieces: list[str] = []

    def write(self, node: Node, level: int) -> None:
        """Add the text of a node; ``level`` is the number of its indentations."""
        spans: dict[int, int] = {}  # see `list_columns`
        for k, child in enumerate(node.children):
            if isinstance(child, Part):
                text = child.text
                if level and "\n" in text:
                    text = text.replace("\n", "\n" + INDENT * level)
                is_second = k == 1 and node.role == "point"
                self.pieces += (" " if is_second else self._begin(level), text)
            elif child.role == "row":
                self._write_row(child, self._begin(level), spans)
            elif child.role in ("item", "definition"):
                number = self._numbers.get((node.key, child.key))
                sign = BULLET if number is None else f"{number}. "
                self._sign = sign if child.role == "item" else ""
                self.write(child, level + 1)
            else:
                self.write(child, level)

    def _begin(self, level: int) -> str:
        """Return the separator before a line, with its indentation and the sign of its item."""
        sign, self._sign = self._sign or INDENT, ""
        line = "\n" if self.pieces else ""
        return line + INDENT * (level - 1) + sign if level else line

    def _write_row(self, row: Node, gap: str, spans: dict[int, int]) -> None:
        """Add the parts of a row as one line; empty cells at its end are left out."""
        inside = {cell.key: cell for cell in row.inner}
        columns = list_columns(self._page, row.key, inside, spans, 1)
        for number, cell in enumerate(columns):
            if number:
                gap += CELL_SEPARATOR if number > 1 or columns[0] in inside else CELL_SEPARATOR[1:]
            for k, part in enumerate(leaves(inside[cell]) if cell in inside else ()):
                text = part.text.replace("\n", LINE_SEPARATOR)
                self.pieces += (LINE_SEPARATOR if k else gap, text)
                gap = ""


def list_cells(page: Page, row: int, known: Iterable[int]) -> list[int]:
    """Return the visible cells of a row, including empty cells; ``known`` are cells with text."""
    tag, end, hidden = page.nodes.tag, page.nodes.end, page.hidden
    cells = set(known)
    child = row + 1
    while child < end[row]:
        cells.update([child] if tag[child] in _CELLS and not hidden[child] else ())
        child = end[child]
    return sorted(cells)


def list_columns(
    page: Page, row: int, known: Iterable[int], spans: dict[int, int], max_width: int = MAX_SPAN
) -> list[int]:
    """Return the cell of each column of a row; -1 for columns that another cell spans.

    ``known`` are cells with text. ``spans`` maps a column to the number of rows that a cell above
    still spans; it is updated. A cell spans at most ``max_width`` columns.
    """
    columns: list[int] = []
    get = page.nodes.attributes.get
    for cell in (*list_cells(page, row, known), -1):
        while spans.get(len(columns), 0) > 0:
            spans[len(columns)] -= 1
            columns.append(-1)
        if cell >= 0:
            width, height = (
                min(max(parse_integer(get(cell, name)) or 1, 1), most)
                for name, most in (("colspan", max_width), ("rowspan", MAX_SPAN))
            )
            spans.update(dict.fromkeys(range(len(columns), len(columns) + width), height - 1))
            columns += [cell, *[-1] * (width - 1)]
    return columns


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
    pieces = _write(outline)
    for part, gap, text in zip(outline.parts, pieces[::2], pieces[1::2], strict=True):
        node = page.blocks.node[part.block] if part.block >= 0 else part.node(page)
        node = part.container.key if part.role == "code" else node
        start = end + len(gap) if node >= 0 else outline.lines_of.index(text, end)
        end = start + len(text)
        xpath = xpaths.of(node) if node >= 0 else None
        kind, level = _find_kind(page, part)
        while kind == "heading" and headings and headings[-1].level >= level:
            headings.pop()
        section = tuple(heading.text for heading in headings)
        rows.append(TextBlock(kind, level, text, xpath, start, end, section))
        if kind == "heading":
            headings.append(rows[-1])
    return tuple(rows)


def _find_kind(page: Page, part: Part) -> tuple[str, int]:
    """Return the kind and the level of a block."""
    path = part.container.path()
    one = next((one for one in path if one.role in KINDS), None)
    if one is None:
        return "paragraph", 0
    tag, kind = page.nodes.tag[one.key], KINDS[one.role]
    if kind == "heading":
        return kind, int(tag[1])
    has_level = kind in ("list_item", "definition", "quote")
    level = sum(other.kind == one.kind for other in path) if has_level else 0
    return ("table_header" if tag == "th" and kind == "table_cell" else kind), level


class XPaths:
    """XPaths of the elements of one page, for ``response.xpath``.

    An example is ``/html/body/div[2]/p[3]``. The XPath is ``(//*)[417]`` for a deep element, for a
    name that XPath does not allow, and outside of <body>, where parsers disagree.
    """

    def __init__(self, nodes: Nodes) -> None:
        self._nodes = nodes
        self._steps: dict[int, str] = {}  # element -> last step of its XPath
        self._paths: dict[int, str] = {-1: ""}  # element -> its XPath; "//" if it has no path

    def of(self, node: int) -> str:
        """Return the XPath of an element."""
        tag, parent, paths, below = self._nodes.tag, self._nodes.parent, self._paths, list[int]()
        at = node
        while at not in paths:
            below.append(at)
            at = parent[at]
        path = paths[at]
        for i in reversed(below):
            if i not in self._steps:
                self._add_children(parent[i])
            is_path = path.count("/") < MAX_XPATH_DEPTH and _XPATH_NAME.match(tag[i])
            path = paths[i] = path + self._steps[i] if is_path and path != "//" else "//"
        return path if path.startswith("/html/body") else f"(//*)[{node + 1}]"

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
    reader, is_link, node = InlineReader(outline), outline.page.is_link, outline.page.runs.node
    found: list[Link] = []
    for number, part in enumerate(outline.parts):
        pieces: list[str] = []
        own = chain((node[k] for k in part.runs), (one.node for one in part.formulas))
        for token in reader.tokens(part) if any(is_link[i] for i in own) else ():
            if token.kind == "link" and token.is_start:
                pieces = []
            elif token.kind == "link":
                found.append(Link(" ".join("".join(pieces).split()), token.text, number))
            else:
                pieces.append(" " if token.kind == "break" else token.raw or token.text)
    return tuple(found)


def render_images(outline: Outline) -> tuple[Picture, ...]:
    """Return the pictures of an outline, in order."""
    page, whole = outline.page, add_pictures(outline, "picture")
    around = find_captions(page)
    captions: defaultdict[int, list[str]] = defaultdict(list)  # element around pictures -> texts
    for part in whole.parts:
        captions[around.get(part.block, -1)].append(part.text)
    captions.pop(-1, None)
    found: list[Picture] = []
    number = -1
    for part in whole.parts:
        images = [part.image] if part.image is not None else []
        number += not images and part.block not in whole.captions
        for image in (*images, *(one for run in part.runs for one in whole.pictures.get(run, ()))):
            caption = " ".join(captions.get(_find_captioned(page, image.node, captions), ()))
            found.append(Picture(image.source, image.alt, caption, number))
    return tuple(found)


def _find_captioned(page: Page, node: int, captions: Collection[int]) -> int:
    """Return the innermost element, at or above a picture, that has a caption; -1 if missing."""
    for _ in range(REACH):
        if node < 0 or node in captions:
            return node
        node = page.nodes.parent[node]
    return -1
