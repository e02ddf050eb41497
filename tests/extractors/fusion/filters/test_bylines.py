"""Dates, bylines and the way to a page, as they stand above articles."""

import pytest

from scrapy_webtext.extractors.fusion.filters.bylines import is_byline, is_date


@pytest.mark.parametrize(
    "line",
    [
        "October 10, 2004",
        "Published: Monday, January 14, 2008",
        "Thursday, January 12, 2012 5:36 PM",
        "28 ноября 2011, 14:15 [ «Аргументы.ру» ]",
        "Data dodania: 2012-01-09 12:43:12",
        "2011-12-16 21:20:54 Medycyna",
        "2024年5月14日 18:05",
    ],
)
def test_a_date_is_known_in_any_language(line):
    assert is_date(line)


@pytest.mark.parametrize(
    "line",
    [
        "The 10 best films of 2011 and where to see them all",
        "In 2012 we moved.",
        "It was the 14th of May 2024.",
        "Budget 2012",
        "12 apostles",
        "",
    ],
)
def test_a_line_with_a_year_is_no_date(line):
    assert not is_date(line)


@pytest.mark.parametrize(
    "line",
    [
        "By Ole Nygaard",
        "Von Marta Lind",
        "Posted by Rudy Galfi, Product Manager",
        "Автор: Иван Петров",
    ],
)
def test_a_byline_is_known(line):
    assert is_byline(line)


@pytest.mark.parametrize(
    "line", ["By noon it rained.", "By the sea", "Von allem etwas", "Byzantium", "By"]
)
def test_a_line_that_begins_alike_is_no_byline(line):
    assert not is_byline(line)
