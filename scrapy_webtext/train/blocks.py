"""Learns the probabilities of blocks, and when a block may leave the forest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from scrapy_webtext.extractors.fusion.boosting import Exit, logistic
from scrapy_webtext.extractors.fusion.features import BLOCK_FEATURES
from scrapy_webtext.extractors.fusion.model import forest_name
from scrapy_webtext.extractors.fusion.neighbours import with_neighbours
from scrapy_webtext.extractors.fusion.pages import KIND_FEATURES, PAGE_FEATURES
from scrapy_webtext.train.examples import FOLDS, Example, fold_of, numpy
from scrapy_webtext.train.exits import (
    ARTICLES,
    OTHERS,
    STAGES,
    Policy,
    fit_exits,
    settled,
    stages,
)
from scrapy_webtext.train.trees import fit

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
BLOCK_ROUNDS: Final = 150
#: Weight of pages that are no articles, by forest.
OTHERS_WEIGHT: Final[Mapping[str, float]] = {"articles": 1.0, "others": 3.0}
EXITS: Final[Mapping[str, Policy]] = {"articles": ARTICLES, "others": OTHERS}
#: Of the blocks that menus, footers and links give away, this share is learned from, unless
#: there are fewer pages than this.
EASY_SHARE: Final = 0.25
MANY_PAGES: Final = 500
EASY_DENSITY: Final = 0.9
#: What blocks are told of their page, besides the probability of each kind.
BLOCK_CONTEXT: Final = tuple(
    """
    page_density page_prose_ratio page_alike page_p_share page_main_density page_main_prose
    page_blocks page_plain page_prose page_p page_headings page_entry_prose page_articles
    """.split()
)
BLOCK_COLUMNS: Final = (*BLOCK_FEATURES, *BLOCK_CONTEXT, *KIND_FEATURES)
_CONTEXT_PLACES: Final = tuple(PAGE_FEATURES.index(name) for name in BLOCK_CONTEXT)


def fit_blocks(examples: Sequence[Example], seed: int) -> dict[str, Any]:
    """Return the models of blocks, by forest."""
    np = numpy()
    rows, labels, weights, is_other = block_rows(examples, seed)
    return {
        name: fit(
            BLOCK_PARAMETERS,
            BLOCK_ROUNDS,
            seed,
            rows,
            labels,
            weights * np.where(is_other, more, 1.0),
        )
        for name, more in OTHERS_WEIGHT.items()
    }


def blocks_out_of_fold(examples: Sequence[Example], seed: int) -> None:
    """Fill in the scores and probabilities of the blocks, from models of the other folds.

    Those without labels learn, and do not teach.
    """
    for k in range(FOLDS):
        others = [e for e in examples if e.labels and fold_of(e.domain, FOLDS, seed) != k]
        models = fit_blocks(others, seed)
        for e in examples:
            if fold_of(e.domain, FOLDS, seed) == k:
                kind = e.kinds_without_url
                e.scores = stages(models[forest_name(kind)], block_columns(e))
                found = [logistic(score) for score in e.scores[:, -1].tolist()]
                e.probabilities = with_neighbours(kind, found)


def settle(examples: Sequence[Example]) -> dict[str, tuple[Exit, ...]]:
    """Return the exits for articles and for other pages, and fill in what they give."""
    np = numpy()
    exits = {}
    for name, policy in EXITS.items():
        group = [e for e in examples if e.labels and forest_name(e.kinds_without_url) == name]
        scores = [e.scores for e in group] or [np.zeros((0, len(STAGES) + 1), "float32")]
        exits[name] = fit_exits(np.concatenate(scores), policy)
    for e in examples:
        kind = e.kinds_without_url
        e.settled = with_neighbours(kind, settled(e.scores, exits[forest_name(kind)]))
    return exits


def block_rows(examples: Sequence[Example], seed: int) -> tuple[Any, Any, Any, Any]:
    """Return of the blocks of the examples, some easy ones left out: features, labels, weights.

    A block weighs the square root of its words, divided by the square root of the sum over its
    page, so that a long page weighs more than a short one, though less than in proportion. The
    fourth array says of which blocks the page is no article.
    """
    np = numpy()
    random = np.random.default_rng(seed)
    share = EASY_SHARE if len(examples) >= MANY_PAGES else 1.0
    rows, labels, weights, is_other = [], [], [], []
    for e in examples:
        label = np.array(e.labels, dtype="float32")
        easy = _is_easy(e) & (label == 0)
        kept = ~easy | (random.random(len(label)) < share)
        weight = np.sqrt(np.minimum(e.words, 400) + 3.0)
        weight = weight / np.sqrt(weight.sum()) / np.where(easy, share, 1.0)
        rows.append(block_columns(e)[kept])
        labels.append(label[kept])
        weights.append(weight[kept])
        is_other.append(np.full(kept.sum(), e.kind != 0))
    return tuple(map(np.concatenate, (rows, labels, weights, is_other)))


def _is_easy(e: Example) -> Any:
    """Return a mask over blocks: in a menu or footer, or nearly all link."""
    nav, footer, density = (
        e.blocks[:, BLOCK_FEATURES.index(name)] for name in ("in_nav", "in_footer", "density")
    )
    return (nav > 0) | (footer > 0) | (density > EASY_DENSITY)


def block_columns(e: Example) -> Any:
    """Return the rows of one page's blocks: their features, the page's, its kinds."""
    np = numpy()
    context = e.page[list(_CONTEXT_PLACES)]
    constant = np.concatenate([context, e.kinds_without_url]).astype("float32")
    return np.hstack([e.blocks, np.repeat(constant[None], len(e.blocks), 0)])
