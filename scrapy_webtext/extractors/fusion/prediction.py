"""Applies the model to a page: three passes over its blocks, and the article probability.

1. Compute the feature table of the candidate blocks and the features of the page.
2. The first forest computes a probability for each block.
3. The second forest computes it again; it also uses the first probabilities of the blocks around.
4. The article classifier uses the features of the page and the probabilities of its blocks.
5. On pages that may be articles, all blocks of a unit get the mean probability of the unit. On
   articles, the third forest computes a new probability for each unit that is not yet decided, such
   as a table, a box, a related link, a standfirst or the last line.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import Final

from scrapy_webtext.extractors.fusion.features.block_features import (
    BLOCK_FEATURES,
    FeatureTable,
    compute_features,
)
from scrapy_webtext.extractors.fusion.features.context import (
    context_columns,
    context_constants,
    groups,
)
from scrapy_webtext.extractors.fusion.features.declared import BAG_FEATURES, URL_FEATURES
from scrapy_webtext.extractors.fusion.features.page_features import (
    CLAIMS,
    article_block_features,
    page_features,
    without_claims,
    without_url,
)
from scrapy_webtext.extractors.fusion.features.tables import Columns
from scrapy_webtext.extractors.fusion.features.units import (
    Units,
    chances_of_units,
    undecided_units,
    unit_means,
    values_at,
)
from scrapy_webtext.extractors.fusion.model import Forest, FusionModel, Row, Tree
from scrapy_webtext.page import Page
from scrapy_webtext.results import Reason

#: If a page has fewer characters of prose, metadata alone does not make it an article. Of 3,400
#: labelled articles 8 have fewer; this rule changes the judgement of 2 of them.
MIN_PROSE: Final = 200
#: Pages with a lower article probability are treated as forums, lists and the like: nothing is
#: removed as a comment, and blocks keep their own probabilities, since only parts of a list may be
#: text. With a bound of .2 or more, old articles and articles in languages that the model does not
#: know keep their comments; with a bound below .07, forums lose their posts.
LEAST_ARTICLE: Final = 0.15
#: Pages with at least this article probability are treated as articles, regardless of the judge and
#: its threshold.
IS_ARTICLE: Final = 0.5
#: Features that `_article` varies: with and without the URL, with and without claims.
_VARIED: Final = frozenset((*URL_FEATURES, *CLAIMS, *BAG_FEATURES))


@dataclass(frozen=True, slots=True)
class PagePrediction:
    """The prediction of a page, used by the extractor and the judge."""

    table: FeatureTable
    features: Mapping[str, float]  #: features of the page, keyed by ``PAGE_FEATURES``
    first_pass: list[float]  #: per candidate block, the probability of the first pass
    probabilities: list[float]  #: per candidate block, the probability of being content
    #: Probability that the page is an article. It does not use the URL, so that the chosen blocks
    #: depend only on the page.
    article: float
    article_with_url: float = 0.0  #: the same probability, with the URL as a feature if known


def predict(page: Page, model: FusionModel) -> PagePrediction:
    """Return the prediction of a page; it is cached per page and model."""
    return page.cached(("fusion", model), lambda: _predict(page, model))


def _predict(page: Page, model: FusionModel) -> PagePrediction:
    table = compute_features(page, model.class_names, model.token_scores)
    features = page_features(page, table, model.terms)
    first_pass = block_probabilities(model.first, table.columns, features)
    if not first_pass:
        return PagePrediction(table, features, first_pass, first_pass, 0.0)
    inputs = second_pass_inputs(table, features, first_pass)
    found = second_pass = block_probabilities(model.second, *inputs)
    texts, repeated_items = table.texts, table.columns["items_count"]
    of_blocks = article_block_features(texts.words, texts.link_density, repeated_items, second_pass)
    article = _article(model, features, of_blocks)
    if article[0] >= LEAST_ARTICLE:
        found = unit_means(table.units, texts.words, second_pass)
        if article[0] >= IS_ARTICLE:
            found = third_pass(model.third, table.units, found, second_pass, *inputs)
    return PagePrediction(table, features, first_pass, found, *article)


def third_pass(
    forest: Forest,
    units: Units,
    means: list[float],
    blocks: Sequence[float],
    columns: Columns,
    constants: Mapping[str, float],
) -> list[float]:
    """Return ``means`` with new probabilities for the `undecided_units`.

    ``means`` and ``blocks`` have a value per block: the mean probability of its unit, and its own
    probability in the second pass. ``columns`` and ``constants`` are the features of the second
    pass.
    """
    places = undecided_units(units, means)
    if not places:
        return means
    chances = chances_of_units(units, places, means, blocks)
    used = {name: columns[name] for name in forest.features if name in columns}
    values = {**values_at(used, places), **chances}
    asked = [values[name] if name in values else constants[name] for name in forest.features]
    found = list(means)
    for k, p in zip(places, forest.probabilities(asked, len(places)), strict=True):
        found[k : units.end[k]] = [p] * (units.end[k] - k)
    return found


def second_pass_inputs(
    table: FeatureTable, features: Mapping[str, float], first_pass: list[float]
) -> tuple[Columns, dict[str, float]]:
    """Return the features of the second pass: columns of the blocks, constants of the page."""
    blocks = groups(table)
    columns = {**table.columns, **context_columns(blocks, first_pass)}
    return columns, {**features, **context_constants(blocks, first_pass)}


def _article(
    model: FusionModel, features: Mapping[str, float], of_blocks: Mapping[str, float]
) -> list[float]:
    """Return two calibrated probabilities that a page is an article: without its URL, with it."""
    varied = {name: features[name] for name in _VARIED}
    rows = [without_url(varied), varied]
    if features["page_prose"] < MIN_PROSE:
        rows += map(without_claims, rows[:2])
    known = {**features, **of_blocks}
    columns = [
        array("d", [row[name] for row in rows]) if name in _VARIED else known[name]
        for name in model.judge.features
    ]
    found = list(map(model.article, model.judge.probabilities(columns, len(rows))))
    return list(map(min, found[:2], found[-2:]))


def block_probabilities(
    forest: Forest, columns: Columns, constants: Mapping[str, float]
) -> list[float]:
    """Return, per candidate block, the probability that it is content.

    ``columns`` are features of the blocks, ``constants`` are features of the page.
    """
    asked = [columns[name] if name in columns else constants[name] for name in forest.features]
    return forest.probabilities(asked, len(columns[BLOCK_FEATURES[0]]))


def block_rows(
    forest: Forest, columns: Columns, constants: Mapping[str, float]
) -> Iterator[tuple[float, ...]]:
    """Return, per candidate block, the values of the features that the forest uses, as floats."""
    n = len(columns[BLOCK_FEATURES[0]])
    features: list[Iterable[float]] = [
        map(float, columns[name]) if name in columns else repeat(float(constants[name]), n)
        for name in forest.features
    ]
    return zip(*features, strict=True) if features else repeat((), n)


def block_reasons(
    model: FusionModel, prediction: PagePrediction
) -> tuple[list[tuple[Reason, ...]], list[tuple[Reason, ...]]]:
    """Return, per candidate block, its strongest features in the second and in the first pass."""
    table, features = prediction.table, prediction.features
    inputs = second_pass_inputs(table, features, prediction.first_pass)
    second = block_rows(model.second, *inputs)
    first = block_rows(model.first, table.columns, features)
    return reasons(model.second, list(second)), reasons(model.first, list(first))


# Explanations: which features decided the score of a block. Each node of a tree divides the rows
# that reach it into two parts. The effect of the node's feature on a row is the mean score of the
# row's part minus the mean score of all rows at the node. The sum of the effects over a row's path
# and over all trees is the row's score minus the mean score of all rows (Saabas 2014, with the
# blocks of the page as background). So the effects show how a block differs from the other blocks
# of its page.

#: Features with a smaller effect, in log-odds, are not reported.
LEAST_EFFECT = 0.01
#: Maximum number of features that are reported per row.
MOST_REASONS = 8


def reasons(forest: Forest, rows: Sequence[Row]) -> list[tuple[Reason, ...]]:
    """Return, per row, the features with the greatest effects, strongest first."""
    found = []
    for row, column in zip(rows, effects(forest, rows), strict=True):
        order = sorted(range(len(column)), key=lambda k: -abs(column[k]))[:MOST_REASONS]
        found.append(
            tuple(
                Reason(forest.features[k], row[k], column[k])
                for k in order
                if abs(column[k]) >= LEAST_EFFECT
            )
        )
    return found


def effects(forest: Forest, rows: Sequence[Row]) -> list[list[float]]:
    """Return, per row, the effect of each feature, in log-odds.

    The sum of a row's effects is its score minus the mean score of all rows. Both scores are
    computed with all trees, without early exits.
    """
    found = [[0.0] * len(forest.features) for _ in rows]
    for tree in forest.trees:
        _add_effects(tree, rows, found)
    return found


def _add_effects(tree: Tree, rows: Sequence[Row], found: list[list[float]]) -> None:
    inner, leaves = len(tree.feature), len(tree.value)
    reached: list[list[int]] = [[] for _ in range(inner + leaves)]  # index ~leaf for leaves
    reached[0] = list(range(len(rows)))
    for k in range(inner):
        for n in reached[k]:
            is_left = rows[n][tree.feature[k]] <= tree.threshold[k]
            reached[(tree.left if is_left else tree.right)[k]].append(n)
    sums = [0.0] * inner + [v * len(reached[~leaf]) for leaf, v in enumerate(tree.value)][::-1]
    for k in range(inner - 1, -1, -1):
        sums[k] = sums[tree.left[k]] + sums[tree.right[k]]
    for k in range(inner):
        if not reached[tree.left[k]] or not reached[tree.right[k]]:
            continue  # no effect: all rows are on one side
        mean = sums[k] / len(reached[k])
        for child in (tree.left[k], tree.right[k]):
            effect = sums[child] / len(reached[child]) - mean
            for n in reached[child]:
                found[n][tree.feature[k]] += effect
