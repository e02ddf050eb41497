"""Writes the sections of the model file of ``fusion`` that the package reads."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from scrapy_webtext.extractors.fusion.features.declared import BAGS_OF_WORDS
from scrapy_webtext.extractors.fusion.features.templates import TokenScores
from scrapy_webtext.extractors.fusion.model import Calibration, EarlyExit, Forest


def fit_calibration(raw: Sequence[float], observed: Sequence[float], bins: int) -> Calibration:
    """Return the calibration that fits pairs of raw score and observation, both in [0, 1].

    The pairs are sorted and divided into ``bins`` of equal size. A bin whose mean is not above the
    mean of the previous bin is merged with it (pool adjacent violators, Ayer et al. 1955). The
    means of the bins are the points of the map.
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


def write_exits(exits: Sequence[EarlyExit]) -> dict[str, Any]:
    """Return the section of a model file that `read_exits` reads."""
    return {name: [getattr(exit_, name) for exit_ in exits] for name in EarlyExit._fields}


def write_forest(forest: Forest) -> dict[str, Any]:
    """Return the section of a model file that `read_forest` reads, without the early exits."""
    return {
        "features": list(forest.features),
        "leaves": [len(tree.value) for tree in forest.trees],
        "feature": [k for tree in forest.trees for k in tree.feature],
        "threshold": [t for tree in forest.trees for t in tree.threshold],
        "left": [k for tree in forest.trees for k in tree.left],
        "right": [k for tree in forest.trees for k in tree.right],
        "value": [v for tree in forest.trees for v in tree.value],
    }


def write_token_scores(token_scores: TokenScores) -> dict[str, list[str] | list[float]]:
    """Return the section of a model file that `read_token_scores` reads."""
    tokens = sorted({*token_scores.content, *token_scores.article})
    return {
        "tokens": tokens,
        "content": [token_scores.content.get(token, 0.0) for token in tokens],
        "article": [token_scores.article.get(token, 0.0) for token in tokens],
    }


def write_bag_of_words(
    weights: Iterable[Mapping[str, float]],
) -> dict[str, dict[str, list[str] | list[float]]]:
    """Return a section of a model file with one part per bag, as `read_weights` reads it."""
    return {
        bag: {"tokens": list(of_bag), "weights": list(of_bag.values())}
        for bag, of_bag in zip(BAGS_OF_WORDS, weights, strict=True)
    }
