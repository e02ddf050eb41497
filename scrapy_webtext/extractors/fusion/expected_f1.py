"""What word F1 to expect of a choice of blocks, and the threshold where it is greatest.

Blocks of a page stand and fall together: whether teasers, replies or captions belong to the text
is one question, not a hundred. So they are not taken to be independent, but as dependent as they
can be. In a scenario u in [0, 1] the text is made of all blocks whose probability is greater than
u; u is uniform, which leaves each block its own probability (comonotonic; Dhaene et al. 2002).
With independence two hundred blocks at 0.35 would be sure to hold much text, and the choice with
the greatest expectation would be the whole page.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from itertools import accumulate
from typing import Final

#: Scenarios that stand for all; they are the thresholds that are tried, too.
SCENARIOS: Final = tuple((2 * k + 1) / 40 for k in range(20))


def best_threshold(probabilities: Sequence[float], words: Sequence[int]) -> float:
    """Return the one of ``SCENARIOS`` above which blocks have the greatest expected F1.

    The least of several that are as good; 0 where no block is above any.
    """
    held = words_above(probabilities, words)
    if not held[0]:
        return 0.0
    expected = [_mean_f1([min(n, m) for m in held], n, held) for n in held]
    return SCENARIOS[expected.index(max(expected))]


def expected_f1(
    probabilities: Sequence[float], words: Sequence[int], chosen: Sequence[int]
) -> float:
    """Return the word F1 to expect of the blocks at these places, in [0, 1]."""
    own = [words[k] for k in chosen]
    right = words_above([probabilities[k] for k in chosen], own)
    return _mean_f1(right, sum(own), words_above(probabilities, words))


def words_above(probabilities: Sequence[float], words: Sequence[int]) -> list[int]:
    """Return for each of ``SCENARIOS`` the words of the blocks whose probability is greater."""
    held = [0] * (len(SCENARIOS) + 1)
    for p, n in zip(probabilities, words, strict=True):
        held[bisect_left(SCENARIOS, p)] += n  # scenarios that are less than p
    return list(accumulate(reversed(held[1:])))[::-1]


def _mean_f1(right: Sequence[int], taken: int, texts: Sequence[int]) -> float:
    """Return the mean of F1 over the scenarios: words in common, words taken, words of the text."""
    total = 0.0
    for shared, text in zip(right, texts, strict=True):
        if shared:
            total += 2 * shared / (taken + text)
    return total / len(SCENARIOS)
