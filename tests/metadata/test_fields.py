"""The other fields, and which function computes which field."""

from typing import Any

import pytest

from scrapy_webtext import extract
from scrapy_webtext import metadata as package
from scrapy_webtext.metadata import FIELDS, distance, fields, fingerprint
from scrapy_webtext.reader import INCLUDED
from scrapy_webtext.results import DESCRIBED
from tests.kits.hostile import CHINESE, SENTENCE
from tests.metadata.pages import URL, story

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

    monkeypatch.setattr(fields, "FIELDS", {**dict.fromkeys(FIELDS, refuse), "tags": lambda _: None})
    monkeypatch.setattr(package, "describe_article", refuse)
    assert extract(story(HEAD)).title is None
    assert extract(story(HEAD), include="main_html").title is None
    monkeypatch.undo()
    monkeypatch.setattr(fields, "FIELDS", {**dict.fromkeys(FIELDS, refuse), "tags": lambda _: None})
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
