# cython: infer_types=True
"""Expected word F1 of a choice of blocks, and the threshold where it, or F-beta, is greatest.

The blocks of a page are not independent: whether teasers, replies or captions belong to the text
is one question, not a hundred. So this module assumes the strongest dependence. In a scenario
u in [0, 1] the text is all blocks whose probability is greater than u. u is uniform, so each block
keeps its own probability (comonotonic variables; Dhaene et al. 2002, "The concept of comonotonicity
in actuarial science and finance"). If blocks were independent, two hundred blocks at 0.35 would
almost surely hold much text, and the choice with the greatest expected F1 would be the whole page.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Final

from scrapy_webtext.core import arrays

#: Values of u: the centres of 20 equal parts of [0, 1]. They are also the candidate thresholds.
SCENARIOS: Final = tuple((2 * k + 1) / 40.0 for k in range(20))

_BOUNDS: Final = array("d", SCENARIOS)


def best_threshold(
    probabilities: Sequence[float], words: Sequence[int], beta: float = 1.0
) -> float:
    """Return the value of ``SCENARIOS`` above which the blocks have the greatest expected F-beta.

    The smallest of equally good ones; 0 if no block is above any of them. ``beta`` is how many
    times recall counts as much as precision (van Rijsbergen 1979, "Information Retrieval", ch. 7);
    1 gives F1.
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


def words_above(probabilities: Sequence[float], words: Sequence[int]) -> list[int]:
    """Return per scenario the number of words of the blocks whose probability is greater."""
    return list(_words_above(probabilities, words))


def _words_above(probabilities: Sequence[float], words: Sequence[int]) -> array[int]:
    chances, numbers = arrays.as_doubles(probabilities), arrays.as_longs(words)
    if len(chances) != len(numbers):
        raise ValueError("probabilities and words differ in number")
    p, n, bounds = arrays.doubles(chances), arrays.longs(numbers), arrays.doubles(_BOUNDS)
    column = arrays.new_longs(len(SCENARIOS))
    held = arrays.longs(column)
    for k in range(len(chances)):
        # The scenarios below p are the first ``high``.
        low, high = 0, len(column)
        while low < high:
            middle = (low + high) // 2
            if bounds[middle] < p[k]:
                low = middle + 1
            else:
                high = middle
        if high:
            held[high - 1] += n[k]
    for k in range(len(column) - 1, 0, -1):
        held[k - 1] += held[k]
    return column


def _mean_f(shared: array[int], taken: int, texts: array[int], squared_beta: float) -> float:
    """Return the mean over the scenarios of (1 + b2) * shared / (taken + b2 * text), in words."""
    total, n = 0.0, len(shared)
    common, text = arrays.longs(shared), arrays.longs(texts)
    for k in range(n):
        if common[k]:
            total += (1 + squared_beta) * common[k] / (taken + squared_beta * text[k])
    return total / n
