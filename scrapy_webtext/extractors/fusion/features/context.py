"""Features of the second pass: the first pass' probabilities around each block.

Blocks are scored twice. The first forest knows a block itself, its containers, its template and
its page. The second forest also knows the first pass' probabilities of the blocks before and after,
of the blocks with the same template or in the same container, and of the whole page. So it can
recognise a paragraph among paragraphs, a teaser among teasers, or the only likely block far from
all others. This is stacked sequential learning (Cohen and de Carvalho 2005).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log
from operator import mul
from typing import Final

from scrapy_webtext.compiled import compiled
from scrapy_webtext.extractors.fusion.expected_f1 import best_threshold
from scrapy_webtext.extractors.fusion.features.block_features import FeatureTable
from scrapy_webtext.extractors.fusion.features.tables import Columns, containers_above
from scrapy_webtext.page import Page, prefix_sums

#: One value per candidate block. Means of probabilities are weighted by words.
CONTEXT_COLUMNS: Final = tuple(
    """
    first_score first_before_2 first_before first_after first_after_2
    first_template template_words first_container container_words first_window_2 first_window_6
    first_position since_likely until_likely
    """.split()
)
#: One value per page.
CONTEXT_CONSTANTS: Final = tuple(
    """
    expected_words expected_share likely_share expected_variance most_likely sure_words
    first_threshold
    """.split()
)
CONTEXT_FEATURES: Final = (*CONTEXT_COLUMNS, *CONTEXT_CONSTANTS)

#: From these probabilities on a block is likely content, or surely content.
LIKELY: Final = 0.5
SURE: Final = 0.9
#: Distances are counted to blocks with at least this probability.
ANCHOR: Final = 0.7
#: Greatest distance, in blocks.
FAR: Final = 99
#: Blocks on each side in the small and in the large window.
SMALL_WINDOW: Final = 2
LARGE_WINDOW: Final = 6
#: Probabilities are cut to [SUREST, 1 - SUREST] before log-odds are taken.
SUREST: Final = 1e-4


@dataclass(frozen=True, slots=True)
class Groups:
    """Which candidate blocks belong together: blocks of one group have the same number."""

    words: Sequence[int]  #: of each block
    template_id: Sequence[int]  #: of the same tags and classes up to the root
    container_id: Sequence[int]  #: in the same container


@compiled
def groups(page: Page, table: FeatureTable) -> Groups:
    """Return which candidate blocks of a page belong together."""
    texts, template_id = table.texts, table.elements.template_id
    return Groups(
        texts.words,
        [template_id[i] for i in texts.owner],
        containers_above(page, texts.node),
    )


@compiled
def context_columns(blocks: Groups, first: Sequence[float]) -> Columns:
    """Return the features of ``CONTEXT_COLUMNS``; ``first`` holds the first pass' probabilities."""
    words = [n + 1 for n in blocks.words]
    held = list(map(mul, first, words))
    held_sums, word_sums = prefix_sums(held), prefix_sums(words)
    expected = held_sums[-1] or 1.0
    template_mean, template_words = _means(blocks.template_id, held, words)
    container_mean, container_words = _means(blocks.container_id, held, words)
    padded = [0.0, 0.0, *first, 0.0, 0.0]
    n = len(first)
    return {
        "first_score": [_log_odds(p) for p in first],
        "first_before_2": padded[:n],
        "first_before": padded[1 : n + 1],
        "first_after": padded[3 : n + 3],
        "first_after_2": padded[4 : n + 4],
        "first_template": template_mean,
        "template_words": template_words,
        "first_container": container_mean,
        "container_words": container_words,
        "first_window_2": _window(held_sums, word_sums, SMALL_WINDOW),
        "first_window_6": _window(held_sums, word_sums, LARGE_WINDOW),
        "first_position": [before / expected for before in held_sums[:-1]],
        "since_likely": _distances(first),
        "until_likely": _distances(first[::-1])[::-1],
    }


@compiled
def context_constants(blocks: Groups, first: Sequence[float]) -> Mapping[str, float]:
    """Return the features of ``CONTEXT_CONSTANTS``; there must be at least one block."""
    words = [n + 1 for n in blocks.words]
    total = sum(words)
    expected = prefix_sums(map(mul, first, words))[-1]
    variance = prefix_sums(p * (1 - p) * n for p, n in zip(first, words, strict=True))[-1]
    return {
        "expected_words": expected,
        "expected_share": expected / total,
        "likely_share": sum(n for p, n in zip(first, words, strict=True) if p >= LIKELY) / total,
        "expected_variance": variance / (expected or 1.0),
        "most_likely": max(first),
        "sure_words": sum(n for p, n in zip(first, words, strict=True) if p >= SURE),
        "first_threshold": best_threshold(first, blocks.words),
    }


def _log_odds(p: float) -> float:
    p = min(max(p, SUREST), 1 - SUREST)
    return log(p / (1 - p))


def _means(
    groups: Sequence[int], held: Sequence[float], words: Sequence[int]
) -> tuple[list[float], list[int]]:
    """Return per block the mean probability of its group, weighted by words, and its words."""
    sums, number = dict.fromkeys(groups, 0.0), dict.fromkeys(groups, 0)
    for group, p, n in zip(groups, held, words, strict=True):
        sums[group] += p
        number[group] += n
    return [sums[g] / number[g] for g in groups], [number[g] for g in groups]


def _window(held: Sequence[float], words: Sequence[int], reach: int) -> list[float]:
    """Return per block the mean probability up to ``reach`` blocks away, from prefix sums."""
    n = len(words) - 1
    bounds = [(max(0, k - reach), min(n, k + reach + 1)) for k in range(n)]
    return [(held[z] - held[a]) / (words[z] - words[a]) for a, z in bounds]


def _distances(first: Sequence[float]) -> list[int]:
    """Return per block the number of blocks since the last one with at least ``ANCHOR``."""
    found, distance = [], FAR
    for p in first:
        distance = 0 if p >= ANCHOR else min(distance + 1, FAR)
        found.append(distance)
    return found
