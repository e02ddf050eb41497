"""Title words: words of titles by script, and the two most frequent on a page."""

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_webtext.core.words import UNSPACED
from scrapy_webtext.errors import MissingExtraError
from scrapy_webtext.extractors import title_words as module
from scrapy_webtext.extractors.title_words import Segmenter, most_frequent, occurrences, title_words
from scrapy_webtext.extractors.wffte import WffteExtractor
from tests.kits.data import read_json

CASES = read_json(__file__)


@pytest.mark.parametrize(
    ("titles", "segmenter", "words"), CASES["wffte: words of titles by segmenter"]
)
def test_title_words_are_long_uncommon_and_listed_once(
    titles: list[str], segmenter: Segmenter, words: list[str]
) -> None:
    assert title_words(titles, segmenter) == words


def test_without_jieba_two_neighbouring_characters_are_a_word(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "jieba", None)
    module._jieba.cache_clear()
    assert title_words(["高考安排"], "auto") == ["高考", "考安", "安排"]
    assert title_words(["高考，2024年。"], "bigrams") == ["2024", "高考"]
    with pytest.raises(MissingExtraError, match=r"'\.\[zh\]'"):
        WffteExtractor(segmenter="jieba")
    module._jieba.cache_clear()


@pytest.mark.parametrize(
    ("candidates", "texts", "words"),
    CASES["wffte: candidates, texts and the two words that occur most"],
)
def test_the_two_most_frequent_words_are_chosen(
    candidates: list[str], texts: list[str], words: list[str]
) -> None:
    assert most_frequent(candidates, dict(enumerate(texts, 1))) == words


def test_occurrences_are_whole_words_in_scripts_with_spaces() -> None:
    assert occurrences("storm", "storm, stormy and brainstorm; storm") == 2
    assert occurrences("高考", "今年高考安排高考") == 2


@given(
    st.lists(st.sampled_from("ab cd efgh 高考 高考安 ひら".split()), max_size=5, unique=True),
    st.text("abcdefgh 高考安ひら", max_size=60),
)
def test_chosen_words_are_the_most_frequent_by_plain_counting(words: list[str], text: str) -> None:
    def count(word: str) -> int:
        if UNSPACED.match(word):
            return sum(text.startswith(word, at) for at in range(len(text)))
        return occurrences(word, text)

    ranked = sorted((w for w in words if count(w)), key=count, reverse=True)
    assert [count(w) for w in most_frequent(words, {1: text})] == [count(w) for w in ranked[:2]]
