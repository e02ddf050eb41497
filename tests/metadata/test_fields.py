"""The other fields, and who computes what."""

from typing import Any

import pytest

from scrapy_webtext import extract
from scrapy_webtext import metadata as package
from scrapy_webtext.extraction import INCLUDED
from scrapy_webtext.metadata import FIELDS, distance, fields, fingerprint
from scrapy_webtext.results import DESCRIBED, Breadcrumb
from tests.kits.hostile import CHINESE, SENTENCE
from tests.metadata.pages import URL, json_ld, read, story, value

HEAD = """
<link rel="canonical" href="/news/boat"><meta property="og:image" content="//img.example/a.jpg">
<meta property="og:site_name" content="The Courier">
<meta name="description" content="A boat &amp; fog">
<meta property="article:tag" content="boats"><meta property="article:tag" content="fog, harbour">
"""


def test_addresses_are_absolute_and_of_the_web() -> None:
    found = read(story(HEAD))
    assert found.canonical_url == URL
    assert found.image == "https://img.example/a.jpg"
    for odd in ("javascript:alert(1)", "data:image/png;base64,x", "http://[", "", " "):
        assert value(story(f'<meta property="og:image" content="{odd}">'), "image") is None


def test_lists_and_texts_come_as_they_are_declared() -> None:
    found = read(story(HEAD))
    assert found.site_name == "The Courier"
    assert found.description == "A boat & fog"
    assert found.tags == ("boats", "fog", "harbour")


def test_breadcrumbs_are_those_of_json_ld() -> None:
    steps = (
        '[{"@type": "ListItem", "name": "News", "item": "/news"},'
        '{"@type": "ListItem", "item": {"@id": "/news/boat", "name": "Boat"}}]'
    )
    head = json_ld(f'{{"@type": "BreadcrumbList", "itemListElement": {steps}}}')
    news = Breadcrumb("News", "https://www.courier.example/news")
    assert value(story(head), "breadcrumbs") == (news, Breadcrumb("Boat", URL))


def test_results_have_what_was_asked_for_and_nothing_else() -> None:
    found = extract(story(HEAD), url=URL, include=("title", "tags"))
    assert (found.title, found.tags) == ("Boat gone", ("boats", "fog", "harbour"))
    assert (found.authors, found.language, found.main_html) == (None, None, None)
    whole = extract(story(HEAD), url=URL, include="all")
    assert all(getattr(whole, name) is not None for name in ("authors", "fingerprint", "blocks"))


def test_what_nobody_asks_for_is_not_computed(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> Any:
        raise AssertionError("nobody asked")

    monkeypatch.setattr(fields, "FIELDS", {**dict.fromkeys(FIELDS, refuse), "tags": lambda _: None})
    monkeypatch.setattr(package, "describe_article", refuse)
    assert extract(story(HEAD)).title is None
    assert extract(story(HEAD), include="main_html").title is None
    monkeypatch.undo()
    monkeypatch.setattr(fields, "FIELDS", {**dict.fromkeys(FIELDS, refuse), "tags": lambda _: None})
    assert extract(story(HEAD), include="tags").tags == ()


def test_results_offer_every_field() -> None:
    assert (*FIELDS, "fingerprint") == DESCRIBED
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
