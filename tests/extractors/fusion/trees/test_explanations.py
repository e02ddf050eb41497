import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_webtext.extractors.fusion.prediction import LEAST_EFFECT, effects, reasons
from scrapy_webtext.extractors.fusion.trees.forest import Forest
from tests.extractors.fusion.trees.test_forest import CONSTANT, FOREST, STUMPS, trees


def test_effects_of_three_rows_worked_by_hand() -> None:
    # Scores -1, 2 and -3 (and 0.25 each, which sets none apart): their mean is -2/3. At the
    # root the first goes left, the others right, whose mean is -1/2; there density parts them.
    rows = [(10.0, 0.9), (11.0, 0.5), (11.0, 0.51)]
    assert effects(FOREST, rows) == [
        pytest.approx([-1 + 2 / 3, 0.0]),
        pytest.approx([-1 / 2 + 2 / 3, 2 + 1 / 2]),
        pytest.approx([-1 / 2 + 2 / 3, -3 + 1 / 2]),
    ]


def test_a_feature_that_is_the_same_for_all_rows_has_no_effect() -> None:
    assert effects(FOREST, [(11.0, 0.5), (12.0, 0.1)]) == [[0.0, 0.0], [0.0, 0.0]]


def test_reasons_name_the_strongest_feature_first_and_leave_out_those_of_no_effect() -> None:
    first, second = reasons(FOREST, [(11.0, 0.5), (12.0, 0.9)])
    assert [(why.feature, why.value, why.effect) for why in first] == [("link_density", 0.5, 2.5)]
    assert [(why.feature, why.value, why.effect) for why in second] == [("link_density", 0.9, -2.5)]
    assert reasons(Forest((), (CONSTANT,)), [(), ()]) == [(), ()]
    assert reasons(FOREST, []) == []


numbers = st.floats(-3, 3) | st.integers(-2, 2).map(float)


@given(st.lists(trees(), max_size=4), st.lists(st.tuples(*[numbers] * 3), min_size=1, max_size=9))
def test_effects_of_a_row_sum_to_its_score_less_the_mean(grown: list, rows: list) -> None:  # type: ignore[type-arg]
    forest = Forest(("a", "b", "c"), tuple(grown))
    scores = [forest.score(row) for row in rows]
    mean = sum(scores) / len(scores)
    for row, score in zip(effects(forest, rows), scores, strict=True):
        assert sum(row) == pytest.approx(score - mean, abs=1e-9)


@given(st.lists(st.tuples(st.floats(0, 20), st.floats(0, 1)), max_size=9))
def test_reasons_are_sorted_and_matter(rows: list[tuple[float, float]]) -> None:
    for found in reasons(Forest(("chars", "link_density"), (STUMPS,)), rows):
        sizes = [abs(why.effect) for why in found]
        assert sizes == sorted(sizes, reverse=True)
        assert all(size >= LEAST_EFFECT for size in sizes)
