"""The model applied to a page: two passes over its blocks, and the article probability.

1. Compute the feature table of the candidate blocks and the features of the page.
2. The first forest gives each block a probability.
3. The second forest does so again; it also knows the first pass' probabilities around the block.
4. The article classifier uses the features of the page and the probabilities of its blocks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import repeat
from typing import Final

from scrapy_webtext.compiled import compiled
from scrapy_webtext.extractors.fusion.features.article_features import (
    article_block_features,
)
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
from scrapy_webtext.extractors.fusion.features.page_features import (
    page_features,
    without_claims,
    without_url,
)
from scrapy_webtext.extractors.fusion.features.tables import Column, Columns
from scrapy_webtext.extractors.fusion.model import FusionModel
from scrapy_webtext.extractors.fusion.trees.explanations import reasons
from scrapy_webtext.extractors.fusion.trees.forest import Forest
from scrapy_webtext.page import Page
from scrapy_webtext.results import Reason

#: A page with fewer characters of prose is not called an article because of its metadata alone.
#: Of 3,400 labelled articles 8 have fewer; the judgement of 2 of these changes by this rule.
MIN_PROSE: Final = 200


@dataclass(frozen=True, slots=True)
class PagePrediction:
    """The prediction of a page, used by the extractor and the judge."""

    table: FeatureTable
    features: Mapping[str, float]  #: of the page, keyed by ``PAGE_FEATURES``
    first_pass: list[float]  #: per candidate block, the probability of the first pass
    probabilities: list[float]  #: per candidate block, the probability of being content
    #: Probability that the page is an article. It does not use the URL, so that the chosen blocks
    #: depend on the page alone.
    article: float
    #: What the article classifier knows of the blocks; empty where there are none.
    article_block_features: Mapping[str, float] = field(default_factory=dict)


def predict(page: Page, model: FusionModel) -> PagePrediction:
    """Return the prediction of a page; it is cached per page and model."""
    return page.cached(("fusion", id(model)), lambda: _predict(page, model))


def _predict(page: Page, model: FusionModel) -> PagePrediction:
    table = compute_features(page, model.bag_of_words.class_names, model.token_scores)
    features = page_features(page, table, model.bag_of_words)
    first_pass = block_probabilities(model.first, table.columns, features)
    if not first_pass:
        return PagePrediction(table, features, first_pass, first_pass, 0.0)
    inputs = second_pass_inputs(page, table, features, first_pass)
    second_pass = block_probabilities(model.second, *inputs)
    of_blocks = _article_block_features(table, second_pass)
    article = _article(model, without_url(features), of_blocks)
    return PagePrediction(table, features, first_pass, second_pass, article, of_blocks)


def second_pass_inputs(
    page: Page, table: FeatureTable, features: Mapping[str, float], first_pass: list[float]
) -> tuple[Columns, dict[str, float]]:
    """Return the features of the second pass: columns of the blocks, constants of the page."""
    blocks = groups(page, table)
    columns = {**table.columns, **context_columns(blocks, first_pass)}
    return columns, {**features, **context_constants(blocks, first_pass)}


def article_probability(model: FusionModel, prediction: PagePrediction) -> float:
    """Return the calibrated probability that a page is an article; 0 for a page without text.

    It uses the page's URL if that is known.
    """
    if not prediction.probabilities:
        return 0.0
    return _article(model, prediction.features, prediction.article_block_features)


def _article_block_features(table: FeatureTable, probabilities: list[float]) -> dict[str, float]:
    texts, repeated_items = table.texts, table.columns["repeated_items"]
    return article_block_features(texts.words, texts.link_density, repeated_items, probabilities)


def _article(
    model: FusionModel, features: Mapping[str, float], of_blocks: Mapping[str, float]
) -> float:
    probability = _calibrated(model, {**features, **of_blocks})
    if features["page_prose"] >= MIN_PROSE:
        return probability
    return min(probability, _calibrated(model, {**without_claims(features), **of_blocks}))


def _calibrated(model: FusionModel, features: Mapping[str, float]) -> float:
    judge = model.judge
    return model.article(judge.probability([features[name] for name in judge.features]))


@compiled
def block_probabilities(
    forest: Forest, columns: Mapping[str, Column], constants: Mapping[str, float]
) -> list[float]:
    """Return per candidate block the probability of being content.

    ``columns`` are features of the blocks, ``constants`` are features of the page.
    """
    number = len(columns[BLOCK_FEATURES[0]])
    return forest.probabilities(block_rows(forest, columns, constants), number)


def block_rows(
    forest: Forest, columns: Mapping[str, Column], constants: Mapping[str, float]
) -> Iterator[tuple[float, ...]]:
    """Return per candidate block the features that the forest uses, as floats.

    Python compares two floats twice as fast as an int and a float.
    """
    n = len(columns[BLOCK_FEATURES[0]])
    features: list[Iterable[float]] = [
        _floats(columns[name]) if name in columns else repeat(float(constants[name]), n)
        for name in forest.features
    ]
    return zip(*features, strict=True) if features else repeat((), n)


def _floats(column: Column) -> Iterable[float]:
    return column if column and isinstance(column[0], float) else map(float, column)


def block_reasons(
    model: FusionModel, page: Page, prediction: PagePrediction
) -> tuple[list[tuple[Reason, ...]], list[tuple[Reason, ...]]]:
    """Return per candidate block the features with the most effect: second pass, first pass."""
    table, features = prediction.table, prediction.features
    inputs = second_pass_inputs(page, table, features, prediction.first_pass)
    second = block_rows(model.second, *inputs)
    first = block_rows(model.first, table.columns, features)
    return reasons(model.second, list(second)), reasons(model.first, list(first))
