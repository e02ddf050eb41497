"""The text-to-tag ratio (Weninger, Hsu 2008).

Of each line of a page's HTML, without scripts, comments and empty lines, the characters outside
tags are divided by the number of tags on it (by 1 where there are none; algorithm 1). Lines of
prose have hundreds of characters to a tag, lines of navigation a few. The ratios are smoothed,
each the mean over itself and two lines to either side (eq. 1), so that a short paragraph
between long ones stays and a lone advertisement goes. What is high is content; "high" is said
in units of the standard deviation of the ratios, in one of five ways
(:mod:`scrapy_webtext.extractors.ttr_clustering`).

Today's pages often come on one line, where a line says nothing: then the lines are taken to
break where blocks of text begin and end.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum, inf
from statistics import fmean
from typing import ClassVar, Final, Literal, get_args

from scrapy_webtext.errors import SettingsError, check_choice
from scrapy_webtext.extractors.ttr_clustering import (
    above_threshold,
    by_clusters,
    by_prediction,
    cluster_function,
    standard_deviation,
)
from scrapy_webtext.page import (
    BlockLines,
    Page,
    SourceLines,
    block_lines,
    block_spans,
    blocks_of_lines,
    breaks_in_text,
    source_lines,
    tags,
)
from scrapy_webtext.results import Extraction, Signal

Lines = Literal["auto", "source", "blocks"]
Clustering = Literal["threshold", "prediction", "kmeans", "em", "farthest_first"]
Removed = Literal["code", "scripts"]
Whitespace = Literal["folded", "literal"]

REMOVED_TAGS: Final = {"code": tags.CODE, "scripts": frozenset({"script"})}


@dataclass(frozen=True, slots=True)
class Ratios:
    """The text-to-tag ratios of the lines of a page and which lines they make content."""

    raw: list[float]
    smoothed: list[float]
    chosen: list[int]  #: content lines, ascending


@dataclass(frozen=True)
class TextToTagRatioExtractor:
    """Main text by the ratio of text to tags, line by line.

    ``score`` is the share of the variance of the ratios that the division of the lines into
    content and the rest explains, in [0, 1]: 1 if all content lines have one ratio and all
    others another, 0 if there are no others or all are alike. The ratios are those that the
    division was made by, smoothed except for ``"prediction"``.

    ``lines``
        ``"source"`` is the paper's letter, lines of the HTML. ``"blocks"`` breaks the page at
        block-level tags instead. ``"auto"`` (default) takes blocks, except on pages whose
        blocks hold two lines of source or more on average (mail archives, plain text within
        <pre>) and whose attributes hide no text; docs/algorithms/ttr.md has the difference.
    ``clustering``
        How content lines are chosen: ``"threshold"`` (default), ``"prediction"``,
        ``"kmeans"``, ``"em"`` or ``"farthest_first"``. The third and fourth need the extra
        ``clustering``, and without it raise MissingExtraError at once.
    ``coefficient``
        The threshold in standard deviations, at least 0 (default 1; the paper's Fig. 5).
    ``radius``
        Lines to either side that smoothing takes in, at least 0 (default 2).
    ``seed``
        Of k-means and EM.
    ``removed``, ``whitespace``
        For source lines. ``removed="code"`` (default) leaves out styles as well as scripts,
        ``"scripts"`` is the paper's letter. ``whitespace="folded"`` (default) counts a run of
        white space once, none at the ends of a line, and an entity as the character it stands
        for; ``"literal"`` counts every character outside tags, the paper's letter.

    "Non-tag ASCII characters" is read as characters outside tags, of any script.
    """

    name: ClassVar[str] = "ttr"

    lines: Lines = "auto"
    clustering: Clustering = "threshold"
    coefficient: float = 1.0
    radius: int = 2
    seed: int = 0
    removed: Removed = "code"
    whitespace: Whitespace = "folded"

    def __post_init__(self) -> None:
        check_choice("lines", self.lines, get_args(Lines))
        check_choice("clustering", self.clustering, get_args(Clustering))
        check_choice("removed", self.removed, get_args(Removed))
        check_choice("whitespace", self.whitespace, get_args(Whitespace))
        _check_number("coefficient", self.coefficient, (int, float), "a number")
        _check_number("radius", self.radius, (int,), "an integer")
        _check_number("seed", self.seed, (int,), "an integer")
        if self.clustering not in ("threshold", "prediction"):
            cluster_function(self.clustering, self.seed)  # what it lacks shows now

    def extract(self, page: Page) -> Extraction:
        """Return the text of the content lines."""
        lines = self.lines_of(page)
        ratios = self.ratios(lines)
        decided_by = ratios.raw if self.clustering == "prediction" else ratios.smoothed
        score = explained_variance(decided_by, ratios.chosen)
        if isinstance(lines, SourceLines):
            text = "\n".join(filter(None, (lines.text[k] for k in ratios.chosen)))
            blocks = blocks_of_lines(page, lines, ratios.chosen)
            return Extraction(text, score, self.name, blocks)
        hidden, owner = page.hidden, page.runs.node
        runs = [
            run
            for k in ratios.chosen
            for run in range(lines.first_run[k], lines.end_run[k])
            if not hidden[owner[run]]
        ]
        return Extraction.of_runs(page, runs, score, self.name)

    def lines_of(self, page: Page) -> SourceLines | BlockLines:
        """Return the lines that the ratios are taken of."""
        if self.lines == "source" and page.source:
            return source_lines(page.source, REMOVED_TAGS[self.removed])
        lines = block_lines(page)
        if self.lines == "auto" and page.source and not page.concealed:
            blocks = sum(1 for chars in lines.chars if chars)
            if blocks and breaks_in_text(page) >= blocks:
                return source_lines(page.source, REMOVED_TAGS[self.removed])
        return lines

    def ratios(self, lines: SourceLines | BlockLines) -> Ratios:
        """Return the ratios of these lines and the content lines that they make."""
        chars = lines.chars
        if self.whitespace == "literal" and isinstance(lines, SourceLines):
            chars = lines.source_chars
        raw = text_to_tag_ratios(chars, lines.tags)
        smoothed = smooth(raw, self.radius)
        return Ratios(raw, smoothed, self._content_lines(raw, smoothed))

    def signals(self, page: Page) -> tuple[Signal, ...]:
        """Return the ratio of every line, raw and smoothed (the paper's Figs. 1 to 4).

        The threshold of the smoothed ones is that of the lines for ``"threshold"``, that of the
        means of clusters for the three clusterings, and None for ``"prediction"``.
        """
        lines = self.lines_of(page)
        ratios = self.ratios(lines)
        chosen, blocks = tuple(ratios.chosen), _blocks(page, lines)
        threshold: float | None = standard_deviation(ratios.smoothed)
        if self.clustering == "prediction":
            threshold = None
        elif self.clustering == "threshold":
            threshold = self.coefficient * standard_deviation(ratios.smoothed)
        return (
            Signal("text_to_tag_ratio", "line", tuple(ratios.raw), None, chosen, blocks),
            Signal(
                "smoothed_text_to_tag_ratio",
                "line",
                tuple(ratios.smoothed),
                threshold,
                chosen,
                blocks,
            ),
        )

    def _content_lines(self, raw: Sequence[float], smoothed: Sequence[float]) -> list[int]:
        if self.clustering == "threshold":
            return above_threshold(smoothed, self.coefficient)
        if self.clustering == "prediction":
            return by_prediction(raw)
        return by_clusters(smoothed, cluster_function(self.clustering, self.seed))


def _blocks(page: Page, lines: SourceLines | BlockLines) -> tuple[tuple[int, int] | None, ...]:
    """Return per line the first and last block of its text."""
    if isinstance(lines, SourceLines):
        return tuple(block_spans(page, lines, range(len(lines.text))))
    first_run = page.blocks.first_run
    return tuple(
        (bisect_right(first_run, first) - 1, bisect_left(first_run, end) - 1)
        if first < end
        else None
        for first, end in zip(lines.first_run, lines.end_run, strict=True)
    )


def text_to_tag_ratios(chars: Sequence[int], tag_counts: Sequence[int]) -> list[float]:
    """Return characters by tags of each line, characters where there are no tags (algorithm 1)."""
    return [x / y if y else float(x) for x, y in zip(chars, tag_counts, strict=True)]


def smooth(ratios: Sequence[float], radius: int) -> list[float]:
    """Return the mean of each ratio and its neighbours within the radius (eq. 1).

    At the ends of the page the mean is of the lines there are.
    """
    width, n = 2 * radius + 1, len(ratios)
    # The windows at the ends are shorter; to ask of each how long it is costs a third more.
    first, last = min(radius, n), max(radius, n - radius)
    ends = [
        ratios[max(0, k - radius) : k + width - radius] for k in (*range(first), *range(last, n))
    ]
    means = [fsum(window) / len(window) for window in ends]
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


def _check_number(name: str, value: float, kinds: tuple[type, ...], what: str) -> None:
    if not isinstance(value, kinds) or not 0 <= value < inf:
        raise SettingsError(f"{name}={value!r} is not allowed; use {what} of 0 or more")
