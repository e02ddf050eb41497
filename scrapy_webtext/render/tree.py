"""The containers around the parts of a text: lists, tables, quotes, code and headings; as a tree.

A part is a block, in whole or in part, a formula or a picture. `Containers` finds the container of
a node: it walks up to the nearest node whose container is known, so all walks together visit each
node once. `tree_of` makes a tree of parts. All renderings are functions over this tree. It is at
most `MAX_DEPTH` deep, not counting callouts, so these functions may be recursive.
"""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final, Literal, NamedTuple

from scrapy_webtext.core import arrays
from scrapy_webtext.page import Nodes, Page, Runs
from scrapy_webtext.page.text import SEPARATORS

Role = Literal[
    "", "list", "item", "quote", "code", "heading", "table", "row", "cell", "terms", "term",
    "definition", "figure", "caption", "point", "callout",
]  # fmt: skip

_TAGS: Final[Mapping[Role, str]] = {
    "list": "ul ol menu dir",
    "item": "li",
    "quote": "blockquote",
    "code": "pre listing xmp plaintext",
    "heading": "h1 h2 h3 h4 h5 h6",
    "table": "table",
    "row": "tr",
    "cell": "td th",
    "terms": "dl",
    "term": "dt",
    "definition": "dd",
    "figure": "figure",
    "caption": "figcaption caption",
    "point": "",  # see `_is_point`
}
#: All roles of containers; `_KINDS` maps a tag to the index of its role.
ROLES: Final[Sequence[Role]] = ("", *_TAGS)
_LIST, _ITEM = ROLES.index("list"), ROLES.index("item")
_CODE, _HEADING, _TABLE = ROLES.index("code"), ROLES.index("heading"), ROLES.index("table")
_POINT: Final = ROLES.index("point")
_PARTS_OF_TABLES: Final = tuple(map(ROLES.index, ("row", "cell", "caption")))
_KINDS: Final = {tag: k for k, tags in enumerate(_TAGS.values(), 1) for tag in tags.split()}

#: Role -> roles that it may contain. Any other role ends the container.
CHILDREN: Final[Mapping[Role, tuple[Role, ...]]] = {
    "list": ("item", "list"),
    "table": ("row", "caption"),
    "row": ("cell",),
    "terms": ("term", "definition"),
}
#: Role -> allowed roles of its parent container.
_PARENTS: Final[Mapping[Role, tuple[Role, ...]]] = {
    "row": ("table",),
    "cell": ("row",),
    "term": ("terms",),
    "definition": ("terms",),
    "caption": ("table", "figure"),
}
#: Role -> roles that end it when they begin.
_SIBLINGS: Final[Mapping[Role, tuple[Role, ...]]] = {
    "item": ("item",),
    "term": CHILDREN["terms"],
    "definition": CHILDREN["terms"],
}


def _bits(table: Mapping[Role, tuple[Role, ...]]) -> list[int]:
    """Return the roles of each role as bits; the first bit is for the first role."""
    return [sum(1 << ROLES.index(one) for one in table.get(role, ())) for role in ROLES]


_HELD, _WITHIN, _ENDS = _bits(CHILDREN), _bits(_PARENTS), _bits(_SIBLINGS)

#: Maximum depth of containers that are read, including layout tables, which are left out later.
MAX_READ: Final = 64
#: Maximum depth of containers that are rendered; each level adds characters to each line.
MAX_DEPTH: Final = 16

#: A table with a cell of more characters or blocks is a layout table.
MAX_CELL_CHARS: Final = 600
MAX_CELL_BLOCKS: Final = 8

#: The sign of an item: "(a)", "1.", "•".
_SIGN: Final = re.compile(r"[(\[]?\w{1,4}[)\].]|[•◦‣·▪■□○●►–—*-]")

#: Quotes that fill their list items are posts if a text has at least this many of them.
MIN_POSTS: Final = 3
#: Roles that have no meaning if the container contains the whole text.
_AROUND_ALL: Final = ("item", "cell", "term", "definition", "quote", "caption")


class Container:
    """An element around text; the outermost one is around everything.

    ``kind`` is the index of its role in `ROLES`, ``key`` its node. The key of a list that is added
    around items is negative.
    """

    def __init__(self, kind: int, key: int, outer: Container | None) -> None:
        self.kind, self.key = kind, key
        self.outer: Container = self if outer is None else outer
        self.depth: int = 0 if outer is None else outer.depth + 1
        self.is_gone = False  #: whether it has no meaning, so that ``outer`` takes its place

    @property
    def role(self) -> Role:
        """The role, such as "list"; "" for the outermost container."""
        return ROLES[self.kind]

    def path(self) -> list[Container]:
        """Return this container and those around it, without the outermost one."""
        found, one = [], self
        while one is not ROOT:
            found.append(one)
            one = one.outer
        return found


ROOT: Final = Container(0, -1, None)


class Containers:
    """The containers of the nodes of a page. Nodes must be looked up in document order.

    ``listings`` are nodes of code that is not in <pre>.
    """

    def __init__(self, nodes: Nodes, listings: Collection[int] = ()) -> None:
        self._nodes, self._parent = nodes, nodes.parent
        self._kinds = nodes.kinds(_KINDS)
        for i in listings:
            self._kinds[i] = _CODE
        self._known: list[Container | None] = [None] * len(nodes)
        self._added: dict[int, Container] = {}  # parent of items outside of a list -> their list
        self._last: dict[int, Container] = {}  # list -> its last item
        self._found: list[Container] = []
        self._most = MAX_READ

    def of(self, node: int) -> Container:
        """Return the innermost container around a node or at it."""
        parent, kinds, below = arrays.longs(self._parent), arrays.longs(self._kinds), []
        while node >= 0 and self._known[node] is None:
            below.append(node)
            node = parent[node]
        found = (self._known[node] if node >= 0 else None) or ROOT
        while found.is_gone:
            found = found.outer
        for i in reversed(below):
            if kinds[i] and found.depth < self._most:
                found = self._inside(found, i, kinds[i])
            self._known[i] = found
        return found

    def of_text(self, node: int) -> Container:
        """Return the innermost container, at or around a node, that can contain text directly."""
        found = self.of(node)
        while _HELD[found.kind]:
            found = found.outer
        return found

    def drop_meaningless(self, parts: Sequence[Part]) -> list[Part]:
        """Remove the containers without a meaning for a text; return its parts without them.

        No node of the text may be looked up afterwards.
        """
        self._most = MAX_DEPTH
        if not self._found:
            return list(parts)
        root = tree_of(parts)
        nodes = [*_nodes_in(root)]
        data, points = _find_tables(self._nodes, nodes)
        gone = _find_posts(nodes)
        for one in self._found:
            is_part = one.kind in _PARTS_OF_TABLES
            is_lost = is_part and (one.outer.key in gone or one.outer.kind == _POINT)
            if one.key in points:
                one.kind = _POINT
            elif is_lost or (one.kind == _TABLE and one.key not in data):
                gone.add(one.key)
        gone.update([node.key for node in find_around_all(root, gone)])
        for one in self._found:
            if one.outer.is_gone:
                one.outer = one.outer.outer
            one.depth = one.outer.depth + 1
            one.is_gone = one.key in gone or one.depth > MAX_DEPTH
        left: list[Part] = []
        for part in parts:
            container = part.container
            while container.is_gone or _HELD[container.kind]:
                container = container.outer
            left.append(part if container is part.container else part._replace(container=container))
        return left

    def _inside(self, around: Container, node: int, kind: int) -> Container:
        """Return the container of a node that has a role; ``around`` is that of its parent."""
        if around.kind in (_HEADING, _CODE) or (kind == _TABLE and self._most == MAX_DEPTH):
            return around  # a table without text has no meaning
        if _ENDS[around.kind] >> kind & 1:
            # The end tag may be omitted in HTML, and libxml2 does not add it.
            around = around.outer
        if around.kind == kind == _LIST:
            # A list between two items: browsers show it below the previous item.
            around = self._last.get(around.key) or around.outer
        if _WITHIN[kind] and not _WITHIN[kind] >> around.kind & 1:
            return around
        while _HELD[around.kind] and not _HELD[around.kind] >> kind & 1:
            around = around.outer
        if kind == _ITEM and around.kind != _LIST:
            parent = self._parent[node]
            if parent not in self._added:
                self._added[parent] = self._add(around, -2 - parent, _LIST)
            around = self._added[parent]
        found = self._add(around, node, kind)
        if kind == _ITEM:
            self._last[around.key] = found
        return found

    def _add(self, around: Container, key: int, kind: int) -> Container:
        found = Container(kind, key, around)
        self._found.append(found)
        return found


class Formula(NamedTuple):
    """A formula; its elements are ``node <= i < end``."""

    node: int
    end: int
    first_run: int  #: first run of its elements; without runs, the run after them
    end_run: int
    tex: str
    is_display: bool  #: whether it is shown on a line of its own
    before: str  #: separator between the formula and the text before it
    after: str  #: separator between the formula and the text after it

    @property
    def text(self) -> str:
        """The TeX between delimiters."""
        return rf"\[{self.tex}\]" if self.is_display else rf"\({self.tex}\)"


#: A picture, a video or sound at its ``source``, or a rule (<hr>), which has no source.
ImageKind = Literal["picture", "player", "rule"]


@dataclass(frozen=True, slots=True)
class Image:
    """A picture, a player or a rule."""

    node: int
    source: str  #: address; absolute if the page's address is known
    alt: str  #: alternative text, white space folded
    width: int | None
    height: int | None
    kind: ImageKind = "picture"


class Part(NamedTuple):
    """A block of the text, in whole or in part, or a formula or picture between blocks."""

    text: str  #: lines with folded white space; code keeps its white space
    container: Container = ROOT  #: innermost container
    block: int = -1  #: block of the page; -1 if the text is not from a block
    runs: Sequence[int] = ()  #: runs of the page, ascending
    formulas: Sequence[Formula] = ()  #: formulas in place of runs or between runs
    image: Image | None = None

    def node(self, page: Page) -> int:
        """Return the element of the first run, formula or picture; -1 if missing."""
        if self.runs:
            return page.runs.node[self.runs[0]]
        if self.image:
            return self.image.node
        return self.formulas[0].node if self.formulas else -1

    @property
    def role(self) -> Role:
        """The role of the innermost container."""
        return self.container.role

    @property
    def first_run(self) -> int:
        """The first run, or the first run of a formula at the start."""
        return min(chain(self.runs[:1], (one.first_run for one in self.formulas[:1])))


def read_pieces(runs: Runs, part: Part) -> Iterator[tuple[str, int, Formula | None]]:
    """Yield separator, run and formula of each piece of a part; a formula has run -1."""
    formulas = deque(part.formulas)
    last, before = -1, None  # the previous run, or the previous formula
    for k in part.runs:
        while formulas and formulas[0].first_run <= k:
            formula = formulas.popleft()
            yield formula.before if last >= 0 or before else "", -1, formula
            before = formula
        separator = SEPARATORS[widest_gap(runs, last, k)] if last >= 0 else ""
        if before:
            separator = "\n" if separator == "\n" else before.after
        yield separator, k, None
        last, before = k, None
    for formula in formulas:
        yield formula.before if last >= 0 or before else "", -1, formula
        before = formula


def join_runs(runs: Runs, chosen: Sequence[int], formulas: Sequence[Formula] = ()) -> str:
    """Return the text of runs with formulas between them; ``chosen`` ascends."""
    pieces = read_pieces(runs, Part("", runs=chosen, formulas=formulas))
    return "".join([gap + (one.text if one else runs.text[k]) for gap, k, one in pieces])


def widest_gap(runs: Runs, one: int, other: int) -> int:
    """Return the widest gap between two chosen runs, so that omitted text does not join words."""
    gap = runs.gap
    return gap[other] if other == one + 1 else max(gap[one + 1 : other + 1])


class Node:
    """A container with its children, which are containers and parts, in order."""

    def __init__(self, role: Role, key: int, children: list[Node | Part]) -> None:
        self.role, self.key, self.children = role, key, children

    @property
    def inner(self) -> list[Node]:
        """The children that are containers."""
        return [child for child in self.children if isinstance(child, Node)]


def tree_of(parts: Iterable[Part]) -> Node:
    """Return the root of the tree of parts."""
    opened = [Node("", -1, [])]
    last = ROOT
    for part in parts:
        if part.container is not last:
            last = one = part.container
            begun: list[Container] = []
            while one.depth >= len(opened) or opened[one.depth].key != one.key:
                begun.append(one)
                one = one.outer
            del opened[one.depth + 1 :]
            for one in reversed(begun):
                node = Node(ROLES[one.kind], one.key, [])
                opened[-1].children.append(node)
                opened.append(node)
        opened[-1].children.append(part)
    return opened[0]


def leaves(node: Node) -> Iterator[Part]:
    """Yield the parts in a node."""
    for child in node.children:
        if isinstance(child, Part):
            yield child
        else:
            yield from leaves(child)


def _nodes_in(node: Node) -> Iterator[Node]:
    """Yield the containers in a node, inner ones first."""
    for child in node.inner:
        yield from _nodes_in(child)
        yield child


def _find_tables(nodes: Nodes, inside: Sequence[Node]) -> tuple[set[int], set[int]]:
    """Return the tables of data, and the rows that are points of a list.

    All other tables are layout tables, also those with points.
    Only the chosen text decides, so that a table in rendered HTML is a data table again. A table
    with text between its cells is no table of data.
    """
    tables = [node for node in inside if node.role == "table"]
    times, data, points = Counter([node.key for node in inside]), set[int](), set[int]()
    for table in tables:  # inner tables first
        if all(_is_point(nodes.tag, row) for row in table.inner):
            points.update([row.key for row in table.inner if times[row.key] == 1])
        elif times[table.key] == 1 and _is_data_table(nodes.tag, table, data):
            data.add(table.key)
    return data, points


def _is_point(tag: Sequence[str], row: Node) -> bool:
    """Return whether a row has two cells, with the sign of an item and its text."""
    if row.role != "row" or len(row.inner) != 2:
        return False
    sign, text = [cell.children[0] for cell in row.inner]
    if not isinstance(sign, Part) or not isinstance(text, Part):
        return False
    is_alone = len(row.inner[0].children) == 1 and tag[row.inner[0].key] == "td"
    return is_alone and _SIGN.fullmatch(sign.text) is not None


def _is_data_table(tag: Sequence[str], table: Node, data: Collection[int]) -> bool:
    """Return whether a table contains data.

    It must have two of the following: several columns, several rows, a header cell or caption. No
    cell may contain a heading, a table in ``data``, much text or, in a table without a header cell,
    lines of code.
    """
    rows = [row.inner for row in table.inner if row.role == "row"]
    cells = [cell for row in rows for cell in row]
    has_header = any(tag[cell.key] == "th" for cell in cells)
    for cell in cells:
        if any(node.role == "heading" or node.key in data for node in _nodes_in(cell)):
            return False
        parts = [*leaves(cell)]
        if len(parts) > MAX_CELL_BLOCKS or sum([len(part.text) for part in parts]) > MAX_CELL_CHARS:
            return False
        if not has_header and any(part.role == "code" and "\n" in part.text for part in parts):
            return False
    is_marked = has_header or any(child.role == "caption" for child in table.inner)
    return (len(rows) > 1) + any(len(row) > 1 for row in rows) + is_marked > 1 if cells else False


def _find_posts(inside: Sequence[Node]) -> set[int]:
    """Return the quotes that are forum posts: `MIN_POSTS` or more, each all of its list item."""
    items = [node for node in inside if node.role == "item" and len(node.children) == 1]
    found = {child.key for item in items for child in item.inner if child.role == "quote"}
    return found if len(found) >= MIN_POSTS else set()


def find_around_all(root: Node, gone: Collection[int] = ()) -> list[Node]:
    """Return the outermost containers that contain the whole text and add no meaning to it."""
    around: list[Node] = []
    count = 0
    while len(root.children) == 1 and root.inner:
        root = root.inner[0]
        around.append(root)
        if root.role in _AROUND_ALL and root.key not in gone:
            count = len(around)
    return around[:count]


#: (ordered list, item) -> number of the item.
Numbers = Mapping[tuple[int, int], int]

_LISTS: Final = frozenset({"ol", "ul", "menu", "dir"})
#: An integer at the start of an attribute's value, with at most nine digits.
_INTEGER: Final = re.compile(r"\A\s*([+-]?[0-9]{1,9})(?![0-9])")


def parse_integer(value: str | None) -> int | None:
    """Return the integer at the start of an attribute's value; None if missing."""
    match = _INTEGER.match(value or "")
    return int(match[1]) if match else None


def number_items(page: Page) -> Numbers:
    """Return the numbers of the items of ordered lists (HTML Living Standard, "ordinal value")."""
    return page.cached("item numbers", lambda: _number_items(page.nodes))


def _number_items(nodes: Nodes) -> Numbers:
    numbers: dict[tuple[int, int], int] = {}
    tag, end, attributes = nodes.tag, nodes.end, nodes.attributes
    for ordered in nodes.tagged(frozenset({"ol"})):
        items = []
        child = ordered + 1
        while child < end[ordered]:
            if tag[child] == "li":
                items.append(child)
            child = end[child] if tag[child] in _LISTS else child + 1
        given = dict(attributes[ordered])
        step = -1 if "reversed" in given else 1
        start = parse_integer(given.get("start"))
        number = start if start is not None else len(items) if step < 0 else 1
        for item in items:
            value = parse_integer(attributes.get(item, "value"))
            numbers[ordered, item] = number = number if value is None else value
            number += step
    return numbers
