"""Scores rows with the trees of a forest, each compiled to one Python expression.

Walking arrays would take about 40 ns a step, and a block needs thousands of steps. The generated
source contains only validated numbers and no string of a model file.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Sequence
from itertools import repeat
from math import isfinite
from typing import Any


class Scorer:
    """The sum of trees, with early exits.

    ``trees`` are `fusion.model.Tree`. ``exits`` are rows of five numbers: the number of trees
    before the exit, a lower and an upper bound, and the numbers that are added to a score below the
    lower bound and to a score above the upper bound.
    """

    def __init__(
        self, features: int, trees: Sequence[Any], exits: Iterable[Sequence[float]]
    ) -> None:
        self._score = _compiled(features, trees, {row[0]: row[1:] for row in exits})

    def scores(self, columns: Sequence[array[Any] | float], n: int) -> list[float]:
        """Return the scores of ``n`` rows; ``columns`` has an array or one value per feature."""
        # Python compares two floats twice as fast as an int and a float.
        rows = [map(float, c) if isinstance(c, array) else repeat(float(c), n) for c in columns]
        return list(map(self._score, zip(*rows, strict=True) if rows else repeat((), n)))


def _compiled(
    features: int, trees: Sequence[Any], exits: dict[float, Sequence[float]]
) -> Callable[[Sequence[float]], float]:
    """Return a function of one row: the sum of all trees, or the score at an early exit."""
    used = {k for tree in trees for k in tree.feature}
    lines = ["def score(row):"]
    if used:
        names = [f"f{k}" if k in used else "_" for k in range(features)]
        lines.append(f"    {', '.join(names)}, = row")
    lines.append("    s = 0.0")
    for number, tree in enumerate(trees, 1):
        lines.append(f"    s += {_expression(tree)}")
        if number in exits:
            below, above, add_below, add_above = map(_number, exits[number])
            lines.append(f"    if s < {below}: return s + {add_below}")
            lines.append(f"    if s > {above}: return s + {add_above}")
    lines.append("    return s")
    scope: dict[str, Any] = {"__builtins__": {}}
    exec(compile("\n".join(lines), "<forest>", "exec"), scope)
    return scope["score"]  # type: ignore[no-any-return]


def _expression(tree: Any) -> str:
    """Return a tree as one conditional expression, built from the leaves up."""
    if not tree.feature:
        return _number(tree.value[0])
    done = {~leaf: _number(value) for leaf, value in enumerate(tree.value)}
    for k in range(len(tree.feature) - 1, -1, -1):
        test = f"f{int(tree.feature[k])} <= {_number(tree.threshold[k])}"
        done[k] = f"({done[tree.left[k]]} if {test} else {done[tree.right[k]]})"
    return done[0]


def _number(value: float) -> str:
    if not isfinite(value):
        raise ValueError(f"a tree holds the number {value}")
    return repr(float(value))
