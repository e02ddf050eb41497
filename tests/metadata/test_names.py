"""Names of people, and what is none."""

import pytest

from scrapy_webtext.metadata.names import author_names, likeness_to_person


@pytest.mark.parametrize(
    ("written", "names"),
    [
        ("By Jane Doe", ("Jane Doe",)),
        ("By Jane Doe and John Roe, Staff Writers", ("Jane Doe", "John Roe")),
        ("Jane Doe, Ph.D.", ("Jane Doe",)),
        ("Von Anna Müller und Otto von Bismarck", ("Anna Müller", "Otto von Bismarck")),
        ("par Jeanne Dupont et Luc Martin", ("Jeanne Dupont", "Luc Martin")),
        ("Автор: Иван Петров", ("Иван Петров",)),
        ("文／王小明", ("王小明",)),
        ("Pressemitteilung von Katja Muster", ("Katja Muster",)),
        ("Jane Doe | May 3, 2020", ("Jane Doe",)),
        ("Jane Doe (Berlin)", ("Jane Doe",)),
        ("John Roe Jr.", ("John Roe Jr",)),
        ("Jane Doe Senior Writer", ("Jane Doe",)),
        ("Par Jeanne Dupont le 7 mai 2020", ("Jeanne Dupont",)),
        ("Posted in Sports by Jane Doe on May 3", ("Jane Doe",)),
        ("Posted by Jane Doe under Boats, Harbours", ("Jane Doe",)),
        ("Eine Kolumne von Anna Müller", ("Anna Müller",)),
        ("JANE O'DOE", ("JANE O'DOE",)),
        ("<b>Jane</b> Doe &amp; John Roe", ("Jane Doe", "John Roe")),
    ],
)
def test_names_are_found_in_a_byline(written: str, names: tuple[str, ...]) -> None:
    assert author_names(written) == names


@pytest.mark.parametrize(
    "written",
    [
        "admin", "Administrator", "Staff", "Staff Writer", "Redaktion", "The Editors", "News Desk",
        "jane@example.com", "https://example.com/jane", "www.example.com", "@janedoe", "jane-doe",
        "May 3, 2020", "3 comments", "Share", "Read more", "", "x", None, 7, {}, ["Jane Doe"],
        "Jane" * 40, "one two three four five six seven", "Photo: Getty Images", "\x00\x01",
    ],
)  # fmt: skip
def test_who_is_nobody_is_left_out(written: object) -> None:
    assert author_names(written) == ()


def test_words_that_begin_as_by_does_in_some_language_are_no_byline() -> None:
    assert author_names("Portugal") == ("Portugal",)
    assert author_names("Dienstag") == ()
    assert author_names("Didier Roy") == ("Didier Roy",)


def test_people_are_told_from_organisations_and_accounts() -> None:
    assert likeness_to_person("Jane Doe") == 1
    assert likeness_to_person("Otto von Bismarck") == 1
    assert likeness_to_person("王小明") == 1
    assert likeness_to_person("Daily Courier", frozenset({"dailycourier"})) < 0.5
    assert likeness_to_person("AFP") < 0.5
    assert likeness_to_person("courier.com") < 0.5
    assert likeness_to_person("jane77") < 0.5
