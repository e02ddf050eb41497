"""From lines to their text-to-tag ratios (Weninger, Hsu 2008, algorithm 1 and eq. 1)."""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum
from statistics import fmean
from typing import Literal

from scrapy_webtext.extractors.ttr.clustering import standard_deviation
from scrapy_webtext.page import BlockLines, Page, SourceLines, prefix_sums

Whitespace = Literal["folded", "literal"]
Characters = Literal["all", "ascii"]
Edges = Literal["lines", "zeros"]


def characters(
    page: Page, lines: SourceLines | BlockLines, whitespace: Whitespace, kept: Characters
) -> list[int]:
    """Return the characters outside tags of each line, x of algorithm 1."""
    if isinstance(lines, SourceLines):
        texts = lines.source_text if whitespace == "literal" else lines.text
        return list(map(len if kept == "all" else _ascii_chars, texts))
    if kept == "all":
        return lines.chars
    hidden = page.hidden
    sums = prefix_sums(
        0 if hidden[i] else _ascii_chars(text)
        for text, i in zip(page.runs.text, page.runs.node, strict=True)
    )
    return [sums[z] - sums[a] for a, z in zip(lines.first_run, lines.end_run, strict=True)]


def text_to_tag_ratios(chars: Sequence[int], tag_counts: Sequence[int]) -> list[float]:
    """Return characters by tags of each line, characters where there are no tags (algorithm 1)."""
    return [x / y if y else float(x) for x, y in zip(chars, tag_counts, strict=True)]


def smooth(ratios: Sequence[float], radius: int, edges: Edges = "lines") -> list[float]:
    """Return the mean of each ratio and its neighbours within the radius (eq. 1).

    At the ends of the page the mean is of the lines there are, or by ``"zeros"``, with the
    equation's constant divisor, of as many as elsewhere.
    """
    width, n = 2 * radius + 1, len(ratios)
    # The windows at the ends are shorter; to ask of each how long it is costs a third more.
    first, last = min(radius, n), max(radius, n - radius)
    ends = [
        ratios[max(0, k - radius) : k + width - radius] for k in (*range(first), *range(last, n))
    ]
    means = [fsum(window) / (len(window) if edges == "lines" else width) for window in ends]
    inner = [fsum(ratios[k : k + width]) / width for k in range(n - width + 1)]
    return [*means[:first], *inner, *means[first:]]


def explained_variance(ratios: Sequence[float], chosen: Sequence[int]) -> float:
    """Return the share of the variance of the ratios that lies between chosen lines and others.

    In [0, 1]; 0 where nothing or everything is chosen, or all ratios are equal.
    """
    rest = len(ratios) - len(chosen)
    variance = standard_deviation(ratios) ** 2
    if not chosen or not rest or not variance:
        return 0.0
    mean = fmean(ratios)
    inside = fmean([ratios[k] for k in chosen])
    outside = (mean * len(ratios) - inside * len(chosen)) / rest
    between = len(chosen) * (inside - mean) ** 2 + rest * (outside - mean) ** 2
    return min(1.0, between / (variance * len(ratios)))


def _ascii_chars(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("ascii", "ignore"))
