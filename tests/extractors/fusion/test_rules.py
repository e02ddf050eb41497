"""Landmarks, copies, teasers and the standfirst."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_webtext import extract
from scrapy_webtext.core.tokens import TokenTable
from scrapy_webtext.extractors.fusion import FusionExtractor
from scrapy_webtext.extractors.fusion.features.block_features import compute_features
from scrapy_webtext.extractors.fusion.features.short_texts import NO_TOKEN_SCORES
from scrapy_webtext.extractors.fusion.features.tables import BlockTable
from scrapy_webtext.extractors.fusion.landmarks import excluded_nodes
from scrapy_webtext.extractors.fusion.model import load_fusion
from scrapy_webtext.extractors.fusion.prediction import PagePrediction, predict
from scrapy_webtext.extractors.fusion.rules import with_standfirst, without_teasers
from scrapy_webtext.extractors.fusion.select import page_threshold, select
from scrapy_webtext.page import Page, parse

PROSE = "It rained in the valley, and the river rose by a metre within the hour of noon. " * 3


BODY = f"<article><h1>Rain</h1><p>{PROSE}</p></article>"


def block_table(html: str) -> list[str]:
    page = parse(html)
    mask = excluded_nodes(page)
    blocks = zip(page.blocks.node, page.blocks.text, strict=True)
    return [text.split()[0] for node, text in blocks if not mask[node]]


def test_menus_footers_and_banners_are_left_out() -> None:
    html = f"<header>Gazette</header><nav>News</nav>{BODY}<footer>Imprint</footer>"
    assert block_table(html) == ["Rain", "It"]


def test_a_menu_in_a_banner_that_stays_is_left_out() -> None:
    assert block_table(f"<header><nav>News</nav><h1>Valley</h1></header>{BODY}") == [
        "Valley",
        "Rain",
        "It",
    ]


def test_footers_of_texts_stay() -> None:
    quotation = "<blockquote><p>Rain.</p><footer>Anna</footer></blockquote>"
    assert block_table(quotation) == ["Rain.", "Anna"]
    article = f"<article><header>Storm</header><p>{PROSE}</p><footer>Anna</footer></article>"
    assert block_table(article) == ["Storm", "It", "Anna"]


def test_sidebars_are_left_out_and_asides_of_a_text_stay() -> None:
    assert block_table(f"<aside>Trending</aside>{BODY}") == ["Rain", "It"]
    assert block_table(f"<article><aside>Note</aside><p>{PROSE}</p></article>") == ["Note", "It"]
    assert block_table(f"<article><nav>Contents</nav><p>{PROSE}</p></article>") == ["It"]


def test_what_stands_outside_main_is_left_out_but_for_the_headline() -> None:
    around = f"<div>Weather</div><div><h1>Valley</h1></div><main><p>{PROSE}</p></main>"
    assert block_table(f"{around}<div>Cookies</div>") == ["Valley", "It"]
    assert block_table(f"{around}<div><p>{PROSE}</p></div>") == ["Weather", "Valley", "It", "It"]


def test_an_element_with_much_of_the_prose_stays_whatever_its_tag() -> None:
    assert block_table(f"<nav>News {BODY}") == ["News", "Rain", "It"]
    assert block_table(f"{BODY}<footer><p>{PROSE}</footer>") == ["Rain", "It", "It"]


def test_prose_in_links_is_no_prose() -> None:
    assert block_table(f"{BODY}<footer><a href=/>{PROSE}</a></footer>") == ["Rain", "It"]


def test_a_page_of_nothing_else_is_read() -> None:
    assert block_table("<nav>News</nav><footer>Imprint</footer>") == ["News", "Imprint"]


@given(st.text(alphabet=st.sampled_from(list("<>/navfoterhdmi1 .,\n")), max_size=300))
def test_hidden_text_stays_hidden(html: str) -> None:
    page = parse(html)
    assert all(a <= b for a, b in zip(page.hidden, excluded_nodes(page), strict=True))
    assert all(page.hidden[i] for i in page.blocks.node) == all(
        excluded_nodes(page)[i] for i in page.blocks.node
    )


VERSES = [
    "The cart was old, the road was long, the wheel was never quite true.",
    "The bridge was out, the ford was deep, the toll was two pence more.",
    "The inn was shut, the lamp was out, the keeper had gone to sea.",
]


REFRAIN = "So walk, my grey, walk on, my grey, the inn is not so very far."


def text_of(body: str) -> list[str]:
    return extract(f"<title>A page</title><main><article>{body}</article></main>").main_text.split(
        "\n"
    )


def test_a_refrain_is_sung_each_time():
    lines = [line for verse in VERSES for line in (verse, REFRAIN)]
    assert text_of("".join(f"<p>{line}</p>" for line in lines)) == lines


def test_an_article_that_stands_twice_is_taken_once():
    once = "".join(f"<p>{line}</p>" for line in VERSES)
    assert text_of(f"<div>{once}</div><div>{once}</div>") == VERSES
    assert text_of(f"<div class=phone>{once}</div><section>{once}</section>") == VERSES


def test_blocks_of_one_flow_are_no_copies() -> None:
    once = "".join(f"<p>{line}</p>" for line in VERSES)
    assert text_of(once + once) == VERSES * 2
    steps = "".join(f"<p>{line}</p><div><p>{VERSES[0]}</p></div>" for line in VERSES[1:])
    assert text_of(steps).count(VERSES[0]) == len(VERSES) - 1


def test_an_introduction_that_the_text_repeats_is_taken_once() -> None:
    once = "".join(f"<p>{line}</p>" for line in VERSES)
    assert text_of(f"<header><p>{VERSES[1]}</p></header><div>{once}</div>") == VERSES


def test_a_pull_quote_is_taken_once():
    first, second, third = (f"<p>{verse}</p>" for verse in VERSES)
    body = f"{first}{second}<blockquote>{VERSES[0]}</blockquote>{third}"
    assert text_of(body) == VERSES


@pytest.mark.parametrize(
    "between", ["", "<p>Then again, in the other folder of the same site:</p>"]
)
def test_code_is_run_each_time(between):
    code = "tar --create --gzip --file backup.tar.gz --exclude cache /srv/www/site"
    first, second, third = (f"<p>{verse}</p>" for verse in VERSES)
    body = f"{first}<pre>{code}</pre>{second}{between}<pre>{code}</pre>{third}"
    assert text_of(body).count(code) == 2


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
    table = compute_features(page, TokenTable(names, {}), NO_TOKEN_SCORES)
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


ABOUT = "Eleven retired engineers teach mathematics in a town that found no teachers."


STORY = "The oldest of them is seventy-nine and built bridges for most of his life."


def texts_of(page: Page) -> BlockTable:
    return predict(page, load_fusion(FusionExtractor().model)).table.texts


def page_of(described: str, above: str = f"<p>{ABOUT}</p>") -> Page:
    head = f'<meta property="og:description" content="{described}">'
    return parse(f"<head>{head}</head><body><main>{above}<p>{STORY}</p><p>{STORY}</p></main>")


def test_the_standfirst_is_what_the_page_says_of_itself() -> None:
    for described in (ABOUT, f"{ABOUT} They were asked in May.", ABOUT[:50] + "…"):
        page = page_of(described)
        assert with_standfirst(page, texts_of(page), [1, 2]) == [0, 1, 2]


def test_other_lines_above_the_text_are_no_standfirst() -> None:
    for page in (
        page_of("Eleven teachers."),
        page_of(ABOUT, f"<h1>{ABOUT}</h1>"),
        page_of(ABOUT, f"<figure><figcaption>{ABOUT}</figcaption></figure>"),
        page_of(ABOUT, "<p>Schools</p>"),
    ):
        assert with_standfirst(page, texts_of(page), [1, 2]) == [1, 2]
