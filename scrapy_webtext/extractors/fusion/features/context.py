# cython: infer_types=True
"""Features of the second pass: the first pass' probabilities around each block.

Blocks are scored twice. The features of the first forest describe a block, its containers, its
template and its page. The second forest also uses the first probabilities of the blocks before and
after, of the blocks with the same template or in the same container, and of the whole page. So it
can recognise a paragraph among paragraphs, a teaser among teasers, or a single likely block far
from all other likely blocks. This is stacked sequential learning (Cohen and de Carvalho 2005).
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from scrapy_webtext.core import arrays
from scrapy_webtext.extractors.fusion.features.block_features import FeatureTable
from scrapy_webtext.extractors.fusion.features.measures import (
    add_mean,
    add_mean_of_groups,
    position,
    window,
)
from scrapy_webtext.extractors.fusion.features.tables import Columns
from scrapy_webtext.extractors.fusion.features.templates import templates_of
from scrapy_webtext.extractors.fusion.features.units import LIKELY, Units

#: One value per candidate block. Means of probabilities are weighted by words.
CONTEXT_COLUMNS: Final = tuple(
    """
    first_score first_before first_after
    first_template template_words first_container container_words first_window_2 first_window_6
    first_position
    unit_first unit_first_before unit_first_after unit_first_prose_before unit_first_prose_after
    unit_first_around
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

#: A block with at least this probability is surely content.
SURE: Final = 0.9
#: Greatest number of words, so that a long text is like the longest ones of the training.
MOST_WORDS: Final = 2_000
#: Number of blocks on each side in the small and in the large window.
SMALL_WINDOW: Final = 2
LARGE_WINDOW: Final = 6
#: Probabilities are clipped to [SUREST, 1 - SUREST] before log-odds are computed.
SUREST: Final = 1e-4


@dataclass(frozen=True, slots=True)
class Groups:
    """The groups that candidate blocks belong to: blocks of one group have the same number >= 0."""

    words: Sequence[int]  #: number of words of each block
    template_id: Sequence[int]  #: equal for blocks with equal tags and classes up to the root
    container_id: Sequence[int]  #: equal for blocks in the same container
    units: Units


def groups(table: FeatureTable) -> Groups:
    """Return which candidate blocks of a page belong together."""
    texts, elements = table.texts, table.elements
    template_id = templates_of(elements, texts.columns["owner"])
    container_id = arrays.new_longs(texts.n)
    of_container = arrays.longs(container_id)
    for k in range(texts.n):
        of_container[k] = elements.above[texts.node[k]]
    return Groups(texts.columns["words"], template_id, container_id, table.units)


def context_columns(blocks: Groups, first: Sequence[float]) -> Columns:
    """Return the features of ``CONTEXT_COLUMNS``; ``first`` has the first pass' probabilities."""
    chances, numbers = arrays.as_doubles(first), arrays.as_longs(blocks.words)
    n = len(chances)
    weights, weighted = arrays.new_doubles(n), arrays.new_doubles(n)
    p, words = arrays.doubles(chances), arrays.longs(numbers)
    weight, held = arrays.doubles(weights), arrays.doubles(weighted)
    for k in range(n):
        weight[k] = words[k] + 1
        held[k] = p[k] * weight[k]
    weight_sums, weighted_sums = arrays.sums(weights), arrays.sums(weighted)
    columns: Columns = {}
    _add_means(columns, "template", blocks.template_id, weighted, weights)
    _add_means(columns, "container", blocks.container_id, weighted, weights)
    for reach in (SMALL_WINDOW, LARGE_WINDOW):
        near = window(n, reach, reach)
        add_mean(columns, f"first_window_{reach}", near, weighted_sums, weight_sums)
    own = blocks.units.first, blocks.units.end
    add_mean(columns, "unit_first", own, weighted_sums, weight_sums)
    score = arrays.unset_column(columns, "first_score", n)
    before = arrays.unset_column(columns, "first_before", n)
    after = arrays.unset_column(columns, "first_after", n)
    of_block = arrays.unset_column(columns, "first_position", n)
    sums = arrays.doubles(weighted_sums)
    least, most = SUREST, float(MOST_WORDS)
    for k in range(n):
        chance = min(max(p[k], least), 1 - least)
        score[k] = math.log(chance / (1 - chance))
        before[k] = p[k - 1] if k > 0 else 0.0
        after[k] = p[k + 1] if k + 1 < n else 0.0
        of_block[k] = position(sums[k], sums[n] - sums[k], most)
    _add_units(columns, blocks.units, chances, weight_sums, weighted_sums)
    return columns


def context_constants(blocks: Groups, first: Sequence[float]) -> Mapping[str, float]:
    """Return the features of ``CONTEXT_CONSTANTS``; there must be at least one block."""
    chances, numbers = arrays.as_doubles(first), arrays.as_longs(blocks.words)
    n = len(chances)
    p, words = arrays.doubles(chances), arrays.longs(numbers)
    total, likely, sure = 0.0, 0.0, 0.0
    expected, variance, greatest = 0.0, 0.0, -1.0
    likely_from, sure_from = LIKELY, SURE
    for k in range(n):
        weight = float(words[k] + 1)
        total += weight
        expected += p[k] * weight
        variance += p[k] * (1 - p[k]) * weight
        if p[k] >= likely_from:
            likely += weight
        if p[k] >= sure_from:
            sure += weight
        greatest = max(greatest, p[k])
    return {
        "expected_words": min(expected, MOST_WORDS),
        "expected_share": expected / total,
        "likely_share": likely / total,
        "expected_variance": variance / (expected or 1.0),
        "most_likely": greatest,
        "sure_words": min(sure, MOST_WORDS),
        "first_threshold": best_threshold(chances, numbers),
    }


def _add_means(
    columns: Columns,
    kind: str,
    of_kind: Sequence[int],
    weighted: array[float],
    weights: array[float],
) -> None:
    """Write, per block, the weighted mean of its group and the sum of the group's weights."""
    groups, n, most_words = arrays.as_longs(of_kind), len(weights), MOST_WORDS
    counts = add_mean_of_groups(columns, f"first_{kind}", groups, weighted, weights)
    group, count = arrays.longs(groups), arrays.doubles(counts)
    number = arrays.unset_column(columns, f"{kind}_words", n)
    for k in range(n):
        number[k] = min(count[group[k]], most_words)


def _add_units(
    columns: Columns,
    units: Units,
    chances: array[float],
    weight_sums: array[float],
    weighted_sums: array[float],
) -> None:
    """Write the features of units; -1 if the element around a unit has no such block."""
    n = len(chances)
    befores, afters = arrays.new_longs(n + 1), arrays.new_longs(n + 1)
    weight, weighted = arrays.doubles(weight_sums), arrays.doubles(weighted_sums)
    last, following = arrays.longs(befores), arrays.longs(afters)
    p, prose = arrays.doubles(chances), arrays.longs(units.is_prose)
    begins, ends = arrays.longs(units.first), arrays.longs(units.end)
    low, high = arrays.longs(units.around_first), arrays.longs(units.around_end)
    last[0], following[n] = -1, n  # prose: the last block before k, the next from k on
    for k in range(n):
        last[k + 1] = k if prose[k] else last[k]
    for k in range(n - 1, -1, -1):
        following[k] = k if prose[k] else following[k + 1]
    before = arrays.unset_column(columns, "unit_first_before", n)
    after = arrays.unset_column(columns, "unit_first_after", n)
    prose_before = arrays.unset_column(columns, "unit_first_prose_before", n)
    prose_after = arrays.unset_column(columns, "unit_first_prose_after", n)
    around = arrays.unset_column(columns, "unit_first_around", n)
    for k in range(n):
        a, z, start, end = begins[k], ends[k], low[k], high[k]
        own, all_own = weight[z] - weight[a], weighted[z] - weighted[a]
        before[k] = p[a - 1] if a > start else -1.0
        after[k] = p[z] if z < end else -1.0
        prose_before[k] = p[last[a]] if last[a] >= start else -1.0
        prose_after[k] = p[following[z]] if following[z] < end else -1.0
        rest = weight[end] - weight[start] - own
        held = weighted[end] - weighted[start] - all_own
        around[k] = held / rest if rest > 0.5 else -1.0


# Expected word F1 of chosen blocks, and the threshold with the greatest expected F-beta. Usually
# all teasers of a page belong to the text, or none does; the same holds for replies and captions.
# So the strongest dependence of blocks is assumed: in a scenario u, uniform in [0, 1], the text
# consists of all blocks whose probability is greater than u (comonotonic variables; Dhaene et al.
# 2002, "The concept of comonotonicity in actuarial science and finance"). If blocks were
# independent, some of two hundred blocks with probability 0.35 would almost surely be text, and the
# whole page would have the greatest expected F1.

#: Values of u, the centres of 20 equal parts of [0, 1]. They are also the candidates for the
#: threshold.
SCENARIOS: Final = tuple((2 * k + 1) / 40.0 for k in range(20))

_BOUNDS: Final = array("d", SCENARIOS)


def best_threshold(
    probabilities: Sequence[float], words: Sequence[int], beta: float = 1.0
) -> float:
    """Return the threshold among ``SCENARIOS`` with the greatest expected F-beta.

    Blocks with a greater probability are chosen. If several thresholds are equally good, return
    the smallest; 0 if no block is above any
    threshold. In F-beta, recall counts ``beta`` times as much as precision (van Rijsbergen 1979,
    "Information Retrieval", ch. 7); 1 gives F1.
    """
    above = _words_above(probabilities, words)
    held = arrays.longs(above)
    best, greatest = 0.0, -1.0
    if not held[0]:
        return best
    shared = arrays.new_longs(len(above))
    both = arrays.longs(shared)
    for k in range(len(above)):
        for i in range(len(above)):
            both[i] = min(held[i], held[k])
        mean = _mean_f(shared, held[k], above, beta * beta)
        if mean > greatest:
            best, greatest = SCENARIOS[k], mean
    return best


def expected_f1(
    probabilities: Sequence[float], words: Sequence[int], chosen: Sequence[int]
) -> float:
    """Return the expected word F1 of the blocks at the positions ``chosen``, in [0, 1]."""
    chosen_words = [words[k] for k in chosen]
    shared = _words_above([probabilities[k] for k in chosen], chosen_words)
    return _mean_f(shared, sum(chosen_words), _words_above(probabilities, words), 1.0)


def _words_above(probabilities: Sequence[float], words: Sequence[int]) -> array[int]:
    """Return, per scenario, the number of words in blocks with a greater probability."""
    chances, numbers = arrays.as_doubles(probabilities), arrays.as_longs(words)
    p, n, bounds = arrays.doubles(chances), arrays.longs(numbers), arrays.doubles(_BOUNDS)
    column = arrays.new_longs(len(SCENARIOS))
    held = arrays.longs(column)
    for k in range(len(chances)):
        i = 0
        while i < len(column) and bounds[i] < p[k]:
            held[i] += n[k]
            i += 1
    return column


def _mean_f(shared: array[int], taken: int, texts: array[int], squared_beta: float) -> float:
    """Return the mean over all scenarios of (1 + beta^2) * shared / (taken + beta^2 * text).

    ``shared``, ``taken`` and ``texts`` are numbers of words.
    """
    total, n = 0.0, len(shared)
    common, text = arrays.longs(shared), arrays.longs(texts)
    for k in range(n):
        if common[k]:
            total += (1 + squared_beta) * common[k] / (taken + squared_beta * text[k])
    return total / n
