"""The extractor ``fusion`` and the judge ``learned``: texts, scores, options."""

import pickle
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from scrapy_webtext import extract
from scrapy_webtext.extractors.fusion import FusionExtractor, LearnedJudge
from scrapy_webtext.extractors.fusion.options import without_pull_quotes
from scrapy_webtext.page import parse
from tests.kits.data import read_json

CASES = read_json(__file__)

PARAGRAPHS = CASES["fusion: paragraphs"]


MENU = "".join(f"<li><a href=/{name}>{name}</a>" for name in ("News", "Sport", "Weather"))


MORE = "".join(f"<li><a href=/{k}>Another story of the day, number {k}</a>" for k in range(8))


ARTICLE = f"""<!doctype html><html lang=en>
<head><title>Flood in the valley - The Valley Post</title>
<meta property="og:type" content="article"></head>
<body><header><nav class=menu><ul>{MENU}</ul></nav></header>
<main><article class=post><h1>Flood in the valley</h1>
<div class=article-body>{"".join(f"<p>{p}</p>" for p in PARAGRAPHS)}</div>
</article></main>
<aside class=related><h3>Read more</h3><ul>{MORE}</ul></aside>
<footer class=site-footer><p>© The Valley Post. All rights reserved.</p></footer></body></html>"""


LISTING = f"""<!doctype html><html><head><title>News - The Valley Post</title></head>
<body><nav class=menu><ul>{MENU}</ul></nav>
<ul class=list>{MORE * 4}</ul><footer>© The Valley Post</footer></body></html>"""


def test_an_article_is_its_paragraphs_and_its_score_is_high() -> None:
    result = extract(ARTICLE, extractor="fusion")
    assert result.main_text == "\n".join(PARAGRAPHS)
    assert result.main_text_score > 0.8 > extract(LISTING, extractor="fusion").main_text_score


def test_the_learned_judge_tells_an_article_from_a_list() -> None:
    article, listing = extract(ARTICLE, judge="learned"), extract(LISTING, judge="learned")
    assert (article.has_article, listing.has_article) == (True, False)
    assert article.article_probability is not None
    assert listing.article_probability is not None
    assert article.article_probability > 0.8 > 0.2 > listing.article_probability


def test_the_probability_is_the_learned_models_whoever_judges() -> None:
    learned = extract(ARTICLE, judge="learned")
    for extractor, judge, expected in (
        ("fusion", "pvalue", learned.article_probability),
        ("bte", "learned", learned.article_probability),
        ("bte", "pvalue", None),
    ):
        found = extract(ARTICLE, extractor=extractor, judge=judge)
        assert (found.p_value, found.article_probability) == (learned.p_value, expected)


def test_pages_without_text_have_none() -> None:
    result = extract("", extractor="fusion", judge="learned", threshold=0)
    assert (result.main_text, result.main_text_score, result.has_article) == ("", 0.0, False)
    assert FusionExtractor().signals(parse("")) == ()


def test_signals_show_the_probability_of_every_block() -> None:
    page = parse(ARTICLE)
    signal, first = FusionExtractor().signals(page)
    assert len(signal.values) == len(first.values) == len(signal.reasons) == len(page.blocks)
    assert signal.threshold is not None
    assert first.threshold is None
    assert signal.selected == first.selected == FusionExtractor().extract(page).chosen
    for b in signal.selected:
        assert signal.values[b] >= signal.threshold
        assert first.values[b] > 0.5
        assert signal.reasons[b]


def test_extractor_and_judge_share_one_reading_of_a_page() -> None:
    page = parse(ARTICLE)
    FusionExtractor().extract(page)
    before = page.cached(("fusion", 0), lambda: None)
    LearnedJudge().judge(page)
    assert before is None
    assert len([key for key in page._cache if key[0] == "fusion"]) == 2


def test_a_page_is_pickled_without_what_was_cached() -> None:
    page = parse(ARTICLE)
    extraction = FusionExtractor().extract(page)
    again = pickle.loads(pickle.dumps(page))
    assert again._cache == {}
    assert FusionExtractor().extract(again) == extraction


@pytest.mark.parametrize("place", ["{}</main>", "</main>{}", "</main><aside>{}</aside>"])
def test_comments_below_an_article_are_kept_when_asked_for(place: str) -> None:
    said = "I live two streets up, and my cellar is still full of mud after three days of work."
    comments = f"<section id=comments><h2>Comments</h2><ol><li><p>{said}</p></ol></section>"
    html = ARTICLE.replace("</main>", place.format(comments))
    without, with_comments = (extract(html, extractor="fusion", comments=c) for c in (False, True))
    assert without.main_text == "\n".join(PARAGRAPHS)
    assert with_comments.main_text == f"{without.main_text}\n1. {said}"
    assert with_comments.main_text_score == without.main_text_score


def test_comments_without_a_full_stop_are_kept_in_scripts_without_spaces_too() -> None:
    story = f"<p>{'今年的雨下了九天，河水漲到市政廳的第三級台階。' * 4}</p>" * 4
    said, button = "我家地下室現在還全是泥", "回覆"
    comments = f"<section id=comments><p>{said}</p><p>{button}</p></section>"
    html = f"<article><h1>九天的雨</h1>{story}</article>{comments}"
    assert text(html, comments=True).split("\n")[-1] == said


def test_copies_are_taken_once_unless_asked_for() -> None:
    again = f"<div><p>{PARAGRAPHS[1]}</p></div><p>{PARAGRAPHS[3]}"
    html = ARTICLE.replace(f"<p>{PARAGRAPHS[3]}", again)
    assert text(html).count(PARAGRAPHS[1]) == 1
    assert text(html, copies=True).count(PARAGRAPHS[1]) == 2


@pytest.mark.parametrize(("quote", "times"), CASES["fusion: pull quotes"])
def test_pull_quotes_that_repeat_a_sentence_are_left_out(quote: str, times: int) -> None:
    sentence = PARAGRAPHS[3].split(".")[0]
    html = ARTICLE.replace(f"<p>{PARAGRAPHS[1]}", f"{quote.format(sentence)}<p>{PARAGRAPHS[1]}")
    found = text(html)
    assert found.count(sentence) <= times
    assert "Ann Doe" not in found
    own = "<p class=pullquote>Nobody has said this sentence in the article itself so far.</p>"
    html = ARTICLE.replace(f"<p>{PARAGRAPHS[1]}", f"{own}<p>{PARAGRAPHS[1]}")
    chosen = FusionExtractor().extract(parse(html)).chosen
    assert without_pull_quotes(parse(html), chosen) == list(chosen)


def test_threads_that_share_a_model_do_not_disturb_each_other() -> None:
    pages = [ARTICLE, *(ARTICLE.replace("<h1>", MORE * k + "<h1>") for k in range(1, 8))] * 6
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(4) as pool:
            together = list(pool.map(extract, pages))
    finally:
        sys.setswitchinterval(interval)
    assert together == [extract(page) for page in pages]


TABLE = (
    "<table><caption>The gauge</caption><tr><th>Hour<th>Level<tr><td>Nine in the morning<td>Two "
    "metres<tr><td>Noon<td>Four metres and twelve, the highest since 1987</table>"
)


def text(html: str = ARTICLE, **options: Any) -> str:
    return extract(html, extractor="fusion", **options).main_text


def test_precision_and_recall_bound_the_text_from_both_sides() -> None:
    doubtful = (
        "<h4>By the way</h4><p>The Valley Post, weekly</p><p><a href=/x>All on floods</a></p>"
    )
    html = ARTICLE.replace("</article>", f"{doubtful}</article>")
    few, some, many = (text(html, favour=favour) for favour in ("precision", None, "recall"))
    assert "\n".join(PARAGRAPHS) in few
    assert set(few.split("\n")) <= set(some.split("\n")) <= set(many.split("\n"))


def test_the_headline_is_added_or_left_out() -> None:
    assert text(headline=True) == "\n".join(["Flood in the valley", *PARAGRAPHS])
    assert text(headline=False) == "\n".join(PARAGRAPHS)
    shown_within = ARTICLE.replace("<h1>", "<p><b>Valley</b></p><h1>")
    assert text(shown_within, headline=True).split("\n")[0] == "Flood in the valley"
    only = "<title>Rain</title><h1>Rain</h1>"
    assert text(only, headline=False) == text(only)


def test_tables_are_left_out_unless_they_lay_out_the_page() -> None:
    html = ARTICLE.replace(f"<p>{PARAGRAPHS[2]}", f"{TABLE}<p>{PARAGRAPHS[2]}")
    assert "Four metres and twelve, the highest since 1987" in text(html)
    assert text(html, tables=False) == "\n".join(PARAGRAPHS)
    laid_out = html.replace("<main>", "<table><tr><td>").replace("</main>", "</table>")
    assert text(laid_out, tables=False) == "\n".join(PARAGRAPHS)


def test_markdown_and_html_say_where_links_lead_unless_asked_not_to() -> None:
    words, address = "the gauge at the bridge", "https://example.com/gauge"
    html = ARTICLE.replace(words, f"<a href='{address}'>{words}</a>")
    kept, left_out = (
        extract(html, include=("main_markdown", "main_html"), links=links)
        for links in (True, False)
    )
    markdown, markup = f"[{words}]({address})", f'<a href="{address}">{words}</a>'
    assert markdown in str(kept.main_markdown)
    assert markup in str(kept.main_html)
    assert left_out.main_markdown == str(kept.main_markdown).replace(markdown, words)
    assert left_out.main_html == str(kept.main_html).replace(markup, words)
    assert left_out.main_text == kept.main_text
