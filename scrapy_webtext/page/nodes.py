"""The elements of a page as flat columns in document order.

Node ``i``'s subtree is the nodes ``i <= j < end[i]``, so that the sum of anything over a subtree
is the difference of two prefix sums.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, MutableSequence, Sequence
from dataclasses import dataclass
from itertools import accumulate, compress
from typing import TypeVar

from scrapy_webtext.compiled import compiled

_Number = TypeVar("_Number", int, float)


@dataclass(frozen=True)
class Attributes(Sequence[list[tuple[str, str]]]):
    """The attributes of nodes; a row has the names and values of one node.

    Two flat lists instead of one list per node: 2,000 more objects a page made the garbage
    collector take as much time in a crawl as reading the pages.
    """

    flat: list[str]  #: name, value, name, value, ... of all nodes
    first: list[int]  #: where the attributes of a node begin in ``flat``; one longer than nodes

    def __len__(self) -> int:
        return len(self.first) - 1

    def __getitem__(self, node: int) -> list[tuple[str, str]]:  # type: ignore[override]
        """Return the row of a node. For slices, use the columns."""
        pairs = self.flat[self.first[node] : self.first[node + 1]]
        return list(zip(pairs[::2], pairs[1::2], strict=True))

    def named(
        self, names: Collection[str], first: int = 0, end: int | None = None
    ) -> list[tuple[int, str, str]]:
        """Return node, name and value of the attributes with one of these names, in order.

        Those of the nodes from ``first`` on and before ``end``.
        """
        flat, begin = self.flat, self.first
        found = []
        for node in range(first, len(self) if end is None else min(end, len(self))):
            for k in range(begin[node], begin[node + 1], 2):
                if flat[k] in names:
                    found.append((node, flat[k], flat[k + 1]))
        return found


@dataclass(frozen=True, slots=True)
class Nodes:
    """The elements of a page: columns of equal length N, in document order.

    Those of compiled code (:func:`compact`) have the same columns and methods.
    """

    tag: list[str]
    #: -1 for a root; a page with text after ``</html>`` has several roots
    parent: MutableSequence[int]
    end: MutableSequence[int]
    attributes: Attributes
    text: list[str | None]  #: between the start tag and the first child, as it stands
    tail: list[str | None]  #: between the end tag and the next sibling, as it stands

    def __len__(self) -> int:
        return len(self.tag)

    def nearest(self, names: frozenset[str]) -> Sequence[int]:
        """Return per node itself or its nearest ancestor with one of these tags.

        The root if there is none.
        """
        column, parent = list(range(len(self.tag))), self.parent
        for i, tag in enumerate(self.tag):
            if tag not in names and parent[i] >= 0:
                column[i] = column[parent[i]]
        return column

    def tagged(self, names: frozenset[str]) -> list[int]:
        """Return the nodes with one of these tags, ascending."""
        return list(compress(range(len(self.tag)), map(names.__contains__, self.tag)))

    def tops(self, names: frozenset[str], among: Iterable[int] | None = None) -> list[int]:
        """Return the nodes with one of these tags that are inside no other such node.

        ``among`` limits the search to these nodes, ascending; that is faster for repeated calls.
        """
        found = []
        outside = 0
        for i in self.tagged(names) if among is None else among:
            if i >= outside and self.tag[i] in names:
                found.append(i)
                outside = self.end[i]
        return found

    def inside(self, names: frozenset[str]) -> bytearray:
        """Return a mask of length N: 1 for the nodes with one of these tags and all below them."""
        return self.below(self.tops(names))

    def below(self, tops: Iterable[int]) -> bytearray:
        """Return a mask of length N: 1 for these nodes and all below them."""
        mask = bytearray(len(self.tag))
        for i in tops:
            mask[i : self.end[i]] = b"\x01" * (self.end[i] - i)
        return mask


@compiled
def compact(nodes: Nodes) -> Nodes:
    """Return these nodes as they are read fastest; here, as they are."""
    return nodes


def restored(nodes: Nodes) -> Nodes:
    """Return nodes of a pickle, which holds lists whoever made it."""
    return compact(nodes)


def prefix_sums(values: Iterable[_Number]) -> list[_Number]:
    """Sums of the first 0, 1, ... values: one longer than ``values``."""
    return list(accumulate(values, initial=0))


def subtree_sums(values: Iterable[int], end: Sequence[int]) -> list[int]:
    """Per node, the sum of ``values`` over the node and all below it."""
    sums = prefix_sums(values)
    return [sums[e] - first for first, e in zip(sums, end)]  # noqa: B905 (sums is one longer)


def either(one: bytearray, other: bytearray) -> bytearray:
    """Return a mask: 1 where one of two masks of equal length is."""
    bits = int.from_bytes(one, "little") | int.from_bytes(other, "little")
    return bytearray(bits.to_bytes(len(one), "little"))
