"""The trained model of ``fusion``: its parts, and how they are read from a model file.

A calibration is a rising, piecewise linear map from raw scores to observed frequencies: after it,
of the pages with 0.8 four in five are articles, and texts with 0.8 have that mean F1.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from os import PathLike, fspath
from typing import Final

from scrapy_webtext.core.tokens import TokenTable
from scrapy_webtext.errors import ModelError
from scrapy_webtext.extractors.fusion.features.bag_of_words import read_weights
from scrapy_webtext.extractors.fusion.features.block_features import (
    BLOCK_FEATURES,
)
from scrapy_webtext.extractors.fusion.features.context import (
    CONTEXT_FEATURES,
)
from scrapy_webtext.extractors.fusion.features.page_features import (
    JUDGE_FEATURES,
    STRUCTURE_FEATURES,
)
from scrapy_webtext.extractors.fusion.features.short_texts import TokenScores, read_token_scores
from scrapy_webtext.extractors.fusion.forest import Forest, read_exits, read_forest
from scrapy_webtext.models import ModelFile, load_model

# Calibration


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


# The model

KIND: Final = "fusion"
VERSION: Final = 9
#: Blocks are scored twice, by two forests.
PASSES: Final = ("first", "second")
#: The features that each forest may use.
FIRST_FEATURES: Final = (*BLOCK_FEATURES, *STRUCTURE_FEATURES)
SECOND_FEATURES: Final = (*FIRST_FEATURES, *CONTEXT_FEATURES)


@dataclass(frozen=True, slots=True, eq=False)
class FusionModel:
    """A trained model, ready to use."""

    token_scores: TokenScores
    class_names: TokenTable  #: scores of tokens of class names, and their weights in the bag
    terms: TokenTable  #: weights of terms in their bag
    first: Forest  #: of blocks
    second: Forest  #: of blocks, with the first pass' probabilities among the features
    judge: Forest  #: of pages: article or not
    article: Calibration  #: of the article probability
    score: Calibration  #: of the expected F1


def load_fusion(path: str | PathLike[str] | None = None) -> FusionModel:
    """Return the model at ``path``, or the one in the package. Models are cached.

    ModelError if the file is missing or damaged, or uses features of another release.
    """
    return _load(None if path is None else fspath(path))


@lru_cache(maxsize=8)
def _load(path: str | None) -> FusionModel:
    return read_fusion(load_model(path, kind=KIND, version=VERSION))


def read_fusion(file: ModelFile) -> FusionModel:
    """Return the model of a model file."""
    class_names = file.section("class_names")
    class_scores = {token: class_names.number(token) for token in class_names.content}
    bags = file.section("bags_of_words")
    exits = file.section("early_exits")
    first, second = (
        read_forest(file.section(name), known, read_exits(exits.section(name)))
        for name, known in zip(PASSES, (FIRST_FEATURES, SECOND_FEATURES), strict=True)
    )
    return FusionModel(
        token_scores=read_token_scores(file.section("token_scores")),
        class_names=TokenTable(class_scores, read_weights(bags.section("class_names"))),
        terms=TokenTable({}, read_weights(bags.section("terms"))),
        first=first,
        second=second,
        judge=read_forest(file.section("judge"), JUDGE_FEATURES),
        article=read_calibration(file.section("article")),
        score=read_calibration(file.section("score")),
    )
