"""Boosted trees, evaluated in plain Python.

Each node of a tree tests ``feature <= threshold`` and goes left or right, until a leaf gives a
value. The sum over all trees is a score in log-odds; the logistic function makes it a probability.

Most blocks are menus and teasers, which a few trees recognise. An `EarlyExit` saves the other trees
and gives the score that all trees would give on average.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, NamedTuple, TypeAlias

from scrapy_webtext.core.forests import Scorer
from scrapy_webtext.errors import ModelError
from scrapy_webtext.models import ModelFile

#: Deeper trees would nest deeper than Python's parser allows.
MAX_DEPTH: Final = 40
#: Limits of a forest in a model file. Compiling takes 5 kB a leaf; the forests of the package have
#: at most 200 trees and 4,650 leaves.
MAX_TREES: Final = 1_000
MAX_LEAVES: Final = 10_000
#: Leaves of one tree: a bit each.
MAX_TREE_LEAVES: Final = 64

Row = Sequence[float]
Column: TypeAlias = "array[Any] | float"


@dataclass(frozen=True)
class Tree:
    """One tree. Inner node ``k`` tests ``row[feature[k]] <= threshold[k]``.

    ``left`` and ``right`` are the number of an inner node, or ``~leaf`` (negative) for a leaf.
    """

    feature: Sequence[int]
    threshold: Sequence[float]
    left: Sequence[int]
    right: Sequence[int]
    value: Sequence[float]  #: per leaf


class EarlyExit(NamedTuple):
    """After ``trees`` trees, rows with a score below or above these bounds are done.

    ``add_below`` and ``add_above`` are the mean sum of the other trees. Without them, a hundred
    menu items would each get a probability that is too high.
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

    def score(self, row: Row) -> float:
        """Return the score of one row, in log-odds."""
        return self._scorer.scores(row, 1)[0]

    def probabilities(self, columns: Sequence[Column], n: int) -> list[float]:
        """Return the logistic function of the scores of ``n`` rows.

        There is a column per feature: an array, or a number that is the same for all rows.
        """
        return [logistic(score) for score in self._scorer.scores(columns, n)]

    def probability(self, row: Row) -> float:
        """Return the logistic function of the score, in (0, 1)."""
        return logistic(self.score(row))


def logistic(score: float) -> float:
    """Return 1 / (1 + math.exp(-score)), for any finite score."""
    if score < -700:
        return 0.0
    return 1.0 / (1.0 + math.exp(-score))


def read_forest(model: ModelFile, known: Sequence[str], exits: Sequence[EarlyExit] = ()) -> Forest:
    """Return the forest of a section of a model file; ``known`` are the features of this release.

    ModelError if the file uses a feature that this release does not compute.
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
    """Return the early exits of a section of a model file."""
    after = model.integers(EarlyExit._fields[0], low=1)
    others = [model.numbers(name, length=len(after)) for name in EarlyExit._fields[1:]]
    return tuple(map(EarlyExit, after, *others))


def write_exits(exits: Sequence[EarlyExit]) -> dict[str, Any]:
    """Return the section of a model file that `read_exits` reads."""
    return {name: [getattr(exit_, name) for exit_ in exits] for name in EarlyExit._fields}


def write_forest(forest: Forest) -> dict[str, Any]:
    """Return the section of a model file that `read_forest` reads, without the early exits."""
    return {
        "features": list(forest.features),
        "leaves": [len(tree.value) for tree in forest.trees],
        "feature": [k for tree in forest.trees for k in tree.feature],
        "threshold": [t for tree in forest.trees for t in tree.threshold],
        "left": [k for tree in forest.trees for k in tree.left],
        "right": [k for tree in forest.trees for k in tree.right],
        "value": [v for tree in forest.trees for v in tree.value],
    }


def _check_tree(model: ModelFile, tree: Tree) -> None:
    """Raise ModelError unless each node and leaf has one parent, which comes before it."""
    inner = range(len(tree.feature))
    children = sorted([*tree.left, *tree.right])
    expected = [*range(-len(tree.value), 0), *range(1, len(tree.feature))]
    forward = all(not 0 <= c <= k for k in inner for c in (tree.left[k], tree.right[k]))
    if inner and (children != expected or not forward):
        raise ModelError(f"{model.where}: a tree is no tree; train the model again")
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
