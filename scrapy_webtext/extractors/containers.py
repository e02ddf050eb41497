"""The containers of a page, which WFFTE weighs: their tree, their paths, their distances."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import inf
from typing import Final

from scrapy_webtext.page import Nodes

#: Elements that structure a page. A paragraph is text, no container.
CONTAINERS: Final = frozenset(
    "div table tbody tr td th section article main ul ol dl li dd dt blockquote center form "
    "fieldset header footer nav aside".split()
)


@dataclass(frozen=True, slots=True)
class Containers:
    """Containers of a page: columns of equal length C, in document order.

    Row 0 is the body, for text that lies in no other container.
    """

    node: list[int]
    parent: list[int]  #: row of the container around; -1 for row 0
    serial: list[int]  #: rd: 1 for the first container in its parent, 2 for the second, ...
    depth: list[int]  #: containers around it, row 0 among them
    coordinate: list[float]  #: the sum of eq. 2; 0 for row 0
    end: list[int]  #: the containers inside row i are the rows i < j < end[i]

    def path(self, row: int, nodes: Nodes) -> str:
        """Return the unique path of a container, such as ``html/body/div[2]/div[1]``.

        The number counts the containers of one parent whatever their tags. Built when asked
        for: stored for every container, paths would be quadratic on deep pages.
        """
        parts: list[str] = []
        while row > 0:
            parts.append(f"{nodes.tag[self.node[row]]}[{self.serial[row]}]")
            row = self.parent[row]
        return "/".join(["html", "body", *reversed(parts)])

    def path_distance(self, one: Iterable[int], other: Iterable[int]) -> int:
        """Return juli(i, j) (eq. 6) of the nearest two of some containers, given ascending.

        It is len(i) - pre(i, j) + len(j) - pre(i, j) - 1: len has the nodes on a path, pre those
        that two paths share. So it is 1 for siblings, 0 for parent and child.
        """
        up, also_up = self._levels_up(one), self._levels_up(other)
        return min(up[row] + also_up[row] for row in up.keys() & also_up.keys()) - 1

    def _levels_up(self, rows: Iterable[int]) -> dict[int, int]:
        """Return, per container at or around these rows, the levels up from the nearest of them."""
        levels: dict[int, int] = {}
        for row in rows:
            n = 0
            while row >= 0 and levels.get(row, n + 1) > n:
                levels[row] = n
                row, n = self.parent[row], n + 1
        return levels

    def distance_support(self, row: int) -> float:
        """Return DSD (eq. 2) in [0, 1]; 1 for the body, whose path has no number."""
        return 1 / (self.coordinate[row] or 1.0)


def read_containers(
    nodes: Nodes, removed: Sequence[int], q: int = 10
) -> tuple[Containers, list[int]]:
    """Return the containers of a page and, per node, the row of the innermost one around it.

    ``removed`` masks nodes that are noise. The sum of eq. 2 continues that of the parent. As the
    paper's example has it, it is rd_1 + rd_2 / q + rd_3 / q^2 + ..., so that
    html/body/div[1]/div[1] has 1.1.
    """
    body = nodes.tag.index("body") if "body" in nodes.tag else 0
    found = Containers([body], [-1], [1], [0], [0.0], [])
    weights = [0.0, 1.0]  # of the numbers in a path, by depth
    children = [0]  # containers found so far below each row
    nearest: list[int] = []
    for i, (tag, outer) in enumerate(zip(nodes.tag, nodes.parent, strict=True)):
        row = nearest[outer] if outer >= 0 else 0
        if tag in CONTAINERS and not removed[i]:
            children[row] += 1
            depth = found.depth[row] + 1
            if depth == len(weights):
                weights.append(1 / _power(q, depth - 1))
            found.node.append(i)
            found.parent.append(row)
            found.serial.append(children[row])
            found.depth.append(depth)
            found.coordinate.append(found.coordinate[row] + children[row] * weights[depth])
            row = len(children)
            children.append(0)
        nearest.append(row)
    end = found.end
    end.extend(range(1, len(found.parent) + 1))
    for row in range(len(end) - 1, 0, -1):  # rows stand in document order
        end[found.parent[row]] = max(end[found.parent[row]], end[row])
    return found, nearest


def _power(q: int, exponent: int) -> float:
    try:
        return float(q) ** exponent
    except OverflowError:
        return inf
