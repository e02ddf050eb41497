"""The extractor `ttr`: its parameters, and the text of content lines."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from typing import ClassVar, Final, Literal, get_args

from scrapy_webtext.errors import SettingsError, check_choice
from scrapy_webtext.extractors.readings import BY_READING, PerReading, Reading, settle
from scrapy_webtext.extractors.ttr.clustering import (
    above_threshold,
    by_clusters,
    by_prediction,
    cluster_function,
    standard_deviation,
)
from scrapy_webtext.extractors.ttr.ratios import (
    Characters,
    Edges,
    Whitespace,
    characters,
    explained_variance,
    smooth,
    text_to_tag_ratios,
)
from scrapy_webtext.page import (
    BlockLines,
    Page,
    SourceLines,
    block_lines,
    block_spans,
    blocks_of_lines,
    breaks_in_text,
    page_source,
    source_lines,
    tags,
)
from scrapy_webtext.page.text import INVISIBLE
from scrapy_webtext.results import Extraction, Signal

Lines = Literal["auto", "source", "blocks"]
Clustering = Literal["threshold", "prediction", "kmeans", "em", "farthest_first"]
Removed = Literal["code", "scripts"]

REMOVED_TAGS: Final = {"code": tags.CODE, "scripts": frozenset({"script"})}

#: What the two readings set; the rest of the parameters are the paper's in both.
READINGS: Final = {
    "lines": PerReading(paper="source", modern="auto"),
    "removed": PerReading(paper="scripts", modern="code"),
    "whitespace": PerReading(paper="literal", modern="folded"),
    "characters": PerReading(paper="ascii", modern="all"),
    "edges": PerReading(paper="zeros", modern="lines"),
}

_CHOICES: Final = {
    "lines": get_args(Lines),
    "clustering": get_args(Clustering),
    "removed": get_args(Removed),
    "whitespace": get_args(Whitespace),
    "characters": get_args(Characters),
    "edges": get_args(Edges),
}

#: Parameter -> the clusterings that have one, and its default.
_OF_CLUSTERINGS: Final[dict[str, tuple[frozenset[str], int]]] = {
    "window": (frozenset({"prediction"}), 3),
    "max_clusters": (frozenset({"kmeans", "em", "farthest_first"}), 3),
    "seed": (frozenset({"kmeans", "em"}), 0),
}


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
        ``"paper"`` is the letter of the paper in all that follows, ``"modern"`` (default) what
        suits today's pages; a parameter that is given wins over both.
    ``lines``
        ``"source"`` is the letter, lines of the HTML; of a page without source, lines of HTML
        made from its tree. ``"blocks"`` breaks the page at block-level tags instead. ``"auto"``,
        modern, takes blocks, except on pages whose blocks hold two lines of source or more on
        average (mail archives, plain text within <pre>) and whose attributes hide no text.
    ``clustering``
        How content lines are chosen: ``"threshold"`` (default), ``"prediction"``,
        ``"kmeans"``, ``"em"`` or ``"farthest_first"``. The third and fourth need the extra
        ``clustering``, and without it raise MissingExtraError at once.
    ``coefficient``
        So many standard deviations, at least 0, are the threshold (the paper's Fig. 5), the
        jump of prediction, and what the mean of a cluster must be above (default 1).
    ``radius``
        Lines to either side that smoothing takes in, at least 0 (default 2).
    ``edges``
        Eq. 1 at the ends of the page: the mean of the ``"lines"`` there are, modern, or of as
        many as elsewhere, the others ``"zeros"``, the letter.
    ``window``
        Of prediction: lines before and after that a line is compared with (default 3).
    ``max_clusters``
        Of the three clusterings: up to so many clusters are tried (default 3).
    ``seed``
        Of k-means and EM (default 0).
    ``characters``
        ``"ascii"``, the letter, counts "non-tag ASCII characters"; ``"all"``, modern, those of
        any script.
    ``removed``, ``whitespace``
        For source lines. ``removed="code"``, modern, leaves out styles as well as scripts,
        ``"scripts"`` is the letter. ``whitespace="folded"``, modern, counts a run of white space
        once, none at the ends of a line, and an entity as the character it stands for;
        ``"literal"``, the letter, counts every character outside tags.

    A parameter that the chosen clustering has not is refused.
    """

    name: ClassVar[str] = "ttr"

    reading: Reading = "modern"
    lines: Lines = BY_READING
    clustering: Clustering = "threshold"
    coefficient: float = 1.0
    radius: int = 2
    edges: Edges = BY_READING
    window: int = BY_READING
    max_clusters: int = BY_READING
    seed: int = BY_READING
    characters: Characters = BY_READING
    removed: Removed = BY_READING
    whitespace: Whitespace = BY_READING

    def __post_init__(self) -> None:
        settle(self, READINGS)
        for name, choices in _CHOICES.items():
            check_choice(name, getattr(self, name), choices)
        self._settle_clustering()
        _check_number("coefficient", self.coefficient, (int, float), "a number of 0 or more")
        _check_number("radius", self.radius, (int,), "an integer of 0 or more")
        _check_number("seed", self.seed, (int,), "an integer of 0 or more")
        _check_number("window", self.window, (int,), "an integer of 1 or more", 1)
        _check_number("max_clusters", self.max_clusters, (int,), "an integer of 1 or more", 1)
        if self.clustering not in ("threshold", "prediction"):
            cluster_function(self.clustering, self.seed)  # what it lacks shows now

    def extract(self, page: Page) -> Extraction:
        """Return the text of the content lines."""
        lines = self.lines_of(page)
        ratios = self.ratios(page, lines)
        decided_by = ratios.raw if self.clustering == "prediction" else ratios.smoothed
        score = explained_variance(decided_by, ratios.chosen)
        if isinstance(lines, SourceLines):
            text = "\n".join(filter(None, (lines.text[k] for k in ratios.chosen)))
            if not text.strip(INVISIBLE):
                return Extraction("", 0.0, self.name)
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
        if self.lines != "source":
            lines = block_lines(page)
            blocks = len(lines.chars) - lines.chars.count(0)
            is_plain = blocks and not page.concealed and breaks_in_text(page) >= blocks
            if self.lines == "blocks" or not is_plain:
                return lines
        return source_lines(page_source(page), REMOVED_TAGS[self.removed])

    def ratios(self, page: Page, lines: SourceLines | BlockLines) -> Ratios:
        """Return the ratios of these lines and the content lines that they make."""
        chars = characters(page, lines, self.whitespace, self.characters)
        raw = text_to_tag_ratios(chars, lines.tags)
        smoothed = smooth(raw, self.radius, self.edges)
        return Ratios(raw, smoothed, self._content_lines(raw, smoothed))

    def signals(self, page: Page) -> tuple[Signal, ...]:
        """Return the ratio of every line, raw and smoothed (the paper's Figs. 1 to 4).

        The threshold of the smoothed ones is that of the lines for ``"threshold"``, that of the
        means of clusters for the three clusterings, and None for ``"prediction"``.
        """
        lines = self.lines_of(page)
        ratios = self.ratios(page, lines)
        chosen, blocks = tuple(ratios.chosen), _blocks(page, lines)
        threshold: float | None = self.coefficient * standard_deviation(ratios.smoothed)
        if self.clustering == "prediction":
            threshold = None
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

    def _settle_clustering(self) -> None:
        """Give the parameters of the clusterings their defaults; refuse one without effect."""
        for name, (clusterings, default) in _OF_CLUSTERINGS.items():
            if getattr(self, name) is BY_READING:
                object.__setattr__(self, name, default)
            elif self.clustering not in clusterings:
                raise SettingsError(
                    f"{name} does nothing with clustering={self.clustering!r}; "
                    f"leave it out, or use one of: {', '.join(sorted(clusterings))}"
                )

    def _content_lines(self, raw: Sequence[float], smoothed: Sequence[float]) -> list[int]:
        if self.clustering == "threshold":
            return above_threshold(smoothed, self.coefficient)
        if self.clustering == "prediction":
            return by_prediction(raw, self.coefficient, self.window)
        cluster = cluster_function(self.clustering, self.seed)
        return by_clusters(smoothed, cluster, self.coefficient, self.max_clusters)


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


def _check_number(
    name: str, value: float, kinds: tuple[type, ...], what: str, least: int = 0
) -> None:
    if type(value) not in kinds or not least <= value < inf:
        raise SettingsError(f"{name}={value!r} is not allowed; use {what}")
