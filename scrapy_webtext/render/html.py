"""Chosen text as clean HTML5, safe to embed: an allow-list of elements, each written anew.

Nothing of the page's markup is copied. The elements are those of `_ELEMENTS` and `_STYLES`,
lists, headings, cells, captions, code, paragraphs, links and pictures; the attributes are
``href``, ``src``, ``srcset``, ``sizes``, ``media``, ``type``, ``alt``, ``width``, ``height``,
``start``, ``value``, ``reversed``, ``colspan``, ``rowspan``, ``scope`` and the
``class="language-..."`` of code, with values that were read and are written again.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator
from html import escape
from typing import Final

from scrapy_webtext.render.containers import (
    CAPTION,
    CELL,
    CODE,
    DEFINITION,
    FIGURE,
    HEADING,
    ITEM,
    LIST,
    QUOTE,
    ROW,
    TABLE,
    TERM,
    TERMS,
    Path,
)
from scrapy_webtext.render.flow import Part, flow_of
from scrapy_webtext.render.inline import (
    BREAK,
    DELETED,
    EMPHASIS,
    LINK,
    PICTURE,
    STRONG,
    TEXT,
    InlineReader,
    Token,
)
from scrapy_webtext.render.languages import language_of
from scrapy_webtext.render.lists import Numbers, integer
from scrapy_webtext.render.outline import Outline
from scrapy_webtext.render.pictures_html import PictureWriter
from scrapy_webtext.render.tables import cells_of_row

_STYLES: Final = {STRONG: "strong", EMPHASIS: "em", DELETED: "del"}
_ELEMENTS: Final = {
    ITEM: "li",
    QUOTE: "blockquote",
    TABLE: "table",
    ROW: "tr",
    TERMS: "dl",
    TERM: "dt",
    DEFINITION: "dd",
    FIGURE: "figure",
}
#: A block that is alone in one of these stands right in it, not in a paragraph of its own.
_HOLDERS: Final = frozenset({ITEM, CELL, TERM, DEFINITION, CAPTION})
#: Nothing but blocks stands in these.
_FRAMES: Final = frozenset({LIST, TABLE, ROW, TERMS, QUOTE, FIGURE})
_MAX_SPAN: Final = 1000
_SCOPES: Final = frozenset({"row", "col", "rowgroup", "colgroup"})
_COUNTERS: Final = frozenset({"1", "a", "A", "i", "I"})


def render_html(outline: Outline) -> str:
    """Return the text of an outline as a fragment of HTML5."""
    return "".join(_Writer(outline).write()).strip("\n")


class _Writer:
    """Writes parts one after the other, each within the elements of its containers."""

    def __init__(self, outline: Outline) -> None:
        self._outline = outline
        self._flow = flow = flow_of(outline)
        self._inline = InlineReader(outline, flow.pictures)
        self._nodes = outline.page.nodes if outline.page is not None else None
        self._numbers = Numbers(self._nodes)
        self._pictures = PictureWriter(outline.page)
        self._own = Counter(part.path[-1] for part in flow.parts if part.path)
        self._expected: dict[int, int] = {}  #: the number of the next item, per open list
        self._cells: dict[int, set[int]] = {}  #: those with text, per row
        for part in flow.parts:
            for row, cell in zip(part.path, part.path[1:], strict=False):
                if flow.role[row] == ROW:
                    self._cells.setdefault(row, set()).add(cell)
        self._empty: dict[int, deque[int]] = {}  #: cells not yet written, per open row

    def write(self) -> Iterator[str]:
        """Yield the pieces of the fragment."""
        last: Path = ()
        for part in self._flow.parts:
            path = part.path
            shared = 0
            while shared < min(len(last), len(path)) and last[shared] == path[shared]:
                shared += 1
            for i in reversed(last[shared:]):
                yield from self._end(i)
            for depth in range(shared, len(path)):
                yield from self._start(path, depth)
            is_further = shared == len(path) == len(last)
            yield from self._part(part, is_further)
            last = path
        for i in reversed(last):
            yield from self._end(i)

    def _part(self, part: Part, is_further: bool) -> Iterator[str]:
        innermost = part.path[-1] if part.path else -1
        role = self._flow.role.get(innermost, "")
        if part.image is not None:
            inside = self._tokens(self._inline.picture(part.image))
            if role == FIGURE:
                yield f"{inside}\n"
            else:
                yield self._alone(inside, innermost, role)
            return
        assert part.leaf is not None
        if role == CODE:
            yield ("\n" if is_further else "") + _text(part.leaf.text)
            return
        inside = self._tokens(self._inline.tokens(part.leaf))
        if role == HEADING:
            assert self._nodes is not None
            name = self._nodes.tag[innermost]
            yield f"<{name}>{inside}</{name}>\n"
        else:
            yield self._alone(inside, innermost, role)

    def _alone(self, inside: str, innermost: int, role: str) -> str:
        if role in _HOLDERS and self._own[innermost] == 1:
            return inside
        return f"<p>{inside}</p>\n"

    def _start(self, path: Path, depth: int) -> Iterator[str]:
        i, role = path[depth], self._flow.role[path[depth]]
        if role == HEADING:
            return
        assert self._nodes is not None
        if role == CODE:
            language = language_of(self._nodes, i)
            yield f'<pre><code class="language-{language}">' if language else "<pre><code>"
            return
        if role == CELL:
            yield from self._empty_cells(path[depth - 1], before=i)
        if role == ROW:
            self._empty[i] = deque(cells_of_row(self._outline, i, self._cells[i]))
        attributes = "".join(
            f" {name}" if value is None else f' {name}="{value}"'
            for name, value in self._attributes(path, depth)
        )
        yield f"<{self._name(i)}{attributes}>" + ("\n" if role in _FRAMES else "")

    def _end(self, i: int) -> Iterator[str]:
        role = self._flow.role[i]
        if role == CODE:
            yield "</code></pre>\n"
        elif role != HEADING:
            if role == ROW:
                yield from self._empty_cells(i, before=None)
            yield f"</{self._name(i)}>\n"

    def _name(self, i: int) -> str:
        role = self._flow.role[i]
        if role in _ELEMENTS:
            return _ELEMENTS[role]
        assert self._nodes is not None
        if role == LIST:
            return "ol" if i >= 0 and self._nodes.tag[i] == "ol" else "ul"
        return self._nodes.tag[i]  # a cell or a caption

    def _attributes(self, path: Path, depth: int) -> Iterator[tuple[str, str | None]]:
        """Yield the attributes that an element keeps; what has no value stands with None."""
        i, role = path[depth], self._flow.role[path[depth]]
        if i < 0 or role not in (LIST, ITEM, CELL):
            return
        assert self._nodes is not None
        given = dict(self._nodes.attributes[i])
        if role == CELL:
            yield from _cell_attributes(given)
        elif role == LIST and self._nodes.tag[i] == "ol":
            first = self._numbers.of(i, path[depth + 1])
            is_reversed = "reversed" in given
            if is_reversed:
                yield "reversed", None
            if first is not None and (first != 1 or is_reversed):
                yield "start", str(first)
            if given.get("type") in _COUNTERS - {"1"}:
                yield "type", given["type"]
            self._expected[i] = 1 if first is None else first
        elif role == ITEM and path[depth - 1] in self._expected:
            items_list = path[depth - 1]
            number = self._numbers.of(items_list, i)
            if number is not None:
                if number != self._expected[items_list]:
                    yield "value", str(number)
                is_reversed = "reversed" in dict(self._nodes.attributes[items_list])
                self._expected[items_list] = number + (-1 if is_reversed else 1)

    def _empty_cells(self, row: int, before: int | None) -> Iterator[str]:
        """Yield the cells of a row without text that stand before one, or at its end."""
        waiting = self._empty[row]
        while waiting and waiting[0] != before:
            cell = waiting.popleft()
            assert self._nodes is not None
            attributes = "".join(
                f' {name}="{value}"'
                for name, value in _cell_attributes(dict(self._nodes.attributes[cell]))
            )
            yield f"<{self._nodes.tag[cell]}{attributes}></{self._nodes.tag[cell]}>\n"
        if waiting:
            waiting.popleft()

    def _tokens(self, tokens: Iterable[Token]) -> str:
        return "".join(map(self._token, tokens))

    def _token(self, token: Token) -> str:
        if token.kind == TEXT:
            return _text(token.text)
        if token.kind == BREAK:
            return "<br>\n"
        if token.kind == PICTURE:
            assert token.picture is not None
            return self._pictures.html(token.picture)
        if token.kind == LINK:
            return f'<a href="{escape(token.text)}">' if token.is_start else "</a>"
        name = _STYLES.get(token.kind, token.kind)
        return f"<{name}>" if token.is_start else f"</{name}>"


def _cell_attributes(given: dict[str, str]) -> Iterator[tuple[str, str]]:
    for name in ("colspan", "rowspan"):
        span = integer(given.get(name))
        if span is not None and 1 < span <= _MAX_SPAN:
            yield name, str(span)
    if given.get("scope", "").lower() in _SCOPES:
        yield "scope", given["scope"].lower()


def _text(text: str) -> str:
    return escape(text, quote=False)
