"""The text-to-tag ratio (Weninger, Hsu 2008).

Of each line of a page's HTML, without scripts, comments and empty lines, the characters outside
tags are divided by the number of tags on it (by 1 where there are none; algorithm 1). Lines of
prose have hundreds of characters to a tag, lines of navigation a few. The ratios are smoothed,
each the mean over itself and two lines to either side (eq. 1), so that a short paragraph
between long ones stays and a lone advertisement goes. What is high is content; "high" is said
in units of the standard deviation of the ratios, in one of five ways (section 4, "clustering").

Today's pages often come on one line, where a line says nothing: then the lines are taken to
break where blocks of text begin and end.
"""

from __future__ import annotations

import warnings
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from math import fsum, sqrt
from statistics import fmean
from typing import Any, ClassVar, Final, Literal, get_args

from scrapy_webtext.errors import MissingExtraError, check_choice
from scrapy_webtext.extractors.readings import Reading, check_integer, check_number, check_reading
from scrapy_webtext.page import (
    BlockLines,
    Page,
    SourceLines,
    block_lines,
    block_spans,
    blocks_of_spans,
    breaks_in_text,
    page_source,
    source_lines,
    tags,
)
from scrapy_webtext.page.text import INVISIBLE
from scrapy_webtext.results import Extraction, Signal

Clustering = Literal["threshold", "prediction", "kmeans", "em", "farthest_first"]
#: Ratios and a number of clusters, no greater than that of distinct ratios -> cluster per line.
Cluster = Callable[[Sequence[float], int], Sequence[int]]

#: Lines before and after that prediction compares a line with.
WINDOW: Final = 3
#: The greatest number of clusters that is tried; the paper chose it "arbitrarily".
MAX_CLUSTERS: Final = 3
#: Of k-means and EM.
SEED: Final = 0
_SCRIPTS: Final = frozenset({"script"})


# Algorithm 1 and equation 1: from lines to ratios


def lines_of(page: Page, reading: Reading) -> SourceLines | BlockLines:
    """Return the lines that the ratios are taken of.

    By the letter those of the source. The modern reading takes the blocks of the page, except on
    pages whose blocks hold two lines of source or more on average (mail archives, plain text
    within <pre>) and whose attributes hide no text.
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

    By the letter they are "non-tag ASCII characters", white space among them.
    """
    if isinstance(lines, BlockLines):
        return lines.chars
    if reading == "paper":
        return [len(text.encode("ascii", "ignore")) for text in lines.source_text]
    return list(map(len, lines.text))


def text_to_tag_ratios(chars: Sequence[int], tag_counts: Sequence[int]) -> list[float]:
    """Return characters by tags of each line, characters where there are no tags (algorithm 1)."""
    return [x / y if y else float(x) for x, y in zip(chars, tag_counts, strict=True)]


def smooth(ratios: Sequence[float], radius: int, reading: Reading = "modern") -> list[float]:
    """Return the mean of each ratio and its neighbours within the radius (eq. 1).

    At the ends of the page the mean is of the lines there are, or by the letter, with the
    equation's constant divisor, of as many as elsewhere.
    """
    width, n = 2 * radius + 1, len(ratios)
    # The windows at the ends are shorter; to ask of each how long it is costs a third more.
    first, last = min(radius, n), max(radius, n - radius)
    ends = [
        ratios[max(0, k - radius) : k + width - radius] for k in (*range(first), *range(last, n))
    ]
    means = [fsum(window) / (len(window) if reading == "modern" else width) for window in ends]
    inner = [fsum(ratios[k : k + width]) / width for k in range(n - width + 1)]
    return [*means[:first], *inner, *means[first:]]


def standard_deviation(ratios: Sequence[float]) -> float:
    """Return the standard deviation of a population; 0 for an empty one."""
    if not ratios:
        return 0.0
    # statistics.pstdev counts in fractions, at ten times the cost.
    mean = fmean(ratios)
    return sqrt(fmean([(ratio - mean) ** 2 for ratio in ratios]))  # of a list: half the cost


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


# Section 4: five ways from the ratios of the lines of a page to its content lines, ascending


def above_threshold(ratios: Sequence[float], coefficient: float) -> list[int]:
    """Return the lines whose ratio is at least ``coefficient`` standard deviations."""
    threshold = coefficient * standard_deviation(ratios)
    return [k for k, ratio in enumerate(ratios) if ratio >= threshold]


def by_prediction(ratios: Sequence[float], coefficient: float = 1.0) -> list[int]:
    """Return the lines of the sections that begin with a jump of the ratio and end with a fall.

    A section begins with a line whose ratio is at least ``coefficient`` standard deviations above
    the mean of the previous `WINDOW` lines, and ends with one whose ratio is at least as much
    above the mean of the next ones. At the ends of the page the mean is of the lines there are,
    and that of none is 0. Meant for ratios that are not smoothed.
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
    return fsum(ratios) / len(ratios) if ratios else 0.0


def by_clusters(ratios: Sequence[float], cluster: Cluster, coefficient: float = 1.0) -> list[int]:
    """Return the lines in clusters whose mean ratio is above ``coefficient`` standard deviations.

    Of 1 up to `MAX_CLUSTERS` clusters, the number that gives most such clusters is taken, the
    lower of equals. No more clusters are made than there are distinct ratios.
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
    """Return the lines of each cluster whose mean ratio is above so many standard deviations.

    ``labels`` has the cluster of each line.
    """
    threshold = coefficient * standard_deviation(ratios)
    members: dict[int, list[int]] = {}
    for k, label in enumerate(labels):
        members.setdefault(label, []).append(k)
    return [ks for ks in members.values() if fmean(ratios[k] for k in ks) > threshold]


def farthest_first(ratios: Sequence[float], clusters: int) -> list[int]:
    """Return the cluster per line: centres as far from each other as can be, lines by the nearest.

    The first centre, arbitrary by definition (Hochbaum and Shmoys 1985; Weka draws it), is the
    first line of the page; each other one is the line farthest from all before it.
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
    """Return the function behind ``"kmeans"``, ``"em"`` or ``"farthest_first"``.

    MissingExtraError for the first two where scikit-learn is not installed.
    """
    if clustering == "farthest_first":
        return farthest_first
    module, kind = {"kmeans": ("cluster", "KMeans"), "em": ("mixture", "GaussianMixture")}[
        clustering
    ]
    try:
        model = getattr(import_module(f"sklearn.{module}"), kind)
    except ImportError as error:
        raise MissingExtraError(
            f"clustering={clustering!r} of the extractor 'ttr'", "scikit-learn", "clustering"
        ) from error
    options = {"n_init": 4} if clustering == "kmeans" else {}

    def cluster(ratios: Sequence[float], clusters: int) -> Sequence[int]:
        if clusters == 1:  # scikit-learn wants two lines or more of a mixture
            return [0] * len(ratios)
        # In one thread, since sums in the order in which threads end differ in their last digit.
        # A mixture that has not settled is no news to whoever crawls.
        with _threads().limit(limits=1), warnings.catch_warnings():
            warnings.simplefilter("ignore", import_module("sklearn.exceptions").ConvergenceWarning)
            fitted = model(clusters, random_state=SEED, **options).fit_predict(
                [[r] for r in ratios]
            )
        labels: list[int] = fitted.tolist()
        return labels

    return cluster


@lru_cache(maxsize=1)
def _threads() -> Any:
    """Return the switch of the thread pools that scikit-learn uses, found once."""
    return import_module("threadpoolctl").ThreadpoolController()


# The extractor


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

    ``reading``
        ``"paper"`` is the letter: lines of the HTML (of a page without source, of HTML made from
        its tree) without scripts; all ASCII characters outside tags count; eq. 1 has its constant
        divisor at the ends of the page. ``"modern"`` (default) breaks the page at block-level
        tags instead, except where blocks hold many lines of source (`lines_of`); without styles
        too, it counts characters of any script, a run of white space once and an entity as the
        character it stands for; the mean at the ends is of the lines there are.
    ``clustering``
        How content lines are chosen: ``"threshold"`` (default), ``"prediction"``,
        ``"kmeans"``, ``"em"`` or ``"farthest_first"``. The third and fourth need the extra
        ``clustering``, and without it raise MissingExtraError at once.
    ``coefficient``
        So many standard deviations, at least 0, are the threshold (the paper's Fig. 5), the
        jump of prediction, and what the mean of a cluster must be above (default 1).
    ``radius``
        Lines to either side that smoothing takes in, at least 0 (default 2).
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
            cluster_function(self.clustering)  # what it lacks shows now

    def extract(self, page: Page) -> Extraction:
        """Return the text of the content lines."""
        lines = lines_of(page, self.reading)
        ratios = self.ratios(lines)
        decided_by = ratios.raw if self.clustering == "prediction" else ratios.smoothed
        score = explained_variance(decided_by, ratios.chosen)
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
        """Return the ratios of these lines and the content lines that they make."""
        raw = text_to_tag_ratios(characters(lines, self.reading), lines.tags)
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

        The threshold of the smoothed ones is that of the lines for ``"threshold"``, that of the
        means of clusters for the three clusterings, and None for ``"prediction"``.
        """
        lines = lines_of(page, self.reading)
        ratios = self.ratios(lines)
        chosen, blocks = tuple(ratios.chosen), _blocks(page, lines)
        threshold: float | None = self.coefficient * standard_deviation(ratios.smoothed)
        if self.clustering == "prediction":
            threshold = None
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
