"""Links of headings to themselves: "#", "¶", "Section titled ...". They are not text.

A link in a heading is a permalink if it has no letters and digits. A link in a heading or right
after it is one if it leads to the heading's own id, unless it holds all of the heading's text.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from scrapy_webtext.page import tags
from scrapy_webtext.page.nodes import Nodes

#: Nodes of a heading that are searched, and characters of the link.
_REACH: Final = 64
_MAX_CHARS: Final = 200


def find_permalinks(nodes: Nodes) -> list[int]:
    """Return the links of headings to themselves, ascending."""
    if tags.HEADINGS.isdisjoint(nodes.tag):
        return []
    return [link for heading in nodes.tops(tags.HEADINGS) for link in _of_heading(nodes, heading)]


def _of_heading(nodes: Nodes, heading: int) -> Iterator[int]:
    end = nodes.end[heading]
    links = list(_outermost_links(nodes, heading + 1, min(end, heading + _REACH)))
    behind = (
        end < len(nodes) and nodes.tag[end] == "a" and nodes.parent[end] == nodes.parent[heading]
    )
    if not links and not behind:
        return
    whole = _text(nodes, heading, end)
    own: str | None = None
    for link in links:
        text = _text(nodes, link, nodes.end[link])
        if not text or len(text) >= len(whole):
            continue
        if not any(map(str.isalnum, text)):
            yield link
            continue
        own = _id(nodes, heading) if own is None else own
        if _leads_to(nodes, link, own):
            yield link
    if behind and whole and _leads_to(nodes, end, _id(nodes, heading)):
        yield end


def _outermost_links(nodes: Nodes, first: int, end: int) -> Iterator[int]:
    inside = 0
    for i in range(first, end):
        if i >= inside and nodes.tag[i] == "a":
            inside = nodes.end[i]
            yield i


def _leads_to(nodes: Nodes, link: int, own: str) -> bool:
    return bool(own) and dict(nodes.attributes[link]).get("href") == f"#{own}"


def _id(nodes: Nodes, node: int) -> str:
    return dict(nodes.attributes[node]).get("id", "")


def _text(nodes: Nodes, node: int, end: int) -> str:
    """Return the first characters of an element's text, white space left out."""
    pieces: list[str] = []
    chars = 0
    for i in range(node, end):
        for piece in (nodes.text[i], nodes.tail[i] if i > node else None):
            if piece and chars <= _MAX_CHARS:
                pieces += piece.split()
                chars += len(piece)
    return "".join(pieces)[:_MAX_CHARS]
