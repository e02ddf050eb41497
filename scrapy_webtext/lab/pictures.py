"""Signals to pictures: plotly figures, their words, and where on them the blocks lie.

A figure is a plain dict as plotly.js takes it. Colours are names of CSS variables such as
``var(--kept)``, put in by the report's script, so that pictures follow light and dark. Each point
carries in ``customdata`` the blocks that it stands for, first and last, or None.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape
from itertools import groupby
from math import isfinite
from typing import Any, Final, NamedTuple

from scrapy_webtext.lab.sentences import Caption, caption, describe_node
from scrapy_webtext.page import Page
from scrapy_webtext.results import Extraction, Signal

#: More bars or points than this are thinned: a screen has no more columns.
MAX_POINTS: Final = 1500
#: Rows of a ranking.
MAX_ROWS: Final = 12

#: The first and last block of which a unit holds text.
Extent = tuple[int, int] | None


@dataclass(frozen=True)
class ExtractorView:
    """One extractor's extraction of a page and the signals behind it, if it has any.

    Not slotted: the set of chosen blocks is cached.
    """

    extraction: Extraction
    signals: tuple[Signal, ...] = ()

    @property
    def name(self) -> str:
        """The extractor's name."""
        return self.extraction.extractor

    @cached_property
    def chosen(self) -> frozenset[int]:
        """Numbers of the blocks that it took."""
        return frozenset(self.extraction.chosen)


@dataclass(frozen=True, slots=True)
class Picture:
    """A figure, its words, and where on its axis each block lies."""

    caption: Caption
    figure: dict[str, Any]
    spans: dict[int, tuple[float, float]]  #: block -> from, to on the axis
    axis: str = "x"
    height: int = 250


def draw(page: Page, view: ExtractorView) -> list[Picture]:
    """Return one picture per unit, signals of one unit in the same."""
    found = []
    for unit, group in groupby(view.signals, key=lambda signal: signal.unit):
        same = list(group)
        main = max(same, key=lambda signal: (signal.threshold is not None, bool(signal.selected)))
        if unit == "node":
            found.append(_ranking(page, main, view.chosen))
        elif unit == "token":
            found.append(_curve(main))
        else:
            found.append(_bars(main, [signal for signal in same if signal is not main]))
    return found


def draw_agreement(page: Page, views: Sequence[ExtractorView]) -> Picture:
    """Return which blocks each extractor took, one row per extractor."""
    blocks = range(len(page.blocks))
    rows = list(reversed(views))  # the first on top
    heat = {
        "type": "heatmap",
        "x": list(blocks),
        "y": list(range(len(rows))),
        "z": [[int(b in view.chosen) for b in blocks] for view in rows],
        "customdata": [[[b, b] for b in blocks] for _ in rows],
        "zmin": 0,
        "zmax": 1,
        "colorscale": [[0, "var(--dropped-soft)"], [1, "var(--kept)"]],
        "showscale": False,
        "xgap": 0.5 if len(page.blocks) < 200 else 0,
        "ygap": 3,
        "hoverinfo": "none",
    }
    names = {
        "tickvals": list(range(len(rows))),
        "ticktext": [escape(view.name) for view in rows],
        "showgrid": False,
        "automargin": True,
    }
    layout = {"xaxis": _named("block of the page", showgrid=False), "yaxis": names}
    words = Caption(
        "Blocks taken by each extractor",
        "taken",
        "A column is a block of the page, a row an extractor. Columns of one colour are "
        "undisputed; on the left, the more agree on a block, the darker it is.",
    )
    spans = {b: (b - 0.5, b + 0.5) for b in blocks}
    return Picture(words, {"data": [heat], "layout": layout}, spans, height=130 + 26 * len(rows))


def _named(title: str, **more: Any) -> dict[str, Any]:
    """Return an axis with a title."""
    return {"title": {"text": title}, **more}


def _layout(signal: Signal, words: Caption) -> dict[str, Any]:
    return {
        "xaxis": _named(f"{signal.unit} of the page", showgrid=False),
        "yaxis": _named(words.value, rangemode="tozero"),
    }


def _bars(main: Signal, others: Sequence[Signal]) -> Picture:
    """Return a bar per unit, coloured where it was selected; other signals are outlines."""
    words = caption(main.name, main.unit)
    step = max(1, -(-len(main.values) // MAX_POINTS))
    shown = _greatest_of_each(main, step)
    taken = {n // step for n in main.selected}
    extents = _extents_of(main)
    bars = {
        "type": "bar",
        **_points(main, shown, step),
        "width": step if step > 1 or len(shown) > 300 else 0.8,
        "marker": _coloured(n // step in taken for n in shown),
        "customdata": [extents[n] for n in shown],
        "hoverinfo": "none",
    }
    outlines = [
        {
            "type": "scatter",
            "mode": "lines",
            "line": {"color": "var(--raw)", "width": 1, "shape": "hvh"},
            **_points(other, _greatest_of_each(other, step), step),
            "hoverinfo": "skip",
        }
        for other in others
    ]
    layout = _layout(main, words) | {"bargap": 0}
    values = [value for value in main.values if isfinite(value)]
    if values and min(values) >= 0 and max(values) <= 1 and not others:
        layout["yaxis"]["range"] = [0, 1.04]
    if main.threshold is not None and isfinite(main.threshold):
        layout["shapes"] = [_rule("y", "x", main.threshold, "dash")]
        place = {"xref": "paper", "x": 1, "y": main.threshold, "yanchor": "bottom"}
        layout["annotations"] = [_note(f"threshold {main.threshold:.3g}", "right", place)]
    return Picture(words, {"data": [bars, *outlines], "layout": layout}, _spans(extents))


def _curve(signal: Signal) -> Picture:
    """Return a line over all units, with the ends of what was selected."""
    words = caption(signal.name, signal.unit)
    step = max(1, -(-len(signal.values) // MAX_POINTS))
    ends = (signal.selected[0], signal.selected[-1]) if signal.selected else ()
    shown = sorted({*range(0, len(signal.values), step), *ends})
    extents = _extents_of(signal)

    def line(units: Sequence[int], colour: str, width: float) -> dict[str, Any]:
        return {
            "type": "scatter",
            "mode": "lines",
            "x": list(units),
            "y": _finite(signal.values[n] for n in units),
            "line": {"color": colour, "width": width},
            "customdata": [extents[n] for n in units],
            "hoverinfo": "none",
        }

    traces = [line(shown, "var(--dropped-strong)", 1.5)]
    layout = _layout(signal, words)
    if ends:
        inside = [n for n in shown if ends[0] <= n <= ends[1]]
        traces.append(line(inside, "var(--kept)", 3.5))
        layout["shapes"] = [_rule("x", "y", end, "dot") for end in ends]
        layout["annotations"] = [
            _note(f"{end:g}", side, {"x": end, "y": 1, "yref": "paper", "xshift": shift})
            for end, side, shift in zip(ends, ("right", "left"), (-4, 4), strict=True)
        ]
    return Picture(words, {"data": traces, "layout": layout}, _spans(extents), height=280)


def _rule(across: str, along: str, at: float, dash: str) -> dict[str, Any]:
    """Return a straight line across an axis, along the other one."""
    place = {f"{across}0": at, f"{across}1": at, f"{along}ref": "paper"}
    line = {"color": "var(--threshold)", "width": 1.5, "dash": dash}
    return {"type": "line", **place, f"{along}0": 0, f"{along}1": 1, "line": line}


def _note(text: str, side: str, place: dict[str, Any]) -> dict[str, Any]:
    font = {"color": "var(--threshold)", "size": 12}
    return {"text": text, "showarrow": False, "xanchor": side, "font": font, **place}


def _coloured(taken: Iterable[bool]) -> dict[str, Any]:
    colours = ["var(--kept)" if is_taken else "var(--dropped)" for is_taken in taken]
    return {"color": colours, "line": {"width": 0}}


def _points(signal: Signal, shown: Sequence[int], step: int) -> dict[str, Any]:
    """Return places and values of units, each in the middle of those that it stands for."""
    places = [n - n % step + (step - 1) / 2 for n in shown]
    return {"x": places, "y": _finite(signal.values[n] for n in shown)}


def _finite(values: Iterable[float]) -> list[float | None]:
    """Return the values for JSON, which knows no infinity."""
    return [value if isfinite(value) else None for value in values]


def _greatest_of_each(signal: Signal, step: int) -> list[int]:
    """Return of every ``step`` units the one with the greatest value."""
    values = signal.values
    return [
        max(range(first, min(first + step, len(values))), key=values.__getitem__)
        for first in range(0, len(values), step)
    ]


def _extents_of(signal: Signal) -> Sequence[Extent]:
    """Return per unit of a signal the blocks that it lies in, first and last."""
    count = len(signal.values)
    if signal.unit == "block":
        return [(n, n) for n in range(count)]
    return signal.blocks or [None] * count


def _spans(extents: Sequence[Extent]) -> dict[int, tuple[float, float]]:
    """Return per block from where to where its units lie."""
    spans: dict[int, tuple[float, float]] = {}
    for n, extent in enumerate(extents):
        if extent is not None:
            for block in range(extent[0], extent[1] + 1):
                spans[block] = (spans.get(block, (n - 0.5, 0))[0], n + 0.5)
    return spans


class _Row(NamedTuple):
    """One bar of a ranking: an element, or siblings of one value that count as one."""

    nodes: tuple[int, ...]
    indent: int = 0


def _ranking(page: Page, signal: Signal, chosen: frozenset[int]) -> Picture:
    """Return a bar per element, its name above it, coloured where its blocks were chosen.

    Several selected elements stand in the order of their values; a single one stands in the
    tree, with the elements around it that have the greatest values.
    """
    values = signal.values
    ranked = sorted((n for n in range(len(values)) if values[n] > 0), key=lambda n: -values[n])
    if len(signal.selected) <= 1:
        rows = _tree(page, sorted({*ranked[:MAX_ROWS], *signal.selected}))
        rank = {n: number for number, n in enumerate(ranked, 1)}
        ranks = [rank.get(row.nodes[0]) for row in rows]
        own = _own_blocks(page, rows)
        kept = [row.nodes[0] in signal.selected for row in rows]
    else:
        rows = _siblings_merged(page, signal)[:MAX_ROWS]
        ranks = list(range(1, len(rows) + 1))
        own = _own_blocks(page, rows)
        kept = [not chosen.isdisjoint(blocks) for blocks in own]
    shown = [values[row.nodes[0]] for row in rows]
    labels = [_label(page, *one) for one in zip(rows, ranks, shown, strict=True)]
    words = caption(signal.name, signal.unit)
    common = {"customdata": [_extent(page, row) for row in rows], "hoverinfo": "none"}
    bars = {
        "type": "bar",
        "orientation": "h",
        "x": _finite(shown),
        "y": [-position - 0.22 for position in range(len(rows))],
        "width": 0.3,
        "marker": _coloured(kept),
        **common,
    }
    names = {
        "type": "scatter",
        "mode": "text",
        "x": [0] * len(rows),
        "y": [-position + 0.2 for position in range(len(rows))],
        "text": labels,
        "textposition": "middle right",
        "textfont": {"size": 12, "color": "var(--ink)"},
        "cliponaxis": False,
        **common,
    }
    layout = {
        "xaxis": _named(words.value, rangemode="tozero"),
        "yaxis": {"visible": False, "range": [-len(rows) + 0.4, 0.6]},
        "margin": {"l": 10},
    }
    spans = {
        block: (-position - 0.45, -position + 0.45)
        for position, blocks in enumerate(own)
        for block in blocks
    }
    figure = {"data": [bars, names], "layout": layout}
    return Picture(words, figure, spans, "y", height=80 + 29 * len(rows))


def _label(page: Page, row: _Row, rank: int | None, value: float) -> str:
    count = f" × {len(row.nodes)}" if len(row.nodes) > 1 else ""
    number = "" if rank is None else f"  <i>#{rank}</i>"
    name = "\u2002" * row.indent + escape(describe_node(page, row.nodes[0]))
    return f"{name}{count}{number}  <b>{value:.3g}</b>"


def _siblings_merged(page: Page, signal: Signal) -> list[_Row]:
    """Return the selected elements, the greatest first; siblings of one value share a row."""
    groups: dict[tuple[float, int], list[int]] = {}
    for n in signal.selected:
        groups.setdefault((-signal.values[n], page.nodes.parent[n]), []).append(n)
    return [_Row(tuple(groups[key])) for key in sorted(groups)]


def _tree(page: Page, nodes: Sequence[int]) -> list[_Row]:
    """Return a row per node, in document order, indented by the nodes shown above it."""
    rows = []
    above: list[int] = []
    for n in nodes:
        while above and page.nodes.end[above[-1]] <= n:
            above.pop()
        rows.append(_Row((n,), len(above)))
        above.append(n)
    return rows


def _node_blocks(page: Page, node: int) -> Extent:
    """Return the first and last block with text inside a node, None where it has no text."""
    first, end = page.runs.first[node], page.runs.end[node]
    if first == end:
        return None
    first_run = page.blocks.first_run
    return bisect_right(first_run, first) - 1, bisect_left(first_run, end) - 1


def _extent(page: Page, row: _Row) -> Extent:
    """Return the first and last block of a row's elements."""
    extents = [extent for n in row.nodes if (extent := _node_blocks(page, n)) is not None]
    if not extents:
        return None
    return min(first for first, _ in extents), max(last for _, last in extents)


def _own_blocks(page: Page, rows: Sequence[_Row]) -> list[list[int]]:
    """Return per row the blocks of which its elements are the innermost shown."""
    innermost: dict[int, int] = {}
    for n, position in sorted(
        (n, position) for position, row in enumerate(rows) for n in row.nodes
    ):
        extent = _node_blocks(page, n)
        if extent is not None:
            innermost.update(dict.fromkeys(range(extent[0], extent[1] + 1), position))
    own: list[list[int]] = [[] for _ in rows]
    for block, position in innermost.items():
        own[position].append(block)
    return own
