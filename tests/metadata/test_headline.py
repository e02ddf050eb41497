"""The title of an article: the headline that readers see, borne out by what is declared."""

from tests.metadata.pages import json_ld, read, story, value


def test_the_headline_that_a_title_contains_is_the_title() -> None:
    page = story("<title>Boat gone - The Courier</title>")
    found = read(page, "title")
    assert found.title == "Boat gone"
    assert found.sources["title"].startswith("<h1>")


def test_a_logo_in_a_heading_is_none() -> None:
    above = "<h1><a href='/'>The Courier</a></h1><h2>Boat gone</h2>"
    assert value(story("<title>Boat gone | The Courier</title>", above), "title") == "Boat gone"


def test_a_kicker_in_the_headline_is_left_out_where_the_title_has_none() -> None:
    above = "<h1><span>Harbour</span> <span>Boat gone in the night</span></h1>"
    page = story("<title>Boat gone in the night - Courier</title>", above)
    assert value(page, "title") == "Boat gone in the night"


def test_a_headline_need_not_be_a_heading() -> None:
    page = story("<title>Courier: Boat gone</title>", "<div class=x><b>Boat gone</b></div>")
    assert value(page, "title") == "Boat gone"


def test_without_a_headline_what_is_declared_is_cut_of_the_site() -> None:
    head = (
        '<meta property="og:title" content="Boat gone | Courier">'
        '<meta property="og:site_name" content="Courier">'
    )
    assert value(story(head, ""), "title") == "Boat gone"


def test_a_title_is_text_whatever_is_in_it() -> None:
    written = "A &lt;b&gt;boat&lt;/b&gt;\\u0000\\u202e &amp;amp; <i>gone</i>"
    head = json_ld(f'{{"@type": "NewsArticle", "headline": "{written}"}}')
    title = value(story(head, ""), "title")
    assert title == "A boat & gone"


def test_what_readers_see_as_markup_stays() -> None:
    page = story("<title>How to use &lt;b&gt;</title>", "<h1>How to use &lt;b&gt;</h1>")
    assert value(page, "title") == "How to use <b>"


def test_a_page_that_names_nothing_has_no_title() -> None:
    assert value("<p>One day it rained, and all stayed in.</p>", "title") is None
    assert value("", "title") is None


def test_a_headline_may_be_the_first_line_above_the_text() -> None:
    above = "<div><b>Boat gone</b><br>It was the second one this year, and it was grey.</div>"
    assert value(story("<title>Boat gone - The Courier</title>", above), "title") == "Boat gone"


def test_the_name_of_a_site_above_the_headline_is_none() -> None:
    above = "<h1>Ann on boats</h1><p>x</p><h3>Boat gone</h3>"
    page = story("<title>Ann on boats: Boat gone</title>", above)
    assert value(page, "title") == "Boat gone"


def test_a_site_that_declares_its_name_as_title_declares_none() -> None:
    head = '<meta property="og:title" content="The Courier, courier.example">'
    head += '<meta property="og:site_name" content="The Courier">'
    assert value(story(head, ""), "title") is None


def test_soft_hyphens_part_no_words() -> None:
    page = story("<title>Harbour boat gone</title>", "<h1>Har&shy;bour boat gone</h1>")
    assert value(page, "title") == "Harbour boat gone"
    assert read(page, "title").sources["title"] == "<h1>, <title>"
