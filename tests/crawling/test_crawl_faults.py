"""Whatever an extractor, a judge or a spider does, the crawl goes on and every item comes out."""

import json
import subprocess
import sys
from typing import Any

import pytest

from tests.crawling.test_crawl import visit

EXECUTORS = ["inline", "thread"]
PATHS = ["/article", "/list", "/untyped"]


def visit_with(extractor: str, executor: str, **settings: Any) -> dict[str, Any]:
    return visit(
        PATHS,
        settings={
            "WEBTEXT_EXTRACTOR": f"tests.crawls.faulty.{extractor}",
            "WEBTEXT_EXECUTOR": executor,
            "CONCURRENT_REQUESTS": 1,
            **settings,
        },
    )


def assert_only_the_list_is_lost(report: dict[str, Any], error: str) -> None:
    assert len(report["items"]) == len(PATHS)
    assert report["by_path"]["/list"]["main_text"] is None
    for path in ("/article", "/untyped"):
        assert report["by_path"][path]["main_text"].startswith("BOAT THE HARBOUR")
    assert report["stats"][f"webtext/errors/{error}"] == 1
    assert report["stats"]["webtext/items/filled"] == len(PATHS) - 1
    assert report["stats"]["webtext/items/failed"] == 1
    assert "1 errors" in report["log"][-1]


@pytest.mark.parametrize("executor", EXECUTORS)
@pytest.mark.parametrize(
    ("extractor", "error"),
    [
        ("Raising", "ValueError"),
        ("Recursing", "RecursionError"),
        ("Devouring", "MemoryError"),
        ("Leaving", "SystemExit"),
    ],
)
def test_what_an_extractor_raises_costs_its_page_only(
    extractor: str, error: str, executor: str
) -> None:
    assert_only_the_list_is_lost(visit_with(extractor, executor), error)


@pytest.mark.parametrize("executor", EXECUTORS)
@pytest.mark.parametrize("extractor", ["Nothing", "NoText", "NoScore", "Generator"])
def test_what_is_no_extraction_costs_no_item(extractor: str, executor: str) -> None:
    report = visit_with(extractor, executor)
    assert [item["main_text"] for item in report["items"]] == [None] * len(PATHS)
    assert report["stats"]["webtext/errors/TypeError"] == len(PATHS)


@pytest.mark.parametrize(
    ("judge", "error", "faults"),
    [
        ("NoJudgement", "TypeError", 3),
        ("RaisingJudge", "LookupError", 1),
        ("LeavingJudge", "SystemExit", 1),
    ],
)
@pytest.mark.parametrize("action", ["flag", "drop_items", "ignore"])
def test_a_fault_in_a_judge_costs_no_item(judge: str, error: str, faults: int, action: str) -> None:
    settings = {"WEBTEXT_JUDGE": f"tests.crawls.faulty.{judge}", "WEBTEXT_ACTION": action}
    report = visit(PATHS, settings=settings)
    assert len(report["items"]) == len(PATHS)
    assert report["by_path"]["/list"]["main_text"] is None
    assert report["stats"][f"webtext/errors/{error}"] == faults
    assert report["stats"]["webtext/responses/failed"] == faults
    assert report["stats"]["webtext/items/failed"] == faults


@pytest.mark.parametrize("executor", EXECUTORS)
def test_nothing_of_a_page_reaches_the_log_unescaped_or_unbounded(executor: str) -> None:
    report = visit_with("Raising", executor)
    assert "\x1b" not in report["stderr"]
    assert "\n2024-01-01" not in report["stderr"]
    assert r"\x1b[2J\n2024-01-01" in report["stderr"]
    assert max(map(len, report["stderr"].splitlines())) < 1_000


def test_request_meta_that_names_nonsense_is_said_and_the_settings_used() -> None:
    meta = {
        "/article": {"extractor": "tests.crawls.faulty.TRIGGER"},
        "/list": {"extractor_options": {"model": "/nowhere"}, "extractor": "naive_bayes"},
        "/untyped": {1: 2, "x": 3},
    }
    report = visit(PATHS, meta=meta)
    assert all(isinstance(item["main_text"], str) for item in report["items"])
    assert len(report["items"]) == len(PATHS)
    faults = sum(n for name, n in report["stats"].items() if name.startswith("webtext/errors/"))
    assert faults == len(PATHS)


@pytest.fixture(scope="module", params=EXECUTORS)
def odd(request: pytest.FixtureRequest) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-m", "tests.crawls.odd", request.param],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    report: dict[str, Any] = json.loads(done.stdout)
    report["stderr"] = done.stderr
    return report


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


def test_an_item_that_is_yielded_again_has_a_text_each_time(spider: Any) -> None:
    texts = spider["by_key"].get("same", []) + spider["by_key"]["carried"]
    assert len(texts) == 4  # one object: "same" turns into "carried" while it waits for the thread
    assert all(of_page(1, text) or of_page(30, text) for text in texts)
    assert of_page(30, texts[-1])


def test_an_item_filled_by_the_spider_keeps_its_text_on_a_later_page(spider: Any) -> None:
    (text,) = spider["by_key"]["filled and carried"]
    assert of_page(4, text)


def test_what_a_spider_does_to_items_later_is_its_own_affair(spider: Any) -> None:
    assert of_page(2, spider["by_key"]["beside the mutated"][0])
    assert len(spider["by_key"].get("to be mutated", []) + spider["by_key"].get("mutated", [])) == 1


def test_items_of_start_and_errbacks_and_broken_callbacks_come_out(spider: Any) -> None:
    assert spider["by_key"]["start"] == [None]
    assert spider["by_key"]["errback"] == [None]
    assert of_page(3, spider["by_key"]["before the break"][0])


def test_each_spider_of_a_process_has_its_own_settings(odd: dict[str, Any]) -> None:
    assert {"main_text", "main_text_score"} <= set(odd["odd"]["items"][-1])
    shouted = [item["body"] for item in odd["other"]["items"] if item.get("body")]
    assert shouted
    assert all(text == text.upper() for text in shouted)


def test_nothing_is_left_when_the_crawls_are_done(odd: dict[str, Any]) -> None:
    assert odd["left"] == [0, 0]
    assert odd["crawlers"] == 0


def test_what_an_item_class_raises_is_escaped_too(odd: dict[str, Any]) -> None:
    assert (
        r"writing failed on an item of Unwritable: OSError: text\nof a \x1b page" in odd["stderr"]
    )
