"""The other fields, and which function computes which field."""

import json
from typing import Any

import pytest

from scrapy_webtext import extract
from scrapy_webtext import metadata as package
from scrapy_webtext.metadata import FIELDS, distance, fields, fingerprint
from scrapy_webtext.metadata.fields import Field
from scrapy_webtext.reader import INCLUDED
from scrapy_webtext.results import DESCRIBED, Comment
from tests.kits.data import read_json
from tests.kits.hostile import CHINESE, SENTENCE
from tests.metadata.pages import TEXT, URL, json_ld, story

HEAD = '<meta property="article:tag" content="boats, fog, harbour">'


def test_results_have_what_was_asked_for_and_nothing_else() -> None:
    found = extract(story(HEAD), url=URL, include=("title", "tags"))
    assert (found.title, found.tags) == ("Boat gone", ("boats", "fog", "harbour"))
    assert (found.authors, found.language, found.main_html) == (None, None, None)
    whole = extract(story(HEAD), url=URL, include="all")
    assert all(getattr(whole, name) is not None for name in ("authors", "fingerprint", "blocks"))


def test_what_nobody_asks_for_is_not_computed(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> Any:
        raise AssertionError("nobody asked")

    refusing = dict.fromkeys(FIELDS, Field(refuse)) | {"tags": Field(lambda _: [])}
    monkeypatch.setattr(fields, "FIELDS", refusing)
    monkeypatch.setattr(package, "describe_article", refuse)
    assert extract(story(HEAD)).title is None
    assert extract(story(HEAD), include="main_html").title is None
    monkeypatch.undo()
    monkeypatch.setattr(fields, "FIELDS", refusing)
    assert extract(story(HEAD), include="tags").tags == ()


def test_results_offer_every_field() -> None:
    assert tuple(FIELDS) == DESCRIBED
    assert set(DESCRIBED) <= set(INCLUDED)


def test_texts_that_are_nearly_the_same_have_nearly_the_same_fingerprint() -> None:
    text = " ".join(f"{word}{n}" for n in range(40) for word in SENTENCE.split())
    one = fingerprint(text)
    assert len(one) == 16
    assert fingerprint(text.upper()) == one
    assert distance(one, fingerprint(text.replace("boat30", "ship"))) <= 3
    other = " ".join(f"word{n * n} of another text" for n in range(300))
    assert distance(one, fingerprint(other)) > 12
    assert fingerprint("") == ""
    assert fingerprint(CHINESE) != fingerprint(CHINESE[::-1])


#: Readers' comments and posts in the markup of several systems.
CASES = read_json(__file__, "comments.json")


def comments_of(html: str) -> list[tuple[str, str | None, str | None]]:
    found = extract(html, url=URL, include="comments").comments
    return [(one.text, one.author, one.date) for one in found or ()]


@pytest.mark.parametrize("name", CASES)
def test_comments_of_a_system_have_text_author_and_date(name: str) -> None:
    case = CASES[name]
    rows = case.get("rows", [{}])
    body = "".join(case["row"].format(**row) for row in rows) if "row" in case else ""
    html = case["page"].replace("{rows}", body)
    page = f"<title>Boat gone</title>{html}" if case.get("alone") else story(below=html)
    assert comments_of(page) == list(map(tuple, case["comments"]))


def test_an_article_whose_paragraphs_are_named_comment_has_none() -> None:
    page = story(above="").replace("<p>", "<p class=comment>")
    assert comments_of(page) == []
    assert extract(page).main_text.count("\n") == 3


def test_a_list_of_posts_that_lead_to_other_pages_has_none() -> None:
    teaser = (
        "<div class=post><h2><a href=/{0}>The boat {0} is gone for good</a></h2>"
        "<span class=author>Ann</span><time datetime=2020-05-03>May 3</time>"
        "<p>The ship left the harbour in the morning, number {0}, and nobody knew why.</div>"
    )
    assert comments_of("".join(map(teaser.format, range(9)))) == []


def test_declared_comments_are_used_if_the_page_shows_none() -> None:
    comment = {"@type": "Comment", "text": "So <b>true</b>", "author": {"name": "Ann"}}
    odd = [{"@type": "Comment", "text": [1]}, {"@type": "Comment", "dateCreated": "2020-05-03"}]
    article = {"@type": "Article", "comment": [comment | {"dateCreated": "2020-05-03"}, *odd]}
    script = json_ld(json.dumps(article).replace("</", "<\\/"))
    assert comments_of(story(script)) == [("So true", "Ann", "2020-05-03")]
    shown = "<div class=comment><cite class=fn>Bo</cite><time>3 May 2020</time><p>No!</p></div>"
    assert comments_of(story(script, below=shown)) == [("No!", "Bo", "2020-05-03")]


def test_comments_are_no_part_of_the_text_and_only_on_request() -> None:
    page = story(below="<div class=comment><b class=author>Bo</b><p>Never seen such a boat.</div>")
    found = extract(page, url=URL, include="comments")
    assert found.comments == (Comment("Never seen such a boat.", "Bo"),)
    assert "such a boat" not in found.main_text
    assert found.to_dict()["comments"][0]["author"] == "Bo"
    assert extract(page, url=URL).comments is None


def test_replies_in_replies_are_comments_at_any_depth() -> None:
    one = "<div class=comment><b class=author>Ann {0}</b><p>Reply number {0}.</p>"
    page = f"<article>{TEXT}</article>" + "".join(map(one.format, range(300))) + "</div>" * 300
    assert comments_of(page) == [(f"Reply number {n}.", f"Ann {n}", None) for n in range(300)]
