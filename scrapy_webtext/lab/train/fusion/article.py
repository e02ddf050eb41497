"""Trains the article classifier on the features of pages and of their blocks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from scrapy_webtext.extractors.fusion.features.article_features import (
    JUDGE_FEATURES,
    article_block_features,
)
from scrapy_webtext.extractors.fusion.features.block_features import BLOCK_FEATURES
from scrapy_webtext.extractors.fusion.features.page_features import without_url
from scrapy_webtext.lab.train.folds import fold_of
from scrapy_webtext.lab.train.fusion.boosting import fit
from scrapy_webtext.lab.train.fusion.examples import FOLDS, Example, numpy

JUDGE_PARAMETERS: Final[Mapping[str, Any]] = {
    "objective": "binary",
    "num_leaves": 8,
    "learning_rate": 0.05,
    "min_data_in_leaf": 40,
    "feature_fraction": 0.2,
    "bagging_fraction": 0.7,
    "bagging_freq": 1,
    "lambda_l2": 5.0,
}
JUDGE_ROUNDS: Final = 200
_LINK_DENSITY, _REPEATED_ITEMS = map(BLOCK_FEATURES.index, ("link_density", "repeated_items"))


def fit_judge(
    examples: Sequence[Example], seed: int
) -> tuple[Any, tuple[list[float], list[float]]]:
    """Return the booster, and its out-of-fold probabilities with the labels, for calibration.

    Each page is used twice: with its URL and without.
    """
    np = numpy()
    table = np.array([judge_rows(e) for e in examples])
    truth = np.array([e.is_article for e in examples])
    fold = np.array([fold_of(e.domain, FOLDS, seed) for e in examples])
    probabilities = np.zeros(table.shape[:2])
    for k in np.unique(fold):
        others = fold != k
        model = _fit(table[others], truth[others], seed)
        probabilities[~others] = [model.predict(rows) for rows in table[~others]]
    observed = np.repeat(truth, 2).astype(float).tolist()
    return _fit(table, truth, seed), (probabilities.ravel().tolist(), observed)


def judge_rows(e: Example) -> list[list[float]]:
    """Return the features of a page in two rows: with its URL, and without."""
    assert e.groups is not None
    blocks = article_block_features(
        e.groups.words,
        e.blocks[:, _LINK_DENSITY].tolist(),
        e.blocks[:, _REPEATED_ITEMS].tolist(),
        e.probabilities["second"],
    )
    rows = ({**features, **blocks} for features in (e.features, without_url(e.features)))
    return [[row[name] for name in JUDGE_FEATURES] for row in rows]


def _fit(table: Any, truth: Any, seed: int) -> Any:
    np = numpy()
    rows = np.concatenate([table[:, 0], table[:, 1]])
    return fit(JUDGE_PARAMETERS, JUDGE_ROUNDS, seed, rows, np.tile(truth, 2), np.ones(len(rows)))
