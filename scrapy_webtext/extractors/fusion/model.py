"""The trained model of ``fusion``: scores of names, kinds of page, blocks, and what they give."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import repeat
from math import exp, fsum
from os import PathLike, fspath
from typing import Final

from scrapy_webtext.extractors.fusion.bags import Bags, read_weights
from scrapy_webtext.extractors.fusion.boosting import (
    Forest,
    read_exits,
    read_forest,
)
from scrapy_webtext.extractors.fusion.bystanders import without_bystanders
from scrapy_webtext.extractors.fusion.calibration import Calibration, read_calibration
from scrapy_webtext.extractors.fusion.features import BLOCK_FEATURES, Reading, read
from scrapy_webtext.extractors.fusion.judging import (
    JUDGE_FEATURES,
    blocks_features,
    mean_opinion,
)
from scrapy_webtext.extractors.fusion.names import name_scorer
from scrapy_webtext.extractors.fusion.neighbours import with_neighbours
from scrapy_webtext.extractors.fusion.pages import (
    KIND_FEATURES,
    PAGE_FEATURES,
    page_features,
    without_claims,
    without_url,
)
from scrapy_webtext.extractors.fusion.reading import Column
from scrapy_webtext.extractors.fusion.reasons import reasons
from scrapy_webtext.extractors.fusion.stretches import STRETCH_FEATURES
from scrapy_webtext.extractors.fusion.wording import KINDS, Wording, read_wording
from scrapy_webtext.models import ModelFile, load_model
from scrapy_webtext.page import Page
from scrapy_webtext.results import Reason

KIND: Final = "fusion"
VERSION: Final = 6
#: Forests of blocks: for pages that are articles, and for all others.
FORESTS: Final = ("articles", "others")


@dataclass(frozen=True, slots=True)
class FusionModel:
    """A trained model, ready to use."""

    wording: Wording
    bags: Bags  #: with the scores of names
    kinds: tuple[Forest, ...]  #: one per kind of page, in the order of ``KINDS``
    blocks: Mapping[str, Forest]  #: one for each of ``FORESTS``
    stretches: Forest
    judge: Forest  #: of pages, from their blocks
    article: Calibration  #: of the mean opinion that a page is an article
    score: Calibration  #: of the expected F1

    def forest(self, kinds: Sequence[float]) -> Forest:
        """Return the forest for the blocks of a page of these probabilities."""
        return self.blocks[forest_name(kinds)]


#: Characters of prose that bear out what a page claims of itself: with less, its claims do not
#: count. Of 3,400 labelled articles 8 have less, and 2 of these are judged otherwise for it.
MIN_PROSE: Final = 200


@dataclass(frozen=True, slots=True)
class PageReading:
    """What the model makes of a page: shared by the extractor and the judge."""

    reading: Reading
    features: Mapping[str, float]  #: of the page, by the names of ``PAGE_FEATURES``
    #: Probability of each kind of page; they sum to 1. Told without the page's address: what is
    #: chosen is a function of the page alone.
    kinds: tuple[float, ...]
    probabilities: list[float]  #: per visible block, of being content; 0 for bystanders

    @property
    def article_kind(self) -> float:
        """Probability of the kind "article", told before the blocks, which depend on it."""
        return self.kinds[0]


def read_page(page: Page, model: FusionModel) -> PageReading:
    """Return what the model makes of a page, computed once per page and model."""
    return page.remember(("fusion", id(model)), lambda: _read_page(page, model))


def _read_page(page: Page, model: FusionModel) -> PageReading:
    reading = read(page, model.bags.names, model.wording)
    features = page_features(page, reading, model.bags)
    kinds = kind_probabilities(model.kinds, without_url(features))
    constants = {**features, **dict(zip(KIND_FEATURES, kinds, strict=True))}
    found = block_probabilities(model.forest(kinds), reading.columns, constants)
    likely = without_bystanders(page, reading, kinds, with_neighbours(kinds, found))
    return PageReading(reading, features, kinds, likely)


def article_probability(model: FusionModel, seen: PageReading) -> float:
    """Return the calibrated probability that a page is an article; 0 for one without text.

    It takes the page's address into account, where that is known.
    """
    if not seen.probabilities:
        return 0.0
    blocks = blocks_features(seen.reading, seen.probabilities)
    kinds = kind_probabilities(model.kinds, seen.features)
    probability = _probability(model, seen.features, kinds, blocks)
    if seen.features["page_prose"] >= MIN_PROSE:
        return probability
    features = without_claims(seen.features)
    kinds = kind_probabilities(model.kinds, features)
    return min(probability, _probability(model, features, kinds, blocks))


def _probability(
    model: FusionModel,
    features: Mapping[str, float],
    kinds: Sequence[float],
    blocks: Mapping[str, float],
) -> float:
    told = {**features, **blocks}
    judged = model.judge.probability([told[name] for name in model.judge.features])
    return model.article(mean_opinion(kinds[0], judged))


def forest_name(kinds: Sequence[float]) -> str:
    """Return which of ``FORESTS`` serves a page of these probabilities.

    On articles the threshold is fixed and blocks may leave the forest early; elsewhere unlikely
    blocks are content, too, and need more trees, and the trees learn more from pages of their
    kind.
    """
    return FORESTS[0] if kinds[0] >= 0.5 else FORESTS[1]


def kind_probabilities(
    forests: Sequence[Forest], features: Mapping[str, float]
) -> tuple[float, ...]:
    """Return the probability of each kind: the softmax of the forests' scores."""
    scores = [forest.score([features[name] for name in forest.features]) for forest in forests]
    top = max(scores)
    weights = [exp(score - top) for score in scores]
    total = fsum(weights)
    return tuple(weight / total for weight in weights)


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
    asked: list[Iterable[float]] = [
        _floats(columns[name]) if name in columns else repeat(float(constants[name]), n)
        for name in forest.features
    ]
    return zip(*asked, strict=True) if asked else repeat((), n)


def _floats(column: Column) -> Iterable[float]:
    return column if column and isinstance(column[0], float) else map(float, column)


def block_reasons(model: FusionModel, seen: PageReading) -> list[tuple[Reason, ...]]:
    """Return per visible block the features that decided, computed anew."""
    constants = {**seen.features, **dict(zip(KIND_FEATURES, seen.kinds, strict=True))}
    forest = model.forest(seen.kinds)
    return reasons(forest, list(block_rows(forest, seen.reading.columns, constants)))


def load_fusion(path: str | PathLike[str] | None = None) -> FusionModel:
    """Return the model at ``path``, or the one that the package ships, read once.

    ModelError where the file is missing, damaged, or asks for features of another release.
    """
    return _load(None if path is None else fspath(path))


@lru_cache(maxsize=8)
def _load(path: str | None) -> FusionModel:
    return read_fusion(load_model(path, kind=KIND, version=VERSION))


def read_fusion(file: ModelFile) -> FusionModel:
    """Return the model of a model file."""
    names = file.section("names")
    table = {token: names.number(token) for token in names.content}
    bags = file.section("bags")
    terms = read_weights(bags.section("terms"))
    kinds, exits = file.section("kinds"), file.section("exits")
    blocks = file.section("blocks")
    known = (*BLOCK_FEATURES, *PAGE_FEATURES, *KIND_FEATURES)
    return FusionModel(
        wording=read_wording(file.section("words")),
        bags=Bags(name_scorer(table, read_weights(bags.section("names"))), terms),
        kinds=tuple(read_forest(kinds.section(kind), PAGE_FEATURES) for kind in KINDS),
        blocks={
            name: read_forest(blocks.section(name), known, read_exits(exits.section(name)))
            for name in FORESTS
        },
        stretches=read_forest(file.section("stretches"), STRETCH_FEATURES),
        judge=read_forest(file.section("judge"), JUDGE_FEATURES),
        article=read_calibration(file.section("article")),
        score=read_calibration(file.section("score")),
    )
