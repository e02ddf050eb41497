"""What a picture is: a plotly figure, its words, and where on it the blocks lie.

A figure is a plain dict as plotly.js takes it. Colours are names of CSS variables such as
``var(--kept)``, put in by the report's script, so that pictures follow light and dark. Each point
carries in ``customdata`` the blocks that it stands for, first and last, or None.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

from scrapy_webtext.lab.report.captions import Caption
from scrapy_webtext.results import Signal

Span = tuple[float, float]
#: The first and last block of which a unit holds text.
Extent = tuple[int, int] | None


@dataclass(frozen=True, slots=True)
class Picture:
    """A figure, its words, and where on its axis each block lies."""

    caption: Caption
    figure: dict[str, Any]
    spans: dict[int, Span]  #: block -> from, to on the axis
    axis: str = "x"
    height: int = 250


def extents_of(signal: Signal) -> Sequence[Extent]:
    """Return per unit of a signal the blocks that it lies in, first and last."""
    count = len(signal.values)
    if signal.unit == "block":
        return [(n, n) for n in range(count)]
    return signal.blocks or [None] * count


def finite(values: Iterable[float]) -> list[float | None]:
    """Return the values for JSON, which knows no infinity."""
    return [value if isfinite(value) else None for value in values]
