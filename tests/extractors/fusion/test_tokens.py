"""Scores of class names and of words of short texts."""

import re
from array import array
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_webtext.core.distinct import TokenTable
from scrapy_webtext.core.texts import Texts
from scrapy_webtext.core.words import tokens_of, words_of
from scrapy_webtext.errors import ModelError
from scrapy_webtext.extractors.fusion.choose import is_comment_name
from scrapy_webtext.extractors.fusion.features.measures import add_mean, window
from scrapy_webtext.extractors.fusion.features.tables import Columns, ScoredNames
from scrapy_webtext.extractors.fusion.features.templates import (
    AROUND,
    MAX_WORDS,
    TextScores,
    TokenScores,
    read_token_scores,
    score_texts,
)
from scrapy_webtext.models import ModelFile
from training.examples import text_tokens
from training.model_file import write_token_scores

PARTS = "post POST Post aRTicle nav x X é ß ſ K 42 - _ : \ud800 \u3000 \x1c \x85 \xa0".split(" ")


TOKENS = "post article a-rticle nav-post post-post-post x xx rticle".split()


names = st.lists(st.sampled_from([*PARTS, " ", "-", "post-", "word" * 20]), max_size=30).map(
    "".join
)


numbers = st.dictionaries(st.sampled_from(TOKENS), st.sampled_from([-2.0, -0.5, 0.0, 0.25, 3.0]))


def tokens(name: str) -> tuple[str, ...]:
    """The definition: parts of a name in lower case, then the whole."""
    parts = [part.lower() for part in re.findall("[A-Z]?[a-z]+|[A-Z]+", name[:200])]
    return (*parts[:8], "-".join(parts)[:40]) if len(parts) > 1 else tuple(parts)


def known_tokens(elements: Iterable[str], known: Iterable[str]) -> list[str]:
    """The known tokens of some elements, each once."""
    found = [token for one in elements for name in one.split()[:12] for token in tokens(name)]
    return [token for token in dict.fromkeys(found) if token in known]


@given(names)
def test_a_name_has_its_parts_and_the_whole_as_tokens(name: str) -> None:
    assert tokens_of(name) == tokens(name)


@given(numbers, numbers, st.lists(names, max_size=5))
def test_an_element_has_the_extreme_scores_and_the_weights_of_its_tokens(
    scores: dict[str, float], weights: dict[str, float], elements: list[str]
) -> None:
    names = ScoredNames(TokenTable(scores, weights))
    for number, one in enumerate(elements):
        found = [scores[token] for token in known_tokens([one], scores)]
        place = names.add(number, one)
        assert (names.low[place], names.high[place]) == (min([0.0, *found]), max([0.0, *found]))
    assert names.weights == [weights[token] for token in known_tokens(elements, weights)]


@pytest.mark.parametrize(
    ("names", "is_one"),
    [
        *((name, True) for name in ("Comment-list", "post\ncomments", "kommentare", "commentaire")),
        *((name, False) for name in ("post", "commentary", "legal-Commentaries")),
    ],
)
def test_names_of_comments_are_known_in_any_case(names: str, is_one: bool) -> None:
    assert is_comment_name(names) is is_one


WORDING = TokenScores(
    {"cart": -2.0, "add": -1.0, "river": 1.0}, {"add to cart": -2.2, "river": 1.1}
)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Add to cart", ["add", "to", "cart", "add to cart"]),
        ("Reply", ["reply"]),
        ("5 min · Rain", ["min", "rain", "5 min · rain"]),
        ("Add all to the cart", ["add", "all", "to", "the", "cart"]),
        ("rain " * (MAX_WORDS - 1) + "rain", ["rain"] * MAX_WORDS),
        ("rain " * MAX_WORDS + "rain", []),
        ("r" * 1000, []),
    ],
)
def test_a_short_text_is_its_words_and_the_whole(text: str, found: list[str]) -> None:
    assert text_tokens(text) == found


@given(names)
def test_a_table_reads_the_words_of_a_text_in_any_script(text: str) -> None:
    words = words_of(text.lower())
    table = TokenTable({}, dict.fromkeys(words, 1.0))
    read = table.read_words(Texts([text.lower()]), 0, 20, False)
    assert list(table.found[:read]) == [table.number(word) for word in words[:20]]


def scores_of(texts: list[str], scores: TokenScores) -> TextScores:
    return score_texts(texts, Texts(map(str.lower, texts)), scores)


def test_each_of_many_tokens_has_its_own_score() -> None:
    letters = "abcdefghij"
    words = [a + b + c for a in letters for b in letters for c in letters]
    words += [word + "k" for word in words] + ["\u00fcber", "\u6c34", "a\u00fc"]
    own = {word: 1.0 + k for k, word in enumerate(words)}
    scored = scores_of([*words, "abck k", "lll", "\u00fc"], TokenScores(own, {}))
    assert list(scored.mean[: len(words)]) == list(own.values())
    assert list(scored.mean[len(words) :]) == [own["abck"] / 3, 0.0, 0.0]


def test_a_text_says_the_mean_and_the_lowest_score_of_its_tokens() -> None:
    scored = scores_of(["Add to cart", "The river", "Add to cart", ""], WORDING)
    assert list(scored.mean) == [-3 / 4, 1 / 3, -3 / 4, 0.0]
    assert list(scored.low) == [-2.0, 0.0, -2.0, 0.0]


def test_a_page_says_of_itself_what_its_distinct_tokens_say_drawn_towards_nothing() -> None:
    assert scores_of(["Add to cart"] * 5, WORDING).article == -2.2 / 11
    assert scores_of(["Add to cart", "The river"], WORDING).article == (-2.2 + 1.1) / 12
    assert scores_of(["The rain"], WORDING).article == 0


def test_neighbours_are_heard_together() -> None:
    columns: Columns = {}
    sums, weights = array("d", [0, 7, 7, 7, 7, 7]), array("d", range(6))
    add_mean(columns, "mean", window(5, AROUND, AROUND), sums, weights)
    assert list(columns["mean"]) == [7 / 4, 7 / 5, 7 / 5, 7 / 5, 0.0]


def test_scores_of_words_survive_the_model_file() -> None:
    assert read_token_scores(ModelFile("words", write_token_scores(WORDING))) == WORDING


@pytest.mark.parametrize(
    "change",
    [{"tokens": ["a", "a"]}, {"content": [1.0]}, {"article": [1.0] * 3}, {"tokens": ["a", 1]}],
)
def test_scores_that_do_not_fit_their_tokens_are_refused(change: dict[str, object]) -> None:
    section = {"tokens": ["a", "b"], "content": [0.0, 1.0], "article": [0.0] * 2}
    read_token_scores(ModelFile("words", section))
    with pytest.raises(ModelError, match="words"):
        read_token_scores(ModelFile("words", section | change))
