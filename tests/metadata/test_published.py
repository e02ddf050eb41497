"""The day of the article, not of a comment, a change, or the page's own clock."""

from tests.metadata.pages import TEXT, json_ld, read, story, value

DECLARED = '<meta property="article:published_time" content="{}">'


def test_what_is_declared_has_time_and_zone() -> None:
    page = story(DECLARED.format("2020-05-03T10:00:00+02:00"))
    assert value(page, "published") == "2020-05-03T10:00:00+02:00"


def test_a_moment_of_utc_is_given_as_readers_see_it() -> None:
    head = DECLARED.format("2020-05-02T23:30:00Z")
    above = "<h1>Boat gone</h1><p>May 3, 2020 9:30 am</p>"
    assert value(story(head, above), "published") == "2020-05-03T09:30:00+10:00"


def test_a_moment_of_utc_has_its_zone_where_the_clock_shows_no_seconds() -> None:
    head = DECLARED.format("2020-05-04T01:25:54Z")
    above = "<h1>Boat gone</h1><p>May 3, 2020 | 9:25pm</p>"
    assert value(story(head, above), "published") == "2020-05-03T21:25:54-04:00"


def test_the_text_may_begin_with_the_day() -> None:
    above = "<h1>Boat gone</h1><p>By Ann Doe</p><p>27.1.2022 - The boat was gone. It was grey.</p>"
    page = story("<title>Boat gone</title>", above, lang="de")
    assert value(page, "published") == "2022-01-27"


def test_what_is_said_to_be_of_publication_counts_wherever_it_stands() -> None:
    comments = "<ul><li>Bo, 24 August 2019: So true!</li>" + "<li>x</li>" * 9 + "</ul>"
    said = "<p>Published on 16 August 2019</p>"
    page = story("<title>Boat gone</title>", below=f"{TEXT}{comments}{said}")
    assert value(page, "published") == "2019-08-16"


def test_sources_that_agree_outvote_one_that_does_not() -> None:
    head = json_ld('{"@type": "Article", "datePublished": "2023-01-01"}')
    head += DECLARED.format("2020-05-03")
    above = "<h1>Boat gone</h1><p>Published 3 May 2020</p>"
    assert value(story(head, above), "published") == "2020-05-03"


def test_the_address_may_name_the_day() -> None:
    url = "https://courier.example/2020/05/03/boat"
    assert value(story(), "published", url=url) == "2020-05-03"


def test_a_day_of_change_is_that_of_publication_only_without_another() -> None:
    above = "<h1>Boat gone</h1><p>Updated June 5, 2021</p><p>May 3, 2020</p>"
    assert value(story("<title>Boat gone</title>", above), "published") == "2020-05-03"


def test_dates_of_comments_are_left_alone() -> None:
    comments = "".join(f"<li>Bo, {n} June 2021: So true, so very true!</li>" for n in range(1, 9))
    page = story(
        "<title>Boat gone</title>", "<h1>Boat gone</h1><p>3 May 2020</p>", f"<ol>{comments}"
    )
    assert value(page, "published") == "2020-05-03"


def test_dates_before_the_web_and_in_the_future_are_none() -> None:
    for day in ("1887-05-03", "2999-05-03", "0000-00-00", "2020-02-31", "soon", ""):
        found = read(story(DECLARED.format(day)), "published", "modified")
        assert (found.published, found.modified) == (None, None)


def test_modified_is_what_the_page_declares() -> None:
    head = json_ld('{"@type": "Article", "dateModified": "2021-06-05T07:00:00Z"}')
    assert value(story(head), "modified") == "2021-06-05T07:00:00Z"
