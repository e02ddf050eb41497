"""JSON-LD: the main entity among all that pages declare, and all that they break."""

import time
from pathlib import Path

import pytest

from scrapy_webtext.metadata.sources import read_json_ld
from scrapy_webtext.page import scripts as room
from scrapy_webtext.page.scripts import read_scripts
from tests.kits.data import read_json
from tests.metadata.pages import json_ld, read, story, value

CASES = read_json(__file__, "jsonld.json")
#: Scripts with an article, each broken in another way, separated by empty lines.
BROKEN = Path(__file__).with_name("broken_json.txt").read_text("utf-8").strip().split("\n\n")
ARTICLE = (
    '{"@type": "NewsArticle", "headline": "Boat gone", "author": {"name": "Ann Doe"},'
    '"datePublished": "2020-05-03"}'
)


def objects(script: str) -> list[frozenset[str]]:
    return [one.types for one in read_json_ld(read_scripts([script])).objects]


@pytest.mark.parametrize("broken", BROKEN)
def test_broken_json_declares_what_can_be_saved(broken: str) -> None:
    found = read(story(json_ld(broken)))
    assert (found["published"].value, found["authors"].value) == ("2020-05-03", ("Ann Doe",))


DEEP = ["[" * 100_000 + "]" * 100_000, '{"a":' * 100_000]


@pytest.mark.parametrize("odd", [*CASES["odd"], *DEEP, "9" * 5000])
def test_odd_json_declares_nothing_and_never_raises(odd: str) -> None:
    found = read(story(json_ld(odd)))
    fields = {name: found[name].value for name in ("title", "authors", "published", "tags")}
    assert fields == {"title": "Boat gone", "authors": (), "published": None, "tags": ()}


def test_what_is_deeper_than_the_bounds_is_not_read() -> None:
    assert objects(f"[{ARTICLE}]")
    assert not objects('{"a":' * 90 + ARTICLE + "}" * 90)


@pytest.mark.parametrize("unit", CASES["units"])
def test_broken_json_costs_linear_time(unit: str) -> None:
    def seconds(size: int) -> float:
        script = "{" + unit * (size // len(unit))
        began = time.thread_time()
        read_json_ld(read_scripts([script]))
        return time.thread_time() - began

    low, high = (min(seconds(size) for _ in range(3)) for size in (50_000, 400_000))
    assert high <= 3 * 8 * max(low, 0.05)


def test_a_script_is_parsed_once_for_the_text_and_for_metadata(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    parsed: list[str] = []
    reading = room._decode
    monkeypatch.setattr(room, "_decode", lambda script: parsed.append(script) or reading(script))
    assert value(story(json_ld('{"@type": "Article", "headline": "Boat gone"}')), "title")
    assert len(parsed) == 1
