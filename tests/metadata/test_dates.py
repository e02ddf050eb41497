"""Dates as pages write them."""

import pytest

from scrapy_webtext.metadata.dates import MONTHS, find_dates, month_of, read_date


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("2023-12-17", "2023-12-17"),
        ("2023-12-17T10:00:00.123+0100", "2023-12-17T10:00:00+01:00"),
        ("2023-12-17 10:00Z", "2023-12-17T10:00:00Z"),
        ("2023-12-17T05:30:00-03:30", "2023-12-17T05:30:00-03:30"),
        ("20231217", "2023-12-17"),
        ("20231217T153000Z", "2023-12-17T15:30:00Z"),
        ("1702800000", "2023-12-17T08:00:00Z"),
        ("1702800000000", "2023-12-17T08:00:00Z"),
        (1702800000, "2023-12-17T08:00:00Z"),
        ("Tue, 24 Apr 2012 14:00:00 +0200", "2012-04-24T14:00:00+02:00"),
        ("April 24, 2012 3:15 PM EST", "2012-04-24T15:15:00-05:00"),
        ("Apr. 24th, 2012", "2012-04-24"),
        ("8:00 PM EST, Tue April 24, 2012", "2012-04-24T20:00:00-05:00"),
        ("24 | 04 | 2012", "2012-04-24"),
        ("24.04.2012", "2012-04-24"),
        ("25/12/2020", "2020-12-25"),
        ("12/25/2020", "2020-12-25"),
    ],
)
def test_a_date_is_read_as_iso_8601(written: object, read: str) -> None:
    assert str(read_date(written)) == read


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("24. April 2012, 14:30 Uhr", "2012-04-24T14:30:00"),
        ("24 de abril de 2012", "2012-04-24"),
        ("1er mars 2012", "2012-03-01"),
        ("24 апреля 2012 г.", "2012-04-24"),
        ("15 Δεκεμβρίου 2011", "2011-12-15"),
        ("2012年4月24日 12:03", "2012-04-24T12:03:00"),
        ("2012년 4월 24일", "2012-04-24"),
        ("2012. április 24.", "2012-04-24"),
        ("7 ตุลาคม 2563", "2020-10-07"),
        ("१५ अगस्त 2021", "2021-08-15"),
        ("24 tháng 4, 2012", "2012-04-24"),
        ("12 يناير 2012", "2012-01-12"),
        ("3 listopada 2020", "2020-11-03"),
    ],
)
def test_dates_in_words_are_read_in_many_languages(written: str, read: str) -> None:
    assert str(read_date(written)) == read


def test_a_word_that_means_two_months_is_read_by_the_language() -> None:
    assert month_of("listopada", "pl") == 11
    assert month_of("listopada", "hr-HR") == 10


def test_numbers_whose_order_nobody_knows_are_no_date() -> None:
    assert read_date("03/04/2020") is None
    assert str(read_date("03/04/2020", "en-us")) == "2020-03-04"
    assert str(read_date("03/04/2020", "de")) == "2020-04-03"


@pytest.mark.parametrize(
    "written",
    [
        "0000-00-00", "2023-02-30", "32.13.2020", "2999-01-01", "1823-12-17", "yesterday", "", None,
        [], {}, True, float("nan"), float("inf"), "9" * 5000, "1" * 10 + "9" * 400, "-", "\x00",
        "2023-13-45T99:99:99", "20239999", "٩٩٩٩٩٩٩٩٩٩", "24 Smarch 2012", 10**40,
    ],
)  # fmt: skip
def test_what_is_no_likely_date_is_none(written: object) -> None:
    assert read_date(written) is None


def test_a_text_may_name_several_dates_each_with_its_time() -> None:
    found = map(str, find_dates("Posted May 3, 2020 at 4:05 pm | Updated 5 June 2021"))
    assert list(found) == ["2020-05-03T16:05:00", "2021-06-05"]


def test_a_year_of_two_digits_is_read_where_nothing_else_stands() -> None:
    assert list(map(str, find_dates("23.09.22", is_short=True))) == ["2022-09-23"]
    assert not list(find_dates("10.11.12 and more", is_short=True))


def test_every_month_is_known_by_its_english_name() -> None:
    names = "january february march april may june july august september october november december"
    assert [MONTHS[name] for name in names.split()] == list(range(1, 13))
