"""Distances of each block from four guesses of where the main text is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from scrapy_webtext.extractors.fusion.features.tables import BlockTable, Columns, ElementTable
from scrapy_webtext.extractors.pvalue import PValues
from scrapy_webtext.page import Page

#: Number of steps if there is no such element.
NOWHERE: Final = 99


def add_distances(
    columns: Columns, page: Page, texts: BlockTable, elements: ElementTable, p: PValues
) -> bytearray:
    """Add the distances; return a mask over blocks of those in the element with half the prose.

    The guesses are the element with the greatest P ("best"), the deepest elements with 50 % and
    with 80 % of the prose ("half", "most"), and the plateau of body text extraction ("plateau").
    "dense" is the same search for a plateau with text outside links in place of words.
    """
    at, sums = texts.at, texts.prose_sums
    first, end = page.runs.first, page.runs.end
    kept_nodes = elements.kept_nodes
    prose = [sums[at[end[i]]] - sums[at[first[i]]] for i in kept_nodes]
    half = _deepest(kept_nodes, prose, 0.5 * sums[-1])
    _add_node(columns, "best", page, texts, p.best)
    _add_node(columns, "half", page, texts, half)
    _add_node(columns, "most", page, texts, _deepest(kept_nodes, prose, 0.8 * sums[-1]))
    tags = [page.runs.tags_before[page.blocks.first_run[b]] for b in texts.numbers]
    after = [*tags[1:], tags[-1] + 1] if tags else []
    gains = [w - (z - a) for w, a, z in zip(texts.words, tags, after, strict=True)]
    columns["plateau_distance"] = _distance(len(gains), *_plateau(gains))
    dense = [(2 * n - c) / 5 - 8 for n, c in zip(texts.unlinked_chars, texts.chars, strict=True)]
    columns["dense_distance"] = _distance(len(dense), *_plateau(dense))
    mask = bytearray(len(texts.node))
    if half >= 0:
        a, z = at[first[half]], at[end[half]]
        mask[a:z] = b"\x01" * (z - a)
    return mask


def _deepest(nodes: Sequence[int], values: Sequence[float], bound: float) -> int:
    """Return the last node whose value is at least ``bound``; -1 if there is none or no bound."""
    if bound <= 0:
        return -1
    return next(
        (i for i, v in zip(reversed(nodes), reversed(values), strict=True) if v >= bound), -1
    )


def _add_node(columns: Columns, name: str, page: Page, texts: BlockTable, node: int) -> None:
    """Add steps up from a node until it holds the block, and blocks before (< 0) or after it."""
    at, n = texts.at, len(texts.node)
    bounds = (at[page.runs.first[node]], at[page.runs.end[node]]) if node >= 0 else (0, 0)
    columns[f"{name}_steps"] = steps_up(page, texts, node) if node >= 0 else [NOWHERE] * n
    columns[f"{name}_distance"] = _distance(n, *bounds)


def steps_up(page: Page, texts: BlockTable, node: int) -> list[int]:
    """Return per candidate block the steps up from a node to an element that holds the block."""
    at, first, end, parent = texts.at, page.runs.first, page.runs.end, page.nodes.parent
    steps = [NOWHERE] * len(texts.node)
    low = high = at[first[node]]
    step = 0
    while node >= 0:
        a, z = at[first[node]], at[end[node]]
        steps[a:low] = [step] * (low - a)
        steps[high:z] = [step] * (z - high)
        low, high, node, step = a, z, parent[node], step + 1
    return steps


def _distance(n: int, first: int, end: int) -> list[int]:
    """Return per block its distance from [first, end): 0 inside, < 0 before, > 0 after."""
    return [*range(-first, 0), *([0] * (end - first)), *range(1, n - end + 1)]


def _plateau(gains: Sequence[float]) -> tuple[int, int]:
    """Return the bounds of the interval with the greatest sum; (0, 0) if no gain is positive.

    With words minus tags as gains this is body text extraction (Finn, Kushmerick, Smyth 2001).
    """
    greatest = total = 0.0
    start = first = end = 0
    for i, gain in enumerate(gains):
        if total <= 0:
            total, start = gain, i
        else:
            total += gain
        if total > greatest:
            greatest, first, end = total, start, i + 1
    return first, end
