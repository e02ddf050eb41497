"""Trains the two forests that score blocks, and their early exits."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from scrapy_webtext.extractors.fusion.features.block_features import BLOCK_FEATURES
from scrapy_webtext.extractors.fusion.features.context import (
    CONTEXT_COLUMNS,
    CONTEXT_CONSTANTS,
    context_columns,
    context_constants,
)
from scrapy_webtext.extractors.fusion.features.page_features import (
    PAGE_FEATURES,
    STRUCTURE_FEATURES,
)
from scrapy_webtext.lab.train.folds import fold_of
from scrapy_webtext.lab.train.fusion.boosting import fit
from scrapy_webtext.lab.train.fusion.early_exits import early_exit_probabilities, fit_exits, stages
from scrapy_webtext.lab.train.fusion.examples import FOLDS, Example, numpy

BLOCK_PARAMETERS: Final[Mapping[str, Any]] = {
    "objective": "binary",
    "num_leaves": 31,
    "max_depth": 12,
    "learning_rate": 0.08,
    "min_data_in_leaf": 60,
    "feature_fraction": 0.4,
    "bagging_fraction": 0.8,
    "bagging_freq": 1,
    "lambda_l2": 5.0,
    "max_bin": 63,
}
#: Trees of each pass.
ROUNDS: Final[Mapping[str, int]] = {"first": 150, "second": 100}
#: Weight of pages that are no articles; there are fewer of them.
OTHERS_WEIGHT: Final = 2.0
#: Share of easy blocks (in menus and footers, or nearly all link) that is used in training, if
#: there are at least ``MANY_PAGES`` pages.
EASY_SHARE: Final = 0.25
MANY_PAGES: Final = 500
EASY_LINK_DENSITY: Final = 0.9
_STRUCTURE_COLUMNS: Final = tuple(PAGE_FEATURES.index(name) for name in STRUCTURE_FEATURES)

#: Returns the training rows of one page's blocks.
Rows = Callable[[Example], Any]


def first_pass_rows(e: Example) -> Any:
    """Return an array, candidate blocks by the features of the first pass."""
    np = numpy()
    constant = e.page[list(_STRUCTURE_COLUMNS)]
    return np.hstack([e.blocks, np.repeat(constant[None], len(e.blocks), 0)])


def second_pass_rows(e: Example) -> Any:
    """Return an array, candidate blocks by the features of the second pass."""
    np = numpy()
    first, blocks = e.probabilities["first"], e.groups
    assert blocks is not None
    columns, constants = context_columns(blocks, first), context_constants(blocks, first)
    context = np.array([columns[name] for name in CONTEXT_COLUMNS], dtype="float32").T
    page = np.array([constants[name] for name in CONTEXT_CONSTANTS], dtype="float32")
    return np.hstack([first_pass_rows(e), context, np.repeat(page[None], len(context), 0)])


ROWS: Final[Mapping[str, Rows]] = {"first": first_pass_rows, "second": second_pass_rows}


def fit_pass(name: str, examples: Sequence[Example], seed: int) -> Any:
    """Return the booster of a pass; the second pass needs the first pass' probabilities.

    The weight of a block is the square root of its words, divided by the square root of the sum of
    these roots over its page. So a long page weighs more than a short one, but less than in
    proportion to its length.
    """
    np = numpy()
    random = np.random.default_rng(seed)
    share = EASY_SHARE if len(examples) >= MANY_PAGES else 1.0
    rows, labels, weights = [], [], []
    for e in examples:
        label = np.array(e.labels, dtype="float32")
        easy = _is_easy(e) & (label == 0)
        kept = ~easy | (random.random(len(label)) < share)
        weight = np.sqrt(np.minimum(e.words, 400) + 3.0)
        weight = weight / np.sqrt(weight.sum()) / np.where(easy, share, 1.0)
        rows.append(ROWS[name](e)[kept])
        labels.append(label[kept])
        weights.append(weight[kept] * (1.0 if e.is_article else OTHERS_WEIGHT))
    table = map(np.concatenate, (rows, labels, weights))
    return fit(BLOCK_PARAMETERS, ROUNDS[name], seed, *table)


def pass_out_of_fold(name: str, examples: Sequence[Example], seed: int) -> tuple[Any, ...]:
    """Fill in the probabilities of a pass, from models of the other folds; return the early exits.

    Examples without labels get probabilities, but are not used in training.
    """
    np = numpy()
    for k in range(FOLDS):
        left_out = [e for e in examples if fold_of(e.domain, FOLDS, seed) == k]
        others = [e for e in examples if e.labels and fold_of(e.domain, FOLDS, seed) != k]
        if left_out:
            booster = fit_pass(name, others, seed)
            for e in left_out:
                e.scores[name] = stages(booster, ROWS[name](e))
    exits = fit_exits(np.concatenate([e.scores[name] for e in examples if e.labels]))
    for e in examples:
        e.probabilities[name] = early_exit_probabilities(e.scores.pop(name), exits)
    return exits


def _is_easy(e: Example) -> Any:
    """Return a mask over blocks: 1 in a menu or footer, or if nearly all of the text is link."""
    nav, footer, link_density = (
        e.blocks[:, BLOCK_FEATURES.index(name)] for name in ("in_nav", "in_footer", "link_density")
    )
    return (nav > 0) | (footer > 0) | (link_density > EASY_LINK_DENSITY)
