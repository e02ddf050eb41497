"""Reads code that syntax highlighters format.

Finds the language, and the text without line numbers, labels and buttons. Rouge, Pygments and
Chroma write line numbers into a cell before the code. Prism writes one element per line. GitHub,
SyntaxHighlighter and Crayon write a table of lines without <pre>.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import groupby, pairwise
from typing import Final

from scrapy_webtext.core.texts import Signs
from scrapy_webtext.page import Nodes, Page, tags
from scrapy_webtext.page.text import BREAK, SEPARATORS
from scrapy_webtext.render.tree import Part, widest_gap

#: Class names that declare a language: "language-js", "highlight-source-js", "brush: js".
_DECLARED: Final = re.compile(
    r"(?:^|[\s;])(?:language|(?:mw-highlight-)?lang|highlight-source|highlight-text|brush|highlight"
    r"|blob-wrapper data type)"
    r"(?:-|:\s*)([a-zA-Z][\w+#.-]{0,29})"
)
#: Attributes whose value is the name of a language.
_NAMED: Final = ("data-lang", "data-language", "data-code-language", "data-enlighter-language")
_NAME: Final = re.compile(r"[a-zA-Z][\w+#.-]{0,29}\Z")
#: Names that are no language: names for plain text, and names of highlighters.
_NONE: Final = frozenset(
    "default none no-highlight nohighlight notranslate plain plaintext text txt code output raw "
    "console-output highlight highlighter-rouge hljs auto".split()
)
#: Names of languages that count as class names without a prefix, too.
_BARE: Final = frozenset(
    "bash c c++ cpp csharp css diff go haskell html java javascript js json kotlin lua perl php "
    "powershell py python python3 r ruby rust scala sh shell sql swift ts typescript xml "
    "yaml".split()
)
#: Maximum number of levels above <pre> that are searched for the language. Only `_WRAPPERS` and
#: `_TABLES` are searched; tables do not count as levels.
_REACH: Final = 3
#: Maximum number of nodes in <pre> that are searched for <code>.
_NODES: Final = 8
_WRAPPERS: Final = ("div", "figure", "code-block")
_TABLES: Final = ("td", "tr", "tbody", "table", "code")
#: Class name beside which another one is the language (Hexo).
_HIGHLIGHT: Final = "highlight"
_MAX_CLASS_CHARS: Final = 500

#: Class names of line numbers and of their cells.
_NUMBER_NAMES: Final = re.compile(
    r"(?:^|\s)(?:lnt?|linenos?|blob-num|(?:rouge-)?gutter|\S*line-?num(?:ber)?s?|\S*ln-numbers?)"
    r"(?:$|\s)",
    re.IGNORECASE,
)
#: Class names of code that is not in <pre>, and of its lines.
_LISTING: Final = re.compile(
    r"(?:^|\s)(?:syntaxhighlighter|crayon-syntax|js-file-line-container)(?:$|\s)"
)
_LINE: Final = re.compile(
    r"(?:^|\s)(?:blob-code|crayon-line|content|line(?= number)|CodeMirror-line|cm-line|view-line)"
    r"(?:$|\s)"
)
#: Class names of the code in editors (CodeMirror 5 and 6, Monaco); position of a line in Monaco.
_EDITOR: Final = re.compile(r"(?:^|\s)(?:CodeMirror-code|cm-content|view-lines)(?:$|\s)")
_EDITOR_SIGNS: Final = {"class": Signs("codemirror-code", "cm-content", "view-lines")}
_TOP: Final = re.compile(r"(?:^|;)\s*top:\s*(\d{1,7})")
#: Prompts, after which a command is in the same line.
_PROMPTS: Final = frozenset("$ % # > >>> ... ❯ λ PS>".split())
#: Class names of lines in <pre> (Shiki, CodeMirror, Monaco, Tailwind); `_LINE_STYLE`: their styles.
_LINE_NAMES: Final = re.compile(
    r"(?:^|\s)(?:(?:[\w-]{1,20}[_-])?line|block|flex|grid|table-row|d-(?:block|flex))(?:$|\s)", re.I
)
_LINE_TAGS: Final = ("div", "li")
_CODE: Final = frozenset({"code", "pre"})
_LINE_STYLE: Final = re.compile(r"display\s*:\s*(?:block|flex|grid|table-row|list-item)")
_UNSELECTED: Final = re.compile(r"user-select\s*:\s*none")
#: Maximum number of levels above a table that are searched for the class name of code.
_MAX_LEVELS: Final = 5
#: Labels of buttons that copy code, and class names of labels that name a language.
_BUTTONS: Final = frozenset({"copy", "copy code", "copied", "copied!", "copy to clipboard"})
_LABEL: Final = re.compile(r"(?:^|[\s_-])lang(?:uage)?(?:$|[\s_-])")
_MAX_LABEL: Final = 30
_MAX_DIGITS: Final = 6


def find_language(nodes: Nodes, code: int) -> str:
    """Return the language that <pre>, its <code> or an element above declares; "" if missing."""
    asked = [code]
    inside = range(code + 1, min(nodes.end[code], code + _NODES))
    asked += [i for i in inside if nodes.tag[i] == "code"][:1]
    around, levels = nodes.parent[code], 0
    while around >= 0 and levels < _REACH and nodes.tag[around] in (*_WRAPPERS, *_TABLES):
        asked.append(around)
        levels += nodes.tag[around] in _WRAPPERS
        around = nodes.parent[around]
    for node in asked:
        given, classes = dict(nodes.attributes[node]), _read_classes(nodes, node)
        named = [value for name in _NAMED if _NAME.match(value := given.get(name, ""))]
        names = [name.lower() for name in named + _DECLARED.findall(classes)]
        found = next((name for name in names if name not in _NONE), "")
        tokens = classes.lower().split()
        if not found and (node >= code or _HIGHLIGHT in tokens):
            found = next((name for name in tokens if name in _BARE), "")
        if not found and len(tokens) == 2 and tokens[0] == _HIGHLIGHT and _NAME.match(tokens[1]):
            found = tokens[1] if tokens[1] not in _NONE else ""
        if found:
            return found
    return ""


def find_listings(page: Page) -> Mapping[int, Sequence[int]]:
    """Return element of code -> elements of its lines, for code that is not in <pre>."""
    return page.cached("listings", lambda: dict(_search_listings(page)))


def _search_listings(page: Page) -> Iterator[tuple[int, Sequence[int]]]:
    nodes, get = page.nodes, page.nodes.attributes.get
    is_named = cache(lambda i: i >= 0 and _LISTING.search(get(i, "class")))
    has_code = not _CODE.isdisjoint(nodes.names)
    for table in nodes.tagged(frozenset({"table"})):
        around = [table]
        while around[-1] >= 0 and len(around) < _MAX_LEVELS:
            around.append(nodes.parent[around[-1]])
        listing = next(filter(is_named, around), -1)
        if listing >= 0:
            yield listing, _find_lines(nodes, listing)
        elif has_code and (lines := _find_numbered(page, table)):
            yield table, lines
    for editor, _, value in nodes.attributes.with_signs(_EDITOR_SIGNS):
        if _EDITOR.search(value):
            tops = {i: _TOP.search(get(i, "style")) for i in _find_lines(nodes, editor)}
            yield editor, sorted(tops, key=lambda i: int(top[1]) if (top := tops[i]) else 0)
    for code in nodes.tops(frozenset({"code"})):  # with one <div> per line
        inside = range(code + 1, nodes.end[code])
        lines = [i for i in inside if nodes.parent[i] == code and nodes.tag[i] == "div"]
        if len(lines) > 1 and tags.BLOCK.isdisjoint({nodes.tag[i] for i in inside} - {"div"}):
            yield code, lines
    breaks = nodes.tagged(frozenset({"br"})) if "code" in nodes.names else ()
    for block in {page.containers[nodes.parent[i]] for i in breaks if nodes.parent[i] >= 0}:
        if (code := _find_code_of_block(page, block)) >= 0:
            yield code, [code]


def _find_numbered(page: Page, table: int) -> list[int]:
    """Return the code cells of a table in which each row has a line number and a line of code.

    Return an empty list for other tables.
    """
    nodes, runs = page.nodes, page.runs
    lines: list[int] = []
    i, last = table, ""
    while i < nodes.end[table]:
        if nodes.tag[i] != "tr":
            i += 1
            continue
        below = range(i + 1, min(nodes.end[i], i + _NODES))
        cells = [k for k in below if nodes.parent[k] == i]
        number = runs.text[runs.first[i]] if runs.first[i] < runs.end[i] else ""
        is_number = number.isdecimal() and len(number) <= _MAX_DIGITS
        if not is_number or (last and int(number) != int(last) + 1) or len(cells) != 2:
            return []
        is_only = runs.end[cells[0]] - runs.first[cells[0]] == 1
        if not is_only or nodes.tag[min(cells[1] + 1, nodes.end[cells[1]] - 1)] not in _CODE:
            return []
        lines.append(cells[1])
        i, last = nodes.end[i], number
    return lines if len(lines) > 1 else []


def _find_code_of_block(page: Page, block: int) -> int:
    """Return the element of a block that contains only code; -1 for text and for cells."""
    nodes, runs = page.nodes, page.runs
    first, end, has_lines = runs.first[block], runs.end[block], False
    for k in range(first, end):
        i = runs.node[k]
        if page.containers[i] != block:
            return -1
        has_lines = has_lines or (k > first and SEPARATORS[runs.gap[k]] == "\n")
        for _ in range(_NODES):
            if i != block and nodes.tag[i] != "code":
                i = nodes.parent[i]
        if nodes.tag[i] != "code":
            return -1
    if not has_lines or nodes.tag[block] in ("td", "th"):
        return -1
    if nodes.tag[block] in ("div", "p"):
        return block
    code = runs.node[first]
    while nodes.parent[code] != block:
        code = nodes.parent[code]
    return code if runs.end[code] == end else -1


def clean_code(page: Page, parts: Sequence[Part]) -> list[Part]:
    """Return the parts of a text with one part per element of code.

    Remove line numbers, labels and buttons of highlighters.
    """
    whole: list[Part] = []
    for code, some in groupby(parts, _find_code):
        if code < 0:
            whole += some
        elif find_listings(page).get(code):
            whole += _join_listing(page, code, list(some))
        else:
            whole += _join_code(page, code, list(some))
    plain = [
        part
        for part, after in pairwise([*whole, Part("")])
        if min(map(_find_code, (part, after))) < 0 or not _are_line_numbers(part.text, after.text)
    ]
    for _ in range(2):  # labels above code, then labels below code
        plain = _remove_labels(page, plain[::-1])
    return plain


def _join_code(page: Page, code: int, parts: Sequence[Part]) -> list[Part]:
    """Join the parts in an element of code, without line numbers, labels and buttons."""
    runs, node, containers = page.runs, page.runs.node, page.containers
    own = deque(
        k
        for part in parts
        for k in part.runs
        if page.nodes.tag[containers[node[k]]] != "button" and not _is_line_number(page, k, code)
    )
    _remove_bars(page, code, own)
    lines = _find_lines_of_pre(page, code)
    line, last = 0, -1
    texts: list[str] = []
    for k in own:
        text = runs.preformatted.get(k) or runs.text[k]
        before = line
        while line < len(lines) and runs.first[lines[line]] <= k:
            line += 1
        if texts:
            has_ended = before == line > 0 and last < runs.end[lines[line - 1]] <= k
            has_ended = has_ended and texts[-1].strip() not in _PROMPTS
            breaks = line - before + has_ended
            gap = widest_gap(runs, last, k)
            if gap == BREAK:  # a gap in one element is two <br>
                breaks = max(breaks, 1 + (containers[node[last]] == containers[node[k]]))
            else:
                text = SEPARATORS[gap] + text
            breaks -= texts[-1].count("\n", len(texts[-1].rstrip()))
            breaks -= text.count("\n", 0, len(text) - len(text.lstrip()))
            texts.append("\n" * breaks)
        texts.append(text)
        last = k
    text = "".join(texts).replace("\r\n", "\n").replace("\r", "\n").strip("\n").rstrip()
    return [parts[0]._replace(text=text, runs=list(own))] if own else []


def _remove_bars(page: Page, code: int, own: deque[int]) -> None:
    """Remove the runs of labels and buttons before and after the <code> in a <pre>."""
    nodes, runs = page.nodes, page.runs
    codes = [i for i in range(code + 1, nodes.end[code]) if nodes.tag[i] == "code"]
    first, end = (codes[0], nodes.end[codes[-1]]) if codes else (0, 0)
    labels = {*_BUTTONS, *_BARE, find_language(nodes, code)}

    def is_label(k: int) -> bool:
        i, label = runs.node[k], runs.text[k].lower()
        if i == code or first <= i < end or len(label) > _MAX_LABEL:
            return False
        if page.containers[i] != code:
            return bool(codes) or label in _BUTTONS
        return bool(codes) and (label in labels or nodes.tag[i] == "a")

    while own and is_label(own[0]):
        own.popleft()
    while own and is_label(own[-1]):
        own.pop()


def _find_lines_of_pre(page: Page, code: int) -> list[int]:
    """Return the elements of the lines in a <pre>; the elements above them have no other text."""
    nodes, runs = page.nodes, page.runs
    with_text = {runs.node[k] for k in range(runs.first[code], runs.end[code])}
    around = {code} - with_text
    codes = [i for i in range(code + 1, nodes.end[code]) if nodes.tag[i] == "code"]
    are_lines = all("\n" in tail for i in codes if (tail := nodes.tail[i]))
    lines: list[int] = []
    for i in range(code + 1, nodes.end[code] if around else code):
        if nodes.parent[i] not in around:
            continue
        if i not in with_text:
            around.add(i)
        given, tag = dict(nodes.attributes[i]), nodes.tag[i]
        names, style = given.get("class", "")[:_MAX_CLASS_CHARS], given.get("style", "")
        is_line = tag in _LINE_TAGS or (tag == "code" and are_lines and nodes.parent[i] == code)
        is_line = is_line or "data-line" in given or bool(_LINE_NAMES.search(names))
        is_line = is_line or bool(_LINE_STYLE.search(style[:_MAX_CLASS_CHARS]))
        if lines and tag == "code" and nodes.end[lines[-1]] == i:
            is_line = is_line and (nodes.text[lines[-1]] or "").strip() not in _PROMPTS
        if is_line and not _NUMBER_NAMES.search(names):
            if lines and i < nodes.end[lines[-1]]:
                lines.pop()  # the outer element contains lines, so it is none
            lines.append(i)
    return lines


def _find_lines(nodes: Nodes, table: int) -> list[int]:
    """Return the elements of the lines in a highlighter's table."""
    lines: list[int] = []
    i = table + 1
    while i < nodes.end[table]:
        names = _read_classes(nodes, i)
        if _NUMBER_NAMES.search(names):
            i = nodes.end[i]
            continue
        if _LINE.search(names):
            if lines and i < nodes.end[lines[-1]]:
                lines.pop()
            lines.append(i)
        i += 1
    return lines


def _join_listing(page: Page, code: int, parts: Sequence[Part]) -> list[Part]:
    """Join the parts in a listing (`find_listings`); return no part if no line was chosen."""
    first, end = page.runs.first, page.runs.end
    chosen = {k for part in parts for k in part.runs}
    lines = find_listings(page)[code]
    own = [range(first[line], end[line]) for line in lines]
    names = _read_classes(page.nodes, code)
    is_pre = page.nodes.tag[code] == "table" or bool(_EDITOR.search(names))
    shown = [i for i, runs in zip(lines, own, strict=True) if not runs or chosen & {*runs}]
    text = "\n".join([_read_lines(page.nodes, line, is_pre) for line in shown]).strip("\n")
    left = [k for runs in own for k in runs if k in chosen]
    return [parts[0]._replace(text=text, runs=left)] if left else []


def _read_lines(nodes: Nodes, node: int, is_pre: bool) -> str:
    """Return the text of an element with its white space; lines end only at <br>."""
    lines: list[list[str]] = [[]]
    opened: list[int] = []
    for i in range(node, nodes.end[node]):
        while opened and nodes.end[opened[-1]] <= i:
            lines[-1].append(nodes.tail[opened.pop()] or "")
        if nodes.tag[i] == "br":
            lines.append([])
        lines[-1].append(nodes.text[i] or "")
        opened.append(i)
    lines[-1] += [nodes.tail[i] or "" for i in reversed(opened[1:])]
    texts = ["".join(line).replace("\r", "").replace("\n", "") for line in lines]
    texts = texts if is_pre else [text.strip(" \t") for text in texts]
    return "\n".join(text.replace("\xa0", " ").rstrip() for text in texts)


def _remove_labels(page: Page, parts: Sequence[Part]) -> list[Part]:
    """Remove labels directly after code from the parts of a text."""
    kept: list[Part] = []
    for part in parts:
        code = _find_code(kept[-1]) if kept else -1
        if code < 0 or _find_code(part) >= 0 or not _is_label(page, part, code):
            kept.append(part)
    return kept


def _find_code(part: Part) -> int:
    return part.container.key if part.role == "code" else -1


def _read_classes(nodes: Nodes, node: int) -> str:
    return nodes.attributes.get(node, "class")[:_MAX_CLASS_CHARS]


def _is_line_number(page: Page, run: int, code: int) -> bool:
    """Return whether class names or styles show that a run in code is a line number."""
    if not page.runs.text[run].replace(" ", "").isdecimal():
        return False
    nodes, runs, node = page.nodes, page.runs, page.runs.node[run]
    while node > code and runs.end[node] - runs.first[node] == 1 and nodes.tag[node] != "code":
        style = nodes.attributes.get(node, "style")[:_MAX_CLASS_CHARS]
        if _NUMBER_NAMES.search(_read_classes(nodes, node)) or _UNSELECTED.search(style):
            return True
        node = nodes.parent[node]
    return False


def _are_line_numbers(text: str, code: str) -> bool:
    """Return whether a text consists of the line numbers of the code after it."""
    numbers = text.split()
    if not all(map(str.isdecimal, numbers)) or len(numbers[0]) > _MAX_DIGITS:
        return False
    first, lines = int(numbers[0]), code.count("\n") + 1
    is_count = numbers == [str(first + k) for k in range(len(numbers))]
    return is_count and lines <= len(numbers) <= lines + 1


def _is_label(page: Page, part: Part, code: int) -> bool:
    """Return whether a block next to code has only names of languages and labels of buttons."""
    if not part.runs or len(part.text) > _MAX_LABEL:
        return False
    nodes, runs, node = page.nodes, page.runs, page.blocks.node[part.block]
    tag = nodes.tag[node]
    languages = {*_BARE, find_language(nodes, code)} if tag in _WRAPPERS else set[str]()
    return (tag == "button" and not node < code < nodes.end[node]) or all(
        (text := runs.text[k].lower()) in _BUTTONS
        or text in languages
        or (languages and _LABEL.search(_read_classes(nodes, runs.node[k])))
        for k in part.runs
    )
