"""Values that elements declare: numbers of list items, cells of rows, inherited values."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Final, TypeVar

from scrapy_webtext.page import Nodes, Page

T = TypeVar("T")

_LISTS: Final = frozenset({"ol", "ul", "menu", "dir"})
_CELLS: Final = frozenset({"td", "th"})
#: An integer as HTML reads it, with at most nine digits.
_INTEGER: Final = re.compile(r"\A\s*([+-]?[0-9]{1,9})(?![0-9])")


def parse_integer(value: str | None) -> int | None:
    """Return the integer at the start of an attribute's value, None if missing."""
    match = _INTEGER.match(value or "")
    return int(match[1]) if match else None


def fold_above(
    parent: Sequence[int], known: dict[int, T], node: int, step: Callable[[T, int], T]
) -> T:
    """Return the value of a node; ``step`` computes it from the value of the parent.

    ``known`` caches values by node. It must have the value of -1, the parent of roots.
    """
    below = []
    while node not in known:
        below.append(node)
        node = parent[node]
    value = known[node]
    for i in reversed(below):
        known[i] = value = step(value, i)
    return value


class Numbers:
    """The numbers of the items of ordered lists (HTML Living Standard, "ordinal value").

    Each list is counted once.
    """

    def __init__(self, nodes: Nodes) -> None:
        self._nodes = nodes
        self._known: dict[int, dict[int, int]] = {}

    def of(self, items_list: int, item: int) -> int | None:
        """Return the number of an item of a list, None if the list has no numbers."""
        if items_list < 0 or self._nodes.tag[items_list] != "ol":
            return None
        if items_list not in self._known:
            self._known[items_list] = _count(self._nodes, items_list)
        return self._known[items_list].get(item)


def _count(nodes: Nodes, ordered: int) -> dict[int, int]:
    items = []
    child, last = ordered + 1, nodes.end[ordered]
    while child < last:
        if nodes.tag[child] in _LISTS:
            child = nodes.end[child]
            continue
        if nodes.tag[child] == "li":
            items.append(child)
        child += 1
    attributes = dict(nodes.attributes[ordered])
    step = -1 if "reversed" in attributes else 1
    number = parse_integer(attributes.get("start"))
    if number is None:
        number = len(items) if step < 0 else 1
    numbers = {}
    for item in items:
        given = parse_integer(dict(nodes.attributes[item]).get("value"))
        numbers[item] = number = number if given is None else given
        number += step
    return numbers


def list_cells(page: Page, row: int, known: Iterable[int]) -> list[int]:
    """Return the visible cells of a row, also empty cells. ``known`` are cells with text."""
    tag, end, hidden = page.nodes.tag, page.nodes.end, page.hidden
    cells = set(known)
    child = row + 1
    while child < end[row]:
        if tag[child] in _CELLS and not hidden[child]:
            cells.add(child)
        child = end[child]
    return sorted(cells)
