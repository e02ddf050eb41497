"""Crawls pages of every kind with settings, callbacks and pipelines drawn by chance; prints, per
crawl, its stats and what its spider and pipelines counted themselves, as JSON.

    python -m tests.crawls.random_crawls CRAWLS PAGES SEED
"""

import asyncio
import gc
import json
import sys
import time
from base64 import b64encode
from collections import Counter
from dataclasses import dataclass
from random import Random
from typing import Any

import scrapy
from itemadapter import ItemAdapter
from scrapy.crawler import CrawlerRunner
from scrapy.exceptions import DropItem
from scrapy.utils.defer import deferred_from_coro, maybe_deferred_to_future
from scrapy.utils.reactor import install_reactor

from scrapy_webtext import WebTextResult, extract, fill
from scrapy_webtext.crawling.crawl import WebtextCrawl
from scrapy_webtext.extractors.pvalue import PValueExtractor, PValueJudge
from scrapy_webtext.page import Page
from scrapy_webtext.results import Extraction, Judgement
from tests.crawls.parts import Part

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
            raise LookupError("as told")
        return super().extract(page)


class Judge(PValueJudge):
    """Raises on some pages."""

    def judge(self, page: Page, threshold: float = 0.5) -> Judgement:
        if ", broken," in page.source:
            raise ArithmeticError("as told")
        return super().judge(page, threshold)


class Declaring(scrapy.Item):
    number = scrapy.Field()
    main_text = scrapy.Field()
    has_article = scrapy.Field()


class Bare(scrapy.Item):
    number = scrapy.Field()


@dataclass(frozen=True)
class Frozen:
    number: int
    main_text: str | None = None
    has_article: bool | None = None


class Unwritable(dict[str, Any]):
    def __setitem__(self, name: str, value: Any) -> None:
        raise OSError("as told")


class Counting(Part):
    """Counts what passes; the first one, before ours, also drops, raises and replaces."""

    place = "after"

    def process_item(self, item: Any, spider: Any = None) -> Any:
        self.crawler.spider.counts[self.place] += 1
        if ItemAdapter.is_item(item):
            values = ItemAdapter(item)
            number, text = values.get("number"), values.get("main_text")
            if text and text != OWN.main_text and f" of page {number}," not in text:
                self.crawler.spider.counts["wrong text"] += 1
                print("WRONG", number, type(item), item, file=sys.stderr)
        return item


class Before(Counting):
    place = "before"

    def process_item(self, item: Any, spider: Any = None) -> Any:
        counts, random = self.crawler.spider.counts, self.crawler.spider.random
        counts["yielded"] += 1
        chance = random.random()
        if chance < 0.03:
            raise DropItem("as told", log_level="DEBUG")
        if chance < 0.06:
            raise ZeroDivisionError("as told")
        if chance < 0.1 and isinstance(item, dict) and not isinstance(item, Unwritable):
            item = dict(item)
        return super().process_item(item)


class RandomSpider(scrapy.Spider):
    name = "random"

    def __init__(self, pages: int, random: Random, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.pages, self.random, self.counts = pages, random, Counter[str]()

    async def start(self) -> Any:
        yield {"number": -1}
        for number in range(self.pages):
            meta = self.random.choice([None] * 6 + [False, {"threshold": 0.99}, {"nonsense": 1}])
            yield scrapy.Request(
                address(self.random.choice(KINDS), number),
                self.random.choice([self.items, self.items, self.asks, self.replaces, self.breaks]),
                method=self.random.choice(["GET"] * 9 + ["HEAD"]),
                errback=self.errback,
                cb_kwargs={"number": number},
                meta={} if meta is None else {"webtext": meta},
                dont_filter=True,
            )

    def errback(self, failure: Any) -> Any:
        yield {"number": failure.request.cb_kwargs["number"]}

    def items(self, response: Any, number: int) -> Any:
        same = {"number": number}
        kinds = [
            lambda: same, lambda: {"number": number}, lambda: Declaring(number=number),
            lambda: Bare(number=number), lambda: Frozen(number=number), lambda: "no item",
            lambda: Unwritable(number=number), lambda: fill({"number": number}, OWN),
            lambda: {**fill({"number": number}, OWN), "copied": True},
            lambda: {"number": number, "main_text": OWN.main_text},
        ]  # fmt: skip
        for _ in range(self.random.randrange(5)):
            yield self.random.choice(kinds)()

    async def asks(self, response: Any, number: int) -> Any:
        limit = self.random.choice([0.001, 5])
        try:
            result = await asyncio.wait_for(extract(response), limit)
        except asyncio.TimeoutError:
            yield {"number": number}
        else:
            yield fill({"number": number}, result)
            yield fill(Bare(number=number), result)
        for item in self.items(response, number):
            yield item

    async def replaces(self, response: Any, number: int) -> Any:
        yield {"number": number}
        yield fill({"number": number}, await extract(response.replace(status=200)))

    def breaks(self, response: Any, number: int) -> Any:
        yield {"number": number}
        raise RuntimeError("as told")


def settings_of(random: Random) -> dict[str, Any]:
    return {
        "ADDONS": {"scrapy_webtext.Addon": 500},
        "ITEM_PIPELINES": {Before: 50, Counting: 900},
        "LOG_LEVEL": "ERROR",
        "TELNETCONSOLE_ENABLED": False,
        "URLLENGTH_LIMIT": 0,
        "CONCURRENT_ITEMS": random.choice([1, 3, 100]),
        "WEBTEXT_EXTRACTOR": random.choice(["pvalue", Extractor, Extractor]),
        "WEBTEXT_JUDGE": random.choice(["pvalue", "pvalue", Judge]),
        "WEBTEXT_EXECUTOR": random.choice(["inline", "thread"]),
        "WEBTEXT_ACTION": random.choice(["flag", "drop_items", "articles_only", "ignore"]),
        "WEBTEXT_MAX_BODY_SIZE": 20_000,
    }


async def crawl(pages: int, random: Random) -> dict[str, Any]:
    # Drawn first: what the crawl draws afterwards depends on the order in which its pages come.
    settings = settings_of(random)
    runner = CrawlerRunner(settings)
    crawler = runner.create_crawler(RandomSpider)
    await maybe_deferred_to_future(runner.crawl(crawler, pages=pages, random=random))
    gc.collect()
    spider: Any = crawler.spider
    assert crawler.stats is not None
    return {
        "settings": {name: str(value) for name, value in settings.items() if "WEBTEXT" in name},
        "stats": crawler.stats.get_stats(),
        "counts": spider.counts,
        "left": len(WebtextCrawl.of(crawler).binder),
    }


def main(crawls: int, pages: int, seed: int) -> None:
    install_reactor("twisted.internet.asyncioreactor.AsyncioSelectorReactor")
    from twisted.internet import reactor

    reports: list[Any] = []

    async def run() -> None:
        for number in range(crawls):
            reports.append(await crawl(pages, Random(f"{seed} {number}")))

    def stop(result: Any) -> None:
        reactor.stop()  # type: ignore[attr-defined]
        if result is not None:
            result.printTraceback()

    reactor.callWhenRunning(lambda: deferred_from_coro(run()).addBoth(stop))  # type: ignore[attr-defined]
    reactor.run()  # type: ignore[attr-defined]
    print(json.dumps(reports, default=str))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
