"""Tables: pages and their fields; written values and what is read of them."""

import json
import sys
from dataclasses import astuple
from pathlib import Path
from typing import Any

import pytest

from scrapy_webtext.errors import MissingExtraError
from scrapy_webtext.metadata import language
from scrapy_webtext.metadata.dates import MONTHS, find_dates, month_of, read_date
from scrapy_webtext.metadata.language import detect_language, language_tag
from scrapy_webtext.metadata.names import author_names, person_likeness
from tests.kits import hostile
from tests.metadata.pages import TEXT, json_ld, read, story, value

CASES = json.loads(Path(__file__).with_name("cases.json").read_text("utf-8"))
READINGS = json.loads(Path(__file__).with_name("readings.json").read_text("utf-8"))
TEXTS = {"TEXT": TEXT, "FAR": "<p>x</p>" * 30} | {
    k: getattr(hostile, k) for k in ("RUSSIAN", "JAPANESE", "CHINESE")
}


def page_of(case: dict[str, Any]) -> str:
    """Return the page of a case: its own, or a story with its head and what is around its text."""
    script = json_ld(json.dumps(case["json_ld"])) if "json_ld" in case else ""
    parts = {name: case[name] for name in ("above", "below", "lang") if name in case}
    html: str = case["html"] if "html" in case else story(case.get("head", "") + script, **parts)
    for name, text in TEXTS.items():
        html = html.replace(f"{{{name}}}", text)
    return html


@pytest.mark.parametrize("name", CASES)
def test_a_page_has_the_fields_of_its_case(name: str) -> None:
    case = CASES[name]
    options = {"url": case["url"]} if "url" in case else {}
    found = read(page_of(case), *case["fields"], **options)
    fields = {field: getattr(found, field) for field in case["fields"]}
    assert json.loads(json.dumps(fields, default=astuple)) == case["fields"]
    assert found.sources.items() >= case.get("sources", {}).items()


@pytest.mark.parametrize(("written", "day"), READINGS["dates"].items())
def test_a_date_is_read_as_iso_8601(written: str, day: str) -> None:
    assert str(read_date(written)) == day


@pytest.mark.parametrize("written", [*READINGS["no dates"], float("nan"), float("inf"), "9" * 5000])
def test_a_value_that_is_no_likely_date_is_none(written: object) -> None:
    assert read_date(written) is None


def test_a_date_is_read_by_the_language() -> None:
    assert str(read_date(1702800000)) == "2023-12-17T08:00:00Z"
    assert str(read_date("03/04/2020", "en-us")) == "2020-03-04"
    assert str(read_date("03/04/2020", "de")) == "2020-04-03"
    assert (month_of("listopada", "pl"), month_of("listopada", "hr-HR")) == (11, 10)
    names = "january february march april may june july august september october november december"
    assert [MONTHS[name] for name in names.split()] == list(range(1, 13))


def test_a_text_may_name_several_dates_each_with_its_time() -> None:
    found = map(str, find_dates("Posted May 3, 2020 at 4:05 pm | Updated 5 June 2021"))
    assert list(found) == ["2020-05-03T16:05:00", "2021-06-05"]


def test_a_year_of_two_digits_is_read_only_in_a_date_alone() -> None:
    assert list(map(str, find_dates("23.09.22", is_short=True))) == ["2022-09-23"]
    assert not list(find_dates("10.11.12 and more", is_short=True))


@pytest.mark.parametrize(("written", "names"), READINGS["names"].items())
def test_names_are_found_in_a_byline(written: str, names: list[str]) -> None:
    assert author_names(written) == tuple(names)


@pytest.mark.parametrize("written", [*READINGS["nobody"], "Jane" * 40])
def test_a_value_that_names_nobody_has_no_names(written: object) -> None:
    assert author_names(written) == ()


@pytest.mark.parametrize(("name", "is_person"), READINGS["people"].items())
def test_people_differ_from_organisations_and_accounts(name: str, is_person: bool) -> None:
    likeness = person_likeness(name, frozenset({"dailycourier"}))
    assert likeness == 1 if is_person else likeness < 0.5


@pytest.mark.parametrize(("written", "tag"), READINGS["language tags"].items())
def test_a_language_tag_is_written_as_bcp_47(written: str, tag: str) -> None:
    assert language_tag(written) == tag


def test_a_template_in_other_letters_declares_no_language() -> None:
    russian = f"<html lang=en><title>x</title><p>{hostile.RUSSIAN}</p><p>{hostile.RUSSIAN}</p>"
    assert value(russian, "language") in (None, "ru")


def test_a_missing_detector_of_languages_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "py3langid", None)
    language._classifier.cache_clear()
    with pytest.raises(MissingExtraError, match=r"'\.\[language\]'"):
        detect_language(hostile.SENTENCE * 3)
    language._classifier.cache_clear()
