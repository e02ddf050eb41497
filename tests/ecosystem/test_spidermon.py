"""Spidermon: a monitor that fails when a crawl finds too few articles or too little text."""

import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from scrapy_webtext.integrations import spidermon
from scrapy_webtext.integrations.spidermon import shortfall
from tests.crawls.offline import Components, response_of
from tests.crawls.site import SENTENCE
from tests.crawls.visit import crawl
from tests.ecosystem.recipes import Recipe

MONITORED = {
    "EXTENSIONS": {"spidermon.contrib.scrapy.extensions.Spidermon": 500},
    "SPIDERMON_ENABLED": True,
    "SPIDERMON_SPIDER_CLOSE_MONITORS": [
        "scrapy_webtext.integrations.spidermon.WebtextMonitorSuite"
    ],
    "LOG_LEVEL": "INFO",
}


def test_the_recipe_warns_as_the_page_says(recipe: Callable[[str], Recipe]) -> None:
    log = recipe("Spidermon").follow(tracebacks=1)  # of the assertion that failed
    assert "FAIL: Main text/Share of articles" in log
    assert (
        "1 of 2 pages judged have an article: 50.0%, "
        "below SPIDERMON_WEBTEXT_MIN_ARTICLES = 60.0%" in log
    )
    assert "FAILED (failures=1, " in log


def test_a_site_that_changed_is_named(tmp_path: Path) -> None:
    path = tmp_path / "sites.json"
    Components(SITE_STATS=str(path)).close()
    row = {"pages": 99, "articles": 0.0, "texts": 99, "chars": 9000, "score": 0.9, "empty": 0.0}
    path.write_text(json.dumps({"example.com": row | {"repeated": 0.0, "language": "fr"}}))
    crawler = Components(SITE_STATS=str(path))
    monitor = spidermon.WebtextMonitor("test_changes_of_sites")
    monitor.data = SimpleNamespace(crawler=crawler.crawler)
    monitor.test_changes_of_sites()
    for _ in range(12):
        crawler.item_of(response_of(f"<article><p>{SENTENCE * 20}</p></article>".encode()))
    with pytest.raises(AssertionError, match=r"example.com: articles 0% -> 100% of pages"):
        monitor.test_changes_of_sites()


def log_of(**bounds: Any) -> str:
    spider = "tests.crawls.visit.ItemSpider"
    return str(crawl(spider, {**MONITORED, **bounds})["stderr"])


def test_each_bound_passes_or_fails_with_numbers_or_is_skipped() -> None:
    log = log_of(SPIDERMON_WEBTEXT_MIN_ARTICLES=0.2, SPIDERMON_WEBTEXT_MIN_FILLED="0.9")
    assert log.count("... OK") == 1, log
    assert "3 of 5 items have their fields: 60.0%" in log
    assert "SKIPPED (SPIDERMON_WEBTEXT_MIN_TEXTS" in log


def test_a_crawl_without_pages_is_below_any_bound() -> None:
    found = shortfall("SPIDERMON_WEBTEXT_MIN_ARTICLES", {}, 0.01)
    assert found is not None
    assert "0 of 0 pages" in found
    assert shortfall("SPIDERMON_WEBTEXT_MIN_ARTICLES", {}, 0.0) is None


def test_a_wrong_bound_is_refused_before_the_first_page() -> None:
    log = log_of(SPIDERMON_WEBTEXT_MIN_TEXTS=7)
    assert "SPIDERMON_WEBTEXT_MIN_TEXTS = 7 is not allowed: it must be a number" in log
    assert "Spider opened" not in log
