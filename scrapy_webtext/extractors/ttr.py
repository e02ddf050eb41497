"""The text-to-tag ratio (Weninger, Hsu 2008).

The ratio of a line of HTML is the number of its characters outside tags divided by the number of
its tags, or by 1 if it has none (algorithm 1). Scripts, comments and empty lines are removed first.
Lines of prose have hundreds of characters per tag, lines of navigation have few. Each ratio is
smoothed to the mean of itself and the two lines on either side (eq. 1), so that a short paragraph
between long ones is kept and a single advertisement is removed. Lines with high ratios are content.
There are five ways to choose them; their thresholds are multiples of the standard deviation of the
ratios (section 4, "clustering").

Many pages of today have their whole HTML in one line. So the modern reading starts and ends lines
at block-level elements.
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
from scrapy_webtext.extractors.readings import (
    BlockLines,
    Reading,
    SourceLines,
    block_lines,
    block_spans,
    blocks_of_spans,
    breaks_in_text,
    check_integer,
    check_number,
    check_reading,
    page_source,
    source_lines,
)
from scrapy_webtext.page import Page, tags
from scrapy_webtext.page.text import INVISIBLE
from scrapy_webtext.results import Extraction, Signal

Clustering = Literal["threshold", "prediction", "kmeans", "em", "farthest_first"]
#: A function of ratios and a number of clusters that returns a cluster per ratio. The number of
#: clusters is at most the number of distinct ratios.
Cluster = Callable[[Sequence[float], int], Sequence[int]]

#: Prediction compares a line with this many lines before it and after it.
WINDOW: Final = 3
#: Maximum number of clusters; the paper chose it "arbitrarily".
MAX_CLUSTERS: Final = 3
#: Random seed of k-means and EM.
SEED: Final = 0
_SCRIPTS: Final = frozenset({"script"})


# Algorithm 1 and equation 1: from lines to ratios


def lines_of(page: Page, reading: Reading) -> SourceLines | BlockLines:
    """Return the lines of a page.

    Paper: the lines of the source. Modern: the lines of `block_lines`. But if the text of such a
    line has two or more lines of source on average (mail archives, plain text in <pre>) and no
    attribute hides text, the modern reading also returns the lines of the source.
    """
    if reading == "paper":
        return source_lines(page_source(page), _SCRIPTS, keep_spaces=True)
    lines = block_lines(page)
    blocks = len(lines.chars) - lines.chars.count(0)
    if blocks and not page.hidden_elements and breaks_in_text(page) >= blocks:
        return source_lines(page_source(page), tags.CODE)
    return lines


def characters(lines: SourceLines | BlockLines, reading: Reading) -> list[int]:
    """Return the number of characters outside tags of each line: x of algorithm 1.

    Paper: only "non-tag ASCII characters", with white space.
    """
    if reading == "paper" and isinstance(lines, SourceLines):
        return [len(text.encode("ascii", "ignore")) for text in lines.source_text]
    return lines.chars


def smooth(ratios: Sequence[float], radius: int, reading: Reading = "modern") -> list[float]:
    """Return the mean of each ratio and its neighbours within the radius (eq. 1).

    The first and last lines of the page have fewer neighbours. Modern: the sum of the existing
    lines is divided by their number. Paper: it is divided by 2 radius + 1, as in the equation.
    """
    windows = [ratios[max(0, k - radius) : k + radius + 1] for k in range(len(ratios))]
    full = 2 * radius + 1
    return [fsum(window) / (full if reading == "paper" else len(window)) for window in windows]


def standard_deviation(ratios: Sequence[float]) -> float:
    """Return the population standard deviation of the ratios; 0 without ratios."""
    # statistics.pstdev computes with fractions and takes ten times as long.
    mean = _mean(ratios)
    return sqrt(_mean([(ratio - mean) ** 2 for ratio in ratios]))


def explained_variance(ratios: Sequence[float], chosen: Sequence[int]) -> float:
    """Return the variance between chosen and other lines, divided by the variance of all lines.

    The result is in [0, 1]; 0 if no line or every line is chosen, or if all ratios are equal.
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


# Section 4: five ways to choose the content lines; each returns indices of lines, ascending


def above_threshold(ratios: Sequence[float], coefficient: float) -> list[int]:
    """Return the lines whose ratio is at least ``coefficient`` standard deviations."""
    threshold = coefficient * standard_deviation(ratios)
    return [k for k, ratio in enumerate(ratios) if ratio >= threshold]


def by_prediction(ratios: Sequence[float], coefficient: float = 1.0) -> list[int]:
    """Return the lines of the sections that begin with a jump of the ratio and end with a fall.

    The jump is ``coefficient`` standard deviations. A section begins with a line whose ratio is at
    least the jump above the mean of the previous `WINDOW` lines. It ends with a line whose ratio is
    at least the jump above the mean of the next `WINDOW` lines. At the ends of the page the mean is
    taken over fewer lines; the mean of no lines is 0. The ratios must not be smoothed.
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

    Try 1 to `MAX_CLUSTERS` clusters, but no more than there are distinct ratios. Take the
    clustering with most clusters above the threshold; if several have as many, take the clustering
    with the fewest clusters.
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
    """Return, per line, the cluster whose centre is nearest; centres are far from each other.

    The first centre is the first line of the page; the method allows any line (Hochbaum and Shmoys
    1985; Weka chooses it at random). Each next centre is the line farthest from all earlier
    centres.
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
    """Return the clustering function for ``"kmeans"``, ``"em"`` or ``"farthest_first"``.

    Raise MissingExtraError for the first two if scikit-learn is not installed.
    """
    if clustering == "farthest_first":
        return farthest_first
    name = "cluster" if clustering == "kmeans" else "mixture"
    feature = f"clustering={clustering!r} of the extractor 'ttr'"
    module = import_extra(f"sklearn.{name}", feature, "lab", "scikit-learn")
    model = partial(module.KMeans, n_init=4) if clustering == "kmeans" else module.GaussianMixture
    threadpool_limits = import_module("threadpoolctl").threadpool_limits

    def cluster(ratios: Sequence[float], clusters: int) -> Sequence[int]:
        if clusters == 1:  # scikit-learn refuses a mixture of one line
            return [0] * len(ratios)
        # One thread, because sums of several threads differ in the last digit. The warning that a
        # mixture did not converge does not help in a crawl.
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

    ``score`` is the `explained_variance` of the ratios, in [0, 1]. It is 1 if all content lines
    have the same ratio and all other lines have another one. It is 0 if there are no other lines or
    all ratios are equal. The ratios are smoothed, except for ``"prediction"``.

    ``reading``
        ``"paper"`` follows the paper to the letter. Lines are lines of the HTML without scripts; a
        page without source is read as HTML made from its tree. All ASCII characters outside tags
        count. Eq. 1 keeps its divisor at the ends of the page. ``"modern"`` (default) takes the
        lines of `lines_of` and leaves out styles, too. Characters of any script count; a sequence
        of white space or an entity is one character. At the ends of the page eq. 1 divides by the
        number of existing lines.
    ``clustering``
        How content lines are chosen: ``"threshold"`` (default), ``"prediction"``, ``"kmeans"``,
        ``"em"`` or ``"farthest_first"``. ``"kmeans"`` and ``"em"`` need the extra ``clustering``;
        without it the constructor raises MissingExtraError.
    ``coefficient``
        Number of standard deviations, at least 0 (default 1): the threshold (the paper's Fig. 5),
        the jump of prediction, or the threshold of a cluster's mean.
    ``radius``
        Number of lines on either side that smoothing takes into the mean, at least 0 (default 2).
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
            cluster_function(self.clustering)  # raise now if the extra is missing

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

        ``threshold`` of the smoothed signal is the bound of the lines for ``"threshold"``, the
        bound of a cluster's mean for the three clusterings, and None for ``"prediction"``.
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
    """Return, per line, the first and the last block of its text; None for a line without text."""
    if isinstance(lines, SourceLines):
        return tuple(block_spans(page, lines.text))
    first_run = page.blocks.first_run
    return tuple(
        (bisect_right(first_run, first) - 1, bisect_left(first_run, end) - 1)
        if first < end
        else None
        for first, end in zip(lines.first_run, lines.end_run, strict=True)
    )
