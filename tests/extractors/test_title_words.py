"""Title words: which words count, in which script, and which two a page says most."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_webtext.errors import MissingExtraError
from scrapy_webtext.extractors import title_words as wffte_title
from scrapy_webtext.extractors.title_words import most_frequent, occurrences, title_words
from scrapy_webtext.extractors.wffte import WffteExtractor
from scrapy_webtext.page.words import UNSPACED


@pytest.fixture
def without_jieba(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setitem(sys.modules, "jieba", None)
    wffte_title._jieba.cache_clear()
    yield
    wffte_title._jieba.cache_clear()


def test_words_of_four_letters_and_more_count_once_each_in_order() -> None:
    titles = ["The Storm over the Harbour", "After the storm"]
    assert title_words(titles, "auto") == ["storm", "harbour"]


def test_common_words_are_no_words_of_a_title() -> None:
    titles = ["What is known about the Storm", "Über den Sturm und was noch kommt"]
    assert title_words(titles, "auto") == ["known", "storm", "sturm", "kommt"]


def test_jieba_finds_the_words_of_a_chinese_title() -> None:
    assert title_words(["北京公布高考安排"], "jieba") == ["北京", "公布", "高考", "安排"]


def test_without_jieba_two_neighbouring_characters_are_a_word(without_jieba: None) -> None:
    assert title_words(["高考安排"], "auto") == ["高考", "考安", "安排"]


def test_bigrams_need_no_jieba(without_jieba: None) -> None:
    assert title_words(["高考，2024年。"], "bigrams") == ["2024", "高考"]


def test_asking_for_jieba_without_it_names_the_extra(without_jieba: None) -> None:
    with pytest.raises(MissingExtraError, match=r"'\.\[zh\]'"):
        WffteExtractor(segmenter="jieba")


def test_other_scripts_without_spaces_are_read_as_bigrams() -> None:
    assert title_words(["ひらがな"], "auto") == ["ひら", "らが", "がな"]
    assert title_words(["ข่าว"], "auto") == ["ข่", "่า", "าว"]


def test_importing_the_extractor_imports_no_segmenter() -> None:
    import subprocess

    code = (
        "from scrapy_webtext import extract; import sys;"
        "extract('<title>Plain news</title><p>Plain text', extractor='wffte');"
        "print('jieba' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_the_two_words_that_the_text_has_most_often_are_chosen() -> None:
    text = "harbour harbour storm storm storm noon stormy"
    assert most_frequent(["noon", "harbour", "storm", "boat"], {1: text}) == ["storm", "harbour"]


def test_of_equally_frequent_words_the_first_of_the_title_wins() -> None:
    assert most_frequent(["noon", "boat", "storm"], {1: "storm boat noon"}) == ["noon", "boat"]


def test_words_that_the_text_does_not_have_are_not_chosen() -> None:
    assert most_frequent(["noon", "boat"], {1: "boat"}) == ["boat"]
    assert most_frequent(["noon"], {1: "boat"}) == []
    assert most_frequent([], {1: "boat"}) == []


def test_chinese_words_are_found_without_spaces_around() -> None:
    assert most_frequent(["安排", "高考", "北京市"], {1: "今年高考在北京市，高考安排"}) == [
        "高考",
        "安排",
    ]


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
