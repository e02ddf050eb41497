"""Whatever an extractor, a judge or a spider does, the crawl goes on and every item comes out."""

import asyncio
import inspect
import json
from typing import Any

import pytest

from tests.crawling.visits import visit
from tests.crawls import faulty
from tests.crawls.offline import Components, response_of
from tests.crawls.site import SENTENCE
from tests.kits.processes import python

EXECUTORS = ["inline", "thread"]
PATHS = ["/article", "/list", "/untyped"]
ARTICLE = f"<article><p>{SENTENCE * 20}</p></article>".encode()


def filled(crawl: Components, body: bytes) -> Any:
    """Return the item of a page, at once or when the thread is done."""
    item = crawl.item_of(response_of(body))
    return asyncio.run(item) if inspect.iscoroutine(item) else item


@pytest.mark.parametrize("executor", EXECUTORS)
@pytest.mark.parametrize(
    ("extractor", "error", "lost"),
    [
        ("Raising", "ValueError", 1),
        ("Recursing", "RecursionError", 1),
        ("Devouring", "MemoryError", 1),
        ("Leaving", "SystemExit", 1),
        ("Nothing", "TypeError", 2),
        ("NoText", "TypeError", 2),
        ("NoScore", "TypeError", 2),
        ("Generator", "TypeError", 2),
    ],
)
def test_what_an_extractor_does_wrong_costs_its_page_only(
    extractor: str, error: str, lost: int, executor: str, caplog: pytest.LogCaptureFixture
) -> None:
    settings = {"EXECUTOR": executor, "ACTION": "drop_items"}
    crawl = Components(EXTRACTOR=f"tests.crawls.faulty.{extractor}", **settings)
    assert filled(crawl, ARTICLE + faulty.TRIGGER.encode())["main_text"] is None
    text = filled(crawl, ARTICLE)["main_text"]
    assert text is None if lost == 2 else text == (SENTENCE * 20).strip().upper()
    assert crawl.errors == {f"webtext/errors/{error}": lost}
    assert crawl.stats["webtext/items/failed"] == lost
    assert "\x1b" not in caplog.text
    crawl.close()


@pytest.mark.parametrize(
    ("judge", "error", "faults"),
    [
        ("NoJudgement", "TypeError", 2),
        ("RaisingJudge", "LookupError", 1),
        ("LeavingJudge", "SystemExit", 1),
    ],
)
@pytest.mark.parametrize("action", ["flag", "drop_items", "ignore"])
def test_a_fault_in_a_judge_costs_no_item(judge: str, error: str, faults: int, action: str) -> None:
    crawl = Components(JUDGE=f"tests.crawls.faulty.{judge}", ACTION=action)
    for body in (ARTICLE + faulty.TRIGGER.encode(), ARTICLE):
        response = crawl.hand_on(crawl.download(response_of(body)))
        assert ("main_text" in crawl.fill({"url": "u"}, response)) is True
    assert crawl.errors == {f"webtext/errors/{error}": faults}
    assert crawl.stats["webtext/responses/failed"] == faults
    assert crawl.stats["webtext/items/failed"] == faults


def test_nothing_of_a_page_reaches_the_log_unescaped_or_unbounded() -> None:
    extractor = "tests.crawls.faulty.Raising"
    settings = {"WEBTEXT_EXTRACTOR": extractor, "WEBTEXT_EXECUTOR": "thread"}
    report = visit(PATHS, settings=settings)
    assert len(report["items"]) == len(PATHS)
    assert report["by_path"]["/list"]["main_text"] is None
    assert report["by_path"]["/article"]["main_text"].startswith("BOAT THE HARBOUR")
    assert report["log"][-1].find("1 error;") > 0
    assert "\x1b" not in report["stderr"]
    assert "\n2024-01-01" not in report["stderr"]
    assert r"\x1b[2J\n2024-01-01" in report["stderr"]
    assert max(map(len, report["stderr"].splitlines())) < 1_000


@pytest.mark.parametrize(
    "meta",
    [
        {"extractor": "tests.crawls.faulty.TRIGGER"},
        {"extractor_options": {"model": "/nowhere"}, "extractor": "naive_bayes"},
        {1: 2, "x": 3},
        7,
    ],
)
def test_request_meta_that_names_nonsense_is_said_and_the_settings_used(meta: Any) -> None:
    crawl = Components()
    item = crawl.item_of(response_of(ARTICLE, webtext=meta))
    assert isinstance(item["main_text"], str)
    assert crawl.errors == {"webtext/errors/SettingsError": 1}


@pytest.fixture(scope="module", params=EXECUTORS)
def odd(request: pytest.FixtureRequest) -> dict[str, Any]:
    done = python("-m", "tests.crawls.odd", request.param)
    return {**json.loads(done.stdout), "stderr": done.stderr}


@pytest.fixture(params=["odd", "other"])
def spider(request: pytest.FixtureRequest, odd: dict[str, Any]) -> Any:
    text = "main_text" if request.param == "odd" else "body"
    by_key: dict[str, list[Any]] = {}
    for item in odd[request.param]["items"]:
        by_key.setdefault(item.get("key", "strange"), []).append(item.get(text))
    return {**odd[request.param], "by_key": by_key}


def of_page(number: int, text: str | None) -> bool:
    return (text or "").lower().startswith(f"this is the text of page {number},")


def test_items_of_every_type_come_out(spider: Any) -> None:
    strange = [item["strange"] for item in spider["items"] if "strange" in item]
    assert len(strange) == 16
    assert spider["stats"]["webtext/items/unsupported"] == 16
    assert spider["stats"]["webtext/errors/OSError"] == 1
    by_key = spider["by_key"]
    for key in ("ordered", "hashless", "after the strange"):
        assert of_page(0, by_key[key][0]), key
    assert by_key["unwritable"] == [None]
    assert spider["reason"] == "finished"


def test_items_that_are_yielded_again_carried_or_changed_have_the_text_of_a_page(
    spider: Any,
) -> None:
    by_key = spider["by_key"]
    texts = by_key.get("same", []) + by_key["carried"]
    assert len(texts) == 4  # one object: "same" turns into "carried" while it waits for the thread
    assert all(of_page(1, text) or of_page(30, text) for text in texts)
    assert of_page(30, texts[-1])
    (text,) = by_key["filled and carried"]
    assert of_page(4, text)
    assert of_page(2, by_key["beside the mutated"][0])
    assert len(by_key.get("to be mutated", []) + by_key.get("mutated", [])) == 1
    assert by_key["start"] == by_key["errback"] == [None]
    assert of_page(3, by_key["before the break"][0])


def test_each_spider_of_a_process_has_its_own_settings(odd: dict[str, Any]) -> None:
    assert {"main_text", "main_text_score"} <= set(odd["odd"]["items"][-1])
    shouted = [item["body"] for item in odd["other"]["items"] if item.get("body")]
    assert shouted
    assert all(text == text.upper() for text in shouted)


def test_nothing_is_left_and_what_an_item_class_raises_is_escaped(odd: dict[str, Any]) -> None:
    assert odd["left"] == [0, 0]
    assert odd["crawlers"] == 0
    line = r"writing failed on an item of Unwritable: OSError: text\nof a \x1b page"
    assert line in odd["stderr"]
