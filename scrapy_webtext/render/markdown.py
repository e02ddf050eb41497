"""Chosen text as Markdown: CommonMark with GitHub's tables and struck-out text.

Terms and definitions, which CommonMark lacks, are written as PHP Markdown Extra and pandoc have
them. Ordered lists carry their real numbers; CommonMark shows the first of them and counts on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from scrapy_webtext.render.containers import (
    CODE,
    DEFINITION,
    HEADING,
    ITEM,
    LIST,
    QUOTE,
    TABLE,
    TERM,
    Path,
)
from scrapy_webtext.render.escaping import (
    escape_heading_end,
    escape_line_start,
    longest_run,
)
from scrapy_webtext.render.flow import Flow, flow_of
from scrapy_webtext.render.inline import STRONG, InlineReader
from scrapy_webtext.render.languages import language_of
from scrapy_webtext.render.lists import Numbers
from scrapy_webtext.render.markdown_inline import markdown_of
from scrapy_webtext.render.markdown_tables import table_lines
from scrapy_webtext.render.outline import Outline
from scrapy_webtext.render.units import PARAGRAPH, Unit, units_of

#: Containers that Markdown has a sign for.
_SHOWN: Final = frozenset({LIST, ITEM, QUOTE, TERM, DEFINITION})
_MAX_NUMBER: Final = 999_999_999


def render_markdown(outline: Outline) -> str:
    """Return the text of an outline as Markdown; it ends without a line break."""
    flow = flow_of(outline)
    writer = _Writer(outline, flow)
    for unit in writer.units:
        writer.add(unit)
    return "\n".join(writer.lines)


class _Writer:
    """Writes units one after the other, each behind the signs of its containers."""

    def __init__(self, outline: Outline, flow: Flow) -> None:
        self.lines: list[str] = []
        self.units = [
            unit._replace(path=tuple(i for i in unit.path if flow.role[i] in _SHOWN))
            for unit in units_of(flow)
        ]
        self._outline = outline
        self._flow = flow
        self._inline = InlineReader(outline, flow.pictures)
        self._numbers = Numbers(outline.page.nodes if outline.page is not None else None)
        self._is_tight = _tight_lists(self.units, flow)
        self._marks: dict[int, str] = {}  #: of lists
        self._width: dict[int, int] = {}  #: of the signs of items
        self._last: Unit | None = None

    def add(self, unit: Unit) -> None:
        """Write the next unit."""
        lines = self._lines_of(unit)
        if not lines:
            return
        last = self._last.path if self._last is not None else ()
        shared = 0
        while shared < min(len(last), len(unit.path)) and last[shared] == unit.path[shared]:
            shared += 1
        first = self._continued(unit.path[:shared])
        if self._last is not None and not self._follows_closely(unit, shared):
            self.lines.append(first.rstrip())
        for depth in range(shared, len(unit.path)):
            first += self._begun(unit, depth, last)
        rest = self._continued(unit.path)
        self.lines.append((first + lines[0]).rstrip(" ") if not lines[0] else first + lines[0])
        self.lines += [rest + line if line else rest.rstrip() for line in lines[1:]]
        self._last = unit

    def _continued(self, path: Path) -> str:
        """Return what stands before further lines in these containers."""
        signs = []
        for i in path:
            role = self._flow.role[i]
            signs.append(
                "> " if role == QUOTE else " " * self._width.get(i, 0) if role == ITEM else ""
            )
        return "".join(signs)

    def _begun(self, unit: Unit, depth: int, last: Path) -> str:
        """Return what stands before the first line in a container that begins with it."""
        i, role = unit.path[depth], self._flow.role[unit.path[depth]]
        if role == QUOTE:
            return "> "
        if role == DEFINITION:
            return ": " if unit.kind == PARAGRAPH and depth == len(unit.path) - 1 else ""
        if role == LIST:
            before = last[depth] if depth < len(last) else -1
            self._marks[i] = "*)" if self._marks.get(before) == "-." else "-."
        if role != ITEM:
            return ""
        items_list = unit.path[depth - 1]
        marks = self._marks[items_list]
        number = self._numbers.of(items_list, i)
        is_number = number is not None and 0 <= number <= _MAX_NUMBER
        sign = f"{number}{marks[1]} " if is_number else f"{marks[0]} "
        self._width[i] = len(sign)
        return sign

    def _follows_closely(self, unit: Unit, shared: int) -> bool:
        """Whether no blank line stands before a unit, of whose containers some are open."""
        role, path, last = self._flow.role, unit.path, self._last
        assert last is not None
        begun = role[path[shared]] if shared < len(path) else ""
        if begun == ITEM:
            return self._is_tight[path[shared - 1]]
        if begun == LIST and shared and role[path[shared - 1]] == ITEM:
            number = self._numbers.of(path[shared], path[shared + 1])
            # CommonMark: a list that starts otherwise does not end the paragraph before it.
            return self._is_tight[path[shared - 2]] and number in (None, 1)
        if begun in (DEFINITION, TERM) and len(path) == shared + 1 == len(last.path):
            before = role[last.path[shared]]
            both = unit.kind == last.kind == PARAGRAPH
            return both and before in ((TERM, DEFINITION) if begun == DEFINITION else (TERM,))
        return False

    def _lines_of(self, unit: Unit) -> list[str]:
        if unit.kind == TABLE:
            return table_lines(self._outline, unit, self._inline)
        if unit.kind == CODE:
            return self._code(unit)
        part = unit.parts[0]
        if part.image is not None:
            return [markdown_of(self._inline.picture(part.image), " ")]
        assert part.leaf is not None
        if unit.kind == HEADING:
            text = markdown_of(self._inline.tokens(part.leaf, frozenset({STRONG})), " ")
            assert self._outline.page is not None
            level = int(self._outline.page.nodes.tag[unit.node][1])
            return [f"{'#' * level} {escape_heading_end(text)}"]
        is_term = bool(unit.path) and self._flow.role[unit.path[-1]] == TERM
        text = markdown_of(self._inline.tokens(part.leaf), " " if is_term else "  \n")
        return list(map(escape_line_start, text.split("\n")))

    def _code(self, unit: Unit) -> list[str]:
        assert self._outline.page is not None
        text = "\n".join(part.leaf.text for part in unit.parts if part.leaf is not None)
        fence = "`" * max(3, longest_run(text) + 1)
        language = language_of(self._outline.page.nodes, unit.node) or ""
        return [fence + language, *text.split("\n"), fence]


def _tight_lists(units: Sequence[Unit], flow: Flow) -> dict[int, bool]:
    """Return which lists stand without blank lines: all of their items hold one paragraph each.

    Lists may follow on it.
    """
    own: Counter[int] = Counter()
    is_tight: dict[int, bool] = {}
    ended: set[int] = set()  # items in which a list has begun
    for unit in units:
        for depth, i in enumerate(unit.path):
            if flow.role[i] == LIST:
                is_tight.setdefault(i, True)
                if depth:
                    ended.add(unit.path[depth - 1])
        innermost = unit.path[-1] if unit.path else -1
        around = unit.path[-2] if len(unit.path) > 1 else -1
        if flow.role.get(innermost) == ITEM:
            own[innermost] += 1
            if own[innermost] > 1 or unit.kind != PARAGRAPH or innermost in ended:
                is_tight[around] = False
        else:
            for depth, i in enumerate(unit.path):
                if flow.role[i] == ITEM and flow.role[unit.path[depth + 1]] != LIST:
                    is_tight[unit.path[depth - 1]] = False
    return is_tight
