"""Which elements of `tags.INLINE` are part of a line, like a word, and which are blocks.

A browser decides this with style sheets. Here an element is part of a line if text of the same
block comes after it, and one of these conditions is true:

* the block is an element for a line of text, such as <p> or a heading;
* text comes before it, too, and at least one of the two texts is directly in the block, not in an
  inline element. (In menus and rows of icons each label is in an inline element.)
"""

from __future__ import annotations

from array import array
from typing import Final

from scrapy_webtext.core import arrays
from scrapy_webtext.page import tags
from scrapy_webtext.page.nodes import Nodes

#: Kinds of tags, as bits.
_INLINE: Final = 1
_BLOCK: Final = 2
_PARAGRAPH: Final = 4
_KINDS: Final = tags.bits(tags.INLINE, tags.BLOCK - tags.INLINE, tags.PARAGRAPH)
#: Maximum number of elements above and next to an element that are searched; more distant elements
#: are in another line.
_REACH: Final = 32


def find_inline(nodes: Nodes, hidden: bytearray) -> frozenset[int]:
    """Return the elements of `tags.INLINE` that are part of a line and not inside ``hidden``."""
    kinds = nodes.kinds(_KINDS)
    parent, kind_of = arrays.longs(nodes.parent), arrays.longs(kinds)
    around = _Around(nodes, hidden, kinds)
    found: list[int] = []
    for i in range(len(nodes)):
        if not kind_of[i] & _INLINE or parent[i] < 0 or hidden[parent[i]]:
            continue
        if around.is_in_line(i):
            found.append(i)
    return frozenset(found)


class _Around:
    """Finds out whether there is text next to an element."""

    def __init__(self, nodes: Nodes, hidden: bytearray, kinds: array[int]) -> None:
        self.text, self.tail, self.hidden = nodes.text, nodes.tail, hidden
        self.parent, self.end, self.kinds = nodes.parent, nodes.end, kinds

    def is_in_line(self, node: int) -> bool:
        """Return whether an element of `tags.INLINE` is part of a line of text."""
        parent, kind_of = arrays.longs(self.parent), arrays.longs(self.kinds)
        around = [node]  # the node and the inline elements above it
        outer, block = node, parent[node]
        while block >= 0 and not kind_of[block] & _BLOCK and len(around) < _REACH:
            around.append(block)
            outer, block = block, parent[block]
        if block < 0 or not kind_of[block] & _BLOCK or not self._is_after(around, block):
            return False
        if kind_of[block] & _PARAGRAPH:
            return True
        return self._is_beside(outer) and self._is_before(around, block)

    def _is_beside(self, node: int) -> bool:
        """Return whether there is text directly before or after an element."""
        parent = arrays.longs(self.parent)
        up, before = parent[node], node - 1
        if self.tail.has_words(node):
            return True
        if before == up:
            return self.text.has_words(before)
        for _ in range(_REACH):
            if parent[before] == up:
                return self.tail.has_words(before)
            before = parent[before]
        return False

    def _is_after(self, around: list[int], block: int) -> bool:
        """Return whether there is text after an element, up to the end of its block."""
        end = arrays.longs(self.end)
        for k in around:
            if self.tail.has_words(k):
                return True
        first = end[around[0]]
        for i in range(first, min(end[block], first + _REACH)):
            if (not self.hidden[i] and self.text.has_words(i)) or self.tail.has_words(i):
                return True
        return False

    def _is_before(self, around: list[int], block: int) -> bool:
        """Return whether there is text before an element, from the beginning of its block."""
        end, node = arrays.longs(self.end), around[0]
        if self.text.has_words(block):
            return True
        for k in around[1:]:
            if self.text.has_words(k):
                return True
        for i in range(max(block + 1, node - _REACH), node):
            if not self.hidden[i] and self.text.has_words(i):
                return True
            if end[i] <= node and self.tail.has_words(i):
                return True
        return False
