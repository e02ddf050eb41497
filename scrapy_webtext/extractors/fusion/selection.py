"""From probabilities to chosen blocks: threshold, copies, stretches, comments."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, chain
from math import fsum
from operator import mul
from typing import Final

from scrapy_webtext.extractors.fusion.boosting import Forest
from scrapy_webtext.extractors.fusion.comments import comment_mask
from scrapy_webtext.extractors.fusion.completion import with_pieces, with_standfirst
from scrapy_webtext.extractors.fusion.copies import without_copies
from scrapy_webtext.extractors.fusion.mastheads import without_masthead
from scrapy_webtext.extractors.fusion.model import PageReading
from scrapy_webtext.extractors.fusion.stretches import (
    STRETCH_FEATURES,
    Stretch,
    stretch_rows,
    stretches,
)
from scrapy_webtext.page import Page

#: Least probability of a block on a page that is surely an article.
ARTICLE_THRESHOLD: Final = 0.55
#: Below this expected F1 the best threshold of a page that is no article is lowered.
POOR: Final = 0.65
POOR_FACTOR: Final = 0.7
#: Expected F1 that the fixed threshold may lose against the best one.
MAX_LOSS: Final = 0.15
#: Least probability of a stretch, on a page that is surely an article and one that is surely not.
STRETCH_THRESHOLDS: Final = (0.6, 0.2)


def select(page: Page, seen: PageReading, forest: Forest) -> list[int]:
    """Return the places of the chosen blocks among the visible ones, ascending."""
    chosen = choose(page, seen)
    found = judge_stretches(page, seen, forest, chosen)
    if found:
        kept = _likely(found, stretch_threshold(seen))
        inside = set(chain.from_iterable(range(a, z) for a, z in kept))
        chosen = [k for k in chosen if k in inside]
    texts = seen.reading.texts
    chosen = with_pieces(page, texts, chosen)
    if seen.article_kind >= 0.5:
        chosen = with_standfirst(page, texts, chosen)
    return without_masthead(page, texts, chosen)


def judge_stretches(
    page: Page, seen: PageReading, forest: Forest, chosen: Sequence[int]
) -> list[tuple[Stretch, float]]:
    """Return the stretches of these blocks, each with its probability of being content."""
    found = stretches(chosen, seen.reading)
    if not found:
        return []
    kinds = (seen.kinds[0], seen.kinds[1])
    rows = stretch_rows(page, seen.reading, seen.probabilities, kinds, found)
    asked = [STRETCH_FEATURES.index(name) for name in forest.features]
    likely = forest.probabilities(([row[k] for k in asked] for row in rows), len(rows))
    return list(zip(found, likely, strict=True))


def choose(page: Page, seen: PageReading) -> list[int]:
    """Return the places of the blocks above the page's threshold, copies and comments left out."""
    threshold = page_threshold(seen)
    above = [k for k, p in enumerate(seen.probabilities) if p >= threshold]
    chosen = without_copies(page, seen.reading, above)
    comments = comment_mask(page, seen)
    return [k for k in chosen if not comments[k]] or chosen


def _likely(found: Sequence[tuple[Stretch, float]], threshold: float) -> list[Stretch]:
    """Return the stretches above the threshold, or the likeliest one."""
    kept = [stretch for stretch, p in found if p >= threshold]
    return kept or [max(found, key=lambda one: one[1])[0]]


def stretch_threshold(seen: PageReading) -> float:
    """Return the least probability of chosen stretches."""
    high, low = STRETCH_THRESHOLDS
    article = certainty(seen)
    return high * article + low * (1 - article)


def certainty(seen: PageReading) -> float:
    """Return how far the page is treated as an article, in [0, 1].

    That is the probability that it is one. Pages in scripts without spaces are treated as
    articles: there were no others to learn from, and what is expected of them is not calibrated.
    """
    return 1.0 if seen.reading.texts.is_unspaced else seen.article_kind


def page_threshold(seen: PageReading) -> float:
    """Return the least probability of chosen blocks.

    On articles it is fixed; elsewhere it is the one with the greatest expected F1, since a list
    or a product page is often content in part, and the model never sure. In between it lies
    between the two. Where that is expected to be far worse, it gives way to the best; on pages
    in scripts without spaces only if it would choose nothing. Where even the best promises
    little, the page is unlike those learned from, and more of it is taken.
    """
    article, probabilities = certainty(seen), seen.probabilities
    best = best_threshold(probabilities, seen.reading.texts.words)
    ideal = _expected_above(best, seen)
    if article < 0.5 and ideal < POOR:
        best *= POOR_FACTOR
    threshold = ARTICLE_THRESHOLD * article + best * (1 - article)
    lost = ideal - _expected_above(threshold, seen)
    gives_way = lost > MAX_LOSS and not seen.reading.texts.is_unspaced
    return best if gives_way or max(probabilities) < threshold else threshold


def _expected_above(threshold: float, seen: PageReading) -> float:
    chosen = [k for k, p in enumerate(seen.probabilities) if p >= threshold]
    return expected_f1(seen.probabilities, seen.reading.texts.words, chosen)


def best_threshold(probabilities: Sequence[float], words: Sequence[int]) -> float:
    """Return the probability of the last block to choose for the greatest expected F1."""
    order = sorted(zip(probabilities, words, strict=True), reverse=True)
    products = [p * w for p, w in order]
    total = fsum(products)
    taken = accumulate([w for _, w in order])
    expected = [2 * r / (t + total) for r, t in zip(accumulate(products), taken, strict=True)]
    return order[expected.index(max(expected))][0]


def expected_f1(
    probabilities: Sequence[float], words: Sequence[int], chosen: Sequence[int]
) -> float:
    """Return the word F1 to expect of these blocks, in [0, 1].

    Expected words in common, twice, by the words chosen and those expected to be content.
    """
    total = fsum(map(mul, probabilities, words))
    right = fsum([probabilities[k] * words[k] for k in chosen])
    taken = sum([words[k] for k in chosen])
    return 2 * right / (taken + total) if right else 0.0
