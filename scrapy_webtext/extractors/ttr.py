"""The text-to-tag ratio (Weninger, Hsu 2008).

The ratio of a line of HTML is its characters outside tags divided by its tags, or by 1 without
tags (algorithm 1). Scripts, comments and empty lines are removed before. Lines of prose have
hundreds of characters per tag, lines of navigation a few. The ratios are smoothed, each to the mean
of itself and two lines on either side (eq. 1), so that a short paragraph between long ones stays
and a single advertisement goes. Lines with high ratios are content. There are five ways to choose
them, all in units of the standard deviation of the ratios (section 4, "clustering").

Many pages of today are one line of HTML. So the modern reading breaks lines at the beginnings and
ends of blocks of text.
"""

from __future__ import annotations

import warnings
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from math import fsum, sqrt
from statistics import fmean
from typing import ClassVar, Final, Literal, NamedTuple, get_args

from scrapy_webtext.errors import check_choice, import_extra
from scrapy_webtext.extractors.lines import (
    BlockLines,
    SourceLines,
    block_lines,
    block_spans,
    blocks_of_spans,
    breaks_in_text,
    page_source,
    source_lines,
)
from scrapy_webtext.extractors.readings import Reading, check_integer, check_number, check_reading
from scrapy_webtext.page import Page, tags
from scrapy_webtext.page.text import INVISIBLE
from scrapy_webtext.results import Extraction, Signal

Clustering = Literal["threshold", "prediction", "kmeans", "em", "farthest_first"]
#: Ratios, and a number of clusters (not above that of distinct ratios) -> cluster per line.
Cluster = Callable[[Sequence[float], int], Sequence[int]]

#: Number of lines before and after a line that prediction compares it with.
WINDOW: Final = 3
#: The greatest number of clusters; the paper chose it "arbitrarily".
MAX_CLUSTERS: Final = 3
#: Random seed of k-means and EM.
SEED: Final = 0
_SCRIPTS: Final = frozenset({"script"})


# Algorithm 1 and equation 1: from lines to ratios


def lines_of(page: Page, reading: Reading) -> SourceLines | BlockLines:
    """Return the lines of a page.

    Paper: lines of the source. Modern: blocks of the page, but lines of the source if blocks have
    two or more on average (mail archives, plain text in <pre>) and no attribute hides text.
    """
    if reading == "paper":
        return source_lines(page_source(page), _SCRIPTS, keep_spaces=True)
    lines = block_lines(page)
    blocks = len(lines.chars) - lines.chars.count(0)
    if blocks and not page.hidden_elements and breaks_in_text(page) >= blocks:
        return source_lines(page_source(page), tags.CODE)
    return lines


def characters(lines: SourceLines | BlockLines, reading: Reading) -> list[int]:
    """Return the characters outside tags of each line, x of algorithm 1.

    Paper: "non-tag ASCII characters", with white space.
    """
    if reading == "paper" and isinstance(lines, SourceLines):
        return [len(text.encode("ascii", "ignore")) for text in lines.source_text]
    return lines.chars


def smooth(ratios: Sequence[float], radius: int, reading: Reading = "modern") -> list[float]:
    """Return the mean of each ratio and its neighbours within the radius (eq. 1).

    At the ends of the page a line has fewer neighbours. Modern: the mean of the existing lines.
    Paper: the sum of the existing lines, divided by the constant of the equation.
    """
    windows = [ratios[max(0, k - radius) : k + radius + 1] for k in range(len(ratios))]
    if reading == "paper":
        return [fsum(window) / (2 * radius + 1) for window in windows]
    return [fsum(window) / len(window) for window in windows]


def standard_deviation(ratios: Sequence[float]) -> float:
    """Return the standard deviation of a population; 0 without ratios."""
    # statistics.pstdev counts in fractions, at ten times the cost.
    mean = _mean(ratios)
    return sqrt(_mean([(ratio - mean) ** 2 for ratio in ratios]))


def explained_variance(ratios: Sequence[float], chosen: Sequence[int]) -> float:
    """Return the variance between chosen and other lines, divided by the variance of all lines.

    In [0, 1]; 0 if no line or each line is chosen, or if all ratios are equal.
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


# Section 4: five ways to choose the content lines by their ratios, ascending


def above_threshold(ratios: Sequence[float], coefficient: float) -> list[int]:
    """Return the lines whose ratio is at least ``coefficient`` standard deviations."""
    threshold = coefficient * standard_deviation(ratios)
    return [k for k, ratio in enumerate(ratios) if ratio >= threshold]


def by_prediction(ratios: Sequence[float], coefficient: float = 1.0) -> list[int]:
    """Return the lines of the sections that begin with a jump of the ratio and end with a fall.

    The jump is ``coefficient`` standard deviations. A section begins at a line at least the jump
    above the mean of the previous `WINDOW` lines. It ends at a line at least the jump above the
    mean of the next `WINDOW` lines. At the ends of the page fewer lines have a mean; the mean of no
    lines is 0. The ratios must not be smoothed.
    """
    jump = coefficient * standard_deviation(ratios)
    chosen = []
    inside = False
    for k, ratio in enumerate(ratios):
        if not inside:
            inside = ratio - _mean(ratios[max(0, k - WINDOW) : k]) >= jump
        if inside:
            chosen.append(k)
            inside = ratio - _mean(ratios[k + 1 : k + 1 + WINDOW]) < jump
    return chosen


def _mean(ratios: Sequence[float]) -> float:
    """Return the mean; 0 without ratios."""
    return fsum(ratios) / len(ratios) if ratios else 0.0


def by_clusters(ratios: Sequence[float], cluster: Cluster, coefficient: float = 1.0) -> list[int]:
    """Return the lines in clusters whose mean ratio is above ``coefficient`` standard deviations.

    Try 1 to `MAX_CLUSTERS` clusters, at most as many as distinct ratios. Take the division with
    most such clusters; of several, the division with fewest clusters.
    """
    chosen: list[int] = []
    most = 0
    for clusters in range(1, min(MAX_CLUSTERS, len(set(ratios))) + 1):
        high = high_clusters(ratios, cluster(ratios, clusters), coefficient)
        if len(high) > most:
            most = len(high)
            chosen = sorted(k for ks in high for k in ks)
    return chosen


def high_clusters(
    ratios: Sequence[float], labels: Sequence[int], coefficient: float = 1.0
) -> list[list[int]]:
    """Return the lines of each cluster whose mean is above ``coefficient`` standard deviations.

    ``labels`` has the cluster of each line.
    """
    threshold = coefficient * standard_deviation(ratios)
    members: dict[int, list[int]] = {}
    for k, label in enumerate(labels):
        members.setdefault(label, []).append(k)
    return [ks for ks in members.values() if fmean(ratios[k] for k in ks) > threshold]


def farthest_first(ratios: Sequence[float], clusters: int) -> list[int]:
    """Return per line the cluster with the nearest of centres that are far from each other.

    The first centre, arbitrary by definition (Hochbaum and Shmoys 1985; Weka draws it), is the
    first line of the page. Each other centre is the line farthest from all centres before.
    """
    centres = [ratios[0]]
    distances = [abs(ratio - centres[0]) for ratio in ratios]
    labels = [0] * len(ratios)
    for label in range(1, clusters):
        centre = ratios[distances.index(max(distances))]
        for k, ratio in enumerate(ratios):
            distance = abs(ratio - centre)
            if distance < distances[k]:
                distances[k], labels[k] = distance, label
    return labels


def cluster_function(clustering: str) -> Cluster:
    """Return the function of ``"kmeans"``, ``"em"`` or ``"farthest_first"``.

    MissingExtraError for the first two if scikit-learn is not installed.
    """
    if clustering == "farthest_first":
        return farthest_first
    name = "cluster" if clustering == "kmeans" else "mixture"
    feature = f"clustering={clustering!r} of the extractor 'ttr'"
    module = import_extra(f"sklearn.{name}", feature, "clustering", "scikit-learn")
    model = partial(module.KMeans, n_init=4) if clustering == "kmeans" else module.GaussianMixture
    threadpool_limits = import_module("threadpoolctl").threadpool_limits

    def cluster(ratios: Sequence[float], clusters: int) -> Sequence[int]:
        if clusters == 1:  # scikit-learn refuses a mixture of one line
            return [0] * len(ratios)
        # In one thread: with several, sums differ in their last digit. A warning about a mixture
        # that did not converge does not help in a crawl.
        with threadpool_limits(limits=1), warnings.catch_warnings():
            warnings.simplefilter("ignore", import_module("sklearn.exceptions").ConvergenceWarning)
            fitted = model(clusters, random_state=SEED).fit_predict([[r] for r in ratios])
        labels: list[int] = fitted.tolist()
        return labels

    return cluster


# The extractor


class Ratios(NamedTuple):
    """The text-to-tag ratios of the lines of a page, and the content lines."""

    raw: list[float]
    smoothed: list[float]
    chosen: list[int]  #: content lines, ascending


@dataclass(frozen=True)
class TextToTagRatioExtractor:
    """Main text by the ratio of text to tags, line by line.

    ``score`` is the share of the variance of the ratios between content lines and other lines, in
    [0, 1]. It is 1 if all content lines have one ratio and all others another, 0 if there are no
    other lines or all ratios are equal. The ratios are smoothed except for ``"prediction"``.

    ``reading``
        ``"paper"`` is the letter: lines of the HTML (of a page without source, of HTML made from
        its tree) without scripts; all ASCII characters outside tags count; eq. 1 has its constant
        divisor at the ends of the page. ``"modern"`` (default) breaks the page at block-level
        tags instead, except if blocks have many lines of source (`lines_of`). It leaves out styles,
        too. Characters of any script count; a run of white space or an entity is one character. The
        mean at the ends is of the existing lines.
    ``clustering``
        How content lines are chosen: ``"threshold"`` (default), ``"prediction"``,
        ``"kmeans"``, ``"em"`` or ``"farthest_first"``. The third and fourth need the extra
        ``clustering``, and without it raise MissingExtraError at once.
    ``coefficient``
        Number of standard deviations, at least 0, of the threshold (the paper's Fig. 5), of the
        jump of prediction, and of the threshold of a cluster's mean (default 1).
    ``radius``
        Lines on either side in the mean of smoothing, at least 0 (default 2).
    """

    name: ClassVar[str] = "ttr"

    reading: Reading = "modern"
    clustering: Clustering = "threshold"
    coefficient: float = 1.0
    radius: int = 2

    def __post_init__(self) -> None:
        check_reading(self.reading)
        check_choice("clustering", self.clustering, get_args(Clustering))
        check_number("coefficient", self.coefficient)
        check_integer("radius", self.radius)
        if self.clustering not in ("threshold", "prediction"):
            cluster_function(self.clustering)  # a missing extra raises now

    def extract(self, page: Page) -> Extraction:
        """Return the text of the content lines."""
        lines = lines_of(page, self.reading)
        ratios = self.ratios(lines)
        used = ratios.raw if self.clustering == "prediction" else ratios.smoothed
        score = explained_variance(used, ratios.chosen)
        if isinstance(lines, SourceLines):
            text = "\n".join(filter(None, (lines.text[k] for k in ratios.chosen)))
            if not text.strip(INVISIBLE):
                return Extraction("", 0.0, self.name)
            spans = block_spans(page, lines.text)
            blocks = blocks_of_spans(spans[k] for k in ratios.chosen)
            return Extraction(text, score, self.name, blocks)
        hidden, owner = page.hidden, page.runs.node
        runs = [
            run
            for k in ratios.chosen
            for run in range(lines.first_run[k], lines.end_run[k])
            if not hidden[owner[run]]
        ]
        return Extraction.of_runs(page, runs, score, self.name)

    def ratios(self, lines: SourceLines | BlockLines) -> Ratios:
        """Return the ratios of these lines and the content lines."""
        chars = characters(lines, self.reading)
        raw = [x / y if y else float(x) for x, y in zip(chars, lines.tags, strict=True)]
        smoothed = smooth(raw, self.radius, self.reading)
        if self.clustering == "threshold":
            chosen = above_threshold(smoothed, self.coefficient)
        elif self.clustering == "prediction":
            chosen = by_prediction(raw, self.coefficient)
        else:
            chosen = by_clusters(smoothed, cluster_function(self.clustering), self.coefficient)
        return Ratios(raw, smoothed, chosen)

    def signals(self, page: Page) -> tuple[Signal, ...]:
        """Return the ratio of every line, raw and smoothed (the paper's Figs. 1 to 4).

        The smoothed ratios have the threshold of the lines for ``"threshold"``, of the means of
        clusters for the three clusterings, and None for ``"prediction"``.
        """
        lines = lines_of(page, self.reading)
        ratios = self.ratios(lines)
        chosen, blocks = tuple(ratios.chosen), _blocks(page, lines)
        threshold = None
        if self.clustering != "prediction":
            threshold = self.coefficient * standard_deviation(ratios.smoothed)
        name, smoothed = "text_to_tag_ratio", tuple(ratios.smoothed)
        return (
            Signal(name, "line", tuple(ratios.raw), None, chosen, blocks),
            Signal(f"smoothed_{name}", "line", smoothed, threshold, chosen, blocks),
        )


def _blocks(page: Page, lines: SourceLines | BlockLines) -> tuple[tuple[int, int] | None, ...]:
    """Return per line the first and last block of its text."""
    if isinstance(lines, SourceLines):
        return tuple(block_spans(page, lines.text))
    first_run = page.blocks.first_run
    return tuple(
        (bisect_right(first_run, first) - 1, bisect_left(first_run, end) - 1)
        if first < end
        else None
        for first, end in zip(lines.first_run, lines.end_run, strict=True)
    )
