"""Grades: sentences lost and blocks of noise."""

from __future__ import annotations

import pytest

from scrapy_webtext.lab.evaluate import metrics
from scrapy_webtext.lab.evaluate.metrics import Losses

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
