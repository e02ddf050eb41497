"""Draws signals as plotly figures, with captions and with the range of each block on the figure.

A figure is a dict for plotly.js. Its colours are names of CSS variables such as ``var(--kept)``.
The script of the report replaces them by the colours of the light or dark scheme. ``customdata`` of
a point is the first and the last block of the point's unit, or None.
"""

from __future__ import annotations

import json
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape
from itertools import groupby, islice
from math import isfinite
from typing import Any, Final

from scrapy_webtext.lab import resource
from scrapy_webtext.lab.sentences import Caption, caption, describe_node, ranks, units_of_blocks
from scrapy_webtext.page import Page
from scrapy_webtext.results import Extraction, Signal

#: Settings of plotly's traces, shapes, axes and layouts. A key names the drawn thing.
_LOOKS: Final[Mapping[str, dict[str, Any]]] = json.loads(resource("pictures.json"))
#: If there are more bars or points, only some are drawn, because a screen has no more columns.
MAX_POINTS: Final = 1500
#: The number of rows in a ranking.
MAX_ROWS: Final = 12

#: The first and the last block whose text is in a unit; None if the unit has no text.
Extent = tuple[int, int] | None


@dataclass(frozen=True)
class ExtractorView:
    """What one extractor extracted from a page, and its signals if it has any.

    The class has no slots, because ``chosen`` is a cached property.
    """

    extraction: Extraction
    signals: tuple[Signal, ...] = ()

    @property
    def name(self) -> str:
        """The extractor's name."""
        return self.extraction.extractor

    @cached_property
    def chosen(self) -> frozenset[int]:
        """The indices of the chosen blocks."""
        return frozenset(self.extraction.chosen)


@dataclass(frozen=True, slots=True)
class Picture:
    """A figure, its caption, and the range of each block on one of its axes."""

    caption: Caption
    figure: dict[str, Any]
    spans: dict[int, tuple[float, float]]  #: block -> start and end on the axis
    axis: str


def draw(page: Page, view: ExtractorView) -> list[Picture]:
    """Draw one picture per unit, with all signals that have this unit."""
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
    """Draw the blocks that each extractor chose, one row per extractor."""
    blocks = range(len(page.blocks))
    rows = list(reversed(views))  # plotly draws the last row on top
    heat = {
        **_LOOKS["heat"],
        "x": list(blocks),
        "y": list(range(len(rows))),
        "z": [[int(b in view.chosen) for b in blocks] for view in rows],
        "customdata": [[[b, b] for b in blocks] for _ in rows],
        "xgap": 0.5 if len(page.blocks) < 200 else 0,
    }
    names = {
        "tickvals": list(range(len(rows))),
        "ticktext": [escape(view.name) for view in rows],
        "showgrid": False,
        "automargin": True,
    }
    spans = {b: (b - 0.5, b + 0.5) for b in blocks}
    across, height = _across("block"), 130 + 26 * len(rows)
    figure = {"data": [heat], "layout": _layout(height, across, names, hovermode="closest")}
    return Picture(caption("agreement", "block"), figure, spans, "x")


def _layout(
    height: int, across: Mapping[str, Any], up: Mapping[str, Any], **others: Any
) -> dict[str, Any]:
    """Return a layout with two axes; ``others`` replace the values that all pictures have."""
    axes = {"xaxis": {**_LOOKS["axis"], **across}, "yaxis": {**_LOOKS["axis"], **up}}
    return {**_LOOKS["layout"], **axes, "height": height, **others}


def _across(unit: str) -> dict[str, Any]:
    """Return a horizontal axis that counts the units of a page."""
    return {"title": {"text": f"{unit} of the page"}, "showgrid": False}


def _values(words: Caption) -> dict[str, Any]:
    """Return an axis for the values of a signal."""
    return {"title": {"text": words.value}, "rangemode": "tozero"}


def _bars(main: Signal, others: Sequence[Signal]) -> Picture:
    """Draw a bar per unit, coloured if the unit was selected; other signals are outlines."""
    words = caption(main.name, main.unit)
    step = max(1, -(-len(main.values) // MAX_POINTS))
    shown = _greatest_of_each(main, step)
    taken = {n // step for n in main.selected}
    extents = _extents_of(main)
    bars = {
        **_LOOKS["bars"],
        **_points(main, shown, step),
        "width": step if step > 1 or len(shown) > 300 else 0.8,
        "marker": _coloured(n // step in taken for n in shown),
        "customdata": [extents[n] for n in shown],
    }
    greatest = [(other, _greatest_of_each(other, step)) for other in others]
    outlines = [{**_LOOKS["outline"], **_points(*pair, step)} for pair in greatest]
    layout = _layout(250, _across(main.unit), _values(words), bargap=0)
    if main.threshold is not None:
        layout["shapes"] = [{**_LOOKS["threshold"], "y0": main.threshold, "y1": main.threshold}]
        note = {"y": main.threshold, "text": f"threshold for main text {main.threshold:.3g}"}
        layout["annotations"] = [{**_LOOKS["threshold note"], **note}]
    values = [value for value in main.values if isfinite(value)]
    if values and min(values) >= 0 and max(values) <= 1 and not others:
        layout["yaxis"]["range"] = [0, 1.04]
    return Picture(words, {"data": [bars, *outlines], "layout": layout}, _spans(extents), "x")


def _curve(signal: Signal) -> Picture:
    """Draw a line over all units; vertical lines mark the first and the last selected unit."""
    step = max(1, -(-len(signal.values) // MAX_POINTS))
    ends = (signal.selected[0], signal.selected[-1]) if signal.selected else ()
    shown = sorted({*range(0, len(signal.values), step), *ends})
    inside = [n for n in shown if ends and ends[0] <= n <= ends[1]]
    extents = _extents_of(signal)
    traces = [
        {
            **_LOOKS[look],
            "x": units,
            "y": _finite(signal.values[n] for n in units),
            "customdata": [extents[n] for n in units],
        }
        for look, units in (("whole", shown), ("plateau", inside))
        if units
    ]
    words = caption(signal.name, signal.unit)
    shapes = [{**_LOOKS["end"], "x0": end, "x1": end} for end in ends]
    layout = _layout(280, _across(signal.unit), _values(words), shapes=shapes)
    return Picture(words, {"data": traces, "layout": layout}, _spans(extents), "x")


def _coloured(taken: Iterable[bool]) -> dict[str, Any]:
    colours = ["var(--kept)" if is_taken else "var(--dropped)" for is_taken in taken]
    return {"color": colours, "line": {"width": 0}}


def _points(signal: Signal, shown: Sequence[int], step: int) -> dict[str, Any]:
    """Return the places and values of points; each point is in the middle of ``step`` units."""
    places = [n - n % step + (step - 1) / 2 for n in shown]
    return {"x": places, "y": _finite(signal.values[n] for n in shown)}


def _finite(values: Iterable[float]) -> list[float | None]:
    """Return the values for JSON, with None in place of infinity and NaN."""
    return [value if isfinite(value) else None for value in values]


def _greatest_of_each(signal: Signal, step: int) -> list[int]:
    """Return from each group of ``step`` units the unit with the greatest value."""
    values = signal.values
    groups = (range(len(values))[first : first + step] for first in range(0, len(values), step))
    return [max(group, key=values.__getitem__) for group in groups]


def _extents_of(signal: Signal) -> Sequence[Extent]:
    """Return for each unit of a signal the first and the last block whose text is in the unit."""
    count = len(signal.values)
    if signal.unit == "block":
        return [(n, n) for n in range(count)]
    return signal.blocks or [None] * count


def _spans(extents: Sequence[Extent]) -> dict[int, tuple[float, float]]:
    """Return for each block the range of its units on the axis."""
    units = units_of_blocks(extents)
    return {block: (first - 0.5, last + 0.5) for block, (first, last) in units.items()}


def _ranking(page: Page, signal: Signal, chosen: frozenset[int]) -> Picture:
    """Draw bars for the elements with the greatest values; the name of an element is above its bar.

    The elements are in document order, and an element inside another one is indented. A bar is
    coloured if its element was selected. If several elements were selected, a coloured one must
    also have a chosen block that is in no other shown element inside it.
    """
    values = signal.values
    rank = ranks(values)
    best = sorted(signal.selected, key=lambda n: -values[n])[:1]
    nodes = sorted({*islice(rank, MAX_ROWS), *best})
    extents = [_node_blocks(page, n) for n in nodes]
    innermost: dict[int, int] = {}
    for position, extent in enumerate(extents):
        if extent is not None:
            innermost.update(dict.fromkeys(range(extent[0], extent[1] + 1), position))
    with_text = {innermost[b] for b in chosen & innermost.keys()}
    is_kept = [
        n in signal.selected and (len(signal.selected) == 1 or position in with_text)
        for position, n in enumerate(nodes)
    ]
    rows = range(len(nodes))
    words = caption(signal.name, signal.unit)
    bars = {
        **_LOOKS["ranked bars"],
        "x": _finite(values[n] for n in nodes),
        "y": [-position - 0.22 for position in rows],
        "marker": _coloured(is_kept),
        "customdata": extents,
    }
    names = {
        **_LOOKS["names"],
        "x": [0] * len(nodes),
        "y": [-position + 0.2 for position in rows],
        "text": _labels(page, nodes, signal, rank),
        "customdata": extents,
    }
    layout = _layout(
        80 + 29 * len(nodes),
        _values(words),
        {"visible": False, "range": [-len(nodes) + 0.4, 0.6]},
        hovermode="closest",
        margin={**_LOOKS["layout"]["margin"], "l": 10},
    )
    spans = {b: (-position - 0.45, -position + 0.45) for b, position in innermost.items()}
    figure = {"data": [bars, names], "layout": layout}
    return Picture(words, figure, spans, "y")


def _labels(page: Page, nodes: Sequence[int], signal: Signal, rank: Mapping[int, int]) -> list[str]:
    """Return the label of each node: name, rank and value, indented once per shown ancestor."""
    labels = []
    above: list[int] = []
    for n in nodes:
        while above and page.nodes.end[above[-1]] <= n:
            above.pop()
        name = "\u2002" * len(above) + escape(describe_node(page, n))
        own_rank = f"  <i>#{rank[n]}</i>" if n in rank else ""
        labels.append(f"{name}{own_rank}  <b>{signal.values[n]:.3g}</b>")
        above.append(n)
    return labels


def _node_blocks(page: Page, node: int) -> Extent:
    """Return the first and the last block with text inside a node; None if there is no text."""
    first, end = page.runs.first[node], page.runs.end[node]
    if first == end:
        return None
    first_run = page.blocks.first_run
    return bisect_right(first_run, first) - 1, bisect_left(first_run, end) - 1
