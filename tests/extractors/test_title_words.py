"""Title words: which words count, in which script, and which two a page says most."""

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_webtext.errors import MissingExtraError
from scrapy_webtext.extractors import title_words as module
from scrapy_webtext.extractors.title_words import (
    Segmenter,
    most_frequent,
    occurrences,
    title_words,
)
from scrapy_webtext.extractors.wffte import WffteExtractor
from scrapy_webtext.page.words import UNSPACED


@pytest.mark.parametrize(
    ("titles", "segmenter", "words"),
    [
        (["The Storm over the Harbour", "After the storm"], "auto", ["storm", "harbour"]),
        (["What is known about the Storm"], "auto", ["known", "storm"]),
        (["Über den Sturm und was noch kommt"], "auto", ["sturm", "kommt"]),
        (["北京公布高考安排"], "jieba", ["北京", "公布", "高考", "安排"]),
        (["高考，2024年。"], "bigrams", ["2024", "高考"]),
        (["ひらがな"], "auto", ["ひら", "らが", "がな"]),
        (["ข่าว"], "auto", ["ข่", "่า", "าว"]),
    ],
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
    [
        # stormy is no storm
        (["noon", "harbour", "storm", "boat"], {1: "harbour harbour storm storm storm noon stormy"},
         ["storm", "harbour"]),
        (["noon", "boat", "storm"], {1: "storm boat noon"}, ["noon", "boat"]),  # equally often
        (["noon", "boat"], {1: "boat"}, ["boat"]),
        (["noon"], {1: "boat"}, []),
        ([], {1: "boat"}, []),
        (["安排", "高考", "北京市"], {1: "今年高考在北京市，高考安排"}, ["高考", "安排"]),
        (["noon", "boat"], {1: "noon noon noon", 2: "boat boat"}, ["boat", "noon"]),  # 3 and 4
    ],
)  # fmt: skip
def test_the_two_most_frequent_words_are_chosen(
    candidates: list[str], texts: dict[int, str], words: list[str]
) -> None:
    assert most_frequent(candidates, texts) == words


def test_occurrences_are_whole_words_where_spaces_part_words() -> None:
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
