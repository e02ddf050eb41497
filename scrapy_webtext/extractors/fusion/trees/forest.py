"""Boosted trees, evaluated in plain Python.

Each node of a tree tests ``feature <= threshold`` and goes left or right, until a leaf gives a
value. The sum over all trees is a score in log-odds; the logistic function makes it a probability.

Walking arrays would take about 40 ns a step, and a block needs thousands of steps. So each forest
is compiled once, at load: every tree becomes one Python expression of nested conditionals. The
source is made of checked numbers only; no string of the model file gets into it.

Most blocks are menus and teasers, which a few trees recognise. An `EarlyExit` saves the other trees
and gives the score that all trees would give on average.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import exp, isfinite
from typing import Any, Final, NamedTuple

from scrapy_webtext.compiled import compiled
from scrapy_webtext.errors import ModelError
from scrapy_webtext.models import ModelFile

#: Deeper trees would nest deeper than Python's parser allows.
MAX_DEPTH: Final = 40
#: Limits of a forest in a model file. Compiling takes 5 kB a leaf; the forests of the package have
#: at most 200 trees and 4,650 leaves.
MAX_TREES: Final = 1_000
MAX_LEAVES: Final = 10_000
#: All trees score at most ``MAX_ROWS`` rows of a page (the maximum on 4,638 pages is 4,790 blocks).
#: Further rows are scored by the first ``FIRST_TREES`` trees; most rows have an early exit by then.
MAX_ROWS: Final = 5_000
FIRST_TREES: Final = 30

Row = Sequence[float]


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
    score: Callable[[Row], float] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "score", _compile(self, "{}", "{}"))

    @cached_property
    def _first(self) -> Callable[[Row], tuple[float, bool]]:
        """The score of the first trees, and whether it is final because of an early exit."""
        first = Forest(self.features, self.trees[:FIRST_TREES], self.exits)
        return _compile(first, "{}, True", "{}, False")

    @compiled
    def probabilities(self, rows: Iterable[Row], number: int) -> list[float]:
        """Return the logistic function of the score of each of ``number`` rows.

        If there are more than ``MAX_ROWS`` rows, the first trees score all of them. Only the first
        ``MAX_ROWS`` rows without an early exit are then scored by all trees.
        """
        if number <= MAX_ROWS:
            return [logistic(score) for score in map(self.score, rows)]
        found, left = [], MAX_ROWS
        for row in rows:
            score, is_final = self._first(row)
            if not is_final and left:
                score, left = self.score(row), left - 1
            found.append(logistic(score))
        return found

    def probability(self, row: Row) -> float:
        """Return the logistic function of the score, in (0, 1)."""
        return logistic(self.score(row))


def logistic(score: float) -> float:
    """Return 1 / (1 + exp(-score)), for any finite score."""
    if score < -700:
        return 0.0
    return 1.0 / (1.0 + exp(-score))


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


@compiled
def _compile(forest: Forest, at_exit: str, at_end: str) -> Callable[[Row], Any]:
    """Return a function of one row: the sum of all trees, or the score at an early exit.

    ``at_exit`` and ``at_end`` are templates of the returned expressions; "{}" is the score.
    """
    used = {k for tree in forest.trees for k in tree.feature}
    exits = {exit_.trees: exit_ for exit_ in forest.exits}
    lines = ["def score(row):"]
    if used:
        names = [f"f{k}" if k in used else "_" for k in range(len(forest.features))]
        lines.append(f"    {', '.join(names)}, = row")
    lines.append("    s = 0.0")
    for number, tree in enumerate(forest.trees, 1):
        lines.append(f"    s += {_expression(tree)}")
        if number in exits:
            below, above, add_below, add_above = map(_number, exits[number][1:])
            lines.append(f"    if s < {below}: return {at_exit.format(f's + {add_below}')}")
            lines.append(f"    if s > {above}: return {at_exit.format(f's + {add_above}')}")
    lines.append(f"    return {at_end.format('s')}")
    scope: dict[str, Any] = {"__builtins__": {}}
    exec(compile("\n".join(lines), "<forest>", "exec"), scope)
    return scope["score"]  # type: ignore[no-any-return]


def _expression(tree: Tree) -> str:
    """Return the tree as one conditional expression, built from the leaves up."""
    if not tree.feature:
        return _number(tree.value[0])
    done: dict[int, tuple[str, int]] = {~leaf: (_number(v), 0) for leaf, v in enumerate(tree.value)}
    for k in range(len(tree.feature) - 1, -1, -1):
        (left, d), (right, e) = done[tree.left[k]], done[tree.right[k]]
        if max(d, e) >= MAX_DEPTH:
            raise ModelError(f"A tree is deeper than {MAX_DEPTH} levels; train with a max_depth")
        test = f"f{int(tree.feature[k])} <= {_number(tree.threshold[k])}"
        done[k] = (f"({left} if {test} else {right})", max(d, e) + 1)
    return done[0][0]


def _number(value: float) -> str:
    if not isfinite(value):
        raise ModelError(f"A tree holds the number {value}")
    return repr(float(value))
