"""Crawls pages of data: URLs with every kind of item, and prints what came out as JSON.

    python -m tests.crawls.binding asyncio|select|reactorless inline|thread

Run as a program of its own, since a process has one reactor.
"""

import asyncio
import gc
import json
import sys
import warnings
from base64 import b64encode
from typing import Any

import scrapy
from itemadapter import ItemAdapter
from scrapy import crawler as scrapy_crawler
from scrapy.exceptions import DropItem

from scrapy_webtext.crawling.crawl import WebtextCrawl
from tests.crawls.items import KINDS
from tests.crawls.parts import Part

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
    """A pipeline ahead of ours that drops, raises and replaces."""

    def process_item(self, item: Any) -> Any:
        key = ItemAdapter(item)["key"]
        if key == "1/1":
            raise DropItem("as told")
        if key == "2/1":
            raise ZeroDivisionError("as told")
        if key == "3/1":
            values = ItemAdapter(item).asdict()
            return type(item)(**values)
        return item


class Before213(Before):
    def process_item(self, item: Any, spider: Any) -> Any:  # Scrapy 2.13 passes the spider
        return super().process_item(item)


class After(Part):
    """A pipeline behind ours that keeps what it sees."""

    def process_item(self, item: Any, spider: Any = None) -> Any:
        self.crawler.spider.seen.append(ItemAdapter(item).asdict())
        return item


class BindingSpider(scrapy.Spider):
    kind = "dict"

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.seen: list[dict[str, Any]] = []

    async def start(self) -> Any:
        yield KINDS[self.kind](key="start")
        for number in range(PAGES):
            yield scrapy.Request(page_url(number), cb_kwargs={"number": number}, errback=self.eb)
        yield scrapy.Request("data:broken", errback=self.eb)

    def eb(self, failure: Any) -> Any:
        yield KINDS[self.kind](key="errback")


class SyncSpider(BindingSpider):
    def parse(self, response: Any, number: int) -> Any:
        for copy in range(COPIES):
            yield KINDS[self.kind](key=f"{number}/{copy}")


class AsyncSpider(BindingSpider):
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


def main(reactor: str, executor: str) -> None:
    warnings.simplefilter("error", scrapy.exceptions.ScrapyDeprecationWarning)
    before = Before213 if scrapy.version_info < (2, 14) else Before
    settings = {
        "ADDONS": {"scrapy_webtext.Addon": 500},
        "ITEM_PIPELINES": {before: 50, After: 900},
        "WEBTEXT_EXECUTOR": executor,
        "LOG_LEVEL": "CRITICAL",
        **REACTORS[reactor],
    }
    is_reactorless = reactor == "reactorless"
    runner = "AsyncCrawlerProcess" if is_reactorless else "CrawlerProcess"
    process = getattr(scrapy_crawler, runner)(settings)
    crawlers = {}
    for kind in KINDS:
        for base in (SyncSpider, AsyncSpider):
            name = f"{kind}-{base.__name__}"
            spider = type(name, (base,), {"name": name, "kind": kind})
            crawler = process.create_crawler(spider)
            crawlers[name] = crawler
            process.crawl(crawler)
    process.start()
    gc.collect()  # responses end in reference cycles
    report = {}
    for name, crawler in crawlers.items():
        binder = WebtextCrawl.of(crawler).binder
        report[name] = {
            "items": crawler.spider.seen,
            "left": len(binder),
            "stats": {k: v for k, v in crawler.stats.get_stats().items() if "webtext" in k},
        }
    print(json.dumps(report))


if __name__ == "__main__":
    main(*sys.argv[1:])
