"""Visits pages of the test site as a JSON request on standard input says; prints a JSON report.

{"paths": [...], "settings": {...}, "meta": {...}, "callback": "parse"}
"""

import json
import logging
import sys
import warnings
from dataclasses import dataclass
from typing import Any, ClassVar

import scrapy
from scrapy.crawler import CrawlerProcess

import scrapy_webtext
from scrapy_webtext import WebTextFields, WebTextResult
from scrapy_webtext.page import Page
from scrapy_webtext.results import Extraction
from tests.crawls.parts import Part
from tests.crawls.site import Site


class Shout:
    """A user's own extractor."""

    name = "shout"

    def extract(self, page: Page) -> Extraction:
        return Extraction(" ".join(page.blocks.text).upper(), 1.0, self.name)


class Failing:
    name = "failing"

    def extract(self, page: Page) -> Extraction:
        raise ZeroDivisionError("always")


class WrongType:
    name = "wrong_type"

    def extract(self, page: Page) -> Any:
        return "just text"


@dataclass
class Story(WebTextFields):
    url: str


class Narrow(scrapy.Item):
    url = scrapy.Field()
    main_text = scrapy.Field()


class VisitSpider(scrapy.Spider):
    name = "visit"
    handle_httpstatus_list: ClassVar = [404]
    order: ClassVar[dict[str, Any]] = {}

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.items: list[Any] = []
        self.flags: dict[str, list[str]] = {}

    async def start(self) -> Any:
        for path in self.order["paths"]:
            meta = self.order.get("meta", {}).get(path)
            yield scrapy.Request(
                self.order["base"] + path,
                callback=getattr(self, self.order.get("callback", "parse")),
                meta={} if meta is None else {"webtext": meta},
            )

    def see(self, response: Any) -> None:
        self.flags[response.url.removeprefix(self.order["base"])] = [
            flag for flag in response.flags if flag.startswith("webtext")
        ]

    def parse(self, response: Any) -> Any:
        self.see(response)
        yield {"url": response.url}

    def parse_narrow(self, response: Any) -> Any:
        self.see(response)
        yield Narrow(url=response.url)

    def parse_without_await(self, response: Any) -> Any:
        self.see(response)
        result = scrapy_webtext.extract(response)
        yield scrapy_webtext.fill(Story(url=response.url), result)

    async def parse_and_await(self, response: Any) -> Any:
        self.see(response)
        result = await scrapy_webtext.extract(response)
        yield scrapy_webtext.fill(Story(url=response.url), result)

    def parse_own(self, response: Any) -> Any:
        self.see(response)
        result = WebTextResult("my own text", True, 0.9, 0.8, "mine")
        yield scrapy_webtext.fill({"url": response.url}, result)

    async def parse_statuses(self, response: Any) -> Any:
        self.see(response)
        result = await scrapy_webtext.extract(response)
        again = await scrapy_webtext.extract(response)
        yield {
            "url": response.url,
            "status": result.status,
            "reason": result.reason,
            "has": result.has_article,
            "is_same": result is again,
        }


class Keep(Part):
    def process_item(self, item: Any, spider: Any = None) -> Any:
        values = dict(scrapy_webtext.items.ItemAdapter(item).asdict())
        values["path"] = values["url"].removeprefix(self.crawler.spider.order["base"])
        self.crawler.spider.items.append(values)
        return item


class _Lines(logging.Handler):
    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(f"{record.levelname} {record.getMessage()}")


def main() -> None:
    warnings.simplefilter("error", scrapy.exceptions.ScrapyDeprecationWarning)
    order = json.load(sys.stdin)
    lines = _Lines()
    logging.getLogger("scrapy_webtext").addHandler(lines)
    with Site() as base:
        settings = {
            "ADDONS": {"scrapy_webtext.Addon": 500},
            "ITEM_PIPELINES": {Keep: 900},
            "LOG_LEVEL": "ERROR",
            "RETRY_ENABLED": False,
            **order.get("settings", {}),
        }
        process = CrawlerProcess(settings)
        VisitSpider.order = {**order, "base": base}
        crawler = process.create_crawler(VisitSpider)
        process.crawl(crawler)
        process.start()
    spider: Any = crawler.spider
    stats = crawler.stats.get_stats() if crawler.stats else {}
    report = {
        "items": spider.items if spider else None,
        "flags": spider.flags if spider else None,
        "stats": {name: value for name, value in stats.items() if isinstance(value, int | float)},
        "log": lines.lines,
    }
    print(json.dumps(report))


if __name__ == "__main__":
    main()
