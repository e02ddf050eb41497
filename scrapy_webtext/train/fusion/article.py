"""Learns to tell articles from other pages by all that is known of them, their blocks included."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from scrapy_webtext.extractors.fusion.features.article_features import (
    JUDGE_FEATURES,
    article_block_features,
)
from scrapy_webtext.extractors.fusion.features.block_features import BLOCK_FEATURES
from scrapy_webtext.extractors.fusion.features.page_features import without_url
from scrapy_webtext.train.fusion.boosting import fit
from scrapy_webtext.train.fusion.examples import FOLDS, Example, fold_of, numpy

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
_DENSITY, _ENTRIES = map(BLOCK_FEATURES.index, ("link_density", "repeated_items"))


def fit_judge(
    examples: Sequence[Example], seed: int
) -> tuple[Any, tuple[list[float], list[float]]]:
    """Return the model of articles, and pairs of its probability out of fold and what is true.

    Each page teaches twice, with its address and without.
    """
    np = numpy()
    table = np.array([judge_rows(e) for e in examples])
    truth = np.array([e.is_article for e in examples])
    fold = np.array([fold_of(e.domain, FOLDS, seed) for e in examples])
    judged = np.zeros(table.shape[:2])
    for k in np.unique(fold):
        others = fold != k
        model = _fit(table[others], truth[others], seed)
        judged[~others] = [model.predict(rows) for rows in table[~others]]
    observed = np.repeat(truth, 2).astype(float).tolist()
    return _fit(table, truth, seed), (judged.ravel().tolist(), observed)


def judge_rows(e: Example) -> list[list[float]]:
    """Return the row of features of a page with its address, and the one without."""
    assert e.groups is not None
    blocks = article_block_features(
        e.groups.words,
        e.blocks[:, _DENSITY].tolist(),
        e.blocks[:, _ENTRIES].tolist(),
        e.probabilities["second"],
    )
    features = ({**features, **blocks} for features in (e.features, without_url(e.features)))
    return [[one[name] for name in JUDGE_FEATURES] for one in features]


def _fit(table: Any, truth: Any, seed: int) -> Any:
    np = numpy()
    rows = np.concatenate([table[:, 0], table[:, 1]])
    return fit(JUDGE_PARAMETERS, JUDGE_ROUNDS, seed, rows, np.tile(truth, 2), np.ones(len(rows)))
