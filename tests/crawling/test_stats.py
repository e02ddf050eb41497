"""The sums that the stats hold, over random crawls, and the line that closes a crawl."""

import inspect
import re
from pathlib import Path
from typing import Any

import pytest

import scrapy_webtext
from scrapy_webtext.crawling.responses import no_page_reason, skip_reason
from scrapy_webtext.crawling.stats import OUTCOMES, PREFIX, STATS, closing_line
from tests.kits.processes import report_of

CRAWLS, PAGES = 12, 200


@pytest.fixture(scope="module")
def crawls() -> list[dict[str, Any]]:
    reports: list[dict[str, Any]]
    reports = report_of("tests.crawls.random_crawls", str(CRAWLS), str(PAGES), "3")
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


def test_every_item_comes_out_and_every_response_is_accounted_for(
    crawls: list[dict[str, Any]],
) -> None:
    for report in crawls:
        counts, dropped = report["counts"], number(report, "webtext/items/dropped")
        scraped = number(report, "item_scraped_count")
        assert counts["after"] == counts["before"] - dropped == scraped
        assert number(report, "item_dropped_reasons_count/NoArticle") == dropped
        outcomes = [f"webtext/responses/{n}" for n in ("article", "not_article", "failed")]
        judged = sum(number(report, name) for name in outcomes)
        skipped = total(report, "webtext/responses/skipped/")
        assert judged + skipped == number(report, "response_received_count") == PAGES
        assert counts.get("wrong text", 0) == 0
        assert report["left"] == 0
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


PACKAGE = Path(scrapy_webtext.__file__).parent
SOURCE = "".join(
    path.read_text("utf-8")
    for folder in ("", "crawling", "integrations", "cli")
    for path in (PACKAGE / folder).glob("*.py")
)


DESCRIBED = tuple(name.partition("<")[0] for name in STATS)


def test_every_stat_of_a_crawl_is_described(crawls: list[dict[str, Any]]) -> None:
    names = {name for report in crawls for name in report["stats"] if name.startswith(PREFIX)}
    assert not [name for name in names if not name.removeprefix(PREFIX).startswith(DESCRIBED)]


def test_every_stat_in_the_source_is_described() -> None:
    written = set(re.findall(r'"(?:webtext/)?((?:responses|items|sites|crawl)/\w*)', SOURCE))
    assert len(written) > 15
    assert not [
        name
        for name in written
        if not any(name.startswith(stat) or stat.startswith(name) for stat in DESCRIBED)
    ]


def test_every_stat_that_is_described_is_counted() -> None:
    for name in (name.rpartition("/")[2] for name in STATS if "<" not in name):
        assert f'"{name}"' in SOURCE or f'/{name}"' in SOURCE, name


def test_every_reason_to_leave_a_page_alone_is_described() -> None:
    source = inspect.getsource(skip_reason) + inspect.getsource(no_page_reason)
    reasons = set(re.findall(r'return "(\w+)"', source))
    assert {"head", "status", "too_large"} < reasons
    assert not [r for r in reasons if f"`{r}`" not in STATS["responses/skipped/<reason>"]]
