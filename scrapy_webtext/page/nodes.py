"""The elements of a page as flat columns in document order.

Node ``i``'s subtree is the nodes ``i <= j < end[i]``, so that the sum of anything over a subtree
is the difference of two prefix sums (:mod:`scrapy_webtext.page.sums`).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import compress
from typing import Literal, NoReturn

#: Whether attributes are read: they are two fifths of the cost of reading a tree.
AttributeUse = Literal["read", "unread"]


@dataclass(frozen=True)
class Attributes(Sequence[list[tuple[str, str]]]):
    """The attributes of nodes; a row has the names and values of one node.

    Two flat lists, not a list and some tuples per node: these would be 2,000 objects a page for
    the garbage collector, which in a crawl cost as much as reading the page.
    """

    flat: list[str]  #: name, value, name, value, ... of all nodes
    first: list[int]  #: where the attributes of a node begin in ``flat``; one longer than nodes

    def __len__(self) -> int:
        return len(self.first) - 1

    def __getitem__(self, node: int) -> list[tuple[str, str]]:  # type: ignore[override]
        """Return the row of a node; slices are not offered, the columns have them."""
        pairs = self.flat[self.first[node] : self.first[node + 1]]
        return list(zip(pairs[::2], pairs[1::2], strict=True))

    def needed(self, node: int) -> dict[str, str]:
        """Return the attributes of a node; those that text needs are there even if unread."""
        return dict(self[node])


class Unread(Attributes):
    """The attributes of nodes that were read without, but for those that text itself needs.

    These are of elements that may be hidden, and of lists and items with numbers. Whoever asks for
    another one learns why it is not there.
    """

    nodes: Sequence[int]
    rows: Attributes

    def __init__(self, nodes: Sequence[int] = (), rows: Attributes | None = None) -> None:
        """``rows`` are those of ``nodes``, in document order."""
        self.__dict__.update(nodes=nodes, rows=rows or Attributes([], [0]))

    def needed(self, node: int) -> dict[str, str]:
        """Return the attributes of a node that were read all the same."""
        row = bisect_left(self.nodes, node)
        return dict(self.rows[row]) if self.nodes[row : row + 1] == [node] else {}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Unread) and self.__dict__ == other.__dict__

    __hash__ = object.__hash__

    def __repr__(self) -> str:
        return f"Unread({self.nodes!r}, {self.rows!r})"

    def __getattr__(self, name: str) -> NoReturn:
        if name in ("flat", "first"):
            raise RuntimeError(
                'the attributes of this page were not read: make it with attributes="read"'
            )
        raise AttributeError(name)


@dataclass(frozen=True, slots=True)
class Nodes:
    """The elements and comments of a page: columns of equal length N, in document order."""

    tag: list[str]  #: "" for a comment or processing instruction
    parent: list[int]  #: -1 for a root; a page with text after ``</html>`` has several roots
    end: list[int]
    attributes: Attributes  #: or `Unread`
    text: list[str | None]  #: between the start tag and the first child, as it stands
    tail: list[str | None]  #: between the end tag and the next sibling, as it stands

    def __len__(self) -> int:
        return len(self.tag)

    def nearest(self, names: frozenset[str]) -> list[int]:
        """Per node, the nearest node with one of these tags that is the node or around it.

        Where there is none, the root.
        """
        column, parent = list(range(len(self.tag))), self.parent
        for i, tag in enumerate(self.tag):
            if tag not in names and parent[i] >= 0:
                column[i] = column[parent[i]]
        return column

    def tagged(self, names: frozenset[str]) -> list[int]:
        """Nodes with one of these tags."""
        return list(compress(range(len(self.tag)), map(names.__contains__, self.tag)))

    def tops(self, names: frozenset[str], among: Iterable[int] | None = None) -> list[int]:
        """Nodes with one of these tags that lie in no other such node.

        ``among`` are the nodes to look at, ascending, for whoever asks several times.
        """
        found = []
        outside = 0
        for i in self.tagged(names) if among is None else among:
            if i >= outside and self.tag[i] in names:
                found.append(i)
                outside = self.end[i]
        return found

    def inside(self, names: frozenset[str]) -> bytearray:
        """Mask of length N: 1 for the nodes with one of these tags and all below them."""
        return self.below(self.tops(names))

    def below(self, tops: Iterable[int]) -> bytearray:
        """Mask of length N: 1 for these nodes and all below them."""
        mask = bytearray(len(self.tag))
        for i in tops:
            mask[i : self.end[i]] = b"\x01" * (self.end[i] - i)
        return mask
