"""Authors: as declared, and as the byline says."""

from tests.metadata.pages import json_ld, read, story, value


def article(author: str) -> str:
    return json_ld(f'{{"@type": "NewsArticle", "headline": "Boat gone", "author": {author}}}')


def test_declared_people_are_the_authors() -> None:
    found = read(story(article('[{"name": "Ann Doe"}, "Bo Roe"]')), "authors")
    assert found.authors == ("Ann Doe", "Bo Roe")
    assert found.sources == {"authors": "JSON-LD newsarticle author"}


def test_a_byline_names_the_person_where_the_site_signs() -> None:
    head = article('{"@type": "Organization", "name": "Courier"}')
    head += '<meta property="og:site_name" content="Courier">'
    above = "<h1>Boat gone</h1><p class='byline'>By <a href=/ann>Ann Doe</a></p>"
    assert value(story(head, above), "authors") == ("Ann Doe",)


def test_roles_and_accounts_are_no_authors() -> None:
    for name in (
        "admin",
        "Staff",
        "desk@courier.example",
        "https://courier.example/ann",
        "Redaktion",
    ):
        assert value(story(f'<meta name="author" content="{name}">'), "authors") == ()


def test_bylines_are_found_by_words_of_many_languages() -> None:
    bylines = {
        "Von Anna Müller | 3. Mai 2021": "Anna Müller",
        "par Jeanne Dupont": "Jeanne Dupont",
        "Автор: Иван Петров": "Иван Петров",
        "文／王小明": "王小明",
        "Por María López": "María López",
    }
    for line, name in bylines.items():
        above = f"<h1>Boat gone</h1><div>{line}</div>"
        assert value(story("<title>Boat gone</title>", above), "authors") == (name,)


def test_authors_of_comments_are_none_of_the_article() -> None:
    comments = "".join(f"<div class=comment>By Commenter {n}oe<p>So true!</p></div>" for n in "BC")
    page = story(
        "<title>Boat gone</title>", below=f"<div class=comments>{'<p>x</p>' * 30}{comments}"
    )
    assert value(page, "authors") == ()


def test_a_name_that_several_sources_give_wins() -> None:
    head = '<meta name="author" content="web77"><meta name="parsely-author" content="Ann Doe">'
    above = "<h1>Boat gone</h1><span class=author>Ann Doe</span>"
    assert value(story(head, above), "authors") == ("Ann Doe",)


def test_a_first_name_is_given_in_full_where_the_page_has_it() -> None:
    head = '<meta name="author" content="Ann">'
    above = "<h1>Boat gone</h1><p>A column by Ann Doe</p>"
    page = story(head, above.replace("A column by", "Eine Kolumne von"))
    assert value(page, "authors") == ("Ann Doe",)


def test_of_lines_with_labels_the_one_of_the_author_counts() -> None:
    below = "<div>Date: 19.11.2021<br>Author: Ann Doe<br>Source: Courier</div>"
    assert value(story("<title>Boat gone</title>", below=below), "authors") == ("Ann Doe",)


def test_a_name_below_the_text_signs_it() -> None:
    page = story("<title>Boat gone</title>", below="<p><i>Ann Doe</i></p>")
    found = read(page, "authors")
    assert found.authors == ("Ann Doe",)
    assert found.sources == {"authors": "below the text"}


def test_links_to_authors_name_one_if_all_have_the_same_name() -> None:
    link = "<a href='/author/{0}'>{1}</a>"
    foot = "<p>x</p>" * 20
    one = foot + link.format("ann", "Ann Doe") * 2
    assert value(story("<title>Boat gone</title>", below=one), "authors") == ("Ann Doe",)
    two = one + link.format("bo", "Bo Roe")
    assert value(story("<title>Boat gone</title>", below=two), "authors") == ()
