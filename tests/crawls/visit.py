"""Visits pages of the test site as a JSON request on standard input says; prints a JSON report.

{"paths": [...], "settings": {...}, "meta": {...}, "callback": "parse"}
"""

import json
import sys
import warnings
from dataclasses import dataclass
from typing import Any, ClassVar

import scrapy
from scrapy.crawler import CrawlerProcess

import scrapy_webtext
from scrapy_webtext import WebTextFields
from tests.crawls.parts import Keep, numbers_of
from tests.crawls.site import Site
from tests.kits.processes import python


@dataclass
class Story(WebTextFields):
    url: str


class VisitSpider(scrapy.Spider):
    name = "visit"
    handle_httpstatus_list: ClassVar = [404]

    def __init__(self, base: str, order: dict[str, Any]) -> None:
        super().__init__()
        self.base, self.order = base, order
        self.seen: list[Any] = []
        self.flags: dict[str, list[str]] = {}

    async def start(self) -> Any:
        callback = getattr(self, self.order.get("callback", "parse"))
        for path in self.order["paths"]:
            meta = self.order.get("meta", {}).get(path)
            meta = {} if meta is None else {"webtext": meta}
            yield scrapy.Request(self.base + path, callback, meta=meta)

    def see(self, response: Any) -> str:
        path: str = response.url.removeprefix(self.base)
        self.flags[path] = [flag for flag in response.flags if flag.startswith("webtext")]
        return path

    def parse(self, response: Any) -> Any:
        yield {"url": self.see(response)}

    def parse_without_await(self, response: Any) -> Any:
        result = scrapy_webtext.extract(response)
        yield scrapy_webtext.fill(Story(self.see(response)), result)

    async def parse_and_await(self, response: Any) -> Any:
        result = await scrapy_webtext.extract(response)
        yield scrapy_webtext.fill(Story(self.see(response)), result)

    async def parse_statuses(self, response: Any) -> Any:
        result = await scrapy_webtext.extract(response)
        again = await scrapy_webtext.extract(response)
        yield {
            "url": self.see(response),
            "status": result.status,
            "reason": result.reason,
            "has": result.has_article,
            "is_same": result is again,
        }


def visit(paths: list[str], **order: Any) -> dict[str, Any]:
    """Crawl these pages of the test site in another process; return its report."""
    done = python("-m", "tests.crawls.visit", input=json.dumps({"paths": paths, **order}))
    report: dict[str, Any] = json.loads(done.stdout)
    report["stderr"] = done.stderr
    report["by_path"] = {item["url"]: item for item in report["items"]}
    mark = " [scrapy_webtext] "
    report["log"] = [line.partition(mark)[2] for line in done.stderr.splitlines() if mark in line]
    return report


def main() -> None:
    warnings.simplefilter("error", scrapy.exceptions.ScrapyDeprecationWarning)
    order = json.load(sys.stdin)
    settings = {
        "ADDONS": {"scrapy_webtext.Addon": 500},
        "ITEM_PIPELINES": {Keep: 900},
        "LOG_LEVEL": "INFO",
        "RETRY_ENABLED": False,
        **order.get("settings", {}),
    }
    process = CrawlerProcess(settings)
    crawler = process.create_crawler(VisitSpider)
    with Site() as base:
        process.crawl(crawler, base=base, order=order)
        process.start()
    spider: Any = crawler.spider
    report = {
        "items": spider.seen if spider else [],
        "flags": spider.flags if spider else {},
        "stats": numbers_of(crawler),
    }
    print(json.dumps(report))


if __name__ == "__main__":
    main()
