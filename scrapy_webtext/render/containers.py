"""In which lists, quotes, tables, code and headings text is, outermost first.

A container is named by its node. The containers of a node are found by walking up to the next
node whose containers are known, so that all walks together see each node once.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final, Literal

from scrapy_webtext.page import Nodes

#: Nodes of containers, outermost first. A list that the page leaves out, around items without
#: one, has a number below 0.
Path = tuple[int, ...]

Role = Literal[
    "", "list", "item", "quote", "code", "heading", "table", "row", "cell", "terms", "term",
    "definition", "figure", "caption",
]  # fmt: skip

#: Of containers.
Roles = Mapping[int, Role]

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
}
ROLES: Final = {tag: role for role, tags in _TAGS.items() for tag in tags.split()}

#: Containers that hold only these roles; anything else ends them.
CHILDREN: Final[Mapping[Role, tuple[Role, ...]]] = {
    "list": ("item", "list"),
    "table": ("row", "caption"),
    "row": ("cell",),
    "terms": ("term", "definition"),
}
#: Containers that are only within these roles.
_PARENTS: Final[Mapping[Role, tuple[Role, ...]]] = {
    "row": ("table",),
    "cell": ("row",),
    "term": ("terms",),
    "definition": ("terms",),
    "caption": ("table", "figure"),
}
#: Containers that end where one of these roles begins.
_SIBLINGS: Final[Mapping[Role, tuple[Role, ...]]] = {
    "item": ("item",),
    "term": ("term", "definition"),
    "definition": ("term", "definition"),
}

#: Containers within one another that are read; layout tables among them are left out later.
MAX_READ: Final = 64
#: Containers within one another that are rendered: indentation costs as much per line.
MAX_DEPTH: Final = 16

#: A cell with more characters or blocks than this is a column of a layout.
MAX_CELL_CHARS: Final = 600
MAX_CELL_BLOCKS: Final = 8

#: Quotes that are all of their entries are posts where there are so many.
MIN_POSTS: Final = 3
#: Where one of these is around all of the text, it says nothing of the text.
_AROUND_ALL: Final = ("item", "cell", "term", "definition", "quote", "caption")


class Containers:
    """The containers of the nodes of a page. Nodes must be asked for in document order.

    ``listings`` are nodes of code in other elements than <pre>.
    """

    def __init__(self, nodes: Nodes, listings: Collection[int] = ()) -> None:
        self._listings = listings
        self._tag, self._parent = nodes.tag, nodes.parent
        self.role: dict[int, Role] = {}  #: of the containers found so far
        self._paths: dict[int, Path] = {-1: ()}
        self._last_item: dict[int, int] = {}

    def of(self, node: int) -> Path:
        """Return the containers of a node, itself among them."""
        known, tag, parent, role_of = self._paths, self._tag, self._parent, ROLES.get
        below = []
        while node not in known:
            below.append(node)
            node = parent[node]
        path = known[node]
        for i in reversed(below):
            role = "code" if i in self._listings else role_of(tag[i])
            if role is not None and len(path) < MAX_READ:
                path = self._inside(path, i, role)
            known[i] = path
        return path

    def complete(self, path: Path) -> Path:
        """Return the path without those at its end that hold no text of their own."""
        while path and self.role[path[-1]] in CHILDREN:
            path = path[:-1]
        return path

    def meaningful(
        self, paths: list[Path], texts: Sequence[str]
    ) -> tuple[list[Path], frozenset[int]]:
        """Return the containers of each block without those that tell nothing, and which these are.

        ``paths`` and ``texts`` have the containers and the text of each block of the chosen text.
        """
        if not any(paths):
            return paths, frozenset()
        role = self.role
        left_out = _layout_tables(self._tag, role, paths, texts) | _posts(role, paths)
        if left_out:
            paths = [tuple(i for i in path if i not in left_out) for path in paths]
        around = around_all(paths, role)
        left_out.update(around)
        paths = [self.complete(path[len(around) :][:MAX_DEPTH]) for path in paths]
        return paths, frozenset(left_out)

    def _inside(self, path: Path, node: int, role: Role) -> Path:
        """Return the path that goes on with a node."""
        above = self._innermost(path)
        if above in ("heading", "code"):
            return path
        if role in _SIBLINGS.get(above, ()):
            # Without the end tag that HTML lets pages leave out, and libxml2 does not put in.
            path = path[:-1]
            above = self._innermost(path)
        if above == role == "list":
            # Between two items; browsers show it below the item before it.
            item = self._last_item.get(path[-1])
            path = path[:-1] if item is None else (*path, item)
            above = self._innermost(path)
        if above not in _PARENTS.get(role, (above,)):
            return path
        while above in CHILDREN and role not in CHILDREN[above]:
            path = path[:-1]
            above = self._innermost(path)
        if role == "item":
            if above != "list":
                unwritten = -2 - self._parent[node]
                self.role[unwritten] = "list"
                path = (*path, unwritten)
            self._last_item[path[-1]] = node
        self.role[node] = role
        return (*path, node)

    def _innermost(self, path: Path) -> Role:
        return self.role[path[-1]] if path else ""


def _layout_tables(
    tag: Sequence[str], role: Roles, paths: Sequence[Path], texts: Sequence[str]
) -> set[int]:
    """Return the containers of tables that only lay out the page: with rows, cells, captions.

    The chosen text alone decides, so that a rendered table is a table when it is read again.
    """
    places: dict[int, list[tuple[Path, str]]] = {}  # table -> its blocks, their paths below it
    if "table" in role.values():
        for path, text in zip(paths, texts, strict=True):
            for depth, i in enumerate(path, 1):
                if role[i] == "table":
                    places.setdefault(i, []).append((path[depth:], text))
    layout: set[int] = set()
    data: set[int] = set()
    for table in sorted(places, reverse=True):  # those inside others first
        if _holds_data(tag, role, places[table], data):
            data.add(table)
            continue
        layout.add(table)
        parts = (i for path, _ in places[table] for i in path[:2])
        layout.update(i for i in parts if role[i] in ("row", "cell", "caption"))
    return layout


def _holds_data(
    tag: Sequence[str], role: Roles, inside: Sequence[tuple[Path, str]], data: set[int]
) -> bool:
    """Whether a table is one of data, given its blocks, their containers below the table.

    It has two columns or more, and two rows or a header cell. No cell holds headings, another of
    the tables of ``data``, lines of code or much text.
    """
    rows: dict[int, set[int]] = {}
    chars: dict[int, int] = {}
    blocks: dict[int, int] = {}
    for path, text in inside:
        if len(path) < 2 or role[path[0]] != "row":
            continue
        row, cell, *deeper = path
        if any(role[i] == "heading" or i in data for i in deeper):
            return False
        if deeper and role[deeper[-1]] == "code" and "\n" in text:
            return False
        rows.setdefault(row, set()).add(cell)
        chars[cell] = chars.get(cell, 0) + len(text)
        blocks[cell] = blocks.get(cell, 0) + 1
    if max(map(len, rows.values()), default=0) < 2:
        return False
    if max(chars.values()) > MAX_CELL_CHARS or max(blocks.values()) > MAX_CELL_BLOCKS:
        return False
    return len(rows) > 1 or any(tag[cell] == "th" for cell in chars)


def _posts(role: Roles, paths: Sequence[Path]) -> set[int]:
    """Return the quotes that are posts: each is all of its entry, in `MIN_POSTS` entries."""
    if "quote" not in role.values():
        return set()
    quotes: dict[int, int] = {}  # entry -> its first quote, -1 where it holds something else
    for path in paths:
        for i, inner in zip(path, (*path[1:], -1), strict=False):
            if role[i] == "item":
                quote = inner if inner >= 0 and role[inner] == "quote" else -1
                if quotes.setdefault(i, quote) != quote:
                    quotes[i] = -1
    found = set(quotes.values()) - {-1}
    return found if len(found) >= MIN_POSTS else set()


def around_all(paths: Sequence[Path], role: Roles) -> Path:
    """Return the containers around all of the text, up to the last that tells nothing of it."""
    one, other = min(paths), max(paths)  # containers of both are around all
    around = one[: shared(one, other)]
    while around and role[around[-1]] not in _AROUND_ALL:
        around = around[:-1]
    return around


def walk(paths: Iterable[Path]) -> Iterator[tuple[Path, int]]:
    """Yield per path the one before it, and how many containers, from the outermost, both have."""
    last: Path = ()
    for path in paths:
        yield last, shared(last, path)
        last = path


def shared(one: Path, other: Path) -> int:
    """Return how many containers, from the outermost, both paths have."""
    both = zip(one, other, strict=False)
    return next((n for n, (i, j) in enumerate(both) if i != j), min(len(one), len(other)))
