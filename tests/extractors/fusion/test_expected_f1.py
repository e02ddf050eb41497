"""Expected F1 of blocks that stand and fall together."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_webtext.extractors.fusion.expected_f1 import (
    SCENARIOS,
    best_threshold,
    expected_f1,
    words_above,
)

PROBABILITIES = [0.9, 0.6, 0.1]
WORDS = [10, 10, 10]


def test_words_above_each_scenario() -> None:
    held = words_above(PROBABILITIES, WORDS)
    assert held == [30] * 2 + [20] * 10 + [10] * 6 + [0] * 2
    assert len(held) == len(SCENARIOS)


def test_words_come_in_any_sequence() -> None:
    words = [3, 4]
    for same in (tuple(words), bytearray(words), bytes(words)):
        assert words_above([0.1, 0.9], same) == words_above([0.1, 0.9], words)


def test_expected_f1_by_hand() -> None:
    # The text has 30 words in 2 scenarios of 20, 20 in 10, 10 in 6 and none in 2.
    both = (2 * 40 / 50 + 10 * 1 + 6 * 20 / 30) / 20
    one = (2 * 20 / 40 + 10 * 20 / 30 + 6 * 1) / 20
    assert expected_f1(PROBABILITIES, WORDS, [0, 1]) == pytest.approx(both)
    assert expected_f1(PROBABILITIES, WORDS, [0]) == pytest.approx(one)
    assert expected_f1(PROBABILITIES, WORDS, []) == 0


def test_the_threshold_of_the_greatest_expectation() -> None:
    assert 0.1 < best_threshold(PROBABILITIES, WORDS) < 0.6
    assert best_threshold([0.0, 0.01], [5, 5]) == 0
    assert best_threshold([], []) == 0


def test_many_doubtful_blocks_do_not_outweigh_a_sure_text() -> None:
    sure, doubtful = [0.95] * 8, [0.35] * 200
    threshold = best_threshold(sure + doubtful, [100] * 8 + [10] * 200)
    assert 0.35 <= threshold < 0.95


def test_doubtful_blocks_are_taken_where_there_is_nothing_else() -> None:
    assert best_threshold([0.35] * 50, [10] * 50) < 0.35


blocks = st.lists(st.tuples(st.floats(0, 1), st.integers(1, 500)), max_size=40)


@given(blocks)
def test_no_other_threshold_promises_more(pairs: list[tuple[float, int]]) -> None:
    probabilities, words = [p for p, _ in pairs], [n for _, n in pairs]
    best, *others = (
        expected_f1(probabilities, words, [k for k, p in enumerate(probabilities) if p > t])
        for t in (best_threshold(probabilities, words), *SCENARIOS)
    )
    assert 0 <= best <= 1
    assert all(other <= best + 1e-12 for other in others)
