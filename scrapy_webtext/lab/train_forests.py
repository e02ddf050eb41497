"""Trains the forests of ``fusion``: two passes over blocks, their early exits, and the judge.

Early exits are score bounds after some trees, beyond which the other trees are skipped. They are
fitted on out-of-fold scores, so that the share of wrong exits is that on new sites.
"""

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
    JUDGE_FEATURES,
    PAGE_FEATURES,
    STRUCTURE_FEATURES,
    article_block_features,
    without_url,
)
from scrapy_webtext.extractors.fusion.trees.forest import EarlyExit, Forest, Tree
from scrapy_webtext.lab import load
from scrapy_webtext.lab.train_examples import FOLDS, Example, numpy


def fit(
    parameters: Mapping[str, Any], rounds: int, seed: int, rows: Any, labels: Any, weights: Any
) -> Any:
    """Return a fitted LightGBM booster."""
    lightgbm = load("lightgbm", "Training")
    settings = {
        **parameters,
        "seed": seed,
        "deterministic": True,
        "force_row_wise": True,
        "num_threads": 2,
        "verbose": -1,
    }
    return lightgbm.train(settings, lightgbm.Dataset(rows, labels, weight=weights), rounds)


def as_forest(booster: Any, names: Sequence[str], index: int = 0, classes: int = 1) -> Forest:
    """Return the trees of one class of a LightGBM booster, over the features that they use."""
    structures = [t["tree_structure"] for t in booster.dump_model()["tree_info"][index::classes]]
    trees = [_tree(structure) for structure in structures]
    used = sorted({k for tree in trees for k in tree.feature})
    column = {k: i for i, k in enumerate(used)}
    return Forest(
        tuple(names[k] for k in used),
        tuple(
            Tree([column[k] for k in t.feature], t.threshold, t.left, t.right, t.value)
            for t in trees
        ),
    )


def _tree(root: Mapping[str, Any]) -> Tree:
    """Return one tree of LightGBM's dump, its inner nodes numbered from the root down."""
    inner, leaves = [], []
    level = [root]
    while level:
        node = level.pop(0)
        if "leaf_value" in node:
            leaves.append(node)
        else:
            inner.append(node)
            level += (node["left_child"], node["right_child"])
    number = {id(node): k for k, node in enumerate(inner)}
    number |= {id(leaf): ~k for k, leaf in enumerate(leaves)}
    return Tree(
        [node["split_feature"] for node in inner],
        [float(f"{node['threshold']:.6g}") for node in inner],
        [number[id(node["left_child"])] for node in inner],
        [number[id(node["right_child"])] for node in inner],
        [round(leaf["leaf_value"], 4) for leaf in leaves],
    )


#: Numbers of trees after which there is an exit.
STAGES: Final = (8, 12, 16, 20, 30, 50, 80)
#: A bound that no score reaches.
NEVER: Final = 99.0
#: An exit that fewer rows would take gets no bound.
LEAST_ROWS: Final = 500


#: At most this share of the rows below the lower bound has a final score of `LOW` or more, and at
#: most this share of the rows above the upper bound has a final score of less than `HIGH`.
ERROR: Final = 0.005
LOW: Final = -3.2
HIGH: Final = 3.4


def stages(booster: Any, rows: Any) -> Any:
    """Return the scores of rows after each stage and after all trees; shape (rows, stages + 1)."""
    np = numpy()
    after = [*STAGES, -1]
    scores = [booster.predict(rows, raw_score=True, num_iteration=n) for n in after]
    return np.array(scores, dtype="float32").T


def fit_exits(scores: Any) -> tuple[EarlyExit, ...]:
    """Return the early exits for rows with these scores (the result of `stages`).

    A row takes the first exit that its score allows, so each exit is fitted on the rows that are
    left.
    """
    rest, exits = scores, []
    for k, trees in enumerate(STAGES):
        final = rest[:, -1]
        below = _bound(rest[:, k], final >= LOW, ERROR)
        above = -_bound(-rest[:, k], final < HIGH, ERROR)
        low, high = rest[:, k] < below, rest[:, k] > above
        added = [_added_score(rest[side, k], final[side]) for side in (low, high)]
        exits.append(EarlyExit(trees, below, above, *added))
        rest = rest[~(low | high)]
    return tuple(exits)


def _bound(score: Any, is_wrong: Any, error: float) -> float:
    """Return the greatest bound so that at most the share ``error`` of the rows below is wrong."""
    np = numpy()
    order = np.argsort(score, kind="stable")
    shares = np.cumsum(is_wrong[order]) / np.arange(1, len(order) + 1)
    allowed = np.flatnonzero(shares <= error)
    if not len(allowed) or allowed[-1] < LEAST_ROWS:
        return -NEVER
    return round(float(score[order[allowed[-1]]]), 4)


def _added_score(score: Any, final: Any) -> float:
    """Return the number that, added to the scores, gives the final mean probability.

    It is the root of the difference, found by Newton's method.
    """
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
    """Return the probabilities that a forest with these exits would return."""
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
        left_out = [e for e in examples if e.fold(seed) == k]
        others = [e for e in examples if e.labels and e.fold(seed) != k]
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
    fold = np.array([e.fold(seed) for e in examples])
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
