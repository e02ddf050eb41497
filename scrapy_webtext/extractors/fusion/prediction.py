"""What the model makes of a page: its blocks scored twice, the page judged once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import repeat
from typing import Final

from scrapy_webtext.compiled import compiled
from scrapy_webtext.extractors.fusion.features.article_features import (
    article_block_features,
)
from scrapy_webtext.extractors.fusion.features.block_features import (
    BLOCK_FEATURES,
    FeatureTable,
    read,
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

#: Characters of prose that bear out what a page claims of itself: with less, its claims do not
#: count. Of 3,400 labelled articles 8 have less, and 2 of these are judged otherwise for it.
MIN_PROSE: Final = 200


@dataclass(frozen=True, slots=True)
class PagePrediction:
    """What the model makes of a page: shared by the extractor and the judge."""

    table: FeatureTable
    features: Mapping[str, float]  #: of the page, by the names of ``PAGE_FEATURES``
    first: list[float]  #: per visible block, the probability of the first pass
    probabilities: list[float]  #: per visible block, of being content
    #: Probability of the page being an article, whatever its address: what is chosen is a
    #: function of the page alone.
    article: float


def predict(page: Page, model: FusionModel) -> PagePrediction:
    """Return what the model makes of a page, computed once per page and model."""
    return page.cached(("fusion", id(model)), lambda: _predict(page, model))


def _predict(page: Page, model: FusionModel) -> PagePrediction:
    table = read(page, model.bag_of_words.names, model.token_scores)
    features = page_features(page, table, model.bag_of_words)
    first = block_probabilities(model.first, table.columns, features)
    prediction = PagePrediction(table, features, first, first, 0.0)
    if not first:
        return prediction
    second = block_probabilities(model.second, *second_pass_inputs(page, prediction))
    prediction = replace(prediction, probabilities=second)
    return replace(prediction, article=_article(model, prediction, without_url(features)))


def second_pass_inputs(page: Page, prediction: PagePrediction) -> tuple[Columns, dict[str, float]]:
    """Return the columns and constants that the second pass asks for."""
    blocks = groups(page, prediction.table)
    columns = {**prediction.table.columns, **context_columns(blocks, prediction.first)}
    return columns, {**prediction.features, **context_constants(blocks, prediction.first)}


def article_probability(model: FusionModel, prediction: PagePrediction) -> float:
    """Return the calibrated probability that a page is an article; 0 for one without text.

    It takes the page's address into account, where that is known.
    """
    return _article(model, prediction, prediction.features) if prediction.probabilities else 0.0


def _article(
    model: FusionModel, prediction: PagePrediction, features: Mapping[str, float]
) -> float:
    texts, repeated_items = prediction.table.texts, prediction.table.columns["repeated_items"]
    blocks = article_block_features(
        texts.words, texts.link_density, repeated_items, prediction.probabilities
    )
    probability = _judged(model, {**features, **blocks})
    if features["page_prose"] >= MIN_PROSE:
        return probability
    return min(probability, _judged(model, {**without_claims(features), **blocks}))


def _judged(model: FusionModel, features: Mapping[str, float]) -> float:
    judge = model.judge
    return model.article(judge.probability([features[name] for name in judge.features]))


@compiled
def block_probabilities(
    forest: Forest, columns: Mapping[str, Column], constants: Mapping[str, float]
) -> list[float]:
    """Return per visible block the probability of being content.

    ``columns`` are the features of blocks, ``constants`` what all blocks of the page share.
    """
    number = len(columns[BLOCK_FEATURES[0]])
    return forest.probabilities(block_rows(forest, columns, constants), number)


def block_rows(
    forest: Forest, columns: Mapping[str, Column], constants: Mapping[str, float]
) -> Iterator[tuple[float, ...]]:
    """Return per visible block the features that the forest asks for, as floats.

    Python compares floats with the trees' thresholds in half the time that ints take.
    """
    n = len(columns[BLOCK_FEATURES[0]])
    wanted: list[Iterable[float]] = [
        _floats(columns[name]) if name in columns else repeat(float(constants[name]), n)
        for name in forest.features
    ]
    return zip(*wanted, strict=True) if wanted else repeat((), n)


def _floats(column: Column) -> Iterable[float]:
    return column if column and isinstance(column[0], float) else map(float, column)


def block_reasons(
    model: FusionModel, page: Page, prediction: PagePrediction
) -> list[tuple[Reason, ...]]:
    """Return per visible block the features that decided the second pass, computed anew."""
    rows = block_rows(model.second, *second_pass_inputs(page, prediction))
    return reasons(model.second, list(rows))
