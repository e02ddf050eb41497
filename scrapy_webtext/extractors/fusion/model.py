"""The trained model of ``fusion``: its parts, and how they are read from a model file."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from os import PathLike, fspath
from typing import Final

from scrapy_webtext.extractors.fusion.features.article_features import (
    JUDGE_FEATURES,
)
from scrapy_webtext.extractors.fusion.features.bag_of_words import BagOfWords, read_weights
from scrapy_webtext.extractors.fusion.features.block_features import (
    BLOCK_FEATURES,
)
from scrapy_webtext.extractors.fusion.features.class_names import class_name_scorer
from scrapy_webtext.extractors.fusion.features.context import (
    CONTEXT_FEATURES,
)
from scrapy_webtext.extractors.fusion.features.page_features import (
    STRUCTURE_FEATURES,
)
from scrapy_webtext.extractors.fusion.features.short_texts import TokenScores, read_token_scores
from scrapy_webtext.extractors.fusion.trees.calibration import Calibration, read_calibration
from scrapy_webtext.extractors.fusion.trees.forest import Forest, read_exits, read_forest
from scrapy_webtext.models import ModelFile, load_model

KIND: Final = "fusion"
VERSION: Final = 8
#: Blocks are scored twice, by two forests.
PASSES: Final = ("first", "second")
#: The features that each forest may use.
FIRST_FEATURES: Final = (*BLOCK_FEATURES, *STRUCTURE_FEATURES)
SECOND_FEATURES: Final = (*FIRST_FEATURES, *CONTEXT_FEATURES)


@dataclass(frozen=True, slots=True)
class FusionModel:
    """A trained model, ready to use."""

    token_scores: TokenScores
    bag_of_words: BagOfWords  #: with the scores of class names
    first: Forest  #: of blocks
    second: Forest  #: of blocks, with the first pass' probabilities among the features
    judge: Forest  #: of pages: article or not
    article: Calibration  #: of the article probability
    score: Calibration  #: of the expected F1


def load_fusion(path: str | PathLike[str] | None = None) -> FusionModel:
    """Return the model at ``path``, or the one in the package. Models are cached.

    ModelError if the file is missing or damaged, or uses features of another release.
    """
    return _load(None if path is None else fspath(path))


@lru_cache(maxsize=8)
def _load(path: str | None) -> FusionModel:
    return read_fusion(load_model(path, kind=KIND, version=VERSION))


def read_fusion(file: ModelFile) -> FusionModel:
    """Return the model of a model file."""
    class_names = file.section("class_names")
    class_scores = {token: class_names.number(token) for token in class_names.content}
    bag_of_words = file.section("bags_of_words")
    terms = read_weights(bag_of_words.section("terms"))
    exits = file.section("early_exits")
    first, second = (
        read_forest(file.section(name), known, read_exits(exits.section(name)))
        for name, known in zip(PASSES, (FIRST_FEATURES, SECOND_FEATURES), strict=True)
    )
    return FusionModel(
        token_scores=read_token_scores(file.section("token_scores")),
        bag_of_words=BagOfWords(
            class_name_scorer(class_scores, read_weights(bag_of_words.section("class_names"))),
            terms,
        ),
        first=first,
        second=second,
        judge=read_forest(file.section("judge"), JUDGE_FEATURES),
        article=read_calibration(file.section("article")),
        score=read_calibration(file.section("score")),
    )
