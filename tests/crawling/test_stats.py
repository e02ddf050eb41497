"""The sums that the stats hold, over random crawls, and the line that closes a crawl."""

import json
import subprocess
import sys
from typing import Any

import pytest

from scrapy_webtext.crawling.stats import OUTCOMES, closing_line

CRAWLS, PAGES = 12, 200


@pytest.fixture(scope="module")
def crawls() -> list[dict[str, Any]]:
    done = subprocess.run(
        [sys.executable, "-m", "tests.crawls.random_crawls", str(CRAWLS), str(PAGES), "3"],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    reports: list[dict[str, Any]] = json.loads(done.stdout)
    assert len(reports) == CRAWLS
    return reports


def number(report: dict[str, Any], name: str) -> int:
    return int(report["stats"].get(name, 0))


def total(report: dict[str, Any], prefix: str) -> int:
    return sum(n for name, n in report["stats"].items() if name.startswith(prefix))


def test_every_item_that_the_pipeline_sees_has_one_outcome(crawls: list[dict[str, Any]]) -> None:
    for report in crawls:
        outcomes = [number(report, f"webtext/items/{name}") for name in OUTCOMES]
        assert sum(outcomes) == number(report, "webtext/items/seen") == report["counts"]["before"]
    for name in OUTCOMES:
        assert sum(number(report, f"webtext/items/{name}") for report in crawls) > 0, name


def test_every_item_that_is_not_dropped_comes_out(crawls: list[dict[str, Any]]) -> None:
    for report in crawls:
        dropped = number(report, "webtext/items/dropped")
        assert report["counts"]["after"] == report["counts"]["before"] - dropped
        assert number(report, "item_scraped_count") == report["counts"]["after"]


def test_every_response_is_judged_failed_or_left_alone(crawls: list[dict[str, Any]]) -> None:
    for report in crawls:
        judged = [number(report, f"webtext/responses/{n}") for n in ("article", "not_article")]
        apart = number(report, "webtext/responses/failed") + total(
            report, "webtext/responses/skipped/"
        )
        assert sum(judged) + apart == number(report, "response_received_count") == PAGES


def test_no_item_gets_the_text_of_another_page(crawls: list[dict[str, Any]]) -> None:
    assert [report["counts"].get("wrong text", 0) for report in crawls] == [0] * CRAWLS


def test_nothing_is_bound_when_a_crawl_is_over(crawls: list[dict[str, Any]]) -> None:
    assert [report["left"] for report in crawls] == [0] * CRAWLS


def test_only_what_was_told_to_fail_failed(crawls: list[dict[str, Any]]) -> None:
    told = {"SettingsError", "OSError", "LookupError", "ArithmeticError"}
    errors = {name for report in crawls for name in report["stats"] if "webtext/errors/" in name}
    assert errors == {f"webtext/errors/{name}" for name in told}


def test_the_closing_line_names_what_happened_and_nothing_else() -> None:
    assert (
        closing_line({}) == "webtext: 0 pages judged, 0 with an article; 0 items filled; 0 errors"
    )
    stats = {
        "webtext/responses/article": 2,
        "webtext/responses/not_article": 1,
        "webtext/responses/skipped/not_html": 3,
        "webtext/responses/skipped/meta": 1,
        "webtext/responses/ignored": 1,
        "webtext/items/filled": 2,
        "webtext/items/unfilled": 4,
        "webtext/errors/ValueError": 2,
    }
    assert closing_line(stats) == (
        "webtext: 3 pages judged, 2 with an article, 4 left alone, 1 ignored; "
        "2 items filled, 4 unfilled; 2 errors"
    )
