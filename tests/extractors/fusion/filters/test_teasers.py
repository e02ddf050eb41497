"""Links to other texts before and after a sure text are no main text."""

from scrapy_webtext.extractors.fusion.features.block_features import compute_features
from scrapy_webtext.extractors.fusion.features.class_names import class_name_scorer
from scrapy_webtext.extractors.fusion.features.short_texts import NO_TOKEN_SCORES
from scrapy_webtext.extractors.fusion.prediction import PagePrediction
from scrapy_webtext.extractors.fusion.rules import without_teasers
from scrapy_webtext.extractors.fusion.select import page_threshold, select
from scrapy_webtext.page import Page, parse

PARAGRAPH = (
    "<p>The bridge over the river was opened on Monday, after nine years of work, and the first "
    "to cross it was a woman of ninety who had crossed the old one as a child, on a cart.</p>"
)
ARTICLE = f"<div class=story>{PARAGRAPH}{PARAGRAPH.replace('bridge', 'ferry')}</div>"
TEASERS = "".join(
    f"<div class=more><a href=/{town}>The council of {town} has met, and what it decided on the "
    f"school, the mill and the road will be told next week.</a></div>"
    for town in ("Aldbury", "Bexley", "Cromer", "Dunster")
)
#: How probable the two paragraphs and the four teasers are.
UNSURE = [0.95, 0.93, 0.6, 0.6, 0.7, 0.6]


def prediction(page: Page, probabilities: list[float], names: dict[str, float]) -> PagePrediction:
    table = compute_features(page, class_name_scorer(names), NO_TOKEN_SCORES)
    assert len(table.texts.numbers) == len(probabilities)
    return PagePrediction(table, {}, probabilities, probabilities, 0.1)


def left(html: str, probabilities: list[float], **names: float) -> list[int]:
    page = parse(html)
    every = list(range(len(probabilities)))
    return without_teasers(page, prediction(page, probabilities, names), every)


def test_links_before_or_after_a_sure_text_are_left_out() -> None:
    assert left(ARTICLE + TEASERS, UNSURE) == [0, 1]
    assert left(TEASERS + ARTICLE, UNSURE[2:] + UNSURE[:2]) == [4, 5]


def test_a_short_article_is_not_lost_among_many_teasers() -> None:
    page = parse(ARTICLE + TEASERS)
    made = prediction(page, UNSURE, {})
    assert page_threshold(made) == 0.6, "what promises most is all of it"
    assert select(page, made) == [0, 1]


def test_a_date_or_a_number_of_comments_may_stand_beside_the_link() -> None:
    dated = TEASERS.replace("</a>", "</a> 12 May, 3 comments")
    assert left(ARTICLE + dated, UNSURE) == [0, 1]


def test_links_stay_where_no_prose_is_sure() -> None:
    assert left(ARTICLE + TEASERS, [0.85, 0.85, *UNSURE[2:]]) == [0, 1, 2, 3, 4, 5]


def test_links_stay_beside_a_few_sure_words() -> None:
    short = "<p>We tell what the councils of our county decide, week by week.</p>"
    assert left(short + TEASERS, [0.95, *UNSURE[2:]]) == [0, 1, 2, 3, 4]


def test_links_between_paragraphs_are_of_the_text() -> None:
    html = f"{PARAGRAPH}{TEASERS}{PARAGRAPH.replace('bridge', 'ferry')}"
    assert left(html, [0.95, *UNSURE[2:], 0.95]) == [0, 1, 2, 3, 4, 5]


def test_links_in_the_container_of_the_text_are_of_the_text() -> None:
    html = f"<div>{PARAGRAPH}{TEASERS.replace('div class=more', 'p').replace('/div', '/p')}</div>"
    assert left(html, [0.95, *UNSURE[2:]]) == [0, 1, 2, 3, 4]


def test_two_links_are_no_teasers() -> None:
    two = TEASERS[: TEASERS.index("<div class=more><a href=/Cromer")]
    assert left(ARTICLE + two, UNSURE[:4]) == [0, 1, 2, 3]


def test_a_link_that_is_surely_content_stays() -> None:
    assert left(ARTICLE + TEASERS, [*UNSURE[:4], 0.92, 0.6]) == [0, 1, 4]


def test_links_whose_names_speak_for_them_are_what_the_page_is_about() -> None:
    assert left(ARTICLE + TEASERS, UNSURE, story=-1.5, more=1.0) == [0, 1, 2, 3, 4, 5]
    assert left(ARTICLE + TEASERS, UNSURE, story=-0.5, more=1.0) == [0, 1]


def test_a_page_without_text_has_no_teasers() -> None:
    assert left("<p></p>", []) == []
