"""Measures of texts and of judgements, worked by hand."""

from __future__ import annotations

import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_webtext.lab import metrics
from scrapy_webtext.lab.metrics import Completeness, Confusion, Losses, Overlap
from tests.kits.data import read_json

CASES = read_json(__file__, "grades.json")


GOLD = "The river rose in the night. Two bridges are closed."


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        # Repeated words count each time. Gold: the x2, river, rose, ..., closed: 10 words.
        (metrics.word_overlap("The river rose. THE MENU the", GOLD), (4 / 6, 4 / 10, 8 / 16)),
        # Gold has 7 shingles, predicted 3, of which "the river rose in", "river rose in the" are.
        (metrics.shingle_overlap("the river rose in the morning", GOLD), (2 / 3, 2 / 7, 4 / 10)),
        # Gold 今天下雨了: 2 shingles; predicted 昨天下雨了: 2, of which 天下雨了 is gold.
        (metrics.shingle_overlap("昨天下雨了。", "今天，下雨了！", "chars"), (0.5, 0.5, 0.5)),
        # A text shorter than a shingle is one.
        (metrics.shingle_overlap("It rains", "it rains"), (1, 1, 1)),
        (metrics.shingle_overlap("下雨", "下雨", "chars"), (1, 1, 1)),
        (metrics.word_overlap("", GOLD), (0, 0, 0)),
        (metrics.shingle_overlap("", GOLD), (0, 0, 0)),
        (metrics.shingle_overlap("", GOLD, "chars"), (0, 0, 0)),
        (metrics.mean_overlap([Overlap(1.0, 0.5, 0.6), Overlap(0.5, 0.5, 0.5)]), (0.75, 0.5, 0.55)),
    ],
)  # fmt: skip
def test_overlaps_are_counted_by_words_and_shingles(
    found: tuple[float, ...], expected: tuple[float, ...]
) -> None:
    assert found == pytest.approx(expected)


PAGE = "<p class='long name'>text</p>" * 50
DEFLATED = len(zlib.compress(b"text " * 50)) / len(zlib.compress(PAGE.encode()))


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        # Pairs (article, none): 0.9 beats 0.8 and 0.1; 0.8 ties with 0.8 and beats 0.1: 3.5 of 4.
        (metrics.area_under_roc([(0.9, True), (0.8, True), (0.8, False), (0.1, False)]), 3.5 / 4),
        (metrics.area_under_roc([(0.3, True)]), 0.5),
        (metrics.confusion([]).accuracy, 0),
        (metrics.completeness([]).accuracy, 0),
        # Of "abcdef" the predicted has a, c, d, f in this order (after removing and dropping).
        (metrics.lcs_recall("xa\n c\u00add\u200bf", "abcdef"), 4 / 6),
        (metrics.lcs_recall("anything", ""), 1),
        (metrics.lcs_recall("", "abc"), 0),
        # Equation 2 of the ratio paper; kitten -> sitting: 3 edits of 7 characters.
        (metrics.edit_distance_ratio("kitten", "sitting"), 1 - 3 / 7),
        (metrics.edit_distance_ratio("", "abc"), 0),
        (metrics.edit_distance_ratio("", " "), 1),
        # White space and special characters are removed first.
        *(
            (measure(one, other), 1)
            for measure in (metrics.lcs_recall, metrics.edit_distance_ratio)
            for one, other in [
                ("one\n\n two", "one two"),
                ("今天\n下雨", "今天下雨"),
                ("one\xa0two\u200b", "onetwo"),
                ("“a” & b – <c>", "abc"),
            ]
        ),
        # Bytes, as they are and deflated: 16 of the page; "é" has two.
        (metrics.space_saved("<p>abcde</p>\n<b>", "abé"), 1 - 4 / 16),
        (metrics.space_saved_compressed(PAGE, "text " * 50), 1 - DEFLATED),
        (metrics.space_saved("", ""), 0),
        (metrics.space_saved_compressed("", ""), 0),
    ],
)
def test_a_measure_is_as_worked_by_hand(found: float, expected: float) -> None:
    assert found == pytest.approx(expected)


def test_confusion_is_that_of_the_p_value_papers_table_3() -> None:
    table = metrics.confusion([(0.5, True)] * 23 + [(0.49, True)] * 5 + [(0.1, False)] * 55)
    assert table == Confusion(23, 0, 5, 55)
    assert table.accuracy == pytest.approx(0.9398, abs=5e-5)
    table = Confusion(23, 2, 5, 55)
    assert table.accuracy == 78 / 85
    assert (table.recall, table.precision, table.false_positive_rate) == (23 / 28, 23 / 25, 2 / 57)
    nothing = Confusion(0, 0, 0, 0)
    assert (nothing.recall, nothing.precision, nothing.false_positive_rate) == (0, 0, 0)


def test_segments_are_kept_or_left_whatever_their_white_space() -> None:
    assert metrics.segments("text", [], []) == {}
    assert metrics.segments("One\nday. All.", ["One day", "x"], ["One", "one", "all"]) == {
        "kept": 0.5,
        "left": 2 / 3,
    }


def test_accurate_ratio_is_that_of_the_p_value_papers_table_2() -> None:
    overlaps = [Overlap(1, 1, 1)] * 250 + [Overlap(1, 0.9, 0.947)] * 12
    assert metrics.accurate_ratio(overlaps) == pytest.approx(0.9542, abs=5e-5)
    assert metrics.accurate_ratio([Overlap(0.96, 0.97, 0.965)]) == 1
    assert metrics.accurate_ratio([Overlap(0.95, 1.0, 0.974), Overlap(1.0, 0.94, 0.969)]) == 0


def test_calibration_counts_pages_and_articles_per_tenth() -> None:
    judged = [(0.0, False), (0.04, True), (0.5, True), (0.52, False), (0.54, True), (1.0, True)]
    curve = metrics.calibration(judged)
    assert len(curve) == 10
    assert curve[0] == (2, pytest.approx(0.02), 0.5)
    assert curve[5] == (3, pytest.approx(0.52), pytest.approx(2 / 3))
    assert curve[9] == (1, 1, 1)
    assert sum(part.pages for part in curve) == 6
    # Off by 0.48 on two pages and by 0.1466 on three.
    expected = (2 * 0.48 + 3 * (2 / 3 - 0.52)) / 6
    assert metrics.calibration_error(curve) == pytest.approx(expected)


def test_completeness_is_that_of_wfftes_table_2() -> None:
    # Its row for Jinritoutiao: 300 pages, 290 correct, 276 of them complete.
    kinds = ((1.0, 1.0, 1.0), 276), ((1.0, 0.51, 0.67), 14), ((0.5, 1.0, 0.67), 10)
    counts = metrics.completeness(Overlap(*kind) for kind, count in kinds for _ in range(count))
    assert counts == Completeness(300, 290, 276)
    assert counts.accuracy == pytest.approx(0.967, abs=5e-4)
    assert counts.completeness == pytest.approx(0.952, abs=5e-4)
    # One word of the main text is not correctly extracted.
    assert metrics.completeness([metrics.word_overlap("The", GOLD)]).accuracy == 0
    half = [Overlap(1.0, 0.5, 2 / 3), Overlap(0.95, 1.0, 0.97), Overlap(0.96, 0.95, 0.955)]
    assert metrics.completeness(half) == Completeness(3, 1, 0)


@pytest.mark.parametrize(("predicted", "gold", "expected", "grade"), CASES["grades"])
def test_grades_follow_sentences_lost_and_noise_blocks(
    predicted: str, gold: str, expected: tuple[int, int], grade: str
) -> None:
    assert metrics.losses(predicted, gold) == tuple(expected)
    assert Losses(*expected).grade == grade


def test_grades_are_counted_as_in_the_naive_bayes_papers_table_2() -> None:
    # Its row for Sohu.
    counted = metrics.grades([Losses(0, 0)] * 36 + [Losses(1, 2)] * 60 + [Losses(3, 0)] * 4)
    assert counted == {"excellent": 36, "good": 60, "poor": 4}


def test_sentences_end_at_marks_and_lines() -> None:
    text = 'He paid 3.5 dollars. "Really?" she said\nNo! 今天下雨。“好！”他说。'
    expected = 'He paid 3.5 dollars.|"Really?"|she said|No!|今天下雨。|“好！”|他说。'
    assert metrics.sentences(text) == expected.split("|")


TEXTS = st.text("abAB 今天,\n", max_size=60) | st.text(max_size=60)


@given(TEXTS, TEXTS, st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1))
def test_every_measure_is_a_share(
    predicted: str, gold: str, judged: list[tuple[float, bool]]
) -> None:
    overlap = metrics.word_overlap(predicted, gold)
    shares = [*overlap, *metrics.shingle_overlap(predicted, gold, "chars")]
    shares += [metrics.lcs_recall(predicted, gold), metrics.edit_distance_ratio(predicted, gold)]
    shares += [metrics.area_under_roc(judged), metrics.confusion(judged).accuracy]
    shares += [metrics.calibration_error(metrics.calibration(judged))]
    assert all(0 <= share <= 1 for share in shares)
    assert metrics.word_overlap(gold, predicted) == (overlap.recall, overlap.precision, overlap.f1)
    reversed_ = [(probability, not is_article) for probability, is_article in judged]
    assert metrics.area_under_roc(reversed_) == pytest.approx(1 - metrics.area_under_roc(judged))
