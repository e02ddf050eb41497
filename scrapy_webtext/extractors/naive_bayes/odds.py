"""The odds of a web block (Wang et al. 2013, eqs. 4 to 15), from the counts of a model."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import accumulate
from math import fsum, inf, isfinite, isnan, log, nan
from typing import Final, Literal, NamedTuple

from scrapy_webtext.extractors.naive_bayes.blocks import Blocking, WebBlock
from scrapy_webtext.extractors.naive_bayes.levels import LEVEL_COUNTS, Levels
from scrapy_webtext.models import ModelFile, load_model

KIND: Final = "naive_bayes"
VERSION: Final = 2

Observation = Literal["words", "blocks"]
Sums = Literal["summed", "single"]

#: Of the levels below and at a block's own, the probabilities are summed (eqs. 4, 5, 8, 9).
SUMMED: Final = frozenset({"unlinked_chars", "punctuation_ratio"})
#: Bound on counts in a model: what a double holds exactly.
_MAX_COUNT: Final = 2**53


class Odds(NamedTuple):
    """Natural logarithms of P(.|content) / P(.|rest): one of the priors, one per level.

    Where counts are not smoothed, they may be infinite, or not a number for 0/0.
    """

    prior: float
    levels: tuple[tuple[float, ...], ...]  #: per feature, in the order of `Levels`

    def of(self, levels: Levels) -> float:
        """Log odds of a block: at least 0 where eq. 14 is no smaller than eq. 15.

        0 where both products are 0.
        """
        values = (self.prior, *self.effects(levels))
        if all(map(isfinite, values)):
            return fsum(values)
        if any(map(isnan, values)) or (inf in values and -inf in values):
            return 0.0
        return inf if inf in values else -inf

    def effects(self, levels: Levels) -> tuple[float, float, float, float]:
        """What each feature adds to the log odds."""
        a, b, c, d = self.levels
        return a[levels[0]], b[levels[1]], c[levels[2]], d[levels[3]]


def log_odds(odds: Odds, blocks: Iterable[WebBlock]) -> list[float]:
    """Return the log odds of web blocks; those of the same levels are worked out once."""
    levels = [block.counts.levels for block in blocks]
    known = {own: odds.of(own) for own in set(levels)}
    return [known[own] for own in levels]


def read_odds(
    model: ModelFile,
    blocking: Blocking,
    observation: Observation,
    sums: Sums = "summed",
    smoothing: float = 1.0,
) -> Odds:
    """Return the log odds of one table of a model (eqs. 4 to 11).

    ``smoothing`` is added to every count (Laplace). ModelError where a count is missing, negative
    or no number.
    """
    table = model.section("tables").section(blocking.key).section(observation)
    content, rest = table.section("content"), table.section("rest")
    prior = _log_ratio(*(c.integer("total", 0, _MAX_COUNT) + smoothing for c in (content, rest)))
    levels = []
    for feature, length in LEVEL_COUNTS._asdict().items():
        is_summed = sums == "summed" and feature in SUMMED
        given = [
            _probabilities(c.integers(feature, length, 0, _MAX_COUNT), smoothing, is_summed)
            for c in (content, rest)
        ]
        levels.append(tuple(map(_log_ratio, *given)))
    return Odds(prior, tuple(levels))


@cache
def shipped_odds(
    blocking: Blocking, observation: Observation, sums: Sums, smoothing: float
) -> Odds:
    """Log odds of the package's own model, which cannot change while it is used."""
    model = load_model(None, kind=KIND, version=VERSION)
    return read_odds(model, blocking, observation, sums, smoothing)


def _probabilities(counts: Sequence[int], smoothing: float, is_summed: bool) -> list[float]:
    """P(level|class) per level of one feature, or of the levels up to each; 0 without counts."""
    smoothed = [n + smoothing for n in counts]
    total = fsum(smoothed) or 1.0
    return [n / total for n in (accumulate(smoothed) if is_summed else smoothed)]


def _log_ratio(one: float, other: float) -> float:
    if one and other:
        return log(one / other)
    return inf if one else -inf if other else nan
