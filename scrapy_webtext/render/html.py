"""Renders chosen text as clean HTML5, which is safe to embed.

No markup of the page is copied. Only elements for containers (`Role`), code, paragraphs, links,
pictures and the styles of `Kind` are written. The attributes are ``href``, ``src``, ``alt``,
``width``, ``height``, ``start``, ``value``, ``type``, ``colspan``, ``rowspan`` and the
``class="language-..."`` of code.
"""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Final

from scrapy_webtext.render.code import find_language
from scrapy_webtext.render.inline import InlineReader, Token
from scrapy_webtext.render.outline import Outline, add_pictures
from scrapy_webtext.render.text import list_cells
from scrapy_webtext.render.tree import Node, Part, leaves, number_items, parse_integer, tree_of

#: Roles in which a single block is written without <p>.
_HOLDERS: Final = ("item", "cell", "term", "definition", "caption")
#: Roles that contain only blocks.
_FRAMES: Final = ("list", "table", "row", "terms", "quote", "figure")
_MAX_SPAN: Final = 1000
_COUNTERS: Final = ("a", "A", "i", "I")


def render_html(outline: Outline) -> str:
    """Return an outline as a fragment of HTML5."""
    headline = f"<h1>{escape(outline.headline, quote=False)}</h1>\n" if outline.headline else ""
    whole = add_pictures(outline, "picture", "rule")
    return (headline + _Writer(whole).write(tree_of(whole.parts))).strip("\n")


class _Writer:
    def __init__(self, outline: Outline) -> None:
        self._page, self._nodes = outline.page, outline.page.nodes
        self._inline = InlineReader(outline)
        self._numbers = number_items(outline.page)

    def write(self, node: Node) -> str:
        """Return the elements of the children of a node."""
        if node.role == "code":
            return "".join(escape(part.text, quote=False) for part in leaves(node))
        if node.role == "row":
            return self._row(node)
        if node.role == "list":
            return self._list(node)
        is_alone = node.role in _HOLDERS and sum(isinstance(i, Part) for i in node.children) == 1
        return "".join(
            self._element(child) if isinstance(child, Node) else self._part(child, node, is_alone)
            for child in node.children
        )

    def _text(self, part: Part) -> str:
        return "".join(map(self._token, self._inline.tokens(part)))

    def _part(self, part: Part, node: Node, is_alone: bool) -> str:
        inside = self._text(part)
        if node.role == "heading":
            name = self._nodes.tag[node.key]
            return f"<{name}>{inside}</{name}>\n"
        if part.image and (node.role == "figure" or part.image.kind == "rule"):
            return f"{inside}\n"
        return inside if is_alone else f"<p>{inside}</p>\n"

    def _element(self, node: Node, attributes: Mapping[str, str] = {}) -> str:
        if node.role == "point":
            line = " ".join(self._text(part) for part in leaves(Node("", -1, node.children[:2])))
            return f"<p>{line}</p>\n{self.write(Node('', -1, node.children[2:]))}"
        inside = self.write(node)
        if node.role == "heading":
            return inside
        if node.role == "code":
            language = find_language(self._nodes, node.key)
            attributes = {"class": f"language-{language}"} if language else {}
            return f"<pre>{_element('code', attributes)}{inside}</code></pre>\n"
        name = "ul" if node.key < 0 else self._nodes.tag[node.key]
        if node.role == "list":
            name = "ol" if name == "ol" else "ul"
            attributes = self._list_attributes(node)
        elif node.role == "cell":
            attributes = _read_spans(dict(self._nodes.attributes[node.key]))
        line = "\n" if node.role in _FRAMES else ""
        return f"{_element(name, attributes)}{line}{inside}</{name}>\n"

    def _row(self, row: Node) -> str:
        """Return the cells of a row, including empty cells."""
        filled = {cell.key: cell for cell in row.inner}
        cells = list_cells(self._page, row.key, filled)
        return "".join(self._element(filled.get(i) or Node("cell", i, [])) for i in cells)

    def _list(self, items: Node) -> str:
        """Return the items of a list, with their numbers if they are not in sequence."""
        expected = self._first(items)
        written: list[str] = []
        for item in items.inner:
            number, attributes = self._numbers.get((items.key, item.key)), {}
            if number is not None:
                attributes = {"value": str(number)} if number != expected else {}
                expected = number + 1
            written.append(self._element(item, attributes))
        return "".join(written)

    def _first(self, items: Node) -> int:
        number = self._numbers.get((items.key, items.inner[0].key))
        return 1 if number is None else number

    def _list_attributes(self, items: Node) -> dict[str, str]:
        if items.key < 0 or self._nodes.tag[items.key] != "ol":
            return {}
        first, kind = self._first(items), self._nodes.attributes.get(items.key, "type")
        found = {"start": str(first)} if first != 1 else {}
        return found | ({"type": kind} if kind in _COUNTERS else {})

    def _token(self, token: Token) -> str:
        if token.kind == "text":
            return escape(token.text, quote=False)
        if token.kind == "break":
            return "<br>\n"
        if token.kind == "math":
            return escape(token.raw, quote=False).replace("\n", "<br>\n")
        if token.image is not None:
            image = token.image
            sizes = {"width": image.width, "height": image.height}
            shown = {name: str(size) for name, size in sizes.items() if size is not None}
            given = {"src": image.source, "alt": image.alt, **shown}
            return _element("img", given) if image.kind == "picture" else "<hr>"
        name = "a" if token.kind == "link" else token.kind
        if not token.is_start:
            return f"</{name}>"
        return _element(name, {"href": token.text} if name == "a" else {})


def _read_spans(given: Mapping[str, str]) -> dict[str, str]:
    spans = ((name, parse_integer(given.get(name))) for name in ("colspan", "rowspan"))
    return {name: str(span) for name, span in spans if span is not None and 1 < span <= _MAX_SPAN}


def _element(name: str, attributes: Mapping[str, str]) -> str:
    """Return a start tag."""
    written = "".join(f' {key}="{escape(value)}"' for key, value in attributes.items())
    return f"<{name}{written}>"
