"""Which buttons, icons and frames are part of a line of text, as a word is.

An element of `tags.INLINE` may be part of the line around it, or a block of its own. A browser
decides by style sheets. Here it is part of a line if text of the same block comes after it, and one
of these holds:

* the block is one that holds a line of text (<p>, a heading);
* text comes before it too, and at least one of the two texts is directly in the block, not in an
  inline element. (Menus and rows of icons have each label in an inline element.)
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from scrapy_webtext.compiled import compiled
from scrapy_webtext.page import tags
from scrapy_webtext.page.nodes import Nodes

_BLOCK: Final = tags.BLOCK - tags.INLINE
#: Elements around and beside one that are searched; others are in another line.
_REACH: Final = 32


@compiled
def find_inline(nodes: Nodes, hidden: bytearray) -> frozenset[int]:
    """Return which elements of `tags.INLINE` stand in a line of text; none inside ``hidden``."""
    if tags.INLINE.isdisjoint(nodes.tag):
        return frozenset()
    parent = nodes.parent
    candidates = (i for i in nodes.tagged(tags.INLINE) if parent[i] >= 0 and not hidden[parent[i]])
    return frozenset(i for i in candidates if _is_in_line(nodes, hidden, i))


def _is_in_line(nodes: Nodes, hidden: bytearray, node: int) -> bool:
    around = list(_inline_around(nodes, node))
    block = nodes.parent[around[-1]]
    if block < 0 or nodes.tag[block] not in _BLOCK:
        return False
    if not any(map(_is_text, _after(nodes, hidden, around, block))):
        return False
    if nodes.tag[block] in tags.PARAGRAPH:
        return True
    own = any(map(_is_text, _beside(nodes, around[-1])))
    return own and any(map(_is_text, _before(nodes, hidden, around, block)))


def _inline_around(nodes: Nodes, node: int) -> Iterator[int]:
    """Yield an element and the inline elements around it, outwards."""
    for _ in range(_REACH):
        yield node
        node = nodes.parent[node]
        if node < 0 or nodes.tag[node] in _BLOCK:
            return


def _beside(nodes: Nodes, node: int) -> tuple[str | None, str | None]:
    """Return the text directly before and after an element."""
    parent, before = nodes.parent, node - 1
    if before == parent[node]:
        return nodes.text[before], nodes.tail[node]
    for _ in range(_REACH):
        if parent[before] == parent[node]:
            return nodes.tail[before], nodes.tail[node]
        before = parent[before]
    return None, nodes.tail[node]


def _after(nodes: Nodes, hidden: bytearray, around: list[int], block: int) -> Iterator[str | None]:
    """Yield the text after an element, up to the end of its block."""
    for i in around:
        yield nodes.tail[i]
    first = nodes.end[around[0]]
    for i in range(first, min(nodes.end[block], first + _REACH)):
        if not hidden[i]:
            yield nodes.text[i]
        yield nodes.tail[i]


def _before(nodes: Nodes, hidden: bytearray, around: list[int], block: int) -> Iterator[str | None]:
    """Yield the text before an element, from the beginning of its block."""
    node = around[0]
    yield nodes.text[block]
    for i in around[1:]:
        yield nodes.text[i]
    for i in range(max(block + 1, node - _REACH), node):
        if not hidden[i]:
            yield nodes.text[i]
        if nodes.end[i] <= node:
            yield nodes.tail[i]


def _is_text(piece: str | None) -> bool:
    return bool(piece) and not piece.isspace()  # type: ignore[union-attr]
