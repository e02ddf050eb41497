"""Measures of texts and of judgements, worked by hand."""

from __future__ import annotations

import re
import sys
import zlib
from collections import Counter
from statistics import mean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_webtext.errors import MissingExtraError
from scrapy_webtext.lab import metrics
from scrapy_webtext.lab.metrics import Losses, Overlap

GOLD = "The river rose in the night. Two bridges are closed."


def test_word_overlap_counts_each_word_as_often_as_it_stands() -> None:
    # Gold: the x2, river, rose, in, night, two, bridges, are, closed: 10 words.
    # Predicted: the x3, river, rose, menu: 6 words; common: the x2, river, rose: 4.
    overlap = metrics.word_overlap("The river rose. THE MENU the", GOLD)
    assert overlap == (4 / 6, 4 / 10, pytest.approx(2 * 4 / (6 + 10)))


def test_shingle_overlap_counts_four_words_in_a_row() -> None:
    # Gold has 10 words: 7 shingles. Predicted has 6 words: 3 shingles, of which "the river rose
    # in" and "river rose in the" are gold.
    overlap = metrics.shingle_overlap("the river rose in the morning", GOLD)
    assert overlap == (2 / 3, 2 / 7, pytest.approx(2 * 2 / (3 + 7)))


def test_shingle_overlap_of_characters_needs_no_words() -> None:
    # Gold 今天下雨了: 2 shingles; predicted 昨天下雨了: 2, of which 天下雨了 is gold.
    assert metrics.shingle_overlap("昨天下雨了。", "今天，下雨了！", "chars") == (0.5, 0.5, 0.5)


def test_a_text_shorter_than_a_shingle_is_one_shingle() -> None:
    assert metrics.shingle_overlap("It rains", "it rains") == (1, 1, 1)
    assert metrics.shingle_overlap("下雨", "下雨", "chars") == (1, 1, 1)


@pytest.mark.parametrize("unit", ["words", "chars"])
def test_empty_text_has_no_overlap_with_a_gold_text(unit: metrics.Unit) -> None:
    assert metrics.word_overlap("", GOLD) == (0, 0, 0)
    assert metrics.shingle_overlap("", GOLD, unit) == (0, 0, 0)


def test_means_are_taken_page_by_page() -> None:
    overlaps = [Overlap(1.0, 0.5, 2 / 3), Overlap(0.5, 0.5, 0.5)]
    assert metrics.mean_overlap(overlaps) == pytest.approx((0.75, 0.5, 7 / 12))
    assert metrics.pooled_f1(overlaps) == pytest.approx(2 * 0.75 * 0.5 / 1.25)
    assert metrics.mean_overlap([]) == (0, 0, 0)
    assert metrics.pooled_f1([]) == 0


def test_a_page_is_accurately_extracted_if_all_three_are_above_95_percent() -> None:
    assert Overlap(0.96, 0.97, 0.965).is_accurate
    assert not Overlap(0.95, 1.0, 0.974).is_accurate
    assert not Overlap(1.0, 0.94, 0.969).is_accurate


def test_accurate_ratio_is_that_of_the_p_value_papers_table_2() -> None:
    overlaps = [Overlap(1, 1, 1)] * 250 + [Overlap(1, 0.9, 0.947)] * 12
    assert metrics.accurate_ratio(overlaps) == pytest.approx(0.9542, abs=5e-5)
    assert metrics.accurate_ratio([]) == 0


def test_confusion_is_that_of_the_p_value_papers_table_3() -> None:
    judged = [(0.5, True)] * 23 + [(0.49, True)] * 5 + [(0.1, False)] * 55
    table = metrics.confusion(judged)
    assert table == metrics.Confusion(23, 0, 5, 55)
    assert table.pages == 83
    assert table.accuracy == pytest.approx(0.9398, abs=5e-5)
    assert table.recall == 23 / 28
    assert table.precision == 1
    assert table.false_positive_rate == 0


def test_confusion_counts_each_kind_of_error_at_any_threshold() -> None:
    judged = [(0.9, True), (0.6, True), (0.7, False), (0.2, False)]
    assert metrics.confusion(judged, 0.65) == metrics.Confusion(1, 1, 1, 1)
    assert metrics.confusion(judged, 0.65).false_positive_rate == 0.5
    assert metrics.confusion(judged, 0.65).precision == 0.5
    assert metrics.confusion([]).accuracy == 0


def test_area_under_roc_is_the_share_of_rightly_ordered_pairs() -> None:
    # Pairs (article, none): 0.9 beats 0.8 and 0.1; 0.8 ties with 0.8 and beats 0.1: 3.5 of 4.
    judged = [(0.9, True), (0.8, True), (0.8, False), (0.1, False)]
    assert metrics.area_under_roc(judged) == 3.5 / 4
    assert metrics.area_under_roc([(0.3, True)]) == 0.5


def test_lcs_recall_is_the_share_of_the_gold_text_in_order() -> None:
    # Of "abcdef" the predicted has a, c, d, f in this order (after removing and dropping).
    assert metrics.lcs_recall("xa\n c\u00add\u200bf", "abcdef") == 4 / 6
    assert metrics.lcs_recall("anything", "") == 1
    assert metrics.lcs_recall("", "abc") == 0


def test_segments_are_kept_and_left_as_the_label_asks() -> None:
    text = "One day\nit rained. All stayed in."
    found = metrics.segments(text, ["day it", "snowed"], ["Home", "All", "Login"])
    assert found == (0.5, pytest.approx(2 / 3))
    assert metrics.segments(text, [], []) == (None, None)


def test_white_space_is_removed_before_characters_are_compared() -> None:
    assert metrics.lcs_recall("one\n\n two", "one two") == 1
    assert metrics.edit_distance_ratio(" one\ttwo", "one two\n") == 1
    assert metrics.lcs_recall("今天\n下雨", "今天下雨") == 1
    assert metrics.edit_distance_ratio("今天\n下雨", "今天下雨") == 1
    assert metrics.lcs_recall("one\xa0two\u200b", "onetwo") == 1


def test_edit_distance_ratio_is_equation_2_of_the_ratio_paper() -> None:
    # kitten -> sitting: 3 edits, the longer text has 7 characters.
    assert metrics.edit_distance_ratio("kitten", "sitting") == pytest.approx(1 - 3 / 7)
    assert metrics.edit_distance_ratio("", "abc") == 0
    assert metrics.edit_distance_ratio("", " ") == 1


def test_a_missing_rapidfuzz_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rapidfuzz.distance", None)
    with pytest.raises(MissingExtraError, match=r"rapidfuzz.*'\.\[lab\]'"):
        metrics.lcs_recall("a", "b")


def test_space_saved_is_the_share_of_bytes() -> None:
    # 16 bytes of page; "é" has two bytes.
    assert metrics.space_saved("<p>abcde</p>\n<b>", "abé") == 1 - 4 / 16
    assert metrics.space_saved("", "") == 0


def test_space_saved_compressed_compares_deflated_bytes() -> None:
    html = "<p class='long name'>text</p>" * 50
    saved = 1 - len(zlib.compress(b"text " * 50)) / len(zlib.compress(html.encode()))
    assert metrics.space_saved_compressed(html, "text " * 50) == saved
    assert metrics.space_saved_compressed("", "") == 0


def test_completeness_is_that_of_wfftes_table_2() -> None:
    # Its row for Jinritoutiao: 300 pages, 290 correct, 276 of them complete.
    overlaps = (
        [Overlap(1.0, 1.0, 1.0)] * 276
        + [Overlap(1.0, 0.51, 0.67)] * 14
        + [Overlap(0.5, 1.0, 0.67)] * 10
    )
    counts = metrics.completeness(iter(overlaps))
    assert counts == metrics.Completeness(300, 290, 276)
    assert counts.accuracy == pytest.approx(0.967, abs=5e-4)
    assert counts.completeness == pytest.approx(0.952, abs=5e-4)
    assert metrics.completeness([]).accuracy == 0


def test_one_word_of_the_main_text_is_not_correctly_extracted() -> None:
    assert metrics.completeness([metrics.word_overlap("The", GOLD)]).accuracy == 0
    half = [Overlap(1.0, 0.5, 2 / 3), Overlap(0.95, 1.0, 0.97), Overlap(0.96, 0.95, 0.955)]
    assert metrics.completeness(half) == metrics.Completeness(3, 1, 0)
    assert metrics.completeness(half, bound=0.94) == metrics.Completeness(3, 2, 2)


def test_calibration_counts_pages_and_articles_per_part_of_the_probabilities() -> None:
    judged = [(0.0, False), (0.4, True), (0.5, True), (0.5, False), (0.7, True), (1.0, True)]
    low, high = metrics.calibration(judged, bins=2)
    assert (low.low, low.high, low.pages, low.articles, low.article_share) == (0, 0.5, 2, 1, 0.5)
    assert low.probability == pytest.approx(0.2)
    assert (high.low, high.high, high.pages, high.articles) == (0.5, 1, 4, 3)
    assert high.probability == pytest.approx(2.7 / 4)
    # Off by 0.3 on two pages and by 0.075 on four.
    error = metrics.calibration_error([low, high])
    assert error == pytest.approx((2 * 0.3 + 4 * 0.075) / 6)
    assert len(metrics.calibration([])) == 10
    assert metrics.calibration_error(metrics.calibration([])) == 0


def benchmark_grams(text: str, is_chinese: bool, n: int) -> Counter[object]:
    if is_chinese:
        joined = "".join(re.findall(r"\w", text))
        return Counter(joined[i : i + n] for i in range(max(1, len(joined) - n + 1)))
    words = re.findall(r"\w+", text.lower())
    if not words:
        return Counter()
    return Counter(tuple(words[i : i + n]) for i in range(max(1, len(words) - n + 1)))


def benchmark(predicted: str, gold: str, is_chinese: bool, n: int) -> tuple[float, float, float]:
    """The benchmarks' measure, written anew after their description."""
    p, g = benchmark_grams(predicted, is_chinese, n), benchmark_grams(gold, is_chinese, n)
    common = sum((p & g).values())
    precision, recall = common / (sum(p.values()) or 1), common / (sum(g.values()) or 1)
    f1 = 2 * precision * recall / (precision + recall) if common else 0.0
    return precision, recall, f1


TEXTS = st.text("abAB 今天,\n", max_size=60) | st.text(max_size=60)


@given(TEXTS, TEXTS)
def test_overlaps_are_those_of_todays_benchmarks_to_the_last_digit(one: str, other: str) -> None:
    assert metrics.word_overlap(one, other) == benchmark(one, other, False, 1)
    assert metrics.shingle_overlap(one, other) == benchmark(one, other, False, 4)
    assert metrics.shingle_overlap(one, other, "chars") == benchmark(one, other, True, 4)


@given(st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=8))
def test_means_are_those_of_todays_benchmarks_to_the_last_digit(
    pages: list[tuple[str, str]],
) -> None:
    overlaps = [metrics.word_overlap(*page) for page in pages]
    columns = list(zip(*(benchmark(*page, False, 1) for page in pages), strict=True))
    precision, recall, f1 = (mean(column) for column in columns)
    assert metrics.mean_overlap(overlaps) == (precision, recall, f1)
    expected = 2 * precision * recall / ((precision + recall) or 1)
    assert metrics.pooled_f1(overlaps) == expected


@given(TEXTS, TEXTS)
def test_measures_lie_in_0_to_1_and_a_text_agrees_with_itself(one: str, other: str) -> None:
    for measure in (metrics.lcs_recall, metrics.edit_distance_ratio):
        assert 0 <= measure(one, other) <= 1
        assert measure(one, one) == 1
    for overlap in (metrics.word_overlap(one, other), metrics.shingle_overlap(one, other)):
        assert all(0 <= value <= 1 for value in overlap)
    assert metrics.losses(one, one) == (0, 0)


@given(st.lists(st.tuples(st.sampled_from([0.1, 0.4, 0.4, 0.8]), st.booleans()), max_size=12))
def test_area_under_roc_is_that_of_counting_all_pairs(judged: list[tuple[float, bool]]) -> None:
    articles = [p for p, is_article in judged if is_article]
    others = [p for p, is_article in judged if not is_article]
    pairs = [(a > o) + (a == o) / 2 for a in articles for o in others]
    assert metrics.area_under_roc(judged) == pytest.approx(mean(pairs) if pairs else 0.5)


STORY = (
    "The river rose in the night. Two bridges are closed today.\n"
    "Schools open at noon. Buses run as usual again."
)


@pytest.mark.parametrize(
    ("predicted", "expected", "grade"),
    [
        (STORY, Losses(0, 0), "excellent"),
        (STORY.replace("\n", " "), Losses(0, 0), "excellent"),
        (STORY.replace("Schools open at noon.", ""), Losses(1, 0), "good"),
        (STORY.split("\n")[0], Losses(2, 0), "good"),
        (f"Home News Sport\n{STORY}\nRead more here", Losses(0, 2), "good"),
        ("Two bridges are closed today.", Losses(3, 0), "poor"),
        (f"Home News\n{STORY}\nRead more\nAll rights reserved", Losses(0, 3), "poor"),
        ("", Losses(4, 0), "poor"),
        # An advertisement on a line of the text, as a sentence of its own or within one.
        (STORY.replace("\n", " Buy cheap boats. By Harbour Inc.\n"), Losses(0, 1), "good"),
        (STORY.replace("noon.", "noon, says an advertisement."), Losses(0, 1), "good"),
        (STORY.replace("\n", " Buy now.\nOh no. "), Losses(0, 2), "good"),
        # Three fifths of each sentence, and an advertisement.
        (
            "The river rose in. Two bridges are.\nSchools open. Buses run as. Buy cheap boats.",
            Losses(4, 1),
            "poor",
        ),
    ],
)
def test_grades_follow_sentences_lost_and_noise_blocks(
    predicted: str, expected: Losses, grade: metrics.Grade
) -> None:
    assert metrics.losses(predicted, STORY) == expected
    assert expected.grade == grade


def test_a_sentence_is_kept_with_nine_tenths_of_its_words() -> None:
    ten = "One two three four five six seven eight nine ten."
    assert metrics.losses(ten.replace(" two", ""), ten) == (0, 0)
    assert metrics.losses(ten.replace(" two", "").replace(" six", ""), ten) == (1, 0)
    assert metrics.losses(ten, ten.replace(" two", "")) == (0, 0)
    assert metrics.losses(ten, ten.replace(" two", "").replace(" six", "")) == (0, 1)


def test_an_equal_text_has_lost_nothing_however_often_it_repeats_a_word() -> None:
    assert metrics.losses("no " * 50, "no\n" * 50) == (0, 0)


def test_grades_are_counted_as_in_the_naive_bayes_papers_table_2() -> None:
    # Its row for Sohu.
    pages = [Losses(0, 0)] * 36 + [Losses(1, 2)] * 60 + [Losses(3, 0)] * 4
    counted = metrics.grades(pages)
    assert counted == metrics.Grades(36, 60, 4)
    assert counted.excellent_rate == pytest.approx(0.36)
    assert counted.good_rate == pytest.approx(0.96)


def test_sentences_end_at_marks_and_lines() -> None:
    text = 'He paid 3.5 dollars. "Really?" she said\nNo! 今天下雨。“好！”他说。'
    assert metrics.sentences(text) == [
        "He paid 3.5 dollars.",
        '"Really?"',
        "she said",
        "No!",
        "今天下雨。",
        "“好！”",
        "他说。",
    ]
