"""Renders chosen text as Markdown: CommonMark with GitHub's tables and strikethrough.

CommonMark has no terms and definitions; they are written as in PHP Markdown Extra. Items of ordered
lists have their real numbers. (CommonMark uses only the first number and counts from it.)
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import groupby
from typing import Final

from scrapy_webtext.core.texts import Signs
from scrapy_webtext.page import Page
from scrapy_webtext.render.callouts import CALLOUT, add_callouts
from scrapy_webtext.render.code import find_language
from scrapy_webtext.render.inline import InlineReader, Kinds, Token
from scrapy_webtext.render.markdown_inline import (
    escape_heading_end,
    escape_line_start,
    fence,
    write_code_span,
    write_inline,
)
from scrapy_webtext.render.notes import Notes, find_notes, is_title
from scrapy_webtext.render.outline import Outline, add_pictures, outline_runs
from scrapy_webtext.render.text import list_columns
from scrapy_webtext.render.tree import Node, Part, find_around_all, leaves, number_items, tree_of

#: Roles of containers that Markdown has a sign for; definitions need a term.
_SHOWN: Final = ("list", "item", "quote", "callout", "point", "term", "heading", "code")
_STRONG: Final[Kinds] = frozenset({"strong"})
#: The bullet of a list; `_OTHER_BULLET`: of a list directly after another list.
_BULLET: Final = "-"
_OTHER_BULLET: Final = "*"
#: Separates ordered lists, which would be one list otherwise.
_NOTHING: Final = "<!-- -->"
_MAX_NUMBER: Final = 999_999_999
_BOLD: Final = re.compile(r"\*\*[^*]+\*\*")
_RULE: Final = "---"
LINE_BREAK: Final = "<br>"  #: line break in a cell
#: The mark at the start of a note: "[1]", "(a)", "1.", ".".
_NOTE_START: Final = re.compile(
    r"\A(?:\\?[\[(](\w{1,4})\\?[\])](?![(\[])|(\w{1,4})\\?[.:)](?=\s))?(?:\\?[.:) ]+)?"
)
#: The first word of a note that CommonMark, which has no footnotes, would read as the address of a
#: link reference definition; a text that is no title after it prevents this.
_DEFINITION: Final = re.compile(
    r"\A(\S*)(?!\S)(?=[ \t]*(?:\Z|\"(?:[^\"\\]|\\.)*(?:\"[ \t]*)?\Z|'(?:[^'\\]|\\.)*(?:'[ \t]*)?\Z"
    r"|\((?:[^()\\]|\\.)*(?:\)[ \t]*)?\Z))"
)
_SPACE: Final = "&nbsp;"
_NO_DEFINITION: Final = rf"\1 {_SPACE}"
#: Attributes that make a list item a task (`_TASK_STATES`: their values -> whether it is done).
_TASK_ATTRIBUTES: Final = frozenset({"data-checked", "data-list", "data-task"})
_CHECK_BOXES: Final = dict.fromkeys(("type", "role"), Signs("checkbox"))
_TASK_STATES: Final = {
    **dict.fromkeys(("checked", "true", "x"), True),
    **dict.fromkeys(("unchecked", "false", "", " "), False),
}
#: Maximum number of elements between a check box and its list item.
_TASK_REACH: Final = 4


def render_markdown(outline: Outline) -> str:
    """Return an outline as Markdown, without a line break at the end."""
    notes = find_notes(outline)
    parts = _remove_notes(outline, notes.gone) if notes.gone else outline.parts
    outline = replace(outline, parts=parts, notes=notes.label)
    whole = add_pictures(outline, "picture", "player", "rule")
    lines = _Writer(whole).lines(add_callouts(whole.page, tree_of(whole.parts)))
    if notes.runs:
        lines += _lines_of_notes(outline, notes)
    if outline.headline:
        title = write_inline([Token("text", text=outline.headline)], " ")
        lines[:0] = [f"# {escape_heading_end(title)}", ""]
    return "\n".join(lines).rstrip("\n")


def _lines_of_notes(outline: Outline, notes: Notes) -> Iterator[str]:
    """Yield the lines of footnotes."""
    label_of = {k: label for label, runs in notes.runs.items() for k in runs}
    page = outline.page
    own = replace(outline_runs(page, sorted(label_of), has_marks=True), links=outline.links)
    parts: dict[str, list[Part]] = {label: [] for label in notes.runs}
    for part in own.parts:
        for label, some in groupby(part.runs, label_of.__getitem__):
            runs = [*some]
            begin, end = runs[0], runs[-1] + 1
            inside = [f for f in part.formulas if f.end_run >= begin and f.first_run <= end]
            is_all = len(runs) == len(part.runs)
            parts[label].append(part if is_all else part._replace(runs=runs, formulas=inside))
    writer = _Writer(own)
    for label, found in parts.items():
        root = tree_of(found)
        for around in find_around_all(root):
            root = Node("", -1, around.children)
        first, *others = writer.lines(root) or [""]
        if any("](" in line for line in others):  # CommonMark would show links as code
            first, *others = writer.lines(root, is_one=True)
        start = _NOTE_START.match(first)
        if start and start[0] and (start[1] or start[2]) in (None, label):
            first = escape_line_start(first[start.end() :])
        if first.startswith(("```", "<!")):
            first, others = "", ["", first, *others]
        first = _DEFINITION.sub(_NO_DEFINITION, first or _SPACE, count=1)
        yield from ("", f"[^{label}]: {first}")
        yield from (
            f"    {line}".rstrip() if line[-2:] != "  " else f"    {line}" for line in others
        )


def _remove_notes(outline: Outline, gone: frozenset[int]) -> list[Part]:
    """Remove notes, and headings of sections that have only notes, from the parts."""
    kept: list[Part] = []
    is_empty = False  # whether only notes followed the last kept part
    for part in (*outline.parts, Part("")):
        if part.runs and part.runs[0] in gone:
            is_empty = True
            continue
        is_end = not part.text or part.role == "heading"
        if is_empty and kept:
            is_heading = is_end and kept[-1].role == "heading"
            if is_heading or is_title(kept[-1].text):
                kept.pop()
        is_empty = False
        kept.append(part)
    return kept[:-1]


class _Writer:
    """Writes the tree of an outline: `lines` of all children, `_write` of one child."""

    def __init__(self, outline: Outline) -> None:
        self._outline, self._nodes = outline, outline.page.nodes
        self._inline = InlineReader(outline)
        self._numbers = number_items(outline.page)
        self._tasks = outline.page.cached("tasks", lambda: _find_tasks(outline.page))
        self._bullet: dict[int, str] = {}  #: list -> bullet
        self._is_tight: dict[int, bool] = {}  #: list -> written without blank lines between items

    def lines(self, root: Node, is_one: bool = False) -> list[str]:
        """Return the lines of a tree.

        If it shall be one paragraph for parsers that do not know its containers, it has no blank
        lines.
        """
        self._is_one = is_one
        return self._lines((root,))

    def _lines(self, around: tuple[Node, ...]) -> list[str]:
        """Return the lines of the innermost of nodes."""
        lines: list[str] = []
        before: Node | Part | None = None
        for child in _shown(around[-1]):
            if before is not None:
                if self._is_one:
                    is_text = {_role(before), _role(child)} <= {"", "code"}
                    lines[-1] += "  " if is_text else ""
                elif not self._is_close(before, child, around):
                    lines.append("")
                if self._is_ordered(before) and self._is_ordered(child):
                    lines += [_NOTHING, ""]
            lines += self._write(child, before, around)
            before = child
        return lines

    def _write(
        self, child: Node | Part, before: Node | Part | None, around: tuple[Node, ...]
    ) -> list[str]:
        if isinstance(child, Part):
            if child.image and child.image.kind == "rule":
                return [_RULE]
            text = self._text(child, " " if around[-1].role == "term" else "  \n")
            return list(map(escape_line_start, text.split("\n")))
        if child.role == "heading":
            mark = "#" * int(self._nodes.tag[child.key][1])
            texts = [self._text(part, " ", _STRONG) for part in leaves(child)]
            return _separated([[f"{mark} {escape_heading_end(text)}"] for text in texts])
        if child.role == "code" and self._is_one:
            spans = _code_spans("\n".join(part.text for part in leaves(child)))
            return "  \n".join(spans).split("\n")
        if child.role == "code":
            language = find_language(self._nodes, child.key)
            units = [(fence(part.text, 3), part.text.split("\n")) for part in leaves(child)]
            return _separated([[mark + language, *lines, mark] for mark, lines in units])
        if child.role == "table":
            return self._table(child)
        if child.role == "point":
            sign, *others = self._lines((Node("", -1, child.children[:1]),))
            inner = self._lines((*around, Node("", -1, child.children[1:])))
            return [f"{sign} {inner[0]}", *inner[1:]] if inner else [sign, *others]
        if child.role == "list":
            is_other = isinstance(before, Node) and self._bullet.get(before.key) == _BULLET
            self._bullet[child.key] = _OTHER_BULLET if is_other else _BULLET
            self._is_tight[child.key] = all(map(_is_tight, _shown(child)))
            return self._lines((*around, child))
        first, rest = self._signs(child, around)
        head, *others = self._lines((*around, child))
        lines = [first + head if head else first.rstrip(" ")]
        return lines + [rest + line if line else rest.rstrip() for line in others]

    def _signs(self, node: Node, around: tuple[Node, ...]) -> tuple[str, str]:
        """Return the sign before the first line of a container, and before its other lines."""
        if node.role in ("quote", "callout"):
            return "> ", "> "
        is_text = _is_paragraph(next(_shown(node)))
        if node.role == "definition":
            is_inner = any(outer.role == "definition" for outer in around)
            rest = "" if is_inner else "  "  # two levels would be four spaces: code
            return ": " if is_text else rest, rest
        if node.role == "term":
            return "", ""
        number = self._numbers.get((around[-1].key, node.key))
        is_number = number is not None and 0 <= number <= _MAX_NUMBER
        sign = f"{number}. " if is_number else f"{self._bullet[around[-1].key]} "
        task = self._tasks.get(node.key) if is_text else None
        return sign + ("" if task is None else "[x] " if task else "[ ] "), " " * len(sign)

    def _is_ordered(self, child: Node | Part) -> bool:
        return isinstance(child, Node) and child.key >= 0 and self._nodes.tag[child.key] == "ol"

    def _is_close(self, before: Node | Part, child: Node | Part, around: tuple[Node, ...]) -> bool:
        """Return whether no blank line separates two children of a node."""
        is_mark = isinstance(before, Part) and before.block == CALLOUT
        if isinstance(child, Part):
            return is_mark and not (child.image and child.image.kind == "rule")
        if child.role == "item":
            return self._is_tight[around[-1].key]
        if child.role == "list" and (is_mark or around[-1].role == "item"):
            number = self._numbers.get((child.key, next(_shown(child)).key))  # type: ignore[union-attr]
            # In CommonMark, a list that does not begin with 1 cannot interrupt a paragraph.
            return (is_mark or self._is_tight[around[-2].key]) and number in (None, 1)
        if child.role in ("definition", "term") and isinstance(before, Node):
            *_, last = _shown(before)
            both = _is_paragraph(last) and _is_paragraph(next(_shown(child)))
            return both and (before.role == "term" or before.role == child.role == "definition")
        return is_mark

    def _text(self, part: Part, line_break: str, without: Kinds = frozenset()) -> str:
        return write_inline(self._inline.tokens(part, without), line_break)

    def _table(self, table: Node) -> list[str]:
        """Return the lines of a table; the header line is empty if the first row is no header.

        The first row is a header if it is in <thead> or consists of <th>, or if it is bold and the
        second row is not.
        """
        spans: dict[int, int] = {}
        lines: list[list[str]] = []
        cells = [{cell.key: self._cell(cell) for cell in row.inner} for row in table.inner]
        for row, filled in zip(table.inner, cells, strict=True):
            columns = list_columns(self._outline.page, row.key, filled, spans)
            lines.append([filled.get(k, "") for k in columns])
        width, tag = max(map(len, lines)), self._nodes.tag
        bold = [all(map(_BOLD.fullmatch, filter(None, line))) for line in lines[:2]]
        has_header = tag[self._nodes.parent[table.inner[0].key]] == "thead"
        has_header = has_header or all(tag[cell] == "th" for cell in cells[0])
        has_header = has_header or bold == [True, False]
        header = lines.pop(0) if has_header else []
        header += [""] * (width - len(header))
        return [f"| {' | '.join(line)} |" for line in (header, ["---"] * width, *lines)]

    def _cell(self, cell: Node) -> str:
        """Return a cell on one line."""
        texts: list[str] = []
        for part in leaves(cell):
            is_code = part.role == "code"
            texts += _code_spans(part.text) if is_code else [self._text(part, LINE_BREAK)]
        return LINE_BREAK.join(texts).replace("|", "\\|")


def _shown(node: Node) -> Iterator[Node | Part]:
    """Yield the children of a node; in place of a container without a sign, its children."""
    for is_row, some in groupby(node.children, lambda child: _role(child) == "row"):
        if is_row:
            yield Node("table", node.key, list(some))
            continue
        has_term = node.role == "terms" and any(child.role == "term" for child in node.inner)
        for child in some:
            if (
                isinstance(child, Part)
                or child.role in _SHOWN
                or (child.role == "definition" and has_term)
            ):
                yield child
            else:
                yield from _shown(child)


def _role(child: Node | Part) -> str:
    return "" if isinstance(child, Part) else child.role


def _is_paragraph(child: Node | Part) -> bool:
    return isinstance(child, Part) and child.image is None


def _is_tight(item: Node | Part) -> bool:
    """Return whether an item has one paragraph, lists, or one paragraph and then lists."""
    if isinstance(item, Part) or item.role != "item":
        return True
    first, *others = _shown(item)
    is_first = _is_paragraph(first) or _role(first) == "list"
    return is_first and all(_role(child) == "list" for child in others)


def _code_spans(text: str) -> list[str]:
    return [write_code_span(line) for line in text.split("\n") if line]


def _separated(units: Iterable[list[str]]) -> list[str]:
    """Return the lines of units with blank lines between them."""
    return [line for unit in units for line in ("", *unit)][1:]


def _find_tasks(page: Page) -> dict[int, bool]:
    """Return list item -> whether it is checked, for items that begin with a check box.

    The check box is an <input>, an element with role "checkbox", or an attribute of the item
    (Quill, Obsidian).
    """
    nodes, attributes, first = page.nodes, page.nodes.attributes, page.runs.first
    found: dict[int, bool] = {}
    if _TASK_ATTRIBUTES.isdisjoint(attributes.names):
        asked = attributes.with_signs(_CHECK_BOXES)
    else:
        asked = attributes.named(_TASK_ATTRIBUTES.union(_CHECK_BOXES))
    for node, name, value in asked:
        item, state = node, _TASK_STATES.get(value.lower()) if name.startswith("data") else None
        if value == "checkbox":
            given = dict(attributes[node])
            state = "checked" in given or given.get("aria-checked") == "true"
            for _ in range(_TASK_REACH):
                if item > 0 and nodes.tag[item] != "li":
                    item = nodes.parent[item]
        if state is not None and nodes.tag[item] == "li" and first[node] == first[item]:
            found[item] = state
    return found
