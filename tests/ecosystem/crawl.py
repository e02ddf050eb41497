"""Run a spider over the test site in another process; print a JSON report.

python -m tests.ecosystem.crawl MODULE:SPIDER < settings.json
"""

import json
import subprocess
import sys
from typing import Any, ClassVar

import scrapy
from scrapy.crawler import CrawlerProcess
from scrapy.utils.misc import load_object

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


def crawl(spider: str, settings: dict[str, Any] | None = None) -> dict[str, Any]:
    """Run the spider ``MODULE:SPIDER`` with these settings; return its report."""
    command = [sys.executable, "-m", "tests.ecosystem.crawl", spider]
    done = subprocess.run(
        command, input=json.dumps(settings or {}), capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    report: dict[str, Any] = json.loads(done.stdout)
    report["stderr"] = done.stderr
    return report


def main(spider: str) -> None:
    settings: dict[str, Any] = {
        "ADDONS": ADDONS,
        "ITEM_PIPELINES": {Keep: 900},
        "LOG_LEVEL": "WARNING",
        "RETRY_ENABLED": False,
        "TELNETCONSOLE_ENABLED": False,
        **json.load(sys.stdin),
    }
    with Site() as base:
        process = CrawlerProcess(settings)
        crawler = process.create_crawler(load_object(spider.replace(":", ".")))
        process.crawl(crawler, base=base)
        process.start()
    report = {
        "items": getattr(crawler.spider, "seen", None),
        "calls": [url.removeprefix(base) for url in Counting.calls if url],
        "stats": numbers_of(crawler),
    }
    print(json.dumps(report))


class SiteSpider(scrapy.Spider):
    """Visits ``paths`` of the test site; subclasses have the callback."""

    name = "site"
    base = ""
    paths: tuple[str, ...] = ("/article", "/list")

    async def start(self) -> Any:
        self.seen: list[Any] = []
        for path in self.paths:
            yield scrapy.Request(self.base + path)


class ItemSpider(SiteSpider):
    """Yields an item of every page, and an item of no page."""

    paths = ("/article", "/list", "/empty", "/paper.pdf")

    async def start(self) -> Any:
        async for request in super().start():
            yield request
        yield {"url": "of no page"}

    def parse(self, response: Any) -> Any:
        yield {"url": response.url}


if __name__ == "__main__":
    # Spiders and settings know this module by its name.
    from tests.ecosystem.crawl import main

    main(sys.argv[1])
