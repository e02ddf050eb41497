"""Calibration: a rising, piecewise linear map from raw scores to observed frequencies.

After it, of the pages with 0.8 four in five are articles, and texts with 0.8 have that mean F1.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from scrapy_webtext.errors import ModelError
from scrapy_webtext.models import ModelFile


@dataclass(frozen=True)
class Calibration:
    """A piecewise linear map by its corners: ``raw`` rises strictly, ``observed`` never falls."""

    raw: tuple[float, ...]
    observed: tuple[float, ...]

    def __call__(self, value: float) -> float:
        """Return the observed frequency for a raw score; constant beyond the corners."""
        k = bisect_right(self.raw, value)
        if k == 0:
            return self.observed[0]
        if k == len(self.raw):
            return self.observed[-1]
        left, right = self.raw[k - 1], self.raw[k]
        low, high = self.observed[k - 1], self.observed[k]
        return low + (high - low) * (value - left) / (right - left)


def read_calibration(model: ModelFile) -> Calibration:
    """Return the map of a section of a model file; ModelError if it does not rise."""
    raw = model.numbers("raw", low=0, high=1)
    observed = model.numbers("observed", length=len(raw), low=0, high=1)
    rises = all(a < b for a, b in pairwise(raw))
    if not raw or not rises or list(observed) != sorted(observed):
        raise ModelError(f"{model.where}: a calibration must rise; train the model again")
    return Calibration(raw, observed)


def fit_calibration(raw: Sequence[float], observed: Sequence[float], bins: int) -> Calibration:
    """Return the map that fits pairs of raw score and observation, both in [0, 1].

    The pairs are sorted and cut into bins of equal size. A bin whose mean is not above that of the
    bin before is merged with it (pool adjacent violators, Ayer et al. 1955). The means of the bins
    are the corners of the map.
    """
    pairs = sorted(zip(raw, observed, strict=True))
    size = max(1, len(pairs) // bins)
    pools: list[list[tuple[float, float]]] = []
    for start in range(0, len(pairs), size):
        pools.append(pairs[start : start + size])
        while len(pools) > 1 and (
            _mean(pools[-1], 1) <= _mean(pools[-2], 1) or _mean(pools[-1], 0) <= _mean(pools[-2], 0)
        ):
            last = pools.pop()
            pools[-1] = [*pools[-1], *last]
    return Calibration(
        tuple(round(_mean(pool, 0), 4) for pool in pools),
        tuple(round(_mean(pool, 1), 4) for pool in pools),
    )


def _mean(pairs: Sequence[tuple[float, float]], index: int) -> float:
    return sum(pair[index] for pair in pairs) / len(pairs)
