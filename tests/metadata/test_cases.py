"""Tables of pages with their expected fields, and of values with their expected readings."""

import json
from collections.abc import Callable
from dataclasses import astuple
from typing import Any

import pytest

from scrapy_webtext.metadata import language
from scrapy_webtext.metadata.dates import MONTHS, find_dates, month_of, read_date
from scrapy_webtext.metadata.language import language_tag
from scrapy_webtext.metadata.names import author_names, person_likeness
from tests.kits import hostile
from tests.kits.data import read_json
from tests.metadata.pages import TEXT, json_ld, read, story, value

CASES = read_json(__file__)
READINGS = read_json(__file__, "readings.json")
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
    fields = {field: found[field].value for field in case["fields"]}
    assert json.loads(json.dumps(fields, default=astuple)) == case["fields"]
    sources = {field: found[field].source for field in case.get("sources", ())}
    assert sources == case.get("sources", {})


READERS: dict[str, Callable[[str], object]] = {
    "dates": lambda written: str(read_date(written)),
    "names": lambda written: list(author_names(written)),
    "people": lambda name: person_likeness(name, frozenset({"dailycourier"})) >= 0.5,
    "language tags": language_tag,
}


@pytest.mark.parametrize("kind", READERS)
def test_what_is_written_is_read_as_in_the_table(kind: str) -> None:
    found = {written: READERS[kind](written) for written in READINGS[kind]}
    assert found == READINGS[kind]


def test_values_that_are_no_date_or_name_nobody_give_none() -> None:
    odd = [*READINGS["no dates"], float("nan"), float("inf"), "9" * 5000]
    assert [written for written in odd if read_date(written) is not None] == []
    nobody = [*READINGS["nobody"], "Jane" * 40]
    assert [written for written in nobody if author_names(written) != ()] == []


def test_a_date_is_read_by_the_language() -> None:
    assert str(read_date(1702800000)) == "2023-12-17T08:00:00Z"
    assert str(read_date("03/04/2020", "en-us")) == "2020-03-04"
    assert str(read_date("03/04/2020", "de")) == "2020-04-03"
    assert str(read_date("3 Μαΐου 2020", "el")) == "2020-05-03"
    assert (month_of("listopada", "pl"), month_of("listopada", "hr-HR")) == (11, 10)
    names = "january february march april may june july august september october november december"
    assert [MONTHS[name] for name in names.split()] == list(range(1, 13))


@pytest.mark.parametrize(
    ("text", "is_short", "dates"),
    [
        ("Posted May 3, 2020 at 4:05 pm | Updated 5 June 2021", False,
         ["2020-05-03T16:05:00", "2021-06-05"]),
        ("23.09.22", True, ["2022-09-23"]),  # two digits only in a date alone
        ("10.11.12 and more", True, []),
    ],
)  # fmt: skip
def test_a_text_may_name_dates_with_their_time(text: str, is_short: bool, dates: list[str]) -> None:
    assert list(map(str, find_dates(text, is_short=is_short))) == dates


def test_a_template_in_other_letters_declares_no_language() -> None:
    russian = f"<html lang=en><title>x</title><p>{hostile.RUSSIAN}</p><p>{hostile.RUSSIAN}</p>"
    assert value(russian, "language") in (None, "ru")


def test_without_its_detector_a_language_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(language, "find_spec", lambda name: None)
    language._py3langid.cache_clear()
    assert (
        value("<title>Boat</title><p>The boat is gone, said Ann Doe to the police.</p>", "language")
        is None
    )
    language._py3langid.cache_clear()
