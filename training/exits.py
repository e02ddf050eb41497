"""Fits the early exits of a forest's pass over blocks.

An early exit is a pair of score bounds after some trees: outside the bounds, the other trees are
skipped. The bounds are fitted on out-of-fold scores, so the share of wrong exits should be the same
on new sites.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from scipy import optimize

from scrapy_webtext.extractors.fusion.model import EarlyExit

#: The numbers of trees after which a row may exit.
STAGES: Final = (8, 12, 16, 20, 30, 50, 80)
#: A bound that no score reaches.
NEVER: Final = 99.0
#: A bound is not used if fewer rows are beyond it.
LEAST_ROWS: Final = 500


#: At most this share of the rows below the lower bound has a final score of `LOW` or more, and at
#: most this share of the rows above the upper bound has a final score of less than `HIGH`.
ERROR: Final = 0.005
LOW: Final = -3.2
HIGH: Final = 3.4


def stages(booster: Any, rows: Any) -> Any:
    """Return the scores of rows after each stage and after all trees: (rows, stages + 1)."""
    after = [*STAGES, -1]
    scores = [booster.predict(rows, raw_score=True, num_iteration=n) for n in after]
    return np.array(scores, dtype="float32").T


def fit_exits(scores: Any) -> tuple[EarlyExit, ...]:
    """Fit the early exits to rows with these scores (the result of `stages`).

    A row takes the first exit that its score allows. So each exit is fitted to the rows that took
    no earlier exit.
    """
    rest, exits = scores, []
    for k, trees in enumerate(STAGES):
        final = rest[:, -1]
        below = _bound(rest[:, k], final >= LOW)
        above = -_bound(-rest[:, k], final < HIGH)
        low, high = rest[:, k] < below, rest[:, k] > above
        # Without a row beyond a bound, many rows have the extreme score: rounded leaves would put
        # them beyond the bound, where no score was fitted.
        below, above = below if low.any() else -NEVER, above if high.any() else NEVER
        added = [_added_score(rest[side, k], final[side]) for side in (low, high)]
        exits.append(EarlyExit(trees, below, above, *added))
        rest = rest[~(low | high)]
    return tuple(exits)


def _bound(score: Any, is_wrong: Any) -> float:
    """Return the greatest bound below which at most the share `ERROR` of the rows is wrong."""
    order = np.argsort(score, kind="stable")
    shares = np.cumsum(is_wrong[order]) / np.arange(1, len(order) + 1)
    allowed = np.flatnonzero(shares <= ERROR)
    if not len(allowed) or allowed[-1] < LEAST_ROWS:
        return -NEVER
    return round(float(score[order[allowed[-1]]]), 4)


def _added_score(score: Any, final: Any) -> float:
    """Return a number to add to scores so that their mean probability equals the final mean."""
    if not len(score):
        return 0.0
    score, wanted = score.astype(float), _logistic(final.astype(float)).mean()
    added = optimize.brentq(lambda added: _logistic(score + added).mean() - wanted, -NEVER, NEVER)
    return round(float(added), 4)


def early_exit_probabilities(scores: Any, exits: Sequence[EarlyExit]) -> list[float]:
    """Return the probabilities of a forest with these early exits."""
    final = scores[:, -1].astype(float)
    is_done = np.zeros(len(scores), dtype=bool)
    for exit_ in exits:
        score = scores[:, STAGES.index(exit_.trees)].astype(float)
        below, above = score < exit_.below, score > exit_.above
        for side, added in ((below, exit_.add_below), (above, exit_.add_above)):
            leaves = ~is_done & side
            final[leaves] = score[leaves] + added
            is_done |= leaves
    found: list[float] = _logistic(final).tolist()
    return found


def _logistic(score: Any) -> Any:
    return 1 / (1 + np.exp(-score))
