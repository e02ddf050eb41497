"""Boosted trees, calibration, and explanations of their scores."""

from array import array
from collections.abc import Sequence
from math import isclose, log, nan
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_webtext.errors import ModelError
from scrapy_webtext.extractors.fusion import model as module
from scrapy_webtext.extractors.fusion.features.block_features import BLOCK_FEATURES
from scrapy_webtext.extractors.fusion.model import (
    EarlyExit,
    Forest,
    Tree,
    logistic,
    read_exits,
    read_forest,
)
from scrapy_webtext.extractors.fusion.prediction import (
    LEAST_EFFECT,
    block_probabilities,
    effects,
    reasons,
)
from scrapy_webtext.models import ModelFile
from tests.kits.data import read_json
from training.model_file import write_exits, write_forest

CASES = read_json(__file__, "damaged_trees.json")


#: chars <= 10: -1; else density <= 0.5: 2, else -3.
STUMPS = Tree([0, 1], [10.0, 0.5], [~0, ~1], [1, ~2], [-1.0, 2.0, -3.0])


CONSTANT = Tree([], [], [], [], [0.25])


FOREST = Forest(("chars", "link_density"), (STUMPS, CONSTANT))


def walk(tree: Tree, row: list[float]) -> float:
    """The tree by its definition."""
    k = 0 if tree.feature else -1
    while k >= 0:
        below = row[tree.feature[k]] <= tree.threshold[k]
        k = tree.left[k] if below else tree.right[k]
    return tree.value[~k]


def score(forest: Forest, row: Sequence[float]) -> float:
    return forest._scorer.scores(row, 1)[0]


ROWS = ([10, 0.9], [11, 0.5], [11, 0.51])


def test_a_score_is_the_sum_of_the_trees_and_its_probability_the_logistic() -> None:
    assert [score(FOREST, row) for row in ROWS] == [-0.75, 2.25, -2.75]
    # A settled row skips the trees after the exit and gets what is expected of them.
    exits = (EarlyExit(1, -2.5, 1.5, -1.0, 0.5),)
    early = Forest(("chars", "link_density"), (STUMPS, CONSTANT), exits)
    assert [score(early, row) for row in ROWS] == [-0.75, 2.5, -4]
    assert isclose(logistic(log(3)), 0.75)
    assert (logistic(0), logistic(-1e6), logistic(1e6)) == (0.5, 0.0, 1.0)
    assert FOREST.probabilities([11, 0.5], 1) == [logistic(2.25)]


def test_a_forest_that_asks_for_nothing_still_judges_every_block() -> None:
    columns = {name: array("d", [1.0, 2.0]) for name in BLOCK_FEATURES}
    likely = logistic(0.25)
    assert block_probabilities(Forest((), (CONSTANT,)), columns, {}) == [likely, likely]


def grown(chance: Random, features: int) -> Tree:
    """A tree of any shape: each inner node takes the place of a leaf."""
    left: list[int] = []
    right: list[int] = []
    free: list[tuple[list[int], int]] = []
    # Compiled, blocks take the tests of trees of up to 64 leaves together.
    for k in range(chance.choice([chance.randint(0, 12), 62, 63])):
        if free:
            side, parent = free.pop(chance.randrange(len(free)))
            side[parent] = k
        left.append(-1)
        right.append(-1)
        free += [(left, k), (right, k)]
    for leaf, (side, parent) in enumerate(free):
        side[parent] = ~leaf
    return Tree(
        [chance.randrange(features) for _ in left],
        [chance.choice([0.0, 1.0, 1.5, 2.0]) for _ in left],
        left,
        right,
        [chance.uniform(-1, 1) for _ in range(len(left) + 1)],
    )


@given(st.integers(0, 40), st.randoms(use_true_random=False))
def test_the_blocks_of_a_page_go_down_the_trees_as_each_would_alone(n: int, chance: Random) -> None:
    of_blocks, of_page = BLOCK_FEATURES[:3], ("page_blocks", "page_prose")
    trees = tuple(grown(chance, 5) for _ in range(6))
    forest = Forest((*of_blocks, *of_page), trees, (EarlyExit(2, -0.8, 0.8, -0.5, 0.5),))
    values = [0.0, 1.0, 2.0, 3.0, nan]
    columns = {name: array("d", chance.choices(values, k=n)) for name in of_blocks}
    constants = {name: chance.randint(0, 3) for name in of_page}
    rows = zip(*columns.values(), *([constants[name]] * n for name in of_page), strict=True)
    alone = [logistic(score(forest, row)) for row in rows]
    assert block_probabilities(forest, columns, constants) == alone


def test_a_forest_comes_back_from_its_file() -> None:
    exits = (EarlyExit(1, -2.5, 1.5, -1.0), EarlyExit(2, -99.0, 99.0))
    again = read_forest(
        ModelFile("test", write_forest(FOREST)),
        FOREST.features,
        read_exits(ModelFile("test", write_exits(exits))),
    )
    assert (again.features, again.exits) == (FOREST.features, exits)
    assert score(again, [11, 0.51]) == -4


@st.composite
def trees(draw: st.DrawFn) -> Tree:
    return grown(draw(st.randoms(use_true_random=False)), 3)


@given(st.lists(trees(), max_size=3), st.lists(st.floats(-3, 3), min_size=3, max_size=3))
def test_compiled_trees_agree_with_walking_them(grown: list[Tree], row: list[float]) -> None:
    forest = Forest(("a", "b", "c"), tuple(grown))
    assert score(forest, row) == sum(walk(tree, row) for tree in grown)
    again = read_forest(ModelFile("test", write_forest(forest)), ("a", "b", "c"))
    assert score(again, row) == score(forest, row)


@pytest.mark.parametrize(
    "trees", [(CONSTANT,) * (module.MAX_TREES + 1), (STUMPS,) * (module.MAX_LEAVES // 3 + 1)]
)
def test_a_forest_that_would_take_too_much_to_compile_is_refused(trees: tuple[Tree, ...]) -> None:
    section = write_forest(Forest(("chars", "link_density"), trees[:1]))
    for key in ("leaves", "feature", "threshold", "left", "right", "value"):
        section[key] *= len(trees)
    with pytest.raises(ModelError, match=r"trees with \d+ leaves; 1000 and 10000 are allowed"):
        read_forest(ModelFile("test", section), FOREST.features)


def test_a_file_that_asks_for_an_unknown_feature_is_refused() -> None:
    with pytest.raises(ModelError, match="'link_density' is none that this release computes"):
        read_forest(ModelFile("test", write_forest(FOREST)), ("chars",))


@pytest.mark.parametrize(("key", "value", "message"), CASES["damaged"])
def test_damaged_trees_are_refused(key: str, value: list[object], message: str) -> None:
    content = {**write_forest(FOREST), key: value}
    with pytest.raises(ModelError, match=message):
        read_forest(ModelFile("test", content), ("chars", "link_density"))


def test_effects_of_three_rows_worked_by_hand() -> None:
    # Scores -1, 2 and -3 (and 0.25 each, which sets none apart): their mean is -2/3. At the
    # root the first goes left, the others right, whose mean is -1/2; there density parts them.
    rows = [(10.0, 0.9), (11.0, 0.5), (11.0, 0.51)]
    assert effects(FOREST, rows) == [
        pytest.approx([-1 + 2 / 3, 0.0]),
        pytest.approx([-1 / 2 + 2 / 3, 2 + 1 / 2]),
        pytest.approx([-1 / 2 + 2 / 3, -3 + 1 / 2]),
    ]
    assert effects(FOREST, [(11.0, 0.5), (12.0, 0.1)]) == [[0.0, 0.0], [0.0, 0.0]]


def test_reasons_name_the_strongest_feature_first_and_leave_out_those_of_no_effect() -> None:
    first, second = reasons(FOREST, [(11.0, 0.5), (12.0, 0.9)])
    assert [(why.feature, why.value, why.effect) for why in first] == [("link_density", 0.5, 2.5)]
    assert [(why.feature, why.value, why.effect) for why in second] == [("link_density", 0.9, -2.5)]
    assert reasons(Forest((), (CONSTANT,)), [(), ()]) == [(), ()]
    assert reasons(FOREST, []) == []


numbers = st.floats(-3, 3) | st.integers(-2, 2).map(float)


@given(st.lists(trees(), max_size=4), st.lists(st.tuples(*[numbers] * 3), min_size=1, max_size=9))
def test_effects_sum_to_the_score_less_the_mean_and_reasons_are_sorted(
    grown: list[Tree], rows: list[tuple[float, ...]]
) -> None:
    forest = Forest(("a", "b", "c"), tuple(grown))
    scores = [score(forest, row) for row in rows]
    mean = sum(scores) / len(scores)
    for row, own in zip(effects(forest, rows), scores, strict=True):
        assert sum(row) == pytest.approx(own - mean, abs=1e-9)
    for found in reasons(forest, rows):
        sizes = [abs(why.effect) for why in found]
        assert sizes == sorted(sizes, reverse=True)
        assert all(size >= LEAST_EFFECT for size in sizes)
