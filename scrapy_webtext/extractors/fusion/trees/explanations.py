"""Which features decided: the scores of a page's blocks, shared out among the features.

At each node of a tree the rows that reach it part in two. How far the mean of a row's half lies
from the mean of all that came is what the node's feature did to that row. Summed over a row's
path and over the trees, the effects are the row's score less the mean score of all rows (Saabas
2014, with the page's own blocks as the background): what sets a block apart from the page.
"""

from __future__ import annotations

from collections.abc import Sequence

from scrapy_webtext.extractors.fusion.trees.forest import Forest, Row, Tree
from scrapy_webtext.results import Reason

#: Features with less effect than this, in log odds, decided nothing.
LEAST_EFFECT = 0.01
#: Reasons per row.
MOST_REASONS = 8


def reasons(forest: Forest, rows: Sequence[Row]) -> list[tuple[Reason, ...]]:
    """Return per row the features with the greatest effects, the greatest first."""
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
    """Return per row the effect of each feature, in log odds.

    Without exits a row's effects sum to its score less the mean score of the rows; exits, which
    save time, are not looked at.
    """
    found = [[0.0] * len(forest.features) for _ in rows]
    for tree in forest.trees:
        if tree.feature and rows:
            _add_effects(tree, rows, found)
    return found


def _add_effects(tree: Tree, rows: Sequence[Row], found: list[list[float]]) -> None:
    inner, leaves = len(tree.feature), len(tree.value)
    reached: list[list[int]] = [[] for _ in range(inner + leaves)]  # leaves from the end: ~leaf
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
            continue  # all went the same way: nothing was decided
        mean = sums[k] / len(reached[k])
        for child in (tree.left[k], tree.right[k]):
            effect = sums[child] / len(reached[child]) - mean
            for n in reached[child]:
                found[n][tree.feature[k]] += effect
