"""P of the elements of a page (Lv et al. 2017, eq. 1), and the element where it is greatest.

The greatest P is found without computing the attributes of most nodes; P of all nodes is computed
only if it is used.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from operator import add
from typing import Final

from scrapy_webtext.compiled import compiled
from scrapy_webtext.extractors.pvalue.lengths import (
    Lengths,
    Measuring,
    add_more,
    read_lengths,
)
from scrapy_webtext.page import Nodes, Page

_MODERN: Final = Measuring()


@dataclass(frozen=True)
class PValues:
    """P of the elements of a page and where it is greatest."""

    best: int  #: the first node with the greatest P; -1 without valid text
    page: float  #: P value of the page (definition 4); 0 for a page without valid text
    removed: bytearray  #: per node, 1 if step 1 removed it or its text is not shown
    _column: Callable[[], list[float]] = field(repr=False, compare=False)

    @cached_property
    def p(self) -> list[float]:
        """P per node, in [0, 1]; 0 for removed nodes. Computed at the first use."""
        return self._column()


def p_values(page: Page, measuring: Measuring = _MODERN) -> PValues:
    """Return P for every element of a page (eq. 1), in time linear in the page."""
    return page.cached(("p_values", measuring), lambda: _p_values(page, measuring))


def _p_values(page: Page, measuring: Measuring) -> PValues:
    shared = replace(measuring, attributes="none")  # attributes change none of these lengths
    lengths = page.cached(("lengths", shared), lambda: read_lengths(page, shared))
    nodes = page.nodes
    # The closure holds the nodes, not the page: the page caches it, and must not hold itself.
    best, p = _greatest(nodes, lengths, measuring)
    return PValues(best, p, lengths.excluded, lambda: _column(nodes, lengths, measuring))


@compiled
def _greatest(nodes: Nodes, lengths: Lengths, measuring: Measuring) -> tuple[int, float]:
    """Return the first of the nodes with the greatest P, and that P; (-1, 0.0) without text.

    Few nodes can have the greatest P. Without attributes and white space, P would be greater: that
    is an upper bound, and it is at most the node's share of the valid text. So the search goes down
    the tree and leaves out all nodes below one with too small a share (nine of ten nodes on real
    pages).
    """
    if not lengths.total:
        return -1, 0.0
    node = _steepest(nodes.end, lengths)
    end, chars = nodes.end[node], [0] * len(nodes)
    add_more(chars, nodes, measuring, range(node, end))
    more = lengths.kept(chars, range(node, end))
    least = _p(lengths, node, end, more[-1])
    rivals = _rivals(nodes.end, lengths, least, (node, more[-1]))
    if rivals == [node]:
        return node, least
    first, last = rivals[0], max(nodes.end[i] for i in rivals)
    add_more(chars, nodes, measuring, range(first, node))
    add_more(chars, nodes, measuring, range(end, last))
    more = lengths.kept(chars, range(first, last))
    p = [_p(lengths, i, nodes.end[i], more[nodes.end[i] - first] - more[i - first]) for i in rivals]
    greatest = max(p)
    return rivals[p.index(greatest)], greatest


def _p(lengths: Lengths, node: int, end: int, more: int) -> float:
    """Return P (eq. 1) of a node; ``more`` is the part of l_s that `add_more` computes."""
    a, z = lengths.first[node], lengths.last[node]
    text = lengths.text[z] - lengths.text[a]
    valid = lengths.valid[z] - lengths.valid[a]
    length = text + lengths.tags[end] - lengths.tags[node] + more
    return text * valid / (length * lengths.total) if valid else 0.0


def _steepest(ends: Sequence[int], lengths: Lengths) -> int:
    """Return the first node with the greatest upper bound of P."""
    first, last, valid, total = lengths.first, lengths.last, lengths.valid, lengths.total
    node, greatest = -1, 0.0
    i = 0
    while i < len(ends):
        end = ends[i]
        if valid[last[i]] - valid[first[i]] <= greatest * total:
            i = end
            continue
        bound = _p(lengths, i, end, 0)
        if bound > greatest:
            node, greatest = i, bound
        i += 1
    return node


def _rivals(
    ends: Sequence[int], lengths: Lengths, least: float, known: tuple[int, int]
) -> list[int]:
    """Return the nodes whose upper bound of P is at least ``least``.

    ``known`` is a node and its part of l_s by `add_more`; its ancestors have at least as much.
    """
    first, last, valid = lengths.first, lengths.last, lengths.valid
    chars = least * lengths.total
    node, more = known
    found = []
    i = 0
    while i < len(ends):
        end = ends[i]
        if valid[last[i]] - valid[first[i]] <= chars:  # P < this share, as l_s > l_t
            i = end
            continue
        if _p(lengths, i, end, more if i <= node < end else 0) >= least:
            found.append(i)
        i += 1
    return found


@compiled
def _column(nodes: Nodes, lengths: Lengths, measuring: Measuring) -> list[float]:
    """Return P (eq. 1) of every node, as `_p` does, but by columns: a call per node is slower."""
    if not lengths.total:
        return [0.0] * len(nodes)
    chars = [0] * len(nodes)
    add_more(chars, nodes, measuring, range(len(nodes)))
    more = lengths.kept(chars, range(len(nodes)))
    length = list(map(add, lengths.tags, more))
    text, valid, total = lengths.text, lengths.valid, lengths.total
    rows = zip(nodes.end, lengths.first, lengths.last, range(len(nodes)), strict=True)
    return [
        (text[z] - text[a]) * v / ((text[z] - text[a] + length[end] - length[i]) * total)
        if (v := valid[z] - valid[a])
        else 0.0
        for end, a, z, i in rows
    ]
