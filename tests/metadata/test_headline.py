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
