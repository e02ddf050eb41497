"""Values that elements declare: numbers of items, cells of rows, signs of formulas and code."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, TypeVar

from scrapy_webtext.core.texts import Signs
from scrapy_webtext.page import Nodes, Page

T = TypeVar("T")
#: Ordered list and item -> number.
Numbers = Mapping[tuple[int, int], int]

_LISTS: Final = frozenset({"ol", "ul", "menu", "dir"})
_CELLS: Final = frozenset({"td", "th"})
#: Parts of the addresses of formula pictures.
PICTURE_SOURCES: Final = ("latex.php?", "codecogs.com", "/math/render/", "cht=tx")
#: Names of attributes -> what their values have in them if the element may hold a formula or code.
_SIGNS: Final = {
    "class": Signs(
        *("math", "atex", "mjx", "equation", "tex ", "tex\t", "tex\n", "tex_", "tex-"),
        *("syntaxhighlighter", "crayon-syntax", "js-file-line-container"),
    ),
    "alt": Signs("$", "\\"),
    "src": Signs(*PICTURE_SOURCES),
    "type": Signs("math/tex"),
}
#: Attributes of list items with a check box, and their values.
_TASK_ATTRIBUTES: Final = ("data-checked", "data-list", "data-task")
_TASK_STATES: Final = {
    **dict.fromkeys(("checked", "true", "x"), True),
    **dict.fromkeys(("unchecked", "false", "", " "), False),
}
#: Elements between a check box and its item.
_REACH: Final = 4
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


def find_signs(page: Page, name: str) -> list[tuple[int, str]]:
    """Return the elements with a sign of formulas or code in this attribute, and its values."""
    rows = page.cached("signs", lambda: page.nodes.attributes.with_signs(_SIGNS))
    return [(node, value) for node, one, value in rows if one == name]


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


def find_tasks(page: Page) -> dict[int, bool]:
    """Return the list items that begin with a check box, and whether it is checked.

    The box is an <input>, an element of this role, or an attribute of the item (Quill, Obsidian).
    """
    nodes, first = page.nodes, page.runs.first
    found: dict[int, bool] = {}
    for node, name, value in nodes.attributes.named({"type", "role", *_TASK_ATTRIBUTES}):
        item, state = node, _TASK_STATES.get(value.lower()) if name.startswith("data") else None
        if value == "checkbox":
            given = dict(nodes.attributes[node])
            state = "checked" in given or given.get("aria-checked") == "true"
            for _ in range(_REACH):
                if item > 0 and nodes.tag[item] != "li":
                    item = nodes.parent[item]
        if state is not None and nodes.tag[item] == "li" and first[node] == first[item]:
            found[item] = state
    return found


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
