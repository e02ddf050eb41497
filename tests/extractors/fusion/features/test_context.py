"""What the second pass is told of the first."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_webtext.extractors.fusion.features.context import (
    CONTEXT_COLUMNS,
    CONTEXT_CONSTANTS,
    FAR,
    Groups,
    context_columns,
    context_constants,
)

#: Words with one added: 10, 20, 10, 10.
BLOCKS = Groups(words=[9, 19, 9, 9], template_id=[1, 2, 1, 2], container_id=[5, 5, 5, 6])
FIRST = [0.9, 0.8, 0.1, 0.5]


def test_means_are_of_words_of_the_same_template_and_container() -> None:
    columns = context_columns(BLOCKS, FIRST)
    assert list(columns["first_template"]) == pytest.approx([0.5, 21 / 30, 0.5, 21 / 30])
    assert list(columns["template_words"]) == [20, 30, 20, 30]
    assert list(columns["first_container"]) == pytest.approx([26 / 40] * 3 + [0.5])
    assert list(columns["container_words"]) == [40, 40, 40, 10]


def test_groups_may_have_any_numbers() -> None:
    odd = Groups(BLOCKS.words, [-1, 2, -1, 2], [2**63 - 1] * 3 + [10**9])
    expected = context_columns(BLOCKS, FIRST)
    for name, column in context_columns(odd, FIRST).items():
        assert list(column) == list(expected[name])


def test_neighbours_and_distances() -> None:
    columns = context_columns(BLOCKS, FIRST)
    assert list(columns["first_before"]) == [0.0, 0.9, 0.8, 0.1]
    assert list(columns["first_after_2"]) == [0.1, 0.5, 0.0, 0.0]
    assert list(columns["since_likely"]) == [0, 0, 1, 2]
    assert list(columns["until_likely"]) == [0, 0, FAR, FAR]
    assert list(columns["first_window_2"]) == pytest.approx([26 / 40, 31 / 50, 31 / 50, 22 / 40])
    assert list(columns["first_position"]) == pytest.approx([0, 9 / 31, 25 / 31, 26 / 31])


def test_constants_of_the_page() -> None:
    constants = context_constants(BLOCKS, FIRST)
    assert constants["expected_words"] == pytest.approx(31)
    assert constants["expected_share"] == pytest.approx(31 / 50)
    assert constants["likely_share"] == pytest.approx(40 / 50)
    assert constants["expected_variance"] == pytest.approx((0.9 + 3.2 + 0.9 + 2.5) / 31)
    assert (constants["most_likely"], constants["sure_words"]) == (0.9, 10)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=30))
def test_any_page_has_all_of_them(first: list[float]) -> None:
    n = len(first)
    blocks = Groups(list(range(n)), [k % 3 for k in range(n)], [k // 4 for k in range(n)])
    columns = context_columns(blocks, first)
    assert tuple(columns) == CONTEXT_COLUMNS
    assert all(len(column) == n for column in columns.values())
    assert tuple(context_constants(blocks, first)) == CONTEXT_CONSTANTS
