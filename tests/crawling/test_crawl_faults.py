"""If an extractor or a judge fails on a page, only this page has no text; no item is lost."""

from typing import Any

import pytest

from tests.crawls import faulty
from tests.crawls.offline import ARTICLE, Components, response_of
from tests.crawls.site import SENTENCE
from tests.kits.data import read_json

CASES = read_json(__file__, "faults.json")


@pytest.mark.parametrize(("extractor", "error", "lost"), CASES["extractors"])
def test_a_fault_of_an_extractor_costs_its_page_only(
    extractor: str, error: str, lost: int, caplog: pytest.LogCaptureFixture
) -> None:
    crawl = Components(EXTRACTOR=f"tests.crawls.faulty.{extractor}", ACTION="drop_items")
    failing = response_of(ARTICLE + faulty.TRIGGER.encode())
    assert crawl.item_of(failing)["main_text"] is None
    text = crawl.item_of(response_of(ARTICLE))["main_text"]
    assert text is None if lost == 2 else text == (SENTENCE * 20).strip().upper()
    assert crawl.errors == {f"webtext/errors/{error}": lost}
    assert crawl.stats["webtext/items/failed"] == lost
    assert "\x1b" not in caplog.text
    assert "\n2024-01-01" not in caplog.text
    assert extractor != "Raising" or r"\x1b[2J\n2024-01-01" in caplog.text
    assert max(map(len, caplog.text.splitlines())) < 1_000
    crawl.close()


@pytest.mark.parametrize(("judge", "error", "faults"), CASES["judges"])
@pytest.mark.parametrize("action", ["flag", "drop_items", "ignore"])
def test_a_fault_in_a_judge_costs_no_item(judge: str, error: str, faults: int, action: str) -> None:
    crawl = Components(JUDGE=f"tests.crawls.faulty.{judge}", ACTION=action)
    for body in (ARTICLE + faulty.TRIGGER.encode(), ARTICLE):
        response = crawl.hand_on(crawl.download(response_of(body)))
        assert ("main_text" in crawl.fill({"url": "u"}, response)) is True
    assert crawl.errors == {f"webtext/errors/{error}": faults}
    assert crawl.stats["webtext/responses/failed"] == faults
    assert crawl.stats["webtext/items/failed"] == faults


@pytest.mark.parametrize(
    "meta",
    [
        {"extractor": "tests.crawls.faulty.TRIGGER"},
        {"extractor_options": {"model": "/nowhere"}, "extractor": "naive_bayes"},
        {1: 2, "x": 3},
        7,
    ],
)
def test_wrong_request_meta_is_logged_and_not_used(meta: Any) -> None:
    crawl = Components()
    item = crawl.item_of(response_of(ARTICLE, webtext=meta))
    assert isinstance(item["main_text"], str)
    assert crawl.errors == {"webtext/errors/SettingsError": 1}
