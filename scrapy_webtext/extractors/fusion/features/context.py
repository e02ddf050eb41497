"""What the first pass says around each block: the features that only the second pass has.

Blocks are scored twice. The first forest knows a block by itself, its containers, its template
and its page. The second is told what the first made of the blocks before and after, of those of
the same template and container, and of the whole page: a paragraph among paragraphs, a teaser
among teasers, the only likely block far from all others. (Stacking in sequence: Cohen and de
Carvalho 2005.)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log
from operator import mul
from typing import Final

from scrapy_webtext.extractors.fusion.expected_f1 import best_threshold
from scrapy_webtext.extractors.fusion.features.block_features import FeatureTable
from scrapy_webtext.extractors.fusion.features.tables import Columns
from scrapy_webtext.page import Page, prefix_sums

#: One value per visible block. Means of probabilities are weighed by words.
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

#: A block of so great a probability is likely content, and one of so great a one surely.
LIKELY: Final = 0.5
SURE: Final = 0.9
#: From here on a block counts as a part of the text when distances to it are taken.
ANCHOR: Final = 0.7
#: Greater distances, in blocks, are as far.
FAR: Final = 99
#: Blocks on each side, near and around.
NEAR: Final = 2
AROUND: Final = 6
#: Probabilities beyond are no surer.
SUREST: Final = 1e-4


@dataclass(frozen=True, slots=True)
class Groups:
    """Which visible blocks belong together: equal numbers, one per block."""

    words: Sequence[int]  #: of each block
    template_id: Sequence[int]  #: of the same tags and classes up to the root
    container_id: Sequence[int]  #: in the same container


def groups(page: Page, table: FeatureTable) -> Groups:
    """Return which visible blocks of a page belong together."""
    texts, template_id = table.texts, table.elements.template_id
    containers, parent = page.containers, page.nodes.parent
    return Groups(
        texts.words,
        [template_id[i] for i in texts.owner],
        [containers[parent[i]] if parent[i] >= 0 else i for i in texts.node],
    )


def context_columns(blocks: Groups, first: Sequence[float]) -> Columns:
    """Return the features of ``CONTEXT_COLUMNS``; ``first`` are the first pass' probabilities."""
    words = [n + 1 for n in blocks.words]
    held = list(map(mul, first, words))
    held_sums, word_sums = prefix_sums(held), prefix_sums(words)
    expected = held_sums[-1] or 1.0
    template_count, of_alike = _means(blocks.template_id, held, words)
    beside, of_beside = _means(blocks.container_id, held, words)
    padded = [0.0, 0.0, *first, 0.0, 0.0]
    n = len(first)
    return {
        "first_score": [_log_odds(p) for p in first],
        "first_before_2": padded[:n],
        "first_before": padded[1 : n + 1],
        "first_after": padded[3 : n + 3],
        "first_after_2": padded[4 : n + 4],
        "first_template": template_count,
        "template_words": of_alike,
        "first_container": beside,
        "container_words": of_beside,
        "first_window_2": _window(held_sums, word_sums, NEAR),
        "first_window_6": _window(held_sums, word_sums, AROUND),
        "first_position": [before / expected for before in held_sums[:-1]],
        "since_likely": _distances(first),
        "until_likely": _distances(first[::-1])[::-1],
    }


def context_constants(blocks: Groups, first: Sequence[float]) -> Mapping[str, float]:
    """Return the features of ``CONTEXT_CONSTANTS`` of a page with one visible block or more."""
    words = [n + 1 for n in blocks.words]
    total = sum(words)
    expected = prefix_sums(map(mul, first, words))[-1]
    unsure = prefix_sums(p * (1 - p) * n for p, n in zip(first, words, strict=True))[-1]
    return {
        "expected_words": expected,
        "expected_share": expected / total,
        "likely_share": sum(n for p, n in zip(first, words, strict=True) if p >= LIKELY) / total,
        "expected_variance": unsure / (expected or 1.0),
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
    """Return per block the mean probability of its group's words, and their number."""
    sums, number = dict.fromkeys(groups, 0.0), dict.fromkeys(groups, 0)
    for group, p, n in zip(groups, held, words, strict=True):
        sums[group] += p
        number[group] += n
    return [sums[g] / number[g] for g in groups], [number[g] for g in groups]


def _window(held: Sequence[float], words: Sequence[int], reach: int) -> list[float]:
    """Return per block the mean probability of the words so many blocks around; of prefix sums."""
    n = len(words) - 1
    bounds = [(max(0, k - reach), min(n, k + reach + 1)) for k in range(n)]
    return [(held[z] - held[a]) / (words[z] - words[a]) for a, z in bounds]


def _distances(first: Sequence[float]) -> list[int]:
    """Return per block how many blocks ago one of the text came; 0 for one of it."""
    found, distance = [], FAR
    for p in first:
        distance = 0 if p >= ANCHOR else min(distance + 1, FAR)
        found.append(distance)
    return found
