"""Crawls pages of every kind with random settings, items, callbacks and pipelines; prints JSON:
per crawl its stats and the counts of its pipelines, and how many crawlers are not freed at the end.

    python -m tests.crawls.random_crawls asyncio|select|reactorless CRAWLS PAGES SEED

It runs in a process of its own, because a process has one reactor.
"""

import asyncio
import gc
import json
import sys
import time
import weakref
from base64 import b64encode
from collections import Counter
from random import Random
from typing import Any

import scrapy
from itemadapter import ItemAdapter
from scrapy import crawler as scrapy_crawler
from scrapy.exceptions import DropItem

from scrapy_webtext import WebTextResult, extract, fill
from scrapy_webtext.extractors.pvalue import PValueExtractor, PValueJudge
from scrapy_webtext.page import Page
from scrapy_webtext.results import Extraction, Judgement
from tests.crawls.items import KINDS as ITEMS
from tests.crawls.parts import Part, report_of_crawl

REACTORS: dict[str, dict[str, Any]] = {
    "asyncio": {},
    "select": {"TWISTED_REACTOR": "twisted.internet.selectreactor.SelectReactor"},
    "reactorless": {"TWISTED_REACTOR_ENABLED": False},
}

KINDS = ("article",) * 5 + ("list", "list", "json", "pdf", "empty", "huge", "slow", "broken")
OWN = WebTextResult("a text of my own", True, 0.9, 0.9, "mine")


def body_of(kind: str, number: int) -> tuple[str, bytes]:
    if kind == "json":
        return "application/json", b'{"a": 1}'
    if kind == "pdf":
        return "application/pdf", b"%PDF-1.4"
    if kind == "empty":
        return "text/html", b""
    if kind == "list":
        links = "".join(f"<li><a href='/{number}/{n}'>Item {n}</a></li>" for n in range(30))
        return "text/html", f"<ul>{links}</ul>".encode()
    words = "word and more of it, " * (3_000 if kind == "huge" else 30)
    text = f"<article><p>This is the text of page {number}, {kind}, {words}</p></article>"
    return "text/html", text.encode()


def address(kind: str, number: int) -> str:
    content_type, body = body_of(kind, number)
    return f"data:{content_type};number={number};base64,{b64encode(body).decode()}"


class Extractor(PValueExtractor):
    """Slow on some pages, raises on others."""

    def extract(self, page: Page) -> Extraction:
        if ", slow," in page.source:
            time.sleep(0.02)
        if ", broken," in page.source and len(page.source) % 2:
            raise LookupError("for the test")
        return super().extract(page)


class Judge(PValueJudge):
    """Raises on some pages."""

    def judge(self, page: Page, threshold: float = 0.5) -> Judgement:
        if ", broken," in page.source:
            raise ArithmeticError("for the test")
        return super().judge(page, threshold)


class Bare(scrapy.Item):
    key = scrapy.Field()


class Unwritable(dict):  # type: ignore[type-arg]
    def __setitem__(self, name: Any, value: Any) -> None:
        raise OSError("for the test")


class Counting(Part):
    """Counts items after our pipeline, and texts of another page."""

    place = "after"

    def process_item(self, item: Any, spider: Any = None) -> Any:
        self.crawler.spider.counts[self.place] += 1
        if ItemAdapter.is_item(item):
            values = ItemAdapter(item)
            text = values.get("main_text")
            if text and text != OWN.main_text and f" of page {values['key']}," not in text:
                self.crawler.spider.counts["wrong text"] += 1
        return item


class Before(Counting):
    """Counts items before our pipeline; drops, raises and replaces."""

    place = "before"

    def process_item(self, item: Any, spider: Any = None) -> Any:
        chance = self.crawler.spider.random.random()
        if chance < 0.03:
            raise DropItem("for the test", log_level="DEBUG")
        if chance < 0.06:
            raise ZeroDivisionError("for the test")
        if type(item) is dict:
            if is_replaced := chance < 0.1:
                item = dict(item)
            is_unbound = is_replaced or item["key"] == "start"
            self.crawler.spider.counts["unbound"] += is_unbound and item.get("has_article") is None
        return super().process_item(item)


class RandomSpider(scrapy.Spider):
    random: Random
    sleeps: bool  #: which needs asyncio

    def __init__(self, pages: int, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.pages, self.counts = pages, Counter[str]()

    async def start(self) -> Any:
        yield {"key": "start"}
        for number in map(str, range(self.pages)):
            meta = self.random.choice([None] * 6 + [False, {"threshold": 0.99}, {"nonsense": 1}])
            yield scrapy.Request(
                address(self.random.choice(KINDS), int(number)),
                self.random.choice([self.items, self.items, self.asks, self.replaces, self.breaks]),
                method=self.random.choice(["GET"] * 9 + ["HEAD"]),
                errback=self.errback,
                cb_kwargs={"number": number},
                meta={} if meta is None else {"webtext": meta},
                dont_filter=True,
            )

    def errback(self, failure: Any) -> Any:
        yield {"key": failure.request.cb_kwargs["number"]}

    def items(self, response: Any, number: str) -> Any:
        same = {"key": number}
        kinds = [
            lambda: same, *(lambda kind=kind: kind(key=number) for kind in ITEMS.values()),
            lambda: Bare(key=number), lambda: "no item",
            lambda: Unwritable(key=number), lambda: fill({"key": number}, OWN),
            lambda: {**fill({"key": number}, OWN), "copied": True},
            lambda: {"key": number, "main_text": OWN.main_text},
        ]  # fmt: skip
        for _ in range(self.random.randrange(5)):
            yield self.random.choice(kinds)()

    async def asks(self, response: Any, number: str) -> Any:
        result = extract(response)
        yield fill({"key": number}, result)
        yield fill(Bare(key=number), result)
        for item in self.items(response, number):
            if self.sleeps:
                await asyncio.sleep(0.001)
            yield item

    async def replaces(self, response: Any, number: str) -> Any:
        yield {"key": number}
        yield fill({"key": number}, extract(response.replace(status=200)))

    def breaks(self, response: Any, number: str) -> Any:
        yield {"key": number}
        raise RuntimeError("for the test")


def settings_of(random: Random) -> dict[str, Any]:
    return {
        "CONCURRENT_ITEMS": random.choice([1, 3, 100]),
        "WEBTEXT_EXTRACTOR": random.choice(["pvalue", Extractor, Extractor]),
        "WEBTEXT_JUDGE": random.choice(["pvalue", "pvalue", Judge]),
        "WEBTEXT_ACTION": random.choice(["flag", "drop_items", "ignore"]),
    }


def main(reactor: str, crawls: int, pages: int, seed: int) -> None:
    is_reactorless = reactor == "reactorless"
    runner = "AsyncCrawlerProcess" if is_reactorless else "CrawlerProcess"
    process = getattr(scrapy_crawler, runner)(
        {
            "ADDONS": {"scrapy_webtext.Addon": 500},
            "ITEM_PIPELINES": {Before: 50, Counting: 900},
            "LOG_LEVEL": "ERROR",
            "TELNETCONSOLE_ENABLED": False,
            "URLLENGTH_LIMIT": 0,
            "WEBTEXT_MAX_BODY_SIZE": 20_000,
            **REACTORS[reactor],
        }
    )
    crawlers: list[Any] = []
    for number in range(crawls):
        random = Random(f"{seed} {number}")
        # Drawn first: the crawl draws the rest in the order in which its pages come.
        content = {"name": str(number), "custom_settings": settings_of(random), "random": random}
        content["sleeps"] = reactor != "select"
        crawlers.append(process.create_crawler(type("Spider", (RandomSpider,), content)))
        process.crawl(crawlers[-1], pages=pages)
    process.start()
    reports = [{"counts": c.spider.counts, **report_of_crawl(c)} for c in crawlers]
    references = list(map(weakref.ref, crawlers))
    process.crawlers.clear()
    crawlers.clear()
    gc.collect()
    left = sum(reference() is not None for reference in references)
    print(json.dumps({"crawls": reports, "crawlers": left}))


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
