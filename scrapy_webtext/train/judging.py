"""Learns to tell articles from other pages by all that is known of them, their blocks included."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from scrapy_webtext.extractors.fusion.bystanders import without_bystanders
from scrapy_webtext.extractors.fusion.judging import (
    JUDGE_FEATURES,
    blocks_features,
    mean_opinion,
)
from scrapy_webtext.extractors.fusion.pages import without_url
from scrapy_webtext.train.examples import FOLDS, fold_of, numpy
from scrapy_webtext.train.lexicon import Reread
from scrapy_webtext.train.trees import fit

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


def fit_judge(pages: Iterable[Reread], seed: int) -> tuple[Any, tuple[list[float], list[float]]]:
    """Return the model of articles, and pairs of the mean opinion out of fold and what is true.

    Each page teaches twice, with its address and without.
    """
    np = numpy()
    read = [(one.example, list(_rows(one))) for one in pages]
    examples = [e for e, _ in read]
    table = np.array([rows for _, rows in read])
    truth = np.array([e.kind == 0 for e in examples])
    fold = np.array([fold_of(e.domain, FOLDS, seed) for e in examples])
    judged = np.zeros(table.shape[:2])
    for k in np.unique(fold):
        others = fold != k
        model = _fit(table[others], truth[others], seed)
        judged[~others] = [model.predict(rows) for rows in table[~others]]
    guessed = np.array([e.kinds[:, 0] for e in examples])
    opinions = list(map(mean_opinion, guessed.ravel().tolist(), judged.ravel().tolist()))
    observed = np.repeat(truth, 2).astype(float).tolist()
    return _fit(table, truth, seed), (opinions, observed)


def _fit(table: Any, truth: Any, seed: int) -> Any:
    np = numpy()
    rows = np.concatenate([table[:, 0], table[:, 1]])
    return fit(JUDGE_PARAMETERS, JUDGE_ROUNDS, seed, rows, np.tile(truth, 2), np.ones(len(rows)))


def _rows(one: Reread) -> Iterator[Sequence[float]]:
    """Yield the row of features of a page with its address, and the one without."""
    e = one.example
    likely = without_bystanders(one.page, one.reading, e.kinds_without_url, e.settled)
    blocks = blocks_features(one.reading, likely)
    for features in (e.features, without_url(e.features)):
        told = {**features, **blocks}
        yield [told[name] for name in JUDGE_FEATURES]
