"""Renders chosen text as Markdown: CommonMark with GitHub's tables and strikethrough.

CommonMark has no terms and definitions; they are written as in PHP Markdown Extra. Items of ordered
lists have their real numbers. (CommonMark uses only the first number and counts from it.)
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Final, NamedTuple

from scrapy_webtext.core.texts import Signs
from scrapy_webtext.page import Page
from scrapy_webtext.render.code import find_language
from scrapy_webtext.render.containers import Part, Path, Roles, find_around_all, number_items, walk
from scrapy_webtext.render.inline import InlineReader, Token
from scrapy_webtext.render.markdown_inline import (
    escape_heading_end,
    escape_line_start,
    fence,
    write_code_span,
    write_inline,
)
from scrapy_webtext.render.notes import CALLOUT, Notes, add_callouts, find_notes
from scrapy_webtext.render.outline import Outline, add_pictures, outline_rows, rows_of_runs
from scrapy_webtext.render.text import list_columns

#: Roles that Markdown can express with a sign at the start of lines.
_SHOWN: Final = ("list", "item", "quote", "term", "definition")
#: The bullet of a list; `_OTHER_BULLET`: of a list directly after another list.
_BULLET: Final = "-"
_OTHER_BULLET: Final = "*"
#: Separates ordered lists, which would be one list otherwise. It is also written before a note that
#: CommonMark would read as a link reference definition.
_NOTHING: Final = "<!-- -->"
_MAX_NUMBER: Final = 999_999_999
_BOLD: Final = re.compile(r"\*\*[^*]+\*\*")
LINE_BREAK: Final = "<br>"  #: line break in a cell
#: The mark at the start of a note: "[1]", "(a)", ".".
_NOTE_START: Final = re.compile(r"\A(?:\\?[\[(]\w{1,4}\\?[\])](?![(\[]))?(?:\\?[.:) ]+)?")
#: A note that CommonMark, which has no footnotes, would read as a link reference definition.
_DEFINITION: Final = re.compile(r"<|\S+\s*(?:\Z|[\"'(])")
#: Attributes that make a list item a task (`_TASK_STATES`: their values -> whether it is done).
_TASK_ATTRIBUTES: Final = frozenset({"data-checked", "data-list", "data-task"})
_CHECK_BOXES: Final = dict.fromkeys(("type", "role"), Signs("checkbox"))
_TASK_STATES: Final = {
    **dict.fromkeys(("checked", "true", "x"), True),
    **dict.fromkeys(("unchecked", "false", "", " "), False),
}
#: Maximum number of elements between a check box and its list item.
_TASK_REACH: Final = 4


class Unit(NamedTuple):
    """One or more parts that are rendered together."""

    kind: str  #: "paragraph", "heading", "code", "table" or "picture"
    path: Path  #: containers that Markdown has a sign for
    node: int  #: node of a heading, table or code; else -1
    parts: Sequence[Part]


def render_markdown(outline: Outline) -> str:
    """Return an outline as Markdown, without a line break at the end."""
    notes = find_notes(outline)
    parts = _remove_notes(outline, notes.gone) if notes.gone else outline.parts
    outline = replace(outline, parts=parts, notes=notes.label)
    lines = _Writer(add_callouts(add_pictures(outline, players=True))).lines()
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
    own = replace(outline_rows(page, rows_of_runs(page, sorted(label_of))), links=outline.links)
    parts: dict[str, list[Part]] = {label: [] for label in notes.runs}
    for part in own.parts:
        if part.runs:
            parts[label_of[part.runs[0]]].append(part)
    inline = InlineReader(own)
    for label, found in parts.items():
        depth = len(find_around_all([part.path for part in found], own.role)) if found else 0
        inner = [part._replace(path=part.path[depth:]) for part in found]
        first, *others = _Writer(replace(own, parts=inner), inline).lines() or [""]
        if start := _NOTE_START.match(first)[0]:  # type: ignore[index]
            first = escape_line_start(first[len(start) :])
        if _DEFINITION.match(first) and inner[0].path:
            first, others = 2 * _NOTHING, [first, *others]
        elif _DEFINITION.match(first):
            first = _NOTHING + first
        yield from ("", f"[^{label}]: {first}")
        yield from (f"    {line}".rstrip() for line in others)


def _remove_notes(outline: Outline, gone: frozenset[int]) -> list[Part]:
    """Remove notes, and headings of sections that have only notes, from the parts."""
    kept: list[Part] = []
    is_empty = False  # whether only notes followed the last kept part
    for part in (*outline.parts, Part("")):
        if part.runs and part.runs[0] in gone:
            is_empty = True
            continue
        is_end = not part.text or outline.innermost(part.path) == "heading"
        if is_empty and is_end and kept and outline.innermost(kept[-1].path) == "heading":
            kept.pop()
        is_empty = False
        kept.append(part)
    return kept[:-1]


def _group_units(outline: Outline) -> Iterator[Unit]:
    """Group the parts of a text into units; all parts of a table are one unit."""
    role = outline.role
    with_terms = {
        around
        for part in outline.parts
        for around, i in zip(part.path, part.path[1:], strict=False)
        if role[i] == "term"
    }

    def unit(part: Part) -> Unit:
        path, node = part.path, -1
        if not path:
            return Unit("paragraph" if part.image is None else "picture", path, node, (part,))
        kind: str = outline.innermost(path)
        for depth, i in enumerate(path[:-1]):
            if role[i] == "table" and role[path[depth + 1]] != "caption":
                kind, node, path = "table", i, path[:depth]
                break
        if kind in ("code", "heading"):
            node, path = path[-1], path[:-1]
        elif kind != "table":
            kind = "paragraph" if part.image is None else "picture"
        shown = tuple(
            i
            for depth, i in enumerate(path)
            if role[i] in _SHOWN and (role[i] != "definition" or path[depth - 1] in with_terms)
        )
        return Unit(kind, shown, node, (part,))

    for _, some in groupby(map(unit, outline.parts), lambda unit: (unit.kind, unit.node)):
        units = list(some)
        if units[0].kind == "table":
            yield units[0]._replace(parts=[part for unit in units for part in unit.parts])
        else:
            yield from units


class _Writer:
    """Writes units in order, each with the signs of its containers."""

    def __init__(self, outline: Outline, inline: InlineReader | None = None) -> None:
        self._outline, self._role, self._nodes = outline, outline.role, outline.page.nodes
        self._units = list(_group_units(outline))
        self._inline = inline or InlineReader(outline)
        self._numbers = number_items(outline.page)
        self._tasks = outline.page.cached("tasks", lambda: _find_tasks(outline.page))
        self._is_tight = _find_tight_lists(self._units, outline.role)
        self._bullet: dict[int, str] = {}  #: list -> bullet
        self._width: dict[int, int] = {}  #: item -> width of its sign

    def lines(self) -> list[str]:
        """Return the lines of all units."""
        lines: list[str] = []
        before: Unit | None = None
        walked = walk(unit.path for unit in self._units)
        for unit, (last, shared) in zip(self._units, walked, strict=True):
            first = self._make_next_prefix(unit.path[:shared])
            if before is not None and not self._is_close(before, unit, shared):
                lines.append(first.rstrip())
            if self._is_ordered(last, shared) and self._is_ordered(unit.path, shared):
                lines += [first + _NOTHING, first.rstrip()]
            for depth in range(shared, len(unit.path)):
                first += self._make_first_sign(
                    unit, depth, shared, last[shared] if shared < len(last) else -1
                )
            rest = self._make_next_prefix(unit.path)
            head, *others = self._lines_of(unit)
            lines.append(first + head if head else first.rstrip(" "))
            lines += [rest + line if line else rest.rstrip() for line in others]
            before = unit
        return lines

    def _make_next_prefix(self, path: Path) -> str:
        """Return the prefix of all lines in these containers except the first line."""
        if not path:
            return ""
        signs = ["> " if self._role[i] == "quote" else " " * self._width.get(i, 0) for i in path]
        return "".join(signs)

    def _make_first_sign(self, unit: Unit, depth: int, shared: int, before: int) -> str:
        """Return the sign of a container that begins with this unit, after a container."""
        i, role = unit.path[depth], self._role[unit.path[depth]]
        if role == "quote":
            return "> "
        if role == "definition":
            outer = any(self._role[above] == role for above in unit.path[:depth])
            self._width[i] = 0 if outer else 2  # two levels would be four spaces: code
            is_text = unit.kind == "paragraph" and depth == len(unit.path) - 1
            return ": " if is_text else " " * self._width[i]
        if role == "list":
            is_other = depth == shared and self._bullet.get(before) == _BULLET
            self._bullet[i] = _OTHER_BULLET if is_other else _BULLET
        if role != "item":
            return ""
        items_list = unit.path[depth - 1]
        number = self._numbers.get((items_list, i))
        is_number = number is not None and 0 <= number <= _MAX_NUMBER
        sign = f"{number}. " if is_number else f"{self._bullet[items_list]} "
        self._width[i] = len(sign)
        if i in self._tasks and unit.kind == "paragraph" and i == unit.path[-1]:
            sign += "[x] " if self._tasks[i] else "[ ] "
        return sign

    def _is_ordered(self, path: Path, depth: int) -> bool:
        return depth < len(path) and path[depth] >= 0 and self._nodes.tag[path[depth]] == "ol"

    def _is_close(self, last: Unit, unit: Unit, shared: int) -> bool:
        """Return whether no blank line separates two units, which share ``shared`` containers."""
        role, path = self._role, unit.path
        if last.kind == "paragraph" and last.parts[0].block == CALLOUT:
            return True
        begun = role[path[shared]] if shared < len(path) else ""
        if begun == "item":
            return self._is_tight[path[shared - 1]]
        if begun == "list" and shared and role[path[shared - 1]] == "item":
            number = self._numbers.get((path[shared], path[shared + 1]))
            # In CommonMark, a list that does not begin with 1 cannot interrupt a paragraph.
            return self._is_tight[path[shared - 2]] and number in (None, 1)
        if begun in ("definition", "term") and len(path) == shared + 1 == len(last.path):
            before = role[last.path[shared]]
            both = unit.kind == last.kind == "paragraph"
            return both and (before == "term" or before == begun == "definition")
        return False

    def _lines_of(self, unit: Unit) -> list[str]:
        part = unit.parts[0]
        if unit.kind == "table":
            return self._table(unit)
        if unit.kind == "code":
            mark = fence(part.text, 3)
            return [mark + find_language(self._nodes, unit.node), *part.text.split("\n"), mark]
        if unit.kind == "heading":
            text = write_inline(self._inline.tokens(part, frozenset({"strong"})), " ")
            level = int(self._nodes.tag[unit.node][1])
            return [f"{'#' * level} {escape_heading_end(text)}"]
        is_term = self._outline.innermost(unit.path) == "term"
        text = write_inline(self._inline.tokens(part), " " if is_term else "  \n")
        return list(map(escape_line_start, text.split("\n")))

    def _table(self, unit: Unit) -> list[str]:
        """Return the lines of a table; the header line is empty if the first row is no header.

        The first row is a header if it is in <thead> or consists of <th>, or if it is bold and the
        second row is not.
        """
        rows: dict[int, dict[int, list[str]]] = {}
        for part in unit.parts:
            depth = part.path.index(unit.node)
            row, cell = part.path[depth + 1 : depth + 3]
            if self._outline.innermost(part.path) == "code":
                text = LINE_BREAK.join(map(write_code_span, filter(None, part.text.split("\n"))))
            else:
                text = write_inline(self._inline.tokens(part), LINE_BREAK)
            rows.setdefault(row, {}).setdefault(cell, []).append(text.replace("|", "\\|"))
        spans: dict[int, int] = {}
        page = self._outline.page
        lines = [
            [LINE_BREAK.join(filled.get(k, ())) for k in list_columns(page, row, filled, spans)]
            for row, filled in rows.items()
        ]
        columns = max(map(len, lines))
        first, tag = next(iter(rows)), self._nodes.tag
        is_head = tag[self._nodes.parent[first]] == "thead"
        bold = [all(map(_BOLD.fullmatch, filter(None, line))) for line in lines[:2]]
        has_header = is_head or all(tag[cell] == "th" for cell in rows[first])
        has_header = has_header or bold == [True, False]
        header = lines.pop(0) if has_header else []
        header += [""] * (columns - len(header))
        return [f"| {' | '.join(cells)} |" for cells in (header, ["---"] * columns, *lines)]


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


def _find_tight_lists(units: Sequence[Unit], role: Roles) -> dict[int, bool]:
    """Return list -> whether it is tight: written without blank lines between items.

    Each item of a tight list contains one paragraph, or one paragraph and then lists.
    """
    own: Counter[int] = Counter()
    is_tight: dict[int, bool] = {}
    ended: set[int] = set()  # items in which a list has begun
    for unit in units:
        path = unit.path
        for depth, i in enumerate(path):
            if role[i] == "list":
                is_tight.setdefault(i, True)
                if depth:
                    ended.add(path[depth - 1])
        if path and role[path[-1]] == "item":
            own[path[-1]] += 1
            if own[path[-1]] > 1 or unit.kind != "paragraph" or path[-1] in ended:
                is_tight[path[-2]] = False
            continue
        for items_list, item, inner in zip(path, path[1:], path[2:], strict=False):
            if role[item] == "item" and role[inner] != "list":
                is_tight[items_list] = False
    return is_tight
