"""In which lists, quotes, tables, code and headings text stands, outermost first.

A container is named by its node. The containers of a node are found by walking up to the next
node whose containers are known, so that all walks together see each node once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from scrapy_webtext.page.nodes import Nodes

#: Nodes of containers, outermost first. A list that the page leaves out, around items without
#: one, has a number below 0.
Path = tuple[int, ...]

LIST: Final = "list"
ITEM: Final = "item"
QUOTE: Final = "quote"
CODE: Final = "code"
HEADING: Final = "heading"
TABLE: Final = "table"
ROW: Final = "row"
CELL: Final = "cell"
TERMS: Final = "terms"  #: a list of terms and definitions
TERM: Final = "term"
DEFINITION: Final = "definition"
FIGURE: Final = "figure"
CAPTION: Final = "caption"

ROLES: Final[Mapping[str, str]] = {
    **dict.fromkeys(("ul", "ol", "menu", "dir"), LIST),
    "li": ITEM,
    "blockquote": QUOTE,
    **dict.fromkeys(("pre", "listing", "xmp", "plaintext"), CODE),
    **dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6"), HEADING),
    "table": TABLE,
    "tr": ROW,
    "td": CELL,
    "th": CELL,
    "dl": TERMS,
    "dt": TERM,
    "dd": DEFINITION,
    "figure": FIGURE,
    "figcaption": CAPTION,
    "caption": CAPTION,
}

#: What holds nothing but these; where something else stands in it, it is no container of that.
_CHILDREN: Final[Mapping[str, frozenset[str]]] = {
    LIST: frozenset({ITEM, LIST}),
    TABLE: frozenset({ROW, CAPTION}),
    ROW: frozenset({CELL}),
    TERMS: frozenset({TERM, DEFINITION}),
}
#: What stands only in these.
_PARENTS: Final[Mapping[str, frozenset[str]]] = {
    ROW: frozenset({TABLE}),
    CELL: frozenset({ROW}),
    TERM: frozenset({TERMS}),
    DEFINITION: frozenset({TERMS}),
    CAPTION: frozenset({TABLE, FIGURE}),
}

#: What begins one of these ends the one before it.
_SIBLINGS: Final[Mapping[str, frozenset[str]]] = {
    ITEM: frozenset({ITEM}),
    TERM: frozenset({TERM, DEFINITION}),
    DEFINITION: frozenset({TERM, DEFINITION}),
}

#: Containers within one another that are read; layout tables among them are left out later.
MAX_READ: Final = 64
#: Containers within one another that are rendered: indentation costs as much per line.
MAX_DEPTH: Final = 16


def read_containers(nodes: Nodes, asked: Iterable[int]) -> tuple[list[Path], dict[int, str]]:
    """Return the containers of some nodes, each path `complete`, and the roles of containers.

    ``asked`` are the nodes in document order.
    """
    containers = Containers(nodes)
    of, role = containers.of, containers.role
    return [complete(of(i), role) for i in asked], role


def complete(path: Path, role: Mapping[int, str]) -> Path:
    """Return the path without what it ends with that holds no text of its own."""
    while path and role[path[-1]] in _CHILDREN:
        path = path[:-1]
    return path


class Containers:
    """The containers of the nodes of a page. Nodes must be asked for in document order."""

    def __init__(self, nodes: Nodes) -> None:
        self._tag, self._parent = nodes.tag, nodes.parent
        self.role: dict[int, str] = {}  #: of the containers found so far
        self._paths: dict[int, Path] = {-1: ()}
        self._last_item: dict[int, int] = {}

    def of(self, node: int) -> Path:
        """Return the containers of a node, itself among them."""
        known, tag, parent = self._paths, self._tag, self._parent
        below = []
        while node not in known:
            below.append(node)
            node = parent[node]
        path = known[node]
        for i in reversed(below):
            role = ROLES.get(tag[i])
            if role is not None and len(path) < MAX_READ:
                path = self._inside(path, i, role)
            known[i] = path
        return path

    def _inside(self, path: Path, node: int, role: str) -> Path:
        """Return the path that goes on with a node."""
        above = self._innermost(path)
        if above in (HEADING, CODE):
            return path
        if role in _SIBLINGS.get(above, ()):
            # Without the end tag that HTML lets pages leave out, and libxml2 does not put in.
            path = path[:-1]
            above = self._innermost(path)
        if above == LIST and role == LIST:
            # Between two items; browsers show it below the item before it.
            item = self._last_item.get(path[-1])
            path = path[:-1] if item is None else (*path, item)
            above = self._innermost(path)
        if above not in _PARENTS.get(role, (above,)):
            return path
        while above in _CHILDREN and role not in _CHILDREN[above]:
            path = path[:-1]
            above = self._innermost(path)
        if role == ITEM:
            if above != LIST:
                unwritten = -2 - self._parent[node]
                self.role[unwritten] = LIST
                path = (*path, unwritten)
            self._last_item[path[-1]] = node
        self.role[node] = role
        return (*path, node)

    def _innermost(self, path: Path) -> str:
        return self.role[path[-1]] if path else ""
