"""The containers around the parts of a text: lists, quotes, tables, code and headings.

The number of a container is the number of its node. To find the containers of a node, `Containers`
walks up to the nearest node whose containers are known. All walks together visit each node once.
Plain text is written from the frames of `Containers`; the other renderings read paths and trees.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Collection, Mapping, Sequence
from typing import Final, Literal

from scrapy_webtext.core import arrays
from scrapy_webtext.page import Nodes, Page

#: Containers, outermost first. A negative number is a list without an element, which is added for
#: items outside of a list.
Path = tuple[int, ...]

Role = Literal[
    "", "list", "item", "quote", "code", "heading", "table", "row", "cell", "terms", "term",
    "definition", "figure", "caption",
]  # fmt: skip

#: Container -> its role.
Roles = Mapping[int, Role]

#: (path of a block inside a table, text of the block, index of the block in the chosen text).
_Place = tuple[Path, str, int]

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
#: All roles; `_KINDS` maps a tag to the index of its role.
ROLES: Final[Sequence[Role]] = ("", *_TAGS)
_LIST: Final = ROLES.index("list")
_ITEM: Final = ROLES.index("item")
_CODE: Final = ROLES.index("code")
_HEADING: Final = ROLES.index("heading")
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
    "term": ("term", "definition"),
    "definition": ("term", "definition"),
}


def _bits(table: Mapping[Role, tuple[Role, ...]]) -> array[int]:
    """Return the roles of each role as bits; the first bit is for the first role."""
    places = [[ROLES.index(one) for one in table.get(role, ())] for role in ROLES]
    return arrays.as_longs([sum(1 << place for place in some) for some in places])


_HELD: Final = _bits(CHILDREN)
_WITHIN: Final = _bits(_PARENTS)
_ENDS: Final = _bits(_SIBLINGS)

#: Maximum depth of containers that are read, including layout tables, which are left out later.
MAX_READ: Final = 64
#: Maximum depth of containers that are rendered; each level adds characters to each line.
MAX_DEPTH: Final = 16

#: A table with a cell of more characters or blocks is a layout table.
MAX_CELL_CHARS: Final = 600
MAX_CELL_BLOCKS: Final = 8

#: Quotes that fill their list items are posts if a text has at least this many of them.
MIN_POSTS: Final = 3
#: Roles of containers that may have no meaning wherever they are.
_MEANINGLESS: Final = frozenset({"table", "quote"})
#: Roles that have no meaning if the container contains the whole text.
_AROUND_ALL: Final = ("item", "cell", "term", "definition", "quote", "caption")


class Containers:
    """The containers of the nodes of a page, as frames. Nodes must be looked up in document order.

    A frame is one container. ``node`` has the number of each container, ``kind`` the index of its
    role in `ROLES`, and ``outer`` the frame around it. Frame 0 is around all containers; a frame's
    number is greater than that of the frame around it. ``listings`` are nodes of code that is not
    in <pre>.
    """

    def __init__(self, nodes: Nodes, listings: Collection[int] = ()) -> None:
        self._nodes, self._parent = nodes, nodes.parent
        self._kinds = nodes.kinds(_KINDS)
        for i in listings:
            self._kinds[i] = _CODE
        most = 2 * len(nodes) + 1  # each node may need a list that is added around it
        self.node, self.outer = arrays.unset_longs(most), arrays.unset_longs(most)
        self.kind, self._depth = arrays.unset_longs(most), arrays.unset_longs(most)
        self._last_item = arrays.unset_longs(most)  # frame of a list -> its last item's; 0 if none
        self._known = arrays.new_longs(len(nodes))  # frame of each node plus 1; 0 if not yet known
        self._below = arrays.unset_longs(len(nodes))  # for `of`: nodes from the asked one upwards
        self._added: dict[int, int] = {}  # parent of items outside of a list -> frame of their list
        self.count = 0
        self._add(0, -1, 0)

    def of(self, node: int) -> int:
        """Return the frame of the innermost container around a node or at it."""
        known, parent = arrays.longs(self._known), arrays.longs(self._parent)
        kind, depth = arrays.longs(self._kinds), arrays.longs(self._depth)
        below, most = arrays.longs(self._below), MAX_READ
        top, count = node, 0
        while top >= 0 and not known[top]:
            below[count] = top
            top, count = parent[top], count + 1
        frame = known[top] - 1 if top >= 0 else 0
        while count:
            count -= 1
            i = below[count]
            if kind[i] and depth[frame] < most:
                frame = self._inside(frame, i, kind[i])
            known[i] = frame + 1
        return frame

    def complete(self, frame: int) -> int:
        """Return the innermost frame, at or around a frame, that can contain text directly."""
        kind, outer = arrays.longs(self.kind), arrays.longs(self.outer)
        held = arrays.longs(_HELD)
        while held[kind[frame]]:
            frame = outer[frame]
        return frame

    def is_code(self, frame: int) -> bool:
        """Return whether a frame is code."""
        return self.kind[frame] == _CODE

    def path(self, frame: int) -> Path:
        """Return the containers of a frame."""
        node, outer = arrays.longs(self.node), arrays.longs(self.outer)
        path: list[int] = []
        while frame:
            path.append(node[frame])  # objects
            frame = outer[frame]
        return tuple(path[::-1])

    @property
    def role(self) -> dict[int, Role]:
        """Container -> role, for the containers found so far."""
        return {self.node[frame]: ROLES[self.kind[frame]] for frame in range(1, self.count)}

    def drop_meaningless(
        self, frames: Sequence[int], texts: Sequence[str]
    ) -> tuple[list[int], frozenset[int]]:
        """Take the containers without meaning away; return the frames left, and the containers.

        ``frames`` and ``texts`` have the frame and the text of each block of the chosen text. No
        node may be looked up afterwards.
        """
        distinct = {*frames} - {0}
        if not distinct:
            return list(frames), frozenset()
        role, of_frame = self.role, {frame: self.path(frame) for frame in distinct}
        gone: set[int] = set()
        if not _MEANINGLESS.isdisjoint(role.values()):
            paths = [of_frame.get(frame, ()) for frame in frames]
            gone = _find_layout_tables(self._nodes, role, paths, texts) | _find_posts(role, paths)
        if 0 not in frames:
            left = [tuple([i for i in path if i not in gone]) for path in of_frame.values()]
            gone.update(find_around_all(left, role))
        is_gone = bytearray(self.count)
        for frame in range(self.count if gone else 0):
            is_gone[frame] = self.node[frame] in gone
        kept = self._drop(is_gone)
        return [self.complete(kept[frame]) for frame in frames], frozenset(gone)

    def _drop(self, gone: bytearray) -> array[int]:
        """Take frames away, also those deeper than `MAX_DEPTH`; return what is left around each."""
        column, most = arrays.new_longs(self.count), MAX_DEPTH
        kept, is_gone = arrays.longs(column), arrays.octets(gone)
        outer, depth = arrays.longs(self.outer), arrays.longs(self._depth)
        for frame in range(1, self.count):
            around = kept[outer[frame]]
            outer[frame], depth[frame] = around, depth[around] + 1
            is_left = not is_gone[frame] and depth[frame] <= most
            kept[frame] = frame if is_left else around
        return column

    def _inside(self, frame: int, node: int, role: int) -> int:
        """Return the frame of a node with a role (its index); ``frame`` is that of its parent."""
        kind, outer = arrays.longs(self.kind), arrays.longs(self.outer)
        held, last_item = arrays.longs(_HELD), arrays.longs(self._last_item)
        ends, within = arrays.longs(_ENDS), arrays.longs(_WITHIN)
        if kind[frame] == _HEADING or kind[frame] == _CODE:
            return frame
        if ends[kind[frame]] >> role & 1:
            # The end tag may be omitted in HTML, and libxml2 does not add it.
            frame = outer[frame]
        if kind[frame] == role == _LIST:
            # A list between two items: browsers show it below the previous item.
            frame = last_item[frame] or outer[frame]
        if within[role] and not within[role] >> kind[frame] & 1:
            return frame
        while held[kind[frame]] and not held[kind[frame]] >> role & 1:
            frame = outer[frame]
        if role == _ITEM:
            if kind[frame] != _LIST:
                parent = self._parent[node]
                if parent not in self._added:
                    self._added[parent] = self._add(frame, -2 - parent, _LIST)
                frame = self._added[parent]
            last_item[frame] = self.count
        return self._add(frame, node, role)

    def _add(self, around: int, node: int, role: int) -> int:
        nodes, kind = arrays.longs(self.node), arrays.longs(self.kind)
        outer, depth = arrays.longs(self.outer), arrays.longs(self._depth)
        last_item, frame = arrays.longs(self._last_item), self.count
        nodes[frame], kind[frame], outer[frame] = node, role, around
        depth[frame], last_item[frame] = depth[around] + 1 if frame else 0, 0
        self.count += 1
        return frame


def _find_layout_tables(
    nodes: Nodes, role: Roles, paths: Sequence[Path], texts: Sequence[str]
) -> set[int]:
    """Return the layout tables, with their rows, cells and captions.

    Only the chosen text decides, so that a table in rendered HTML is a data table again.
    """
    places: dict[int, list[_Place]] = {}  # table -> its blocks
    if "table" in role.values():
        for number, (path, text) in enumerate(zip(paths, texts, strict=True)):
            for depth, i in enumerate(path, 1):
                if role[i] == "table":
                    places.setdefault(i, []).append((path[depth:], text, number))
    layout: set[int] = set()
    data: set[int] = set()
    for table in sorted(places, reverse=True):  # inner tables first
        if _is_data_table(nodes.tag, role, places[table], data):
            data.add(table)
            continue
        layout.add(table)
        parts = (i for path, _, _ in places[table] for i in path[:2])
        layout.update(i for i in parts if role[i] in ("row", "cell", "caption"))
    return layout


def _is_data_table(
    tag: Sequence[str], role: Roles, inside: Sequence[_Place], data: set[int]
) -> bool:
    """Return whether a table with these blocks is a data table, not a layout table.

    It must have two of the following: several columns, several rows, a header cell or caption. It
    must have no text between its cells. No cell may contain a heading, a table in ``data``, much
    text or, in a table without a header cell, lines of code.
    """
    if inside[-1][2] - inside[0][2] >= len(inside):
        return False
    rows: dict[int, set[int]] = {}
    chars: dict[int, int] = {}
    blocks: dict[int, int] = {}
    is_marked = any(path and role[path[0]] == "caption" for path, _, _ in inside)
    has_code = False
    for path, text, _ in inside:
        if len(path) < 2 or role[path[0]] != "row":
            continue
        row, cell, *deeper = path
        if any(role[i] == "heading" or i in data for i in deeper):
            return False
        has_code = has_code or (bool(deeper) and role[deeper[-1]] == "code" and "\n" in text)
        rows.setdefault(row, set()).add(cell)
        chars[cell] = chars.get(cell, 0) + len(text)
        blocks[cell] = blocks.get(cell, 0) + 1
    has_header = any(tag[cell] == "th" for cell in chars)
    if not chars or (has_code and not has_header):
        return False
    if max(chars.values()) > MAX_CELL_CHARS or max(blocks.values()) > MAX_CELL_BLOCKS:
        return False
    return (len(rows) > 1) + (max(map(len, rows.values())) > 1) + (has_header or is_marked) > 1


def _find_posts(role: Roles, paths: Sequence[Path]) -> set[int]:
    """Return the quotes that are forum posts: `MIN_POSTS` or more, each alone in its list item."""
    if "quote" not in role.values():
        return set()
    quotes: dict[int, int] = {}  # item -> its quote; -1 if it has other text
    for path in paths:
        for i, inner in zip(path, (*path[1:], -1), strict=False):
            if role[i] == "item":
                quote = inner if inner >= 0 and role[inner] == "quote" else -1
                if quotes.setdefault(i, quote) != quote:
                    quotes[i] = -1
    found = set(quotes.values()) - {-1}
    return found if len(found) >= MIN_POSTS else set()


def find_around_all(paths: Collection[Path], role: Roles) -> Path:
    """Return the outermost containers that contain the whole text and add no meaning to it."""
    one, other = min(paths), max(paths)  # containers in both paths contain the whole text
    around = one[: count_shared(one, other)]
    while around and role[around[-1]] not in _AROUND_ALL:
        around = around[:-1]
    return around


def count_shared(one: Path, other: Path) -> int:
    """Return the number of outermost containers that two paths share."""
    shared, most = 0, min(len(one), len(other))
    while shared < most and one[shared] == other[shared]:
        shared += 1
    return shared


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
