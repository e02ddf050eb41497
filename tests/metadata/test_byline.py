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
