"""What a picture is: a plotly figure, its words, and where on it the blocks lie.

A figure is a plain dict as plotly.js takes it. Colours are names of CSS variables such as
``var(--kept)``, put in by the report's script, so that pictures follow light and dark. Each point
carries in ``customdata`` the blocks that it stands for, first and last, or None.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import isfinite
from typing import Any

from scrapy_webtext.report.captions import Caption

Span = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Picture:
    """A figure, its words, and where on its axis each block lies."""

    caption: Caption
    figure: dict[str, Any]
    spans: dict[int, Span]  #: block -> from, to on the axis
    axis: str = "x"
    height: int = 280


def finite(values: Iterable[float]) -> list[float | None]:
    """Return the values for JSON, which knows no infinity."""
    return [value if isfinite(value) else None for value in values]
