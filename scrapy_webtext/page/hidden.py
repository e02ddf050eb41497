"""Which text of a page a browser does not show.

Some elements are never shown (`tags.HIDDEN`). Others are hidden by their attributes, or closed
(:mod:`scrapy_webtext.page.concealed`); of these some stay, because scripts or readers show them
(:mod:`scrapy_webtext.page.revealed`). Links of headings to themselves
(:mod:`scrapy_webtext.page.permalinks`) count as hidden.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from scrapy_webtext.page import tags
from scrapy_webtext.page.concealed import SENTENCE, Concealed, concealed, texts_in
from scrapy_webtext.page.nodes import Nodes
from scrapy_webtext.page.permalinks import find_permalinks
from scrapy_webtext.page.revealed import revealed

#: A page is built by its scripts if it shows less text than this and <noscript> has more, or if the
#: sentences in <noscript> are this many times the text that it shows.
SCRIPTED_CHARS: Final = 500
SCRIPTED_TIMES: Final = 2
#: Levels of hidden elements inside hidden elements that stay.
LEVELS: Final = 8


@dataclass(frozen=True, slots=True)
class Hidden:
    """The nodes of a page that are not shown."""

    mask: bytearray  #: over nodes: 1 if no text of the node is shown
    tops: list[int]  #: the topmost nodes of the mask, ascending
    concealed: list[int]  #: nodes that attributes hide, and permalinks; tops or inside them
    closed: frozenset[int]  #: <details> whose own text is not shown either


def find_hidden(nodes: Nodes) -> Hidden:
    """Return what of these nodes a browser does not show, in time linear in the page.

    If nothing else would be left, elements that attributes hide count as shown.
    """
    mask = nodes.inside(tags.HIDDEN)
    covered: list[int] = []
    closed: set[int] = set()
    found = concealed(nodes, mask)
    if found:
        covered, closed = _conceal(nodes, found, mask)
        if covered and _few_shown(nodes, mask, closed, 0) == 0:
            mask, covered, closed = nodes.inside(tags.HIDDEN), [], set()
    if nodes.tagged(tags.SPARE):
        _show_spare(nodes, mask, closed)
    for link in find_permalinks(nodes):
        if not mask[link]:
            _cover(nodes, [link], mask)
            covered.append(link)
    return Hidden(mask, _tops(nodes, mask), covered, frozenset(closed))


def _cover(nodes: Nodes, found: Iterable[int], mask: bytearray) -> None:
    for node in found:
        mask[node : nodes.end[node]] = b"\x01" * (nodes.end[node] - node)


def _tops(nodes: Nodes, mask: bytearray) -> list[int]:
    found, end = [], nodes.end
    top = mask.find(1)
    while top >= 0:
        found.append(top)
        top = mask.find(1, end[top])
    return found


def _conceal(nodes: Nodes, found: list[Concealed], mask: bytearray) -> tuple[list[int], set[int]]:
    """Add to ``mask`` the hidden elements that do not stay.

    Return these nodes, and the closed <details>.
    """
    covered: list[int] = []
    closed: set[int] = set()
    for level in range(LEVELS):
        tops, found = _outermost(nodes, found)
        stay = revealed(nodes, tops, mask) if level < LEVELS - 1 else set()
        gone: list[int] = []
        for one in tops:
            if one.node in stay:
                continue
            if one.how == "details":
                closed.add(one.node)
                gone += _but_the_summary(nodes, one.node)
            else:
                gone.append(one.node)
        _cover(nodes, gone, mask)
        covered += gone
        found = [one for one in found if not mask[one.node]]
        if not found:
            break
    return covered, closed


def _but_the_summary(nodes: Nodes, details: int) -> Iterator[int]:
    """Yield the children of <details> but for the first <summary>."""
    child, has_summary = details + 1, False
    while child < nodes.end[details]:
        if has_summary or nodes.tag[child] != "summary":
            yield child
        else:
            has_summary = True
        child = nodes.end[child]


def _outermost(nodes: Nodes, found: Iterable[Concealed]) -> tuple[list[Concealed], list[Concealed]]:
    """Return the topmost elements, and the others."""
    tops: list[Concealed] = []
    inner: list[Concealed] = []
    end = 0
    for one in found:
        if one.node < end:
            inner.append(one)
        else:
            tops.append(one)
            end = nodes.end[one.node]
    return tops, inner


def _shown(nodes: Nodes, mask: bytearray, closed: Collection[int]) -> Iterator[int]:
    """Yield the characters of each piece of text that is shown."""
    for i, text in enumerate(nodes.text):
        if text and not mask[i] and i not in closed and not text.isspace():
            yield len(text.strip())
    for i, tail in zip(nodes.parent, nodes.tail, strict=True):
        if tail and i >= 0 and not mask[i] and i not in closed and not tail.isspace():
            yield len(tail.strip())


def _show_spare(nodes: Nodes, mask: bytearray, closed: set[int]) -> None:
    """Show the content of <noscript> and the like on a page with little other text.

    Such a page is built by its scripts in the browser, and its text is in these elements.
    """
    # Inside other hidden elements, such as <head>, they stay hidden.
    inside = nodes.inside(tags.HIDDEN - tags.SPARE)
    spare = [i for i in nodes.tops(tags.SPARE) if not inside[i]]
    chars, sentences = _chars_in(nodes, spare)
    shown = _few_shown(nodes, mask, closed, sentences)
    if shown is not None and chars > shown:
        for i in spare:
            mask[i : nodes.end[i]] = inside[i : nodes.end[i]]


def _chars_in(nodes: Nodes, tops: Iterable[int]) -> tuple[int, int]:
    """Return the characters of the text in these nodes, and of its pieces as long as a sentence."""
    pieces = [len(text.strip()) for node in tops for text in texts_in(nodes, node)]
    return sum(pieces), sum(n for n in pieces if n >= SENTENCE)


def is_built_by_scripts(nodes: Nodes, sentences: int) -> bool:
    """Return whether a page shows little text beside ``sentences`` characters in its scripts."""
    if not sentences:
        return False
    hidden = find_hidden(nodes)
    shown = _few_shown(nodes, hidden.mask, hidden.closed, sentences)
    return shown is not None and sentences > shown


def _few_shown(
    nodes: Nodes, mask: bytearray, closed: Collection[int], sentences: int
) -> int | None:
    """Return the characters that a page shows; None if they are enough."""
    shown = 0
    for chars in _shown(nodes, mask, closed):
        shown += chars
        if shown >= SCRIPTED_CHARS and sentences < SCRIPTED_TIMES * shown:
            return None
    return shown
