"""Counting words, with and without spaces between them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_webtext.page import count_words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", 0),
        ("rain", 1),
        ("It rained all day.", 4),
        ("Ça alors, déjà vu", 4),
        ("비가 왔다", 2),
        ("今天下雨", 1),
        ("今天下雨了", 2),
        ("今天下雨了，大家都在家。", 3),
        ("วันนี้ฝนตก", 3),
        ("Python 今天下雨 rain", 3),
        ("発売日は2024年", 3),
    ],
)
def test_a_word_is_what_stands_between_spaces_or_four_characters_of_a_script_without(
    text: str, words: int
) -> None:
    assert count_words(text, 4) == words


def test_the_number_of_characters_to_a_word_is_the_callers() -> None:
    assert [count_words("今天下雨了", n) for n in (1, 2, 5)] == [5, 3, 1]


@given(st.text(), st.integers(1, 9))
def test_text_has_at_least_one_word_and_no_more_than_characters(text: str, n: int) -> None:
    folded = " ".join(text.split())
    assert bool(folded) <= count_words(folded, n) <= len(folded)
