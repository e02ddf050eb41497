"""Crawls pages of data: URLs with every kind of item; prints JSON.

    python -m tests.crawls.binding asyncio|select|reactorless

It runs in a process of its own, because a process has one reactor.
"""

import asyncio
import gc
import json
import sys
import warnings
import weakref
from base64 import b64encode
from typing import Any

import scrapy
from itemadapter import ItemAdapter
from scrapy import crawler as scrapy_crawler
from scrapy.exceptions import DropItem

from tests.crawls.items import KINDS
from tests.crawls.parts import Keep, report_of_crawl

PAGES = 5
COPIES = 3

REACTORS = {
    "asyncio": {},
    "select": {"TWISTED_REACTOR": "twisted.internet.selectreactor.SelectReactor"},
    "reactorless": {"TWISTED_REACTOR_ENABLED": False, "TELNETCONSOLE_ENABLED": False},
}


def page_url(number: int) -> str:
    html = f"<article><p>This is the text of page {number}, " + "word " * 40 + "</p></article>"
    return "data:text/html;base64," + b64encode(html.encode()).decode()


class Before:
    """The pipeline before ours: drops, raises and replaces."""

    def process_item(self, item: Any, spider: Any = None) -> Any:
        key = ItemAdapter(item).get("key") if ItemAdapter.is_item(item) else None
        if key == "1/1":
            raise DropItem("for the test")
        if key == "2/1":
            raise ZeroDivisionError("for the test")
        return type(item)(**ItemAdapter(item).asdict()) if key == "3/1" else item


class Spider(scrapy.Spider):
    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.seen: list[dict[str, Any]] = []


class SyncSpider(Spider):
    kind = "dict"

    async def start(self) -> Any:
        yield KINDS[self.kind](key="start")
        for number in range(PAGES):
            yield scrapy.Request(page_url(number), cb_kwargs={"number": number})
        yield scrapy.Request("data:broken", errback=self.errback)

    def errback(self, failure: Any) -> Any:
        yield KINDS[self.kind](key="errback")

    def parse(self, response: Any, number: int) -> Any:
        for copy in range(COPIES):
            yield KINDS[self.kind](key=f"{number}/{copy}")


class AsyncSpider(SyncSpider):
    async def parse(self, response: Any, number: int) -> Any:
        for copy in range(COPIES):
            if copy == 1 and asyncio_is_running():
                await asyncio.sleep(0.001)
            yield KINDS[self.kind](key=f"{number}/{copy}")


def asyncio_is_running() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def main(reactor: str) -> None:
    warnings.simplefilter("error", scrapy.exceptions.ScrapyDeprecationWarning)
    settings = {
        "ADDONS": {"scrapy_webtext.Addon": 500},
        "ITEM_PIPELINES": {Before: 50, Keep: 900},
        "LOG_LEVEL": "ERROR",
        **REACTORS[reactor],
    }
    runner = "AsyncCrawlerProcess" if reactor == "reactorless" else "CrawlerProcess"
    process = getattr(scrapy_crawler, runner)(settings)
    spiders = [
        type(f"{kind}-{base.__name__}", (base,), {"kind": kind})
        for kind in KINDS
        for base in (SyncSpider, AsyncSpider)
    ]
    crawlers = {}
    for spider in spiders:
        spider.name = spider.__name__
        crawlers[spider.name] = process.create_crawler(spider)
        process.crawl(crawlers[spider.name])
    process.start()
    report: dict[str, Any] = {
        name: {"items": crawler.spider.seen, **report_of_crawl(crawler)}
        for name, crawler in crawlers.items()
    }
    references = [weakref.ref(crawler) for crawler in crawlers.values()]
    process.crawlers.clear()
    crawlers.clear()
    gc.collect()
    report["crawlers"] = sum(reference() is not None for reference in references)
    print(json.dumps(report))


if __name__ == "__main__":
    main(*sys.argv[1:])
