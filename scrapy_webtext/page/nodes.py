"""The elements of a page as flat columns in document order.

The subtree of node ``i`` consists of the nodes ``i <= j < end[i]``, so a sum over a subtree is the
difference of two prefix sums.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Any, TypeVar

from scrapy_webtext.core import arrays
from scrapy_webtext.core.texts import Signs, Texts

_Number = TypeVar("_Number", int, float)


class Attributes:
    """The attributes of all nodes, in columns; ``attributes[i]`` is the list of node ``i``."""

    def __init__(
        self, names: list[str], name: array[int], values: Texts, first: array[int]
    ) -> None:
        self.names = names  #: distinct names
        self.name = name  #: per attribute, the index of its name in ``names``
        self.values = values
        #: Per node, the index of its first attribute. It has one more value than there are nodes.
        self.first = first

    def __len__(self) -> int:
        return len(self.first) - 1

    def __getitem__(self, node: int) -> list[tuple[str, str]]:
        """Return (name, value) of the attributes of a node."""
        if not 0 <= node < len(self):
            raise IndexError(node)
        begin, name = arrays.longs(self.first), arrays.longs(self.name)
        first, end = begin[node], begin[node + 1]
        return [(self.names[name[k]], self.values.at(k)) for k in range(first, end)]

    def __iter__(self) -> Iterator[list[tuple[str, str]]]:
        return map(self.__getitem__, range(len(self)))

    def get(self, node: int, name: str) -> str:
        """Return the value of an attribute of a node; empty if missing."""
        begin, place = arrays.longs(self.first), arrays.longs(self.name)
        if not 0 <= node < len(self):
            raise IndexError(node)
        for k in range(begin[node], begin[node + 1]):
            if self.names[place[k]] == name:
                return self.values.at(k)
        return ""

    def named(
        self,
        names: Collection[str],
        first: int = 0,
        end: int | None = None,
        start: str = "",
        most: int = sys.maxsize,
        part: str = "",
        signs: Mapping[str, Signs] | None = None,
    ) -> list[tuple[int, str, str]]:
        """Return (node, name, value) of the attributes with one of these names, in order.

        Only nodes ``first <= i < end`` and values that begin with ``start``, have at most ``most``
        characters between white space, contain ``part`` and have one of ``signs[name]`` count.
        """
        found: list[tuple[int, str, str]] = []
        kinds = arrays.as_longs([one in names for one in self.names])
        if 1 not in kinds:
            return found
        if first < 0:
            raise IndexError(first)
        node, last = first, len(self) if end is None else min(end, len(self))
        begin, name = arrays.longs(self.first), arrays.longs(self.name)
        is_one, values, has_signs = arrays.longs(kinds), self.values, signs is not None
        asked: list[Any] = [signs.get(one) for one in self.names] if signs else []
        for k in range(begin[min(first, last)], begin[last]):
            if not is_one[name[k]] or (has_signs and not values.has_sign(k, asked[name[k]])):
                continue
            if not values.starts_with(k, start) or values.chars(k) > most:
                continue
            if not part or part in values.at(k):
                while begin[node + 1] <= k:
                    node += 1
                found.append((node, self.names[name[k]], values.at(k)))
        return found

    def with_signs(self, signs: Mapping[str, Signs]) -> list[tuple[int, str, str]]:
        """Return (node, name, value) of the attributes whose value has one of ``signs[name]``."""
        return self.named(signs, signs=signs)

    def kinds(self, table: Mapping[str, int]) -> array[int]:
        """Return ``table[name]`` for the name of each attribute; 0 for other names."""
        return _looked_up(table, self.names, self.name)

    def __eq__(self, other: object) -> bool:
        return list(self) == list(other) if isinstance(other, Attributes) else NotImplemented

    def __repr__(self) -> str:
        return f"Attributes({list(self)!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return Attributes, (self.names, self.name, self.values, self.first)


class Nodes:
    """The elements of a page: columns of equal length N, in document order."""

    def __init__(
        self,
        names: list[str],
        name: array[int],
        parent: array[int],
        end: array[int],
        attributes: Attributes,
        text: Texts,
        tail: Texts,
    ) -> None:
        self.names = names  #: distinct tags
        self.name = name  #: per node, the index of its tag in ``names``
        #: Per node, its parent; -1 for a root. A page with text after ``</html>`` has several
        #: roots.
        self.parent = parent
        self.end = end
        self.attributes = attributes
        self.text = text  #: text between the start tag and the first child, unchanged
        self.tail = tail  #: text between the end tag and the next sibling, unchanged
        self._tag: list[str] | None = None

    @property
    def tag(self) -> list[str]:
        """The tag of each node."""
        if self._tag is None:
            self._tag = _tags(self.names, self.name)
        return self._tag

    def __len__(self) -> int:
        return len(self.name)

    def kinds(self, table: Mapping[str, int]) -> array[int]:
        """Return ``table[tag]`` for the tag of each node; 0 for other tags."""
        return _looked_up(table, self.names, self.name)

    def nearest(self, names: frozenset[str]) -> array[int]:
        """Return, per node, the nearest node at or above it with one of these tags, or its root."""
        column = arrays.unset_longs(len(self.name))
        table = arrays.as_longs([tag in names for tag in self.names])
        made, is_one = arrays.longs(column), arrays.longs(table)
        name, parent = arrays.longs(self.name), arrays.longs(self.parent)
        for i in range(len(self.name)):
            if parent[i] < 0 or is_one[name[i]]:
                made[i] = i
            else:
                made[i] = made[parent[i]]
        return column

    def tagged(self, names: frozenset[str]) -> list[int]:
        """Return the nodes with one of these tags, ascending."""
        found: list[int] = []
        if names.isdisjoint(self.names):
            return found
        table = arrays.as_longs([tag in names for tag in self.names])
        name, is_one = arrays.longs(self.name), arrays.longs(table)
        for i in range(len(self.name)):
            if is_one[name[i]]:
                found.append(i)
        return found

    def tops(self, names: frozenset[str], among: Iterable[int] | None = None) -> list[int]:
        """Return the nodes with one of these tags that are not inside another such node.

        ``among`` limits the search to these nodes, which must ascend; this makes repeated calls
        faster.
        """
        if names.isdisjoint(self.names):
            return []
        if among is None:
            return self.outermost(self.tagged(names))
        return self.outermost([i for i in among if self.names[self.name[i]] in names])

    def outermost(self, some: Iterable[int]) -> list[int]:
        """Return the nodes of ``some``, which ascends, that are not inside another node of it."""
        found: list[int] = []
        end, outside = arrays.longs(self.end), 0
        for i in some:
            if i >= outside:
                found.append(i)
                outside = end[i]
        return found

    def inside(self, names: frozenset[str]) -> bytearray:
        """Return a mask over nodes: 1 for nodes with one of these tags and all nodes below them."""
        mask = bytearray(len(self.name))
        if names.isdisjoint(self.names):
            return mask
        table = arrays.as_longs([tag in names for tag in self.names])
        name, parent = arrays.longs(self.name), arrays.longs(self.parent)
        is_one, covered = arrays.longs(table), arrays.octets(mask)
        for i in range(len(self.name)):
            covered[i] = is_one[name[i]] or (covered[parent[i]] if parent[i] >= 0 else 0)
        return mask

    def below(self, tops: Iterable[int]) -> bytearray:
        """Return a mask over nodes: 1 for these nodes and all nodes below them."""
        mask = bytearray(len(self.name))
        self.cover(mask, tops)
        return mask

    def cover(self, mask: bytearray, tops: Iterable[int]) -> None:
        """Set a mask to 1 for these nodes and all nodes below them."""
        covered, end = arrays.octets(mask), arrays.longs(self.end)
        for i in tops:
            for k in range(i, end[i]):
                covered[k] = 1

    def __eq__(self, other: object) -> bool:
        return _columns(self) == _columns(other) if isinstance(other, Nodes) else NotImplemented

    def __repr__(self) -> str:
        return f"Nodes({', '.join(map(repr, _columns(self)))})"

    def __reduce__(self) -> tuple[Any, ...]:
        columns = self.names, self.name, self.parent, self.end
        return Nodes, (*columns, self.attributes, self.text, self.tail)


def _tags(names: list[str], column: array[int]) -> list[str]:
    name = arrays.longs(column)
    tags: list[str] = []
    for k in range(len(column)):
        tags.append(names[name[k]])
    return arrays.untracked(tags)


def _looked_up(table: Mapping[str, int], names: list[str], name: array[int]) -> array[int]:
    column = arrays.unset_longs(len(name))
    known = arrays.as_longs([table.get(one, 0) for one in names])
    found, of_name, place = arrays.longs(column), arrays.longs(known), arrays.longs(name)
    for k in range(len(name)):
        found[k] = of_name[place[k]]
    return column


def _columns(nodes: Nodes) -> list[Any]:
    return [nodes.tag, nodes.parent, nodes.end, nodes.attributes, nodes.text, nodes.tail]


def nodes_of(
    tag: Sequence[str],
    parent: Sequence[int],
    end: Sequence[int],
    attributes: Attributes,
    text: Iterable[str | None],
    tail: Iterable[str | None],
) -> Nodes:
    """Make `Nodes` from columns with one value per node."""
    names, name = _numbered(tag)
    columns = arrays.as_longs(parent), arrays.as_longs(end)
    return Nodes(names, name, *columns, attributes, Texts(text), Texts(tail))


def attributes_of(flat: Sequence[str], first: Sequence[int]) -> Attributes:
    """Make `Attributes` from ``flat``: name, value, name, value, ... of all nodes.

    ``first`` has the index in ``flat`` of each node's first name, and one more value at the end.
    """
    begin = arrays.as_longs([k // 2 for k in first])
    return Attributes(*_numbered(flat[::2]), Texts(flat[1::2]), begin)


def _numbered(names: Iterable[str]) -> tuple[list[str], array[int]]:
    """Return the distinct names, and the index of each name among them."""
    places: dict[str, int] = {}
    name = arrays.as_longs([places.setdefault(one, len(places)) for one in names])
    return list(places), name


def without_texts(nodes: Nodes, mask: Sequence[int]) -> Nodes:
    """Return a copy of the nodes without the text directly in the nodes of a mask."""
    text = (None if mask[i] else text for i, text in enumerate(nodes.text))
    tails = zip(nodes.parent, nodes.tail, strict=True)
    tail = Texts(None if parent >= 0 and mask[parent] else tail for parent, tail in tails)
    columns = nodes.names, nodes.name, nodes.parent, nodes.end, nodes.attributes
    return Nodes(*columns, Texts(text), tail)


def prefix_sums(values: Iterable[_Number]) -> list[_Number]:
    """Return the sums of the first 0, 1, 2, ... values; the list is one longer than ``values``."""
    return list(accumulate(values, initial=0))


def either(one: bytearray, other: bytearray) -> bytearray:
    """Return the union of two masks of equal length."""
    mask = one[:]
    union, added = arrays.octets(mask), arrays.octets(other)
    for k in range(len(other)):
        union[k] |= added[k]
    return mask
