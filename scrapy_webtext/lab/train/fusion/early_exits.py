"""Trains early exits: score bounds after some trees, beyond which the other trees are skipped.

They are fitted on out-of-fold scores, so that the share of wrong exits is that on new sites.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from scrapy_webtext.extractors.fusion.trees.forest import EarlyExit
from scrapy_webtext.lab.train.fusion.examples import numpy

#: Numbers of trees after which there is an exit.
STAGES: Final = (8, 12, 16, 20, 30, 50, 80)
#: A bound that no score reaches.
NEVER: Final = 99.0
#: An exit that fewer rows would take gets no bound.
LEAST_ROWS: Final = 500


#: At most this share of the rows below the lower bound has a final score of `LOW` or more, and at
#: most this share of the rows above the upper bound has a final score of less than `HIGH`.
ERROR: Final = 0.005
LOW: Final = -3.2
HIGH: Final = 3.4


def stages(booster: Any, rows: Any) -> Any:
    """Return the scores of rows after each stage and after all trees; shape (rows, stages + 1)."""
    np = numpy()
    after = [*STAGES, -1]
    scores = [booster.predict(rows, raw_score=True, num_iteration=n) for n in after]
    return np.array(scores, dtype="float32").T


def fit_exits(scores: Any) -> tuple[EarlyExit, ...]:
    """Return the early exits for rows with these scores (the result of `stages`).

    A row takes the first exit that its score allows, so each exit is fitted on the rows that are
    left.
    """
    rest, exits = scores, []
    for k, trees in enumerate(STAGES):
        final = rest[:, -1]
        below = _bound(rest[:, k], final >= LOW, ERROR)
        above = -_bound(-rest[:, k], final < HIGH, ERROR)
        low, high = rest[:, k] < below, rest[:, k] > above
        added = [_added_score(rest[side, k], final[side]) for side in (low, high)]
        exits.append(EarlyExit(trees, below, above, *added))
        rest = rest[~(low | high)]
    return tuple(exits)


def _bound(score: Any, is_wrong: Any, error: float) -> float:
    """Return the greatest bound so that at most the share ``error`` of the rows below is wrong."""
    np = numpy()
    order = np.argsort(score, kind="stable")
    shares = np.cumsum(is_wrong[order]) / np.arange(1, len(order) + 1)
    allowed = np.flatnonzero(shares <= error)
    if not len(allowed) or allowed[-1] < LEAST_ROWS:
        return -NEVER
    return round(float(score[order[allowed[-1]]]), 4)


def _added_score(score: Any, final: Any) -> float:
    """Return the number that, added to the scores, gives the final mean probability.

    It is the root of the difference, found by Newton's method.
    """
    if not len(score):
        return 0.0
    score, wanted = score.astype(float), _logistic(final.astype(float)).mean()
    added = final.mean(dtype=float) - score.mean(dtype=float)
    for _ in range(50):
        likely = _logistic(score + added)
        step = (wanted - likely.mean()) / (likely * (1 - likely)).mean()
        added += min(max(step, -1.0), 1.0)
    return round(float(added), 4)


def early_exit_probabilities(scores: Any, exits: Sequence[EarlyExit]) -> list[float]:
    """Return the probabilities that a forest with these exits would return."""
    np = numpy()
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
    return 1 / (1 + numpy().exp(-score))
