"""Runs a spider over the test site in a process of its own; prints what came of it as JSON.

python -m tests.ecosystem.crawl MODULE:SPIDER < settings.json
"""

import json
import logging
import subprocess
import sys
from typing import Any, ClassVar

import scrapy
from itemadapter import ItemAdapter
from scrapy.crawler import CrawlerProcess
from scrapy.utils.misc import load_object

from scrapy_webtext.extractors.pvalue import PValueExtractor
from scrapy_webtext.page import Page
from scrapy_webtext.results import Extraction
from tests.crawls.site import Site

ADDONS = {"scrapy_webtext.Addon": 500}


class Counting:
    """The P value, and how often each page was read."""

    name = "counting"
    calls: ClassVar[list[str | None]] = []

    def extract(self, page: Page) -> Extraction:
        self.calls.append(page.url)
        return PValueExtractor().extract(page)


class Keep:
    def __init__(self, crawler: Any) -> None:
        self.items: list[Any] = []
        crawler.spider.kept = self.items

    @classmethod
    def from_crawler(cls, crawler: Any) -> "Keep":
        return cls(crawler)

    def process_item(self, item: Any) -> Any:
        self.items.append({"type": type(item).__name__, **ItemAdapter(item).asdict()})
        return item


class Errors(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(self.format(record))


def crawl(spider: str, settings: dict[str, Any] | None = None) -> dict[str, Any]:
    """Run the spider as above; return its report."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.ecosystem.crawl", spider],
        input=json.dumps(settings or {}),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    report: dict[str, Any] = json.loads(done.stdout)
    report["stderr"] = done.stderr
    return report


def main(spider: str) -> None:
    errors = Errors()
    settings: dict[str, Any] = {
        "ADDONS": ADDONS,
        "ITEM_PIPELINES": {Keep: 900},
        "LOG_LEVEL": "WARNING",
        "RETRY_ENABLED": False,
        "TELNETCONSOLE_ENABLED": False,
    }
    given = json.load(sys.stdin)
    for name, value in given.items():
        settings[name] = {**settings.get(name, {}), **value} if isinstance(value, dict) else value
    with Site() as base:
        process = CrawlerProcess(settings)
        logging.getLogger().addHandler(errors)
        crawler = process.create_crawler(load_object(spider.replace(":", ".")))
        process.crawl(crawler, base=base)
        process.start()
    assert crawler.stats is not None
    kept: Any = getattr(crawler.spider, "kept", None)
    report = {
        "items": kept,
        "seen": getattr(crawler.spider, "seen", None),
        "calls": [url.removeprefix(base) for url in Counting.calls if url],
        "stats": {k: v for k, v in crawler.stats.get_stats().items() if isinstance(v, int | float)},
        "log": errors.lines,
    }
    print(json.dumps(report))


class SiteSpider(scrapy.Spider):
    """Visits ``paths`` of the test site; subclasses say what they do there."""

    name = "site"
    base = ""
    paths: tuple[str, ...] = ("/article", "/list")

    async def start(self) -> Any:
        for path in self.paths:
            yield scrapy.Request(self.base + path)


class ItemSpider(SiteSpider):
    """An item of every page, and one of none."""

    paths = ("/article", "/list", "/empty", "/paper.pdf")

    async def start(self) -> Any:
        yield {"url": "of no page"}
        async for request in super().start():
            yield request

    def parse(self, response: Any) -> Any:
        yield {"url": response.url}


if __name__ == "__main__":
    # By its own name, under which spiders and settings know what is in it.
    from tests.ecosystem.crawl import main

    main(sys.argv[1])
