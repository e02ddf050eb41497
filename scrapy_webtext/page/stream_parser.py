"""The nodes of a page from the parser's events, for pages too deep for the parser's tree.

libxml2 stops at 2,048 levels: it drops the rest of the page, and the tree does not tell so. Its
events have no such limit; tokens, implied start tags and implied end tags are the same. So the
columns are filled from events, without a tree.

One cost must be bounded. For each end tag libxml2 searches its stack of open elements, so many end
tags that close nothing would take quadratic time on a deep page. So the source is fed in pieces,
and an end tag is left out if its element is not open, or is more than ``REACH`` levels up. (An end
tag of the first kind has no effect anyway.) A second <body> is left out too, because libxml2
searches for it likewise.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from itertools import chain
from typing import Any, Final

from lxml import etree

from scrapy_webtext.page import tags
from scrapy_webtext.page.head_boundary import end_heads
from scrapy_webtext.page.nodes import Attributes, Nodes, compact

#: Levels that an end tag may close at once.
REACH: Final = 256

_SEARCHED_FOR: Final = re.compile(rb"<(?:/([a-z][^\s/<>]*)|body\b)", re.IGNORECASE)


def read_events(source: str) -> tuple[Nodes, tuple[str, ...]]:
    """Return the nodes of some HTML and its JSON-LD, however deep; linear in the source.

    As in a tree, white space around the source is left out.
    """
    body = source.strip().encode("utf-8", "replace")
    columns: Any = _Columns()
    parser = etree.HTMLParser(target=columns, encoding="utf-8", huge_tree=True)
    fed = 0
    for match in _SEARCHED_FOR.finditer(body):
        if match.start() < fed:
            continue
        if match.start() > fed:
            parser.feed(body[fed : match.start()])
            fed = match.start()
        name = (match[1] or b"").decode("utf-8", "replace").lower()
        if columns.levels_to(name) > REACH:
            fed = body.find(b">", match.end()) + 1 or len(body)
    parser.feed(body[fed:] or b"<!---->")  # some releases refuse an empty last piece
    nodes: Nodes = parser.close()
    return end_heads(compact(nodes)), tuple(columns.json_ld)


class _Columns:
    """Fills the columns of :class:`Nodes` from start tags, end tags and text."""

    def __init__(self) -> None:
        self.json_ld: list[str] = []
        self._tag: list[str] = []
        self._parent: list[int] = []
        self._end: list[int] = []
        self._attributes = Attributes([], [0])
        self._text: list[str | None] = []
        self._tail: list[str | None] = []
        self._open: list[int] = []
        self._levels: defaultdict[str, list[int]] = defaultdict(list)
        self._pieces: list[str] = []
        self._closed = -1  #: the node that ended last, if nothing began since

    def levels_to(self, name: str) -> int:
        """Levels from the innermost open node up to the nearest one with this tag."""
        levels = self._levels.get(name)
        return len(self._open) - (levels[-1] if levels else 0)

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        self._end_text()
        node = len(self._tag)
        self._tag.append(tag)
        self._parent.append(self._open[-1] if self._open else -1)
        self._end.append(node + 1)
        self._attributes.flat.extend(chain.from_iterable(attributes.items()))
        self._attributes.first.append(len(self._attributes.flat))
        self._text.append(None)
        self._tail.append(None)
        self._open.append(node)
        self._levels[tag].append(len(self._open))
        self._closed = -1

    def end(self, tag: str) -> None:
        self._end_text()
        node = self._open.pop()
        self._levels[tag].pop()
        self._end[node] = len(self._tag)
        self._closed = node

    def data(self, piece: str) -> None:
        self._pieces.append(piece)

    def close(self) -> Nodes:
        self._end_text()
        for node in self._open:
            self._end[node] = len(self._tag)
        return Nodes(
            tag=self._tag,
            parent=self._parent,
            end=self._end,
            attributes=self._attributes,
            text=self._text,
            tail=self._tail,
        )

    def _end_text(self) -> None:
        if not self._pieces:
            return
        text = "".join(self._pieces)
        self._pieces.clear()
        if not self._open:  # white space around the root
            return
        node = self._open[-1]
        if self._closed >= 0:
            self._tail[self._closed] = text
        elif self._tag[node] not in tags.CODE:
            self._text[node] = text
        elif self._tag[node] == "script" and is_json_ld(self._type_of(node)):
            self.json_ld.append(text)

    def _type_of(self, node: int) -> str:
        return dict(self._attributes[node]).get("type", "")


def is_json_ld(script_type: str) -> bool:
    """Whether a script of this type is JSON-LD."""
    return "ld+json" in script_type.lower()
