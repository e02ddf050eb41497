"""Signals to plotly figures, by their unit; figures are described in :mod:`.figures`."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from itertools import groupby
from math import isfinite
from typing import Any, Final

from scrapy_webtext.lab.report.captions import Caption, caption
from scrapy_webtext.lab.report.figures import Extent, Picture, Span, extents_of, finite
from scrapy_webtext.lab.report.ranking import draw_ranking
from scrapy_webtext.lab.report.views import ExtractorView
from scrapy_webtext.page import Page
from scrapy_webtext.results import Signal

#: More bars or points than this are thinned: a screen has no more columns.
MAX_POINTS: Final = 1500


def draw(page: Page, view: ExtractorView) -> list[Picture]:
    """Return one picture per unit, signals of one unit in the same."""
    found = []
    for unit, group in groupby(view.signals, key=lambda signal: signal.unit):
        same = list(group)
        main = max(same, key=lambda signal: (signal.threshold is not None, bool(signal.selected)))
        others = [s for s in same if s is not main]
        if unit == "node":
            found.append(draw_ranking(page, main, view.chosen))
        elif unit == "token":
            found.append(_curve(main))
        else:
            found.append(_bars(main, others))
    return found


def draw_agreement(page: Page, views: Sequence[ExtractorView]) -> Picture:
    """Return which blocks each extractor took, one row per extractor."""
    blocks = range(len(page.blocks))
    rows = list(reversed(views))  # the first on top
    figure = {
        "data": [
            {
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
        ],
        "layout": {
            "xaxis": {"title": {"text": "block of the page"}, "showgrid": False},
            "yaxis": {
                "tickvals": list(range(len(rows))),
                "ticktext": [escape(view.name) for view in rows],
                "showgrid": False,
                "automargin": True,
            },
        },
    }
    words = Caption(
        "Blocks taken by each extractor",
        "taken",
        "A column is a block of the page, a row an extractor. Columns of one colour are "
        "undisputed; on the left, the more agree on a block, the darker it is.",
    )
    spans = {b: (b - 0.5, b + 0.5) for b in blocks}
    return Picture(words, figure, spans, height=130 + 26 * len(rows))


def _bars(main: Signal, others: Sequence[Signal]) -> Picture:
    words = caption(main.name, main.unit)
    step = max(1, -(-len(main.values) // MAX_POINTS))
    shown = _greatest_of_each(main, step)
    selected = frozenset(main.selected)
    is_taken = [_takes(selected, n, step) for n in shown]
    extents = extents_of(main)
    traces = [
        {
            "type": "bar",
            "x": [n - n % step + (step - 1) / 2 for n in shown],
            "y": finite(main.values[n] for n in shown),
            "width": step if step > 1 or len(shown) > 300 else 0.8,
            "marker": {
                "color": ["var(--kept)" if taken else "var(--dropped)" for taken in is_taken],
                "line": {"width": 0},
            },
            "customdata": [extents[n] for n in shown],
            "hoverinfo": "none",
        }
    ]
    traces += [_outline(other, step) for other in others]
    layout: dict[str, Any] = {
        "xaxis": {"title": {"text": f"{main.unit} of the page"}, "showgrid": False},
        "yaxis": {"title": {"text": words.value}, "rangemode": "tozero"},
        "bargap": 0,
    }
    values = [value for value in main.values if isfinite(value)]
    if values and min(values) >= 0 and max(values) <= 1 and not others:
        layout["yaxis"]["range"] = [0, 1.04]
    if main.threshold is not None and isfinite(main.threshold):
        _add_threshold(layout, main.threshold)
    return Picture(words, {"data": traces, "layout": layout}, _spans(extents))


def _outline(signal: Signal, step: int) -> dict[str, Any]:
    shown = _greatest_of_each(signal, step)
    return {
        "type": "scatter",
        "mode": "lines",
        "line": {"color": "var(--raw)", "width": 1, "shape": "hvh"},
        "x": [n - n % step + (step - 1) / 2 for n in shown],
        "y": finite(signal.values[n] for n in shown),
        "hoverinfo": "skip",
    }


def _curve(signal: Signal) -> Picture:
    words = caption(signal.name, signal.unit)
    step = max(1, -(-len(signal.values) // MAX_POINTS))
    shown = sorted({*range(0, len(signal.values), step), *_ends(signal)})
    extents = extents_of(signal)
    traces = [_line(signal, shown, extents, "var(--dropped-strong)", 1.5)]
    layout: dict[str, Any] = {
        "xaxis": {"title": {"text": f"{signal.unit} of the page"}, "showgrid": False},
        "yaxis": {"title": {"text": words.value}, "rangemode": "tozero"},
    }
    if signal.selected:
        first, last = _ends(signal)
        inside = [n for n in shown if first <= n <= last]
        traces.append(_line(signal, inside, extents, "var(--kept)", 3.5))
        layout["shapes"] = [_upright(first), _upright(last)]
        layout["annotations"] = [_label(first, "right"), _label(last, "left")]
    return Picture(words, {"data": traces, "layout": layout}, _spans(extents), height=280)


def _line(
    signal: Signal, shown: Sequence[int], extents: Sequence[Extent], colour: str, width: float
) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "lines",
        "x": list(shown),
        "y": finite(signal.values[n] for n in shown),
        "line": {"color": colour, "width": width},
        "customdata": [extents[n] for n in shown],
        "hoverinfo": "none",
    }


def _greatest_of_each(signal: Signal, step: int) -> list[int]:
    """Return of every ``step`` units the one with the greatest value."""
    values = signal.values
    return [
        max(range(first, min(first + step, len(values))), key=values.__getitem__)
        for first in range(0, len(values), step)
    ]


def _takes(selected: frozenset[int], n: int, step: int) -> bool:
    first = n - n % step
    return any(other in selected for other in range(first, first + step))


def _spans(extents: Sequence[Extent]) -> dict[int, Span]:
    """Return per block from where to where its units lie."""
    spans: dict[int, Span] = {}
    for n, extent in enumerate(extents):
        if extent is not None:
            for block in range(extent[0], extent[1] + 1):
                first = spans[block][0] if block in spans else n - 0.5
                spans[block] = (first, n + 0.5)
    return spans


def _ends(signal: Signal) -> tuple[int, ...]:
    return (signal.selected[0], signal.selected[-1]) if signal.selected else ()


def _upright(x: float) -> dict[str, Any]:
    line = {"color": "var(--threshold)", "width": 1.5, "dash": "dot"}
    return {"type": "line", "x0": x, "x1": x, "yref": "paper", "y0": 0, "y1": 1, "line": line}


def _label(x: float, side: str) -> dict[str, Any]:
    return {
        "x": x,
        "y": 1,
        "yref": "paper",
        "text": f"{x:g}",
        "showarrow": False,
        "xanchor": "right" if side == "right" else "left",
        "xshift": -4 if side == "right" else 4,
        "font": {"color": "var(--threshold)", "size": 12},
    }


def _add_threshold(layout: dict[str, Any], threshold: float) -> None:
    line = {"color": "var(--threshold)", "width": 1.5, "dash": "dash"}
    layout["shapes"] = [
        {
            "type": "line",
            "xref": "paper",
            "x0": 0,
            "x1": 1,
            "y0": threshold,
            "y1": threshold,
            "line": line,
        }
    ]
    layout["annotations"] = [
        {
            "xref": "paper",
            "x": 1,
            "y": threshold,
            "text": f"threshold {threshold:.3g}",
            "showarrow": False,
            "xanchor": "right",
            "yanchor": "bottom",
            "font": {"color": "var(--threshold)", "size": 12},
        }
    ]
