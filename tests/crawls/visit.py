"""Crawls the test site in another process, as JSON on standard input describes.

It prints a JSON report. ``{"spider": PATH, "settings": {...}, "arguments": {...}}``
"""

import json
import subprocess
import sys
from typing import Any, ClassVar

import scrapy
from scrapy.crawler import CrawlerProcess
from scrapy.utils.misc import load_object

import scrapy_webtext
from scrapy_webtext.extractors.pvalue import PValueExtractor
from scrapy_webtext.page import Page
from scrapy_webtext.results import Extraction
from tests.crawls.parts import Keep, numbers_of
from tests.crawls.site import Site

ADDONS = {"scrapy_webtext.Addon": 500}


class Counting:
    """The extractor of the P value, with a list of the pages that it read."""

    name = "counting"
    calls: ClassVar[list[str | None]] = []

    def extract(self, page: Page) -> Extraction:
        self.calls.append(page.url)
        return PValueExtractor().extract(page)


class SiteSpider(scrapy.Spider):
    """Visits ``paths`` of the test site; subclasses have the callback."""

    name = "site"
    paths: Any = ("/article", "/list")
    handle_httpstatus_list: ClassVar = [404]

    def __init__(self, base: str) -> None:
        super().__init__()
        self.base = base
        self.seen: list[Any] = []
        self.flags: dict[str, list[str]] = {}

    async def start(self) -> Any:
        for path in self.paths:
            yield scrapy.Request(self.base + path)


class VisitSpider(SiteSpider):
    """Visits the paths of an order, with its callback and its settings of requests."""

    def __init__(self, base: str, paths: list[str], callback: str, meta: dict[str, Any]) -> None:
        super().__init__(base)
        self.paths, self.callback, self.meta = paths, callback, meta

    async def start(self) -> Any:
        for path in self.paths:
            meta = {"webtext": self.meta[path]} if path in self.meta else {}
            yield scrapy.Request(self.base + path, getattr(self, self.callback), meta=meta)

    def see(self, response: Any) -> str:
        path: str = response.url.removeprefix(self.base)
        self.flags[path] = [flag for flag in response.flags if flag.startswith("webtext")]
        return path

    def parse(self, response: Any) -> Any:
        yield {"url": self.see(response)}

    async def parse_statuses(self, response: Any) -> Any:
        result = scrapy_webtext.extract(response)
        again = scrapy_webtext.extract(response)
        yield {
            "url": self.see(response),
            "status": result.status,
            "reason": result.reason,
            "has": result.has_article,
            "is_same": result is again,
        }


def visit(
    paths: list[str],
    callback: str = "parse",
    meta: dict[str, Any] | None = None,
    settings: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """Crawl these pages of the test site; return the report, with the items by their path."""
    arguments = {"paths": paths, "callback": callback, "meta": meta or {}}
    settings = {"LOG_LEVEL": "INFO", **(settings or {})}
    report = crawl("tests.crawls.visit.VisitSpider", settings, **arguments)
    assert "DeprecationWarning" not in report["stderr"], report["stderr"]
    report["by_path"] = {item["url"]: item for item in report["items"]}
    mark, lines = " [scrapy_webtext] ", report["stderr"].splitlines()
    report["log"] = [line.partition(mark)[2] for line in lines if mark in line]
    return report


def crawl(spider: str, settings: dict[str, Any] | None = None, **arguments: Any) -> dict[str, Any]:
    """Run a spider, given by its path, with these settings; return its report."""
    order = {"spider": spider, "settings": settings or {}, "arguments": arguments}
    command = [sys.executable, "-m", "tests.crawls.visit"]
    done = subprocess.run(
        command, input=json.dumps(order), capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return {**json.loads(done.stdout), "stderr": done.stderr}


def main(order: dict[str, Any]) -> None:
    settings: dict[str, Any] = {
        "ADDONS": ADDONS,
        "ITEM_PIPELINES": {Keep: 900},
        "LOG_LEVEL": "WARNING",
        "RETRY_ENABLED": False,
        "TELNETCONSOLE_ENABLED": False,
        **order["settings"],
    }
    process = CrawlerProcess(settings)
    crawler = process.create_crawler(load_object(order["spider"]))
    with Site() as base:
        process.crawl(crawler, base=base, **order["arguments"])
        process.start()
    spider: Any = crawler.spider
    report = {
        "items": spider.seen if spider else [],
        "flags": spider.flags if spider else {},
        "calls": [url.removeprefix(base) for url in Counting.calls if url],
        "stats": numbers_of(crawler),
    }
    print(json.dumps(report))


if __name__ == "__main__":
    # Spiders and settings know this module by its name.
    from tests.crawls.visit import main

    main(json.load(sys.stdin))
