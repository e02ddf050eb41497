"""Expected word F1 of a choice of blocks, and the threshold where it, or F-beta, is greatest.

The blocks of a page are not independent: whether teasers, replies or captions belong to the text
is one question, not a hundred. So this module assumes the strongest dependence. In a scenario
u in [0, 1] the text is all blocks whose probability is greater than u. u is uniform, so each block
keeps its own probability (comonotonic variables; Dhaene et al. 2002, "The concept of comonotonicity
in actuarial science and finance"). If blocks were independent, two hundred blocks at 0.35 would
almost surely hold much text, and the choice with the greatest expected F1 would be the whole page.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from itertools import accumulate
from typing import Final

from scrapy_webtext.compiled import compiled

#: Values of u: the centres of 20 equal parts of [0, 1]. They are also the candidate thresholds.
SCENARIOS: Final = tuple((2 * k + 1) / 40 for k in range(20))


@compiled
def best_threshold(
    probabilities: Sequence[float], words: Sequence[int], beta: float = 1.0
) -> float:
    """Return the value of ``SCENARIOS`` above which the blocks have the greatest expected F-beta.

    The smallest of equally good ones; 0 if no block is above any of them. ``beta`` is how many
    times recall counts as much as precision (van Rijsbergen 1979, "Information Retrieval", ch. 7);
    1 gives F1.
    """
    held = words_above(probabilities, words)
    if not held[0]:
        return 0.0
    expected = [_mean_f([min(n, m) for m in held], n, held, beta * beta) for n in held]
    return SCENARIOS[expected.index(max(expected))]


def expected_f1(
    probabilities: Sequence[float], words: Sequence[int], chosen: Sequence[int]
) -> float:
    """Return the expected word F1 of the blocks at the positions ``chosen``, in [0, 1]."""
    chosen_words = [words[k] for k in chosen]
    shared = words_above([probabilities[k] for k in chosen], chosen_words)
    return _mean_f(shared, sum(chosen_words), words_above(probabilities, words), 1.0)


@compiled
def words_above(probabilities: Sequence[float], words: Sequence[int]) -> list[int]:
    """Return per scenario the number of words of the blocks whose probability is greater."""
    held = [0] * (len(SCENARIOS) + 1)
    for p, n in zip(probabilities, words, strict=True):
        held[bisect_left(SCENARIOS, p)] += n  # number of scenarios below p
    return list(accumulate(reversed(held[1:])))[::-1]


@compiled
def _mean_f(shared: Sequence[int], taken: int, texts: Sequence[int], squared_beta: float) -> float:
    """Return the mean over the scenarios of (1 + b2) * shared / (taken + b2 * text), in words."""
    total = 0.0
    for common, text in zip(shared, texts, strict=True):
        if common:
            total += (1 + squared_beta) * common / (taken + squared_beta * text)
    return total / len(SCENARIOS)
