"""Where blocks may leave the forest early, and the score that they get: learned out of fold."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from scrapy_webtext.extractors.fusion.trees.forest import EarlyExit
from scrapy_webtext.train.fusion.examples import numpy

#: After so many trees a block may leave.
STAGES: Final = (8, 12, 16, 20, 30, 50, 80)
#: A bound that no score reaches.
NEVER: Final = 99.0
#: Where fewer rows would leave, none does.
LEAST_ROWS: Final = 500


#: Of the rows that leave below the lower bound of an exit, at most this share has a final score of
#: `LOW` or more; of those above the upper bound as many have less than `HIGH`.
ERROR: Final = 0.005
LOW: Final = -3.2
HIGH: Final = 3.4


def stages(booster: Any, rows: Any) -> Any:
    """Return the scores of rows after each stage, and after all trees: (rows, stages + 1)."""
    np = numpy()
    after = [*STAGES, -1]
    scores = [booster.predict(rows, raw_score=True, num_iteration=n) for n in after]
    return np.array(scores, dtype="float32").T


def fit_exits(scores: Any) -> tuple[EarlyExit, ...]:
    """Return the exits for rows of these scores, as `stages` gives them.

    A row leaves as early as the bounds allow.
    """
    rest, exits = scores, []
    for k, trees in enumerate(STAGES):
        final = rest[:, -1]
        below = _bound(rest[:, k], final >= LOW, ERROR)
        above = -_bound(-rest[:, k], final < HIGH, ERROR)
        low, high = rest[:, k] < below, rest[:, k] > above
        added = [_added(rest[side, k], final[side]) for side in (low, high)]
        exits.append(EarlyExit(trees, below, above, *added))
        rest = rest[~(low | high)]
    return tuple(exits)


def _bound(score: Any, is_wrong: Any, error: float) -> float:
    """Return the greatest bound below which at most this share of the rows is wrong."""
    np = numpy()
    order = np.argsort(score, kind="stable")
    shares = np.cumsum(is_wrong[order]) / np.arange(1, len(order) + 1)
    allowed = np.flatnonzero(shares <= error)
    if not len(allowed) or allowed[-1] < LEAST_ROWS:
        return -NEVER
    return round(float(score[order[allowed[-1]]]), 4)


def _added(score: Any, final: Any) -> float:
    """Return what added to these scores gives the final scores' mean probability (by Newton)."""
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
    """Return the probabilities of rows as a forest with these exits gives them."""
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
