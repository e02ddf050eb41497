"""The trained model of ``fusion``, and reading it from a model file.

A calibration is a rising, piecewise linear map from raw scores to observed frequencies. With it,
four in five of all pages with article probability 0.8 are articles, and texts with score 0.8 have a
mean F1 of 0.8.
"""

from __future__ import annotations

import math
from array import array
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from os import PathLike, fspath
from typing import Any, Final, NamedTuple, TypeAlias

from scrapy_webtext.core.distinct import TokenTable
from scrapy_webtext.core.forests import Scorer
from scrapy_webtext.errors import ModelError
from scrapy_webtext.extractors.fusion.features.block_features import BLOCK_FEATURES
from scrapy_webtext.extractors.fusion.features.context import CONTEXT_FEATURES
from scrapy_webtext.extractors.fusion.features.declared import read_weights
from scrapy_webtext.extractors.fusion.features.page_features import (
    JUDGE_FEATURES,
    STRUCTURE_FEATURES,
)
from scrapy_webtext.extractors.fusion.features.templates import TokenScores, read_token_scores
from scrapy_webtext.extractors.fusion.features.units import UNIT_CHANCES
from scrapy_webtext.models import ModelFile, load_model

# Calibration


@dataclass(frozen=True)
class Calibration:
    """A piecewise linear map through the points (raw, observed).

    ``raw`` rises strictly, ``observed`` never falls.
    """

    raw: tuple[float, ...]
    observed: tuple[float, ...]

    def __call__(self, value: float) -> float:
        """Return the observed frequency for a raw score, interpolated between two points."""
        k = bisect_right(self.raw, value)
        if k == 0:
            return self.observed[0]
        if k == len(self.raw):
            return self.observed[-1]
        left, right = self.raw[k - 1], self.raw[k]
        low, high = self.observed[k - 1], self.observed[k]
        return low + (high - low) * (value - left) / (right - left)


def read_calibration(model: ModelFile) -> Calibration:
    """Return the calibration in a section of a model file; raise ModelError if it does not rise."""
    raw = model.numbers("raw", low=0, high=1)
    observed = model.numbers("observed", length=len(raw), low=0, high=1)
    rises = all(a < b for a, b in pairwise(raw))
    if not raw or not rises or list(observed) != sorted(observed):
        raise ModelError(f"{model.where}: a calibration must rise; train the model again")
    return Calibration(raw, observed)


# The model

KIND: Final = "fusion"
VERSION: Final = 10
#: The names of the two forests that score all blocks, in order.
PASSES: Final = ("first", "second")
#: The features that each forest may use.
FIRST_FEATURES: Final = (*BLOCK_FEATURES, *STRUCTURE_FEATURES)
SECOND_FEATURES: Final = (*FIRST_FEATURES, *CONTEXT_FEATURES)
THIRD_FEATURES: Final = (*SECOND_FEATURES, *UNIT_CHANCES)


@dataclass(frozen=True, slots=True, eq=False)
class FusionModel:
    """A trained model, ready to use."""

    token_scores: TokenScores
    class_names: TokenTable  #: scores of tokens of class names, and weights in their bag of words
    terms: TokenTable  #: weights of terms in their bag of words
    first: Forest  #: scores blocks
    second: Forest  #: scores blocks; the first pass' probabilities are features, too
    third: Forest  #: scores units between likely text
    judge: Forest  #: scores pages: article or not
    article: Calibration  #: calibrates the article probability
    score: Calibration  #: calibrates the expected F1


def load_fusion(path: str | PathLike[str] | None = None) -> FusionModel:
    """Return the model at ``path``, or the model in the package; models are cached.

    Raise ModelError if the file is missing or damaged, or uses features of another release.
    """
    return _load(None if path is None else fspath(path))


@lru_cache(maxsize=8)
def _load(path: str | None) -> FusionModel:
    return read_fusion(load_model(path, kind=KIND, version=VERSION))


def read_fusion(file: ModelFile) -> FusionModel:
    """Return the model in a model file."""
    class_scores = file.section("class_names").numbers_by_key()
    bags = file.section("bags_of_words")
    exits = file.section("early_exits")
    first, second = (
        read_forest(file.section(name), known, read_exits(exits.section(name)))
        for name, known in zip(PASSES, (FIRST_FEATURES, SECOND_FEATURES), strict=True)
    )
    return FusionModel(
        token_scores=read_token_scores(file.section("token_scores")),
        class_names=TokenTable(class_scores, read_weights(bags.section("class_names"))),
        terms=TokenTable({}, read_weights(bags.section("terms"))),
        first=first,
        second=second,
        third=read_forest(file.section("third"), THIRD_FEATURES),
        judge=read_forest(file.section("judge"), JUDGE_FEATURES),
        article=read_calibration(file.section("article")),
        score=read_calibration(file.section("score")),
    )


# Boosted trees: each inner node tests ``feature <= threshold`` and leads left or right, until a
# leaf gives a value. The sum over all trees is a score in log-odds; the logistic function converts
# it to a probability. Most blocks are menus and teasers, which a few trees recognise. An
# `EarlyExit` skips the other trees and adds the mean of their sum.

#: Maximum depth of a tree: without compiled modules, a tree becomes a nested Python expression, and
#: Python's parser limits nesting.
MAX_DEPTH: Final = 40
#: Limits of a forest in a model file. Python needs 5 kB per leaf to compile a forest. The forests
#: of the package have at most 500 trees and 8,000 leaves.
MAX_TREES: Final = 1_000
MAX_LEAVES: Final = 10_000
#: Maximum number of leaves of one tree, because each leaf is a bit of a 64-bit mask.
MAX_TREE_LEAVES: Final = 64

Row = Sequence[float]
Column: TypeAlias = "array[Any] | float"


@dataclass(frozen=True)
class Tree:
    """One tree. Inner node ``k`` tests ``row[feature[k]] <= threshold[k]``.

    If the test is true, ``left[k]`` is next, else ``right[k]``: the number of an inner node, or
    ``~leaf`` (negative) for a leaf.
    """

    feature: Sequence[int]
    threshold: Sequence[float]
    left: Sequence[int]
    right: Sequence[int]
    value: Sequence[float]  #: value of each leaf


class EarlyExit(NamedTuple):
    """After ``trees`` trees, rows with a score below or above these bounds skip the other trees.

    Instead, the mean sum of the other trees over such rows is added: ``add_below`` or
    ``add_above``. Without this number, each menu item would get a probability that is too high.
    """

    trees: int
    below: float
    above: float
    add_below: float = 0.0
    add_above: float = 0.0


@dataclass(frozen=True)
class Forest:
    """A sum of trees over named features."""

    features: tuple[str, ...]
    trees: tuple[Tree, ...]
    exits: tuple[EarlyExit, ...] = ()

    @cached_property
    def _scorer(self) -> Scorer:
        return Scorer(len(self.features), self.trees, self.exits)

    def probabilities(self, columns: Sequence[Column], n: int) -> list[float]:
        """Return the logistic function of the scores of ``n`` rows.

        ``columns`` has, per feature, an array, or a number if all rows have the same value.
        """
        return [logistic(score) for score in self._scorer.scores(columns, n)]


def logistic(score: float) -> float:
    """Return 1 / (1 + math.exp(-score)), for any finite score."""
    if score < -700:
        return 0.0
    return 1.0 / (1.0 + math.exp(-score))


def read_forest(model: ModelFile, known: Sequence[str], exits: Sequence[EarlyExit] = ()) -> Forest:
    """Return the forest in a section of a model file.

    ``known`` are the features that this release computes. Raise ModelError if the forest uses
    another one.
    """
    features = model.strings("features")
    unknown = sorted(set(features) - set(known))
    if unknown:
        raise ModelError(
            f"{model.where}: feature {unknown[0]!r} is none that this release computes; "
            "train the model again"
        )
    columns = (
        model.integers("feature", low=0, high=max(0, len(features) - 1)),
        model.numbers("threshold"),
        model.integers("left"),
        model.integers("right"),
    )
    sizes = model.integers("leaves", low=1)
    if len(sizes) > MAX_TREES or sum(sizes) > MAX_LEAVES:
        raise ModelError(
            f"{model.where}: {len(sizes)} trees with {sum(sizes)} leaves; {MAX_TREES} and "
            f"{MAX_LEAVES} are allowed: train with fewer"
        )
    values = model.numbers("value", length=sum(sizes))
    inner = sum(sizes) - len(sizes)
    if any(len(column) != inner for column in columns):
        raise ModelError(f"{model.where}: {sum(sizes)} leaves need {inner} inner nodes")
    trees, start, leaf = [], 0, 0
    for size in sizes:
        end = start + size - 1
        feature, threshold, left, right = (column[start:end] for column in columns)
        tree = Tree(feature, threshold, left, right, values[leaf : leaf + size])  # type: ignore[arg-type]
        _check_tree(model, tree)
        trees.append(tree)
        start, leaf = end, leaf + size
    return Forest(features, tuple(trees), tuple(exits))


def read_exits(model: ModelFile) -> tuple[EarlyExit, ...]:
    """Return the early exits in a section of a model file."""
    after = model.integers(EarlyExit._fields[0], low=1)
    others = [model.numbers(name, length=len(after)) for name in EarlyExit._fields[1:]]
    return tuple(map(EarlyExit, after, *others))


def _check_tree(model: ModelFile, tree: Tree) -> None:
    """Raise ModelError unless each node and leaf has exactly one parent, with a lower number."""
    inner = range(len(tree.feature))
    children = sorted([*tree.left, *tree.right])
    expected = [*range(-len(tree.value), 0), *range(1, len(tree.feature))]
    forward = all(not 0 <= c <= k for k in inner for c in (tree.left[k], tree.right[k]))
    if inner and (children != expected or not forward):
        raise ModelError(f"{model.where}: the nodes of a tree form no tree; train the model again")
    depth = [0] * len(inner)
    for k in inner:
        for child in (tree.left[k], tree.right[k]):
            if child >= 0:
                depth[child] = depth[k] + 1
    if max(depth, default=0) >= MAX_DEPTH or len(tree.value) > MAX_TREE_LEAVES:
        raise ModelError(
            f"{model.where}: a tree has more than {MAX_DEPTH} levels or {MAX_TREE_LEAVES} leaves; "
            "train with a max_depth and max_leaf_nodes"
        )
