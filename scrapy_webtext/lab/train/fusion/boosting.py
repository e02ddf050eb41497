"""Boosted trees: fitted by LightGBM, and converted to forests that run without it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from scrapy_webtext.errors import MissingExtraError
from scrapy_webtext.extractors.fusion.trees.forest import Forest, Tree


def fit(
    parameters: Mapping[str, Any], rounds: int, seed: int, rows: Any, labels: Any, weights: Any
) -> Any:
    """Return a fitted LightGBM booster."""
    try:
        import lightgbm
    except ImportError as error:
        raise MissingExtraError("Training", "lightgbm", "lab") from error
    settings = {
        **parameters,
        "seed": seed,
        "deterministic": True,
        "force_row_wise": True,
        "num_threads": 2,
        "verbose": -1,
    }
    return lightgbm.train(settings, lightgbm.Dataset(rows, labels, weight=weights), rounds)


def as_forest(booster: Any, names: Sequence[str], index: int = 0, classes: int = 1) -> Forest:
    """Return the trees of one class of a LightGBM booster, over the features that they use."""
    structures = [t["tree_structure"] for t in booster.dump_model()["tree_info"][index::classes]]
    trees = [_tree(structure) for structure in structures]
    used = sorted({k for tree in trees for k in tree.feature})
    column = {k: i for i, k in enumerate(used)}
    return Forest(
        tuple(names[k] for k in used),
        tuple(
            Tree([column[k] for k in t.feature], t.threshold, t.left, t.right, t.value)
            for t in trees
        ),
    )


def _tree(root: Mapping[str, Any]) -> Tree:
    """Return one tree of LightGBM's dump, its inner nodes numbered from the root down."""
    inner, leaves = [], []
    level = [root]
    while level:
        node = level.pop(0)
        if "leaf_value" in node:
            leaves.append(node)
        else:
            inner.append(node)
            level += (node["left_child"], node["right_child"])
    number = {id(node): k for k, node in enumerate(inner)}
    number |= {id(leaf): ~k for k, leaf in enumerate(leaves)}
    return Tree(
        [node["split_feature"] for node in inner],
        [float(f"{node['threshold']:.6g}") for node in inner],
        [number[id(node["left_child"])] for node in inner],
        [number[id(node["right_child"])] for node in inner],
        [round(leaf["leaf_value"], 4) for leaf in leaves],
    )
