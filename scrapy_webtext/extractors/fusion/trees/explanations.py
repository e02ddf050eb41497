"""Explanations: which features decided the score of a block.

Each node of a tree splits the rows that reach it into two halves. The effect of the node's feature
on a row is the mean score of the row's half minus the mean score of all rows at the node. Summed
over the path of a row and over all trees, the effects are the row's score minus the mean score of
all rows (Saabas 2014, with the blocks of the page as background). So they tell what distinguishes
a block from the other blocks of its page.
"""

from __future__ import annotations

from collections.abc import Sequence

from scrapy_webtext.extractors.fusion.trees.forest import Forest, Row, Tree
from scrapy_webtext.results import Reason

#: Features with a smaller effect, in log-odds, are not reported.
LEAST_EFFECT = 0.01
#: Features that are reported per row.
MOST_REASONS = 8


def reasons(forest: Forest, rows: Sequence[Row]) -> list[tuple[Reason, ...]]:
    """Return per row the features with the greatest effects, in descending order."""
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
    """Return per row the effect of each feature, in log-odds.

    The effects of a row sum to its score minus the mean score, both by all trees: early exits are
    ignored.
    """
    found = [[0.0] * len(forest.features) for _ in rows]
    for tree in forest.trees:
        if tree.feature and rows:
            _add_effects(tree, rows, found)
    return found


def _add_effects(tree: Tree, rows: Sequence[Row], found: list[list[float]]) -> None:
    inner, leaves = len(tree.feature), len(tree.value)
    reached: list[list[int]] = [[] for _ in range(inner + leaves)]  # index ~leaf for leaves
    reached[0] = list(range(len(rows)))
    for k in range(inner):
        feature, threshold, left, right = (
            tree.feature[k], tree.threshold[k], tree.left[k], tree.right[k],
        )  # fmt: skip
        for n in reached[k]:
            reached[left if rows[n][feature] <= threshold else right].append(n)
    sums = [0.0] * inner + [v * len(reached[~leaf]) for leaf, v in enumerate(tree.value)][::-1]
    for k in range(inner - 1, -1, -1):
        sums[k] = sums[tree.left[k]] + sums[tree.right[k]]
    for k in range(inner):
        if not reached[tree.left[k]] or not reached[tree.right[k]]:
            continue  # no split: all rows went to one side
        mean = sums[k] / len(reached[k])
        for child in (tree.left[k], tree.right[k]):
            effect = sums[child] / len(reached[child]) - mean
            for n in reached[child]:
                found[n][tree.feature[k]] += effect
