"""Two spiders in one process that yield whatever Python has; prints what came out as JSON.

python -m tests.crawls.odd inline|thread
"""

import collections
import gc
import json
import sys
import weakref
from typing import Any

import scrapy
from itemadapter import ItemAdapter
from scrapy.crawler import CrawlerProcess

from scrapy_webtext import extract, fill
from scrapy_webtext.crawling.crawl import WebtextCrawl
from tests.crawls.binding import page_url
from tests.crawls.items import DataclassItem
from tests.crawls.parts import Part

Pair = collections.namedtuple("Pair", "a b")


class Slotted:
    __slots__ = ("a",)


class HashlessDict(dict):  # type: ignore[type-arg]
    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        raise TypeError("not to be compared")


class Unwritable(dict):  # type: ignore[type-arg]
    def __setitem__(self, name: Any, value: Any) -> None:
        raise OSError("text\nof a \x1b page")


def strange_items() -> list[Any]:
    return [
        7, "text", 2.5, True, object(), [1], {1, 2}, (1, 2), Pair(1, 2), Slotted(), lambda: 1, type,
        b"bytes", range(3), Exception("x"), collections.UserDict(key="user"),
        collections.OrderedDict(key="ordered"), HashlessDict(key="hashless"),
        Unwritable(key="unwritable"),
    ]  # fmt: skip


class Seen(Part):
    def process_item(self, item: Any, spider: Any = None) -> Any:
        try:
            values = {str(k): v for k, v in ItemAdapter(item).asdict().items()}
        except TypeError:
            values = {"strange": type(item).__name__}
        self.crawler.spider.seen.append(values)
        return item


class OddSpider(scrapy.Spider):
    name = "odd"

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.seen: list[dict[str, Any]] = []
        self.kept: list[Any] = []

    async def start(self) -> Any:
        yield {"key": "start"}
        for number, callback in enumerate(
            (self.strange, self.same, self.mutated, self.breaks, self.filled, self.nothing)
        ):
            yield scrapy.Request(page_url(number), callback=callback, errback=self.errback)
        yield scrapy.Request("data:broken", callback=self.nothing, errback=self.errback)

    def errback(self, failure: Any) -> Any:
        yield {"key": "errback"}
        raise ValueError("in an errback")

    def strange(self, response: Any) -> Any:
        yield from strange_items()
        yield None
        yield {"key": "after the strange"}

    def same(self, response: Any) -> Any:
        item = {"key": "same"}
        for _ in range(3):
            yield item
        request = scrapy.Request(page_url(30), callback=self.carried, dont_filter=True)
        request.meta["item"] = item
        yield request

    def carried(self, response: Any) -> Any:
        item = response.meta["item"]
        item["key"] = "carried"
        yield item

    def brought(self, response: Any, item: Any) -> Any:
        yield item

    def mutated(self, response: Any) -> Any:
        item = {"key": "to be mutated"}
        yield item
        item.clear()
        item["key"] = "mutated"
        self.kept.append(item)
        yield {"key": "beside the mutated"}

    def breaks(self, response: Any) -> Any:
        yield {"key": "before the break"}
        raise RuntimeError("in a callback")

    async def filled(self, response: Any) -> Any:
        yield fill(DataclassItem(key="filled"), await extract(response))
        item = fill({"key": "filled and carried"}, await extract(response))
        request = scrapy.Request(page_url(31), callback=self.brought, dont_filter=True)
        yield request.replace(cb_kwargs={"item": item})
        fill({"key": "filled and never yielded"}, await extract(response))

    def nothing(self, response: Any) -> Any:
        return None


class OtherSpider(OddSpider):
    name = "other"
    custom_settings = {  # noqa: RUF012
        "WEBTEXT_EXTRACTOR": "tests.crawls.faulty.Shout",
        "WEBTEXT_FIELDS": {"main_text": "body", "main_text_score": None},
    }


def main(executor: str) -> None:
    process = CrawlerProcess(
        {
            "ADDONS": {"scrapy_webtext.Addon": 500},
            "ITEM_PIPELINES": {Seen: 900},
            "WEBTEXT_EXECUTOR": executor,
            "WEBTEXT_EXTRACTOR": "pvalue",
            "LOG_LEVEL": "ERROR",
        }
    )
    crawlers = [process.create_crawler(spider) for spider in (OddSpider, OtherSpider)]
    for crawler in crawlers:
        process.crawl(crawler)
    process.start()
    report: dict[str, Any] = {}
    for crawler in crawlers:
        spider: Any = crawler.spider
        report[spider.name] = {
            "items": spider.seen,
            "stats": {k: v for k, v in crawler.stats.get_stats().items() if "webtext" in k},
            "reason": crawler.stats.get_value("finish_reason"),
        }
    gc.collect()
    report["left"] = [len(WebtextCrawl.of(crawler).binder) for crawler in crawlers]
    references = [weakref.ref(crawler) for crawler in crawlers]
    process.crawlers.clear()
    del crawler, crawlers, spider
    gc.collect()
    report["crawlers"] = sum(reference() is not None for reference in references)
    print(json.dumps(report))


if __name__ == "__main__":
    main(*sys.argv[1:])
