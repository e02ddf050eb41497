"""Code as highlighters write it: its language; without line numbers, labels and buttons.

Rouge and Pygments have numbers in a cell before the code's, Chroma and Prism an element per line.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from scrapy_webtext.page import Nodes, Page
from scrapy_webtext.render.containers import Roles
from scrapy_webtext.render.parts import Part, joined

#: "language-js", "lang-js", "highlight-source-js", "brush: js": how highlighters say it.
_DECLARED: Final = re.compile(
    r"(?:^|[\s;])(?:language|(?:mw-highlight-)?lang|highlight-source|highlight-text|brush|highlight)"
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
#: Levels above <pre> that may declare the language, their elements, and those that do not count.
REACH: Final = 3
#: Nodes of a <pre> that are searched for its <code>.
_NODES: Final = 8
_WRAPPERS: Final = ("div", "figure", "code-block")
_TABLES: Final = ("td", "tr", "tbody", "table")
_MAX_CLASS_CHARS: Final = 500

#: Class names of line numbers, and of the cells that hold them.
_NUMBER_NAMES: Final = re.compile(
    r"(?:^|\s)(?:lnt?|linenos?|blob-num|(?:rouge-)?gutter|\S*line-?num(?:ber)?s?|\S*ln-numbers?)"
    r"(?:$|\s)",
    re.IGNORECASE,
)
#: Labels of buttons that copy code.
_BUTTONS: Final = frozenset({"copy", "copy code", "copied", "copied!", "copy to clipboard"})
_MAX_LABEL: Final = 30
_MAX_DIGITS: Final = 6


def language_of(nodes: Nodes, code: int) -> str:
    """Return the language of a <pre> by its attributes, its <code>'s or those right above it.

    "" if missing.
    """
    asked = [code]
    inside = range(code + 1, min(nodes.end[code], code + _NODES))
    asked += [i for i in inside if nodes.tag[i] == "code"][:1]
    around, levels = nodes.parent[code], 0
    while around >= 0 and levels < REACH and nodes.tag[around] in (*_WRAPPERS, *_TABLES):
        asked.append(around)
        levels += nodes.tag[around] in _WRAPPERS
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


def plain_code(page: Page, parts: Sequence[Part], role: Roles) -> list[Part]:
    """Return the parts of a text without what highlighters add to code.

    Blocks of one <pre> that only <br> parts become one.
    """
    lines: list[list[Part]] = []
    for part in parts:
        code = _code_of(part, role)
        if code >= 0:
            runs = [
                k
                for k in part.runs
                if page.nodes.tag[page.containers[page.runs.node[k]]] != "button"
                and not _is_line_number(page, k, code)
            ]
            if not runs:
                continue
            if len(runs) < len(part.runs):
                part = part._replace(text=joined(page.runs, runs, is_code=True), runs=runs)
            last = lines[-1][-1] if lines else Part("")
            if last.path == part.path and all(_is_in(page, one, code) for one in (last, part)):
                lines[-1].append(part)
                continue
        lines.append([part])
    whole = [
        some[0]
        if len(some) == 1
        else some[0]._replace(
            text="\n\n".join(part.text for part in some),
            runs=[k for part in some for k in part.runs],
        )
        for some in lines
    ]
    kept: list[Part] = []
    for part, after in zip(whole, [*whole[1:], Part("")], strict=True):
        before = kept[-1] if kept else Part("")
        code = _code_of(part, role)
        if code < 0:
            beside = max(_code_of(before, role), _code_of(after, role))
            is_extra = beside >= 0 and _is_label(page, part, beside)
        else:
            is_extra = _code_of(after, role) >= 0 and _are_line_numbers(part.text, after.text)
        if not is_extra:
            kept.append(part)
    return kept


def _code_of(part: Part, role: Roles) -> int:
    return part.path[-1] if part.path and role[part.path[-1]] == "code" else -1


def _is_in(page: Page, part: Part, code: int) -> bool:
    """Whether no element of its own parts a block from other lines of the code."""
    return part.block >= 0 and page.blocks.node[part.block] == code


def _is_line_number(page: Page, run: int, code: int) -> bool:
    """Whether a piece of text in code is the number of a line, by the class names around it."""
    if not page.runs.text[run].replace(" ", "").isdecimal():
        return False
    nodes, runs, node = page.nodes, page.runs, page.runs.node[run]
    while node > code and runs.end[node] - runs.first[node] == 1 and nodes.tag[node] != "code":
        if _NUMBER_NAMES.search(dict(nodes.attributes[node]).get("class", "")[:_MAX_CLASS_CHARS]):
            return True
        node = nodes.parent[node]
    return False


def _are_line_numbers(text: str, code: str) -> bool:
    """Whether a text only counts the lines of the code after it."""
    numbers = text.split()
    if not all(map(str.isdecimal, numbers)) or len(numbers[0]) > _MAX_DIGITS:
        return False
    first, lines = int(numbers[0]), code.count("\n") + 1
    is_count = numbers == [str(first + k) for k in range(len(numbers))]
    return is_count and lines <= len(numbers) <= lines + 1


def _is_label(page: Page, part: Part, code: int) -> bool:
    """Whether a block beside code is a button that copies it, or says its language."""
    if not part.runs or len(part.text) > _MAX_LABEL:
        return False
    tag, label = page.nodes.tag[page.blocks.node[part.block]], part.text.lower()
    if tag == "button" or label in _BUTTONS:
        return True
    own = dict(page.nodes.attributes[page.runs.node[part.runs[0]]]).get("class", "")
    return own == "lang" and label == language_of(page.nodes, code)
