"""The numbers of ordered lists, as browsers count (HTML Living Standard, "ordinal value")."""

from __future__ import annotations

import re
from typing import Final

from scrapy_webtext.page.nodes import Nodes

_LISTS: Final = frozenset({"ol", "ul", "menu", "dir"})
#: As HTML reads integers; more digits than these are nobody's number.
_INTEGER: Final = re.compile(r"\A\s*([+-]?[0-9]{1,9})(?![0-9])")


class Numbers:
    """The numbers of the items of a page's ordered lists, each list counted once."""

    def __init__(self, nodes: Nodes | None) -> None:
        self._nodes = nodes
        self._known: dict[int, dict[int, int]] = {}

    def of(self, items_list: int, item: int) -> int | None:
        """Return the number of an item of a list, None where the list has no numbers."""
        nodes = self._nodes
        if items_list < 0 or nodes is None or nodes.tag[items_list] != "ol":
            return None
        if items_list not in self._known:
            self._known[items_list] = _count(nodes, items_list)
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
    number = integer(attributes.get("start"))
    if number is None:
        number = len(items) if step < 0 else 1
    numbers = {}
    for item in items:
        given = integer(dict(nodes.attributes[item]).get("value"))
        numbers[item] = number = number if given is None else given
        number += step
    return numbers


def integer(value: str | None) -> int | None:
    """Return the integer that an attribute begins with, None where there is none."""
    match = _INTEGER.match(value or "")
    return int(match[1]) if match else None
