"""Renders chosen text as clean HTML5, which is safe to embed.

No markup of the page is copied. Only elements for containers (`Role`), code, paragraphs, links,
pictures and the styles of `Kind` are written. The attributes are ``href``, ``src``, ``alt``,
``width``, ``height``, ``start``, ``value``, ``type``, ``colspan``, ``rowspan`` and the
``class="language-..."`` of code.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator, Mapping
from html import escape
from typing import Final

from scrapy_webtext.render.code import find_language
from scrapy_webtext.render.containers import Part, Path, number_items, parse_integer, walk
from scrapy_webtext.render.inline import InlineReader, Token
from scrapy_webtext.render.outline import Outline, add_pictures
from scrapy_webtext.render.pictures import Image
from scrapy_webtext.render.text import list_cells

#: Roles in which a single block is written without <p>.
_HOLDERS: Final = ("item", "cell", "term", "definition", "caption")
#: Roles that contain only blocks.
_FRAMES: Final = ("list", "table", "row", "terms", "quote", "figure")
_MAX_SPAN: Final = 1000
_COUNTERS: Final = ("a", "A", "i", "I")


def render_html(outline: Outline) -> str:
    """Return an outline as a fragment of HTML5."""
    headline = f"<h1>{escape(outline.headline, quote=False)}</h1>\n" if outline.headline else ""
    return (headline + "".join(_Writer(add_pictures(outline)).write())).strip("\n")


class _Writer:
    """Writes the parts of an outline in order, each inside the elements of its containers."""

    def __init__(self, outline: Outline) -> None:
        self._page, self._parts, self._role = outline.page, outline.parts, outline.role
        self._nodes = outline.page.nodes
        self._inline = InlineReader(outline)
        self._numbers = number_items(outline.page)
        self._own = Counter(part.path[-1] for part in outline.parts if part.path)
        self._expected: dict[int, int] = {}  #: open list -> number of its next item
        self._cells: dict[int, set[int]] = {}  #: row -> cells with text
        for part in outline.parts:
            for row, cell in zip(part.path, part.path[1:], strict=False):
                if outline.role[row] == "row":
                    self._cells.setdefault(row, set()).add(cell)
        self._empty: dict[int, deque[int]] = {}  #: open row -> cells not yet written

    def write(self) -> Iterator[str]:
        """Yield the pieces of the fragment."""
        path: Path = ()
        walked = walk(part.path for part in self._parts)
        for part, (last, shared) in zip(self._parts, walked, strict=True):
            path = part.path
            for i in reversed(last[shared:]):
                yield from self._end(i)
            for depth in range(shared, len(path)):
                yield from self._start(path, depth)
            yield self._part(part)
        for i in reversed(path):
            yield from self._end(i)

    def _part(self, part: Part) -> str:
        innermost = part.path[-1] if part.path else -1
        role = self._role.get(innermost, "")
        if role == "code":
            return escape(part.text, quote=False)
        inside = "".join(map(self._token, self._inline.tokens(part)))
        if role == "heading":
            name = self._nodes.tag[innermost]
            return f"<{name}>{inside}</{name}>\n"
        if role == "figure" and part.image is not None:
            return f"{inside}\n"
        if role in _HOLDERS and self._own[innermost] == 1:
            return inside
        return f"<p>{inside}</p>\n"

    def _start(self, path: Path, depth: int) -> Iterator[str]:
        i, role = path[depth], self._role[path[depth]]
        if role == "code":
            language = find_language(self._nodes, i)
            yield f'<pre><code class="language-{language}">' if language else "<pre><code>"
        elif role != "heading":
            if role == "cell":
                yield from self._empty_cells(path[depth - 1], before=i)
            if role == "row":
                self._empty[i] = deque(list_cells(self._page, i, self._cells[i]))
            attributes = dict(self._attributes(path, depth))
            yield _element(self._name(i), attributes) + ("\n" if role in _FRAMES else "")

    def _end(self, i: int) -> Iterator[str]:
        role = self._role[i]
        if role == "code":
            yield "</code></pre>\n"
        elif role != "heading":
            if role == "row":
                yield from self._empty_cells(i, before=None)
            yield f"</{self._name(i)}>\n"

    def _name(self, i: int) -> str:
        if self._role[i] == "list":
            return "ol" if i >= 0 and self._nodes.tag[i] == "ol" else "ul"
        return self._nodes.tag[i]

    def _attributes(self, path: Path, depth: int) -> Iterator[tuple[str, str]]:
        """Yield the attributes that are written for an element."""
        i, role = path[depth], self._role[path[depth]]
        if i < 0:
            return
        given = dict(self._nodes.attributes[i]) if role in ("list", "cell") else {}
        if role == "cell":
            yield from _read_spans(given)
        elif role == "list" and self._nodes.tag[i] == "ol":
            first = self._numbers.get((i, path[depth + 1]))
            self._expected[i] = first = 1 if first is None else first
            if first != 1:
                yield "start", str(first)
            if given.get("type") in _COUNTERS:
                yield "type", given["type"]
        elif role == "item" and path[depth - 1] in self._expected:
            items_list = path[depth - 1]
            number = self._numbers.get((items_list, i))
            if number is not None:
                if number != self._expected[items_list]:
                    yield "value", str(number)
                self._expected[items_list] = number + 1

    def _empty_cells(self, row: int, before: int | None) -> Iterator[str]:
        """Yield the empty cells of a row before a cell; all remaining cells if it is None."""
        waiting = self._empty[row]
        while waiting and waiting[0] != before:
            cell = waiting.popleft()
            name = self._nodes.tag[cell]
            attributes = dict(_read_spans(dict(self._nodes.attributes[cell])))
            yield f"{_element(name, attributes)}</{name}>\n"
        if waiting:
            waiting.popleft()

    def _token(self, token: Token) -> str:
        if token.kind == "text":
            return escape(token.text, quote=False)
        if token.kind == "break":
            return "<br>\n"
        if token.kind == "math":
            return escape(token.raw, quote=False).replace("\n", "<br>\n")
        if token.image is not None:
            return _picture(token.image)
        name = "a" if token.kind == "link" else token.kind
        if not token.is_start:
            return f"</{name}>"
        return _element(name, {"href": token.text} if name == "a" else {})


def _picture(image: Image) -> str:
    sizes = {"width": image.width, "height": image.height}
    shown = {name: str(size) for name, size in sizes.items() if size is not None}
    return _element("img", {"src": image.source, "alt": image.alt, **shown})


def _read_spans(given: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for name in ("colspan", "rowspan"):
        span = parse_integer(given.get(name))
        if span is not None and 1 < span <= _MAX_SPAN:
            yield name, str(span)


def _element(name: str, attributes: Mapping[str, str]) -> str:
    """Return a start tag."""
    written = "".join(f' {key}="{escape(value)}"' for key, value in attributes.items())
    return f"<{name}{written}>"
