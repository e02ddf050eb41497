"""Signals per element: the greatest values as bars, each with its element's name above it."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any, Final, NamedTuple

from scrapy_webtext.lab.report.captions import caption
from scrapy_webtext.lab.report.figures import Extent, Picture, finite
from scrapy_webtext.lab.report.locations import describe_node, node_blocks
from scrapy_webtext.page import Page
from scrapy_webtext.results import Signal

#: Rows of a ranking.
MAX_ROWS: Final = 12


class Row(NamedTuple):
    """One bar: an element, or siblings of one value that count as one."""

    nodes: tuple[int, ...]
    indent: int = 0


def draw_ranking(page: Page, signal: Signal, chosen: frozenset[int]) -> Picture:
    """Return a bar per element, coloured where its blocks were chosen.

    Several selected elements stand in the order of their values; a single one stands in the
    tree, with the elements around it that have the greatest values.
    """
    ranked = [n for n in range(len(signal.values)) if signal.values[n] > 0]
    ranked.sort(key=lambda n: -signal.values[n])
    is_tree = len(signal.selected) <= 1
    if is_tree:
        rows = _tree(page, sorted({*ranked[:MAX_ROWS], *signal.selected}))
        kept = [row.nodes[0] in signal.selected for row in rows]
    else:
        rows = _siblings_merged(page, signal)[:MAX_ROWS]
        kept = [not chosen.isdisjoint(own) for own in _own_blocks(page, rows)]
    ranks = {n: rank for rank, n in enumerate(ranked, 1)}
    labels = [
        "\u2002" * row.indent + _label(page, row, ranks.get(row.nodes[0]) if is_tree else position)
        for position, row in enumerate(rows, 1)
    ]
    figure = _figure(page, signal, rows, labels, kept)
    spans = {
        block: (-position - 0.45, -position + 0.45)
        for position, own in enumerate(_own_blocks(page, rows))
        for block in own
    }
    words = caption(signal.name, signal.unit)
    return Picture(words, figure, spans, "y", height=80 + 29 * len(rows))


def _label(page: Page, row: Row, rank: int | None) -> str:
    count = f" × {len(row.nodes)}" if len(row.nodes) > 1 else ""
    number = "" if rank is None else f"  <i>#{rank}</i>"
    return f"{escape(describe_node(page, row.nodes[0]))}{count}{number}"


def _figure(
    page: Page, signal: Signal, rows: Sequence[Row], labels: Sequence[str], kept: Sequence[bool]
) -> dict[str, Any]:
    values = [signal.values[row.nodes[0]] for row in rows]
    extents = [_extent(page, row) for row in rows]
    bar = {
        "type": "bar",
        "orientation": "h",
        "x": finite(values),
        "y": [-position - 0.22 for position in range(len(rows))],
        "width": 0.3,
        "marker": {
            "color": ["var(--kept)" if one else "var(--dropped)" for one in kept],
            "line": {"width": 0},
        },
        "customdata": extents,
        "hoverinfo": "none",
    }
    text = {
        "type": "scatter",
        "mode": "text",
        "x": [0] * len(rows),
        "y": [-position + 0.2 for position in range(len(rows))],
        "text": [f"{label}  <b>{v:.3g}</b>" for label, v in zip(labels, values, strict=True)],
        "textposition": "middle right",
        "textfont": {"size": 12, "color": "var(--ink)"},
        "customdata": extents,
        "hoverinfo": "none",
        "cliponaxis": False,
    }
    layout = {
        "xaxis": {
            "title": {"text": caption(signal.name, signal.unit).value},
            "rangemode": "tozero",
        },
        "yaxis": {"visible": False, "range": [-len(rows) + 0.4, 0.6]},
        "margin": {"l": 10},
    }
    return {"data": [bar, text], "layout": layout}


def _siblings_merged(page: Page, signal: Signal) -> list[Row]:
    """Return the selected elements, the greatest first; siblings of one value share a row."""
    parent = page.nodes.parent
    groups: dict[tuple[float, int], list[int]] = {}
    for n in signal.selected:
        groups.setdefault((-signal.values[n], parent[n]), []).append(n)
    return [Row(tuple(groups[key])) for key in sorted(groups)]


def _tree(page: Page, nodes: Sequence[int]) -> list[Row]:
    """Return a row per node, in document order, indented by the nodes shown above it."""
    rows = []
    above: list[int] = []
    for n in nodes:
        while above and page.nodes.end[above[-1]] <= n:
            above.pop()
        rows.append(Row((n,), len(above)))
        above.append(n)
    return rows


def _extent(page: Page, row: Row) -> Extent:
    """Return the first and last block of a row's elements."""
    extents = [extent for n in row.nodes if (extent := node_blocks(page, n)) is not None]
    if not extents:
        return None
    return min(first for first, _ in extents), max(last for _, last in extents)


def _own_blocks(page: Page, rows: Sequence[Row]) -> list[list[int]]:
    """Return per row the blocks of which its elements are the innermost shown."""
    innermost: dict[int, int] = {}
    outermost_first = sorted((n, position) for position, row in enumerate(rows) for n in row.nodes)
    for n, position in outermost_first:
        extent = node_blocks(page, n)
        if extent is not None:
            innermost.update(dict.fromkeys(range(extent[0], extent[1] + 1), position))
    own: list[list[int]] = [[] for _ in rows]
    for block, position in innermost.items():
        own[position].append(block)
    return own
