"""Which containers look the same, and so are merged (Wang, Wei, step 5)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from scrapy_webtext.extractors.wffte.container_tree import Containers
from scrapy_webtext.page import Nodes

Looks = Literal["attributes", "style"]
Merging = Literal["siblings", "distance"]

_Look = tuple[str, str]


def groups_of_one_look(
    nodes: Nodes,
    containers: Containers,
    rows: Sequence[int],
    looks: Looks = "attributes",
    merging: Merging = "siblings",
) -> list[list[int]]:
    """Return these rows, given ascending, in groups of equal look; groups by their first row.

    Merged are siblings; by ``"distance"`` all that is at path distance 1 by eq. 6, which are
    also grandparent and grandchild. Two containers look the same if they share one of `_looks`,
    or both look like a third.
    """
    group_of: dict[int, int] = {}  # row -> a row of its group, the first one in the end
    known: dict[tuple[int, _Look], int] = {}  # parent and look -> a row that has them
    by_row = {row: _looks(nodes.attributes[containers.node[row]], looks) for row in rows}

    def first_of(row: int) -> int:
        while group_of[row] != row:
            group_of[row] = group_of[group_of[row]]
            row = group_of[row]
        return row

    def join(one: int, other: int) -> None:
        first, last = sorted((first_of(one), first_of(other)))
        group_of[last] = first

    for row, own in by_row.items():
        group_of[row] = row
        parent = containers.parent[row]
        for look in own:
            join(known.setdefault((parent, look), row), row)
        if merging == "distance" and parent > 0:
            above = containers.parent[parent]
            if not own.isdisjoint(by_row.get(above, ())):
                join(above, row)
    groups: dict[int, list[int]] = {}
    for row in rows:
        groups.setdefault(first_of(row), []).append(row)
    return list(groups.values())


def _looks(attributes: list[tuple[str, str]], looks: Looks) -> frozenset[_Look]:
    """What an element may share with another: its class, and its other attributes together.

    By ``"style"`` its style alone instead of all others. An element without any has one look,
    that of having none.
    """
    own: list[str] = []
    others: list[str] = []
    for name, value in attributes:
        if words := value.split():
            if name == "class":
                own = sorted(words)
            elif looks == "attributes" or name == "style":
                others.append(f"{name}={' '.join(words)}")
    found = {("class", " ".join(own)), ("others", "\n".join(sorted(others)))}
    return frozenset(look for look in found if look[1]) or frozenset({("", "")})
