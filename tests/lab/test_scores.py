"""Scores of a small corpus: what is counted, in which order, in one process and in two."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scrapy_webtext.errors import SettingsError
from scrapy_webtext.lab.corpus import LabelledPage
from scrapy_webtext.lab.metrics import Confusion, Losses
from scrapy_webtext.lab.scores import ExtractorScore, score_extractors, score_judges, unit_of
from scrapy_webtext.lab.tables import table


def page(title: str, gold: str, kind: str = "article", key: str = "") -> LabelledPage:
    return LabelledPage(
        key or title, f"<title>{title}</title><p>{title}, {gold}.</p>", gold, None, kind
    )


PAGES = [
    page("one two", "one two"),
    page("Bad weather", "bad weather"),
    page("one two three four", "one two five six", "forum"),
    page("no gold text", "", "listing"),
]
TITLE = "tests.lab.odd_systems.Title"


def test_each_page_with_a_gold_text_is_scored_in_order() -> None:
    (score,) = score_extractors(PAGES, [TITLE])
    assert score.extractor == TITLE
    assert score.unit == "words"
    assert [p.id for p in score.pages] == ["one two", "Bad weather", "one two three four"]
    assert [p.overlap.f1 for p in score.pages] == [1, 1, 0.5]
    assert score.overlap.f1 == pytest.approx(2.5 / 3)
    assert score.shingle_f1 == pytest.approx(2 / 3)
    assert score.accurate_ratio == pytest.approx(2 / 3)
    assert score.completeness.correct == 2
    assert score.f1_by_type() == {"article": 1, "forum": 0.5}
    assert score.worst(1) == [2]
    assert score.median_seconds > 0


def test_several_systems_come_in_the_order_given() -> None:
    names = [f"{TITLE}:suffix=.two", TITLE]
    scores = score_extractors(PAGES, names)
    assert [score.extractor for score in scores] == names
    assert scores[0].pages[0].overlap == (2 / 3, 1, pytest.approx(0.8))


def test_what_a_system_raises_is_noted_on_the_page_and_gives_no_text() -> None:
    (score,) = score_extractors(PAGES, ["tests.lab.odd_systems.Fails"])
    (failed,) = score.errors
    assert (failed.id, failed.error) == ("Bad weather", "RuntimeError: no text for bad pages")
    assert failed.overlap.f1 == 0
    assert len(score.pages) == 3


def test_slower_measures_are_there_if_asked_for() -> None:
    (quick,) = score_extractors(PAGES, [TITLE])
    assert quick.papers == ()
    (score,) = score_extractors(PAGES, [TITLE], measures="all")
    first, _, third = score.papers
    assert (first.lcs_recall, first.edit_distance_ratio, first.losses) == (1, 1, Losses(0, 0))
    # Of "onetwofivesix" 6 characters and, in order, an e (or an f) are left.
    assert third.lcs_recall == 7 / 13
    assert 0 < first.space_saved < 1
    assert score.grades.excellent == 2


def without_times(scores: tuple[ExtractorScore, ...]) -> list[ExtractorScore]:
    return [replace(s, pages=tuple(replace(p, seconds=0.0) for p in s.pages)) for s in scores]


def test_two_processes_give_what_one_gives() -> None:
    pages = [page(f"story {n}", f"story {n} of many", key=str(n)) for n in range(30)]
    systems = ["pvalue", "wffte:segmenter=bigrams"]
    one, two = (score_extractors(pages, systems, processes=n) for n in (1, 2))
    assert without_times(one) == without_times(two)
    assert [p.id for p in two[0].pages] == [str(n) for n in range(30)]
    judged = [score_judges(pages, ["pvalue"], processes=n)[0].pages for n in (1, 2)]
    assert [p.probability for p in judged[0]] == [p.probability for p in judged[1]]


def test_a_corpus_without_spaces_is_scored_by_characters() -> None:
    pages = [page("今天下雨了", "今天下雨"), page("短", "今天下雨")]
    (score,) = score_extractors(pages, [TITLE])
    assert score.unit == "chars"
    # Shingles 今天下雨, 天下雨了 against 今天下雨.
    assert score.pages[0].overlap == score.pages[0].shingles == (0.5, 1, pytest.approx(2 / 3))
    (by_words,) = score_extractors(pages, [TITLE], unit="words")
    assert by_words.pages[0].overlap.f1 == 0


@pytest.mark.parametrize(
    ("texts", "unit"),
    [
        ([], "words"),
        (["It rains.", "雨 rain"], "words"),
        (["今天 下雨", "It rains.", "明天晴"], "chars"),
    ],
)
def test_most_texts_decide_on_the_unit(texts: list[str], unit: str) -> None:
    assert unit_of(texts) == unit


def test_judges_are_scored_on_pages_whose_type_is_known() -> None:
    pages = [
        page("long enough", "x", "article"),
        page("short", "x", "article"),
        page("brief", "", "listing"),
        page("of any length", "", "product"),
        page("label is missing", "x", ""),
    ]
    (score,) = score_judges(pages, ["tests.lab.odd_systems.Length"])
    assert [(p.type, p.probability, p.is_article) for p in score.pages] == [
        ("article", 1.0, True),
        ("article", 0.5, True),
        ("listing", 0.5, False),
        ("product", 1.0, False),
    ]
    assert score.confusion() == Confusion(2, 2, 0, 0)
    assert score.confusion(0.6) == Confusion(1, 1, 1, 1)
    assert score.area_under_roc == 0.5
    assert score.median_seconds > 0


def test_a_corpus_without_pages_to_score_gives_scores_without_pages() -> None:
    (score,) = score_extractors([page("no gold", "")], [TITLE])
    assert score.pages == ()
    assert score.overlap.f1 == score.shingle_f1 == score.median_seconds == score.mean_seconds == 0


@pytest.mark.parametrize("names", ["pvalue", [], ["nonesuch"]])
def test_wrong_systems_are_refused_before_a_page_is_read(names: list[str]) -> None:
    def unread() -> object:
        raise AssertionError("a page was read")
        yield

    with pytest.raises(SettingsError):
        score_extractors(unread(), names)  # type: ignore[arg-type]
    with pytest.raises(SettingsError):
        score_judges(unread(), names)  # type: ignore[arg-type]
    with pytest.raises(SettingsError, match="processes=0"):
        score_extractors(PAGES, [TITLE], processes=0)


def test_a_table_is_markdown_whose_columns_are_aligned() -> None:
    assert table(["name", "n"], [["a", "1"], ["long name", "1000"]]) == (
        "| name      |    n |\n| --------- | ---: |\n| a         |    1 |\n| long name | 1000 |"
    )
