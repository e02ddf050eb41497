from math import isclose

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_webtext.errors import ModelError
from scrapy_webtext.extractors.fusion.features.short_texts import (
    MAX_WORDS,
    NO_TOKEN_SCORES,
    TokenScores,
    around,
    read_token_scores,
    score_texts,
    text_tokens,
    write_token_scores,
)
from scrapy_webtext.models import ModelFile

WORDING = TokenScores(
    {"cart": -2.0, "add": -1.0, "river": 1.0}, {"add to cart": -2.2, "river": 1.1}
)


def test_a_short_text_is_its_words_and_the_whole() -> None:
    assert text_tokens("Add to cart") == ["add", "to", "cart", "add to cart"]
    assert text_tokens("Reply") == ["reply"]
    assert text_tokens("5 min · Rain") == ["min", "rain", "5 min · rain"]
    assert text_tokens("Add all to the cart") == ["add", "all", "to", "the", "cart"]


def test_each_of_many_tokens_has_its_own_score() -> None:
    letters = "abcdefghij"
    words = [a + b + c for a in letters for b in letters for c in letters]
    words += [word + "k" for word in words] + ["\u00fcber", "\u6c34", "a\u00fc"]
    own = {word: 1.0 + k for k, word in enumerate(words)}
    scored = score_texts([*words, "abck k", "lll", "\u00fc"], TokenScores(own, {}))
    assert scored.mean[: len(words)] == list(own.values())
    assert scored.mean[len(words) :] == [own["abck"] / 3, 0.0, 0.0]


def test_a_long_text_has_no_tokens() -> None:
    assert len(text_tokens("rain " * (MAX_WORDS - 1) + "rain")) == MAX_WORDS
    assert text_tokens("rain " * MAX_WORDS + "rain") == []
    assert text_tokens("r" * 1000) == []


def test_a_text_says_the_mean_and_the_lowest_score_of_its_tokens() -> None:
    scored = score_texts(["Add to cart", "The river", "Add to cart", ""], WORDING)
    assert scored.mean == [-3 / 4, 1 / 3, -3 / 4, 0.0]
    assert scored.low == [-2.0, 0.0, -2.0, 0.0]


def test_a_page_says_of_itself_what_its_distinct_tokens_say_drawn_towards_nothing() -> None:
    assert score_texts(["Add to cart"] * 5, WORDING).article == -2.2 / 11
    assert score_texts(["Add to cart", "The river"], WORDING).article == (-2.2 + 1.1) / 12
    assert score_texts(["The rain"], WORDING).article == 0


def test_neighbours_are_heard_together() -> None:
    assert around([7.0, 0.0, 0.0, 0.0, 0.0]) == [7 / 4, 7 / 5, 7 / 5, 7 / 5, 0.0]
    assert around([]) == []


@given(st.lists(st.text(max_size=40), max_size=20))
def test_any_text_can_be_heard(texts: list[str]) -> None:
    scored = score_texts(texts, WORDING)
    assert len(scored.mean) == len(scored.low) == len(texts)
    assert all(
        low <= mean or isclose(low, mean) for low, mean in zip(scored.low, scored.mean, strict=True)
    )
    assert score_texts(texts, NO_TOKEN_SCORES).article == 0


def test_scores_of_words_survive_the_model_file() -> None:
    assert read_token_scores(ModelFile("words", write_token_scores(WORDING))) == WORDING


@pytest.mark.parametrize(
    "change",
    [
        {"tokens": ["a", "a"]},
        {"content": [1.0]},
        {"article": [1.0] * 3},
        {"tokens": ["a", 1]},
    ],
)
def test_scores_that_do_not_fit_their_tokens_are_refused(change: dict[str, object]) -> None:
    section = {"tokens": ["a", "b"], "content": [0.0, 1.0], "article": [0.0] * 2}
    read_token_scores(ModelFile("words", section))
    with pytest.raises(ModelError, match="words"):
        read_token_scores(ModelFile("words", section | change))
