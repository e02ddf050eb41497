"""Numbers of list items, cells of rows and languages of code, as the elements declare them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from scrapy_webtext.page import Nodes, Page

_LISTS: Final = frozenset({"ol", "ul", "menu", "dir"})
_CELLS: Final = frozenset({"td", "th"})
#: As HTML reads integers; more digits than these are nobody's number.
_INTEGER: Final = re.compile(r"\A\s*([+-]?[0-9]{1,9})(?![0-9])")

#: "language-js", "lang-js", "highlight-source-js", "brush: js": how highlighters say it.
_DECLARED: Final = re.compile(
    r"(?:^|[\s;])(?:language|lang|highlight-source|highlight-text|brush|highlight)"
    r"(?:-|:\s*)([a-zA-Z][\w+#.-]{0,29})"
)
#: Attributes that name a language and nothing else.
_NAMED: Final = ("data-lang", "data-language", "data-code-language", "data-enlighter-language")
_NAME: Final = re.compile(r"[a-zA-Z][\w+#.-]{0,29}\Z")
#: Names that declare no language, and those of highlighters themselves.
_NONE: Final = frozenset(
    "default none no-highlight nohighlight notranslate plain plaintext text txt code output raw "
    "console-output highlight highlighter-rouge hljs auto".split()
)
#: Names of languages that are classes of their own.
_BARE: Final = frozenset(
    "bash c c++ cpp csharp css diff go haskell html java javascript js json kotlin lua perl php "
    "powershell py python python3 r ruby rust scala sh shell sql swift ts typescript xml "
    "yaml".split()
)
#: Levels above <pre> that may declare the language, and their elements.
REACH: Final = 2
_WRAPPERS: Final = ("div", "figure", "code-block")
_MAX_CLASS_CHARS: Final = 500


def integer(value: str | None) -> int | None:
    """Return the integer that an attribute begins with, None if missing."""
    match = _INTEGER.match(value or "")
    return int(match[1]) if match else None


class Numbers:
    """The numbers of the items of a page's ordered lists, each list counted once.

    As browsers count (HTML Living Standard, "ordinal value").
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
    number = integer(attributes.get("start"))
    if number is None:
        number = len(items) if step < 0 else 1
    numbers = {}
    for item in items:
        given = integer(dict(nodes.attributes[item]).get("value"))
        numbers[item] = number = number if given is None else given
        number += step
    return numbers


def cells_of_row(page: Page, row: int, known: Iterable[int]) -> list[int]:
    """Return the cells of a row that are shown, empty ones too; ``known`` are some of them."""
    tag, end, hidden = page.nodes.tag, page.nodes.end, page.hidden
    cells = set(known)
    child = row + 1
    while child < end[row]:
        if tag[child] in _CELLS and not hidden[child]:
            cells.add(child)
        child = end[child]
    return sorted(cells)


def language_of(nodes: Nodes, code: int) -> str:
    """Return the language of a <pre> by its attributes, its <code>'s or those right above it.

    "" if missing.
    """
    asked = [code]
    if code + 1 < nodes.end[code] and nodes.tag[code + 1] == "code":
        asked.append(code + 1)
    around = nodes.parent[code]
    for _ in range(REACH):
        if around >= 0 and nodes.tag[around] in _WRAPPERS:
            asked.append(around)
            around = nodes.parent[around]
    for node in asked:
        given = dict(nodes.attributes[node])
        classes = given.get("class", "")[:_MAX_CLASS_CHARS]
        named = [value for name in _NAMED if _NAME.match(value := given.get(name, ""))]
        names = [name.lower() for name in named + _DECLARED.findall(classes)]
        found = next((name for name in names if name not in _NONE), "")
        if not found and node >= code:
            found = next((name for name in classes.lower().split() if name in _BARE), "")
        if found:
            return found
    return ""
