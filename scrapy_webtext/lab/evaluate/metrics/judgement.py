"""How well judgements agree with labels: Lv et al. 2017, Table 3, and what it leaves out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import fsum
from statistics import mean

from scrapy_webtext.lab.evaluate.metrics.shares import share


@dataclass(frozen=True, slots=True)
class Confusion:
    """Pages by what the judge said and what they are (Lv et al. 2017, Table 3)."""

    true_positives: int  #: judged to have an article, and they have
    false_positives: int
    false_negatives: int
    true_negatives: int

    @property
    def pages(self) -> int:
        """All pages."""
        counts = (self.true_positives, self.false_positives, self.false_negatives)
        return sum(counts) + self.true_negatives

    @property
    def accuracy(self) -> float:
        """Share of the pages that are judged rightly."""
        return share(self.true_positives + self.true_negatives, self.pages)

    @property
    def recall(self) -> float:
        """Share of the pages with an article that are judged so."""
        return share(self.true_positives, self.true_positives + self.false_negatives)

    @property
    def precision(self) -> float:
        """Share of the pages judged to have an article that have one."""
        return share(self.true_positives, self.true_positives + self.false_positives)

    @property
    def false_positive_rate(self) -> float:
        """Share of the pages without an article that are judged to have one."""
        return share(self.false_positives, self.false_positives + self.true_negatives)


def confusion(judged: Iterable[tuple[float, bool]], threshold: float = 0.5) -> Confusion:
    """Return the table of (probability, has an article) pairs; judged are those >= threshold."""
    counts = Counter((probability >= threshold, is_article) for probability, is_article in judged)
    return Confusion(
        true_positives=counts[True, True],
        false_positives=counts[True, False],
        false_negatives=counts[False, True],
        true_negatives=counts[False, False],
    )


def area_under_roc(judged: Iterable[tuple[float, bool]]) -> float:
    """Return how often a page with an article has a greater probability than one without.

    Ties count one half. In [0, 1]; 0.5 where one of the kinds is missing.
    """
    ranked = sorted(judged)
    positives = sum(is_article for _, is_article in ranked)
    negatives = len(ranked) - positives
    if not positives or not negatives:
        return 0.5
    won = 0.0
    below = 0  # pages without an article seen so far
    for _, ties in groupby(ranked, key=lambda pair: pair[0]):
        kinds = Counter(is_article for _, is_article in ties)
        won += kinds[True] * (below + kinds[False] / 2)
        below += kinds[False]
    return won / (positives * negatives)


@dataclass(frozen=True, slots=True)
class Bin:
    """Pages whose probabilities lie in one part of [0, 1]."""

    low: float
    high: float
    pages: int
    articles: int
    probability: float  #: the mean of its pages; 0 without pages

    @property
    def article_share(self) -> float:
        """Share of the pages that have an article; equals the probability if that is right."""
        return share(self.articles, self.pages)


def calibration(judged: Iterable[tuple[float, bool]], bins: int = 10) -> list[Bin]:
    """Return the calibration curve of (probability, has an article) pairs, in equal parts.

    Lv et al. 2017: "P value of a web page is equal to the probability" that it has an article.
    A probability on a bound belongs to the part above it, 1 to the last.
    """
    found: list[list[tuple[float, bool]]] = [[] for _ in range(bins)]
    for probability, is_article in judged:
        found[min(int(probability * bins), bins - 1)].append((probability, is_article))
    return [
        Bin(
            number / bins,
            (number + 1) / bins,
            len(pairs),
            sum(is_article for _, is_article in pairs),
            mean(probability for probability, _ in pairs) if pairs else 0.0,
        )
        for number, pairs in enumerate(found)
    ]


def calibration_error(bins: Sequence[Bin]) -> float:
    """Return by how much probabilities and shares of articles differ, a mean over pages."""
    pages = sum(part.pages for part in bins)
    off = (part.pages * abs(part.article_share - part.probability) for part in bins)
    return fsum(off) / pages if pages else 0.0
