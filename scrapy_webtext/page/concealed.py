"""Elements that their own attributes hide, and closed elements.

Hidden by ``hidden``, ``popover``, ``aria-hidden="true"`` or ``style`` (``display: none``,
``visibility: hidden``); closed are <dialog> and <details> without ``open``. Style sheets are not
read: a quarter of the text that they hide by class or id is main text.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, compress
from typing import Final, Literal, NamedTuple

from scrapy_webtext.compiled import compiled
from scrapy_webtext.page.nodes import Nodes

#: Attributes that may hide an element.
HIDING: Final = frozenset({"hidden", "aria-hidden", "style", "popover"})
#: Elements that may be closed.
CLOSED: Final = frozenset({"dialog", "details"})
#: The least characters of a sentence.
SENTENCE: Final = 60

#: By an attribute or as a closed dialog; only for screen readers; all but the summary.
How = Literal["hidden", "aria", "details"]

_DECLARATION: Final = re.compile(r"(?<![\w-])(display|visibility)\s*:\s*([a-z]+)")


class Concealed(NamedTuple):
    """An element that is hidden or closed."""

    node: int
    attributes: Mapping[str, str]
    how: How


@compiled
def concealed(nodes: Nodes, mask: bytearray) -> list[Concealed]:
    """Return the hidden and closed elements with text in document order; none of ``mask``."""
    suspects = [node for node in _suspects(nodes) if not mask[node]]
    found = []
    for node in _with_words(nodes, suspects):
        own = dict(nodes.attributes[node])
        how = _how(nodes.tag[node], own)
        if how:
            found.append(Concealed(node, own, how))
    return found


def _suspects(nodes: Nodes) -> list[int]:
    """Return the nodes that may be hidden or closed, ascending."""
    flat, first = nodes.attributes.flat, nodes.attributes.first
    suspects = {
        bisect_right(first, k) - 1
        for k in compress(range(0, len(flat), 2), map(HIDING.__contains__, flat[::2]))
        if may_hide(flat[k], flat[k + 1])
    }
    suspects.update(nodes.tagged(CLOSED))
    return sorted(suspects)


def _with_words(nodes: Nodes, some: Sequence[int]) -> Iterator[int]:
    """Yield those of some nodes that have more text than white space."""
    if not some:
        return
    texts, tails = _worded(nodes.text), _worded(nodes.tail)
    for node in some:
        end = nodes.end[node]
        if _is_any_in(texts, node, end) or _is_any_in(tails, node + 1, end):
            yield node


def _worded(texts: Sequence[str | None]) -> list[int]:
    """Return the numbers of the texts that are more than white space."""
    return [i for i, text in enumerate(texts) if text and not text.isspace()]


def _is_any_in(numbers: Sequence[int], first: int, end: int) -> bool:
    """Whether one of these numbers, which ascend, is in range(first, end)."""
    return bisect_left(numbers, first) < bisect_left(numbers, end)


def may_hide(name: str, value: str) -> bool:
    """Whether an attribute of `HIDING` may hide its element; in doubt True."""
    if name == "style":
        low = value.lower()
        return "none" in low or "hidden" in low or "collapse" in low
    return name != "aria-hidden" or "true" in value.lower()


def texts_in(nodes: Nodes, node: int) -> Iterator[str]:
    """Yield the pieces of text in an element, as they stand; its own first."""
    end = nodes.end[node]
    return filter(None, chain(nodes.text[node:end], nodes.tail[node + 1 : end]))


def has_sentence(nodes: Nodes, node: int) -> bool:
    """Whether an element has `SENTENCE` characters of text."""
    chars = 0
    for text in texts_in(nodes, node):
        chars += len(text.strip())
        if chars >= SENTENCE:
            return True
    return False


def _how(tag: str, attributes: Mapping[str, str]) -> How | None:
    own = attributes.get
    if (
        own("hidden", "until-found").strip().lower() != "until-found"
        or "popover" in attributes
        or _is_hidden_by(own("style", ""))
        or (tag == "dialog" and "open" not in attributes)
    ):
        return "hidden"
    if own("aria-hidden", "").strip().lower() == "true":
        return "aria"
    return "details" if tag == "details" and "open" not in attributes else None


def _is_hidden_by(style: str) -> bool:
    """Whether an element's own declarations hide it; of each property the last one counts."""
    if not style:
        return False
    last = dict(_DECLARATION.findall(style.lower()))
    return last.get("display") == "none" or last.get("visibility") in ("hidden", "collapse")
