"""A crawl of pages from loopback: without this package, with it, or with another in a pipeline."""

from __future__ import annotations

import ctypes
import gc
import logging
import resource
import sys
from collections.abc import AsyncIterator, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Final

import scrapy
from scrapy import signals
from scrapy.crawler import Crawler, CrawlerProcess
from scrapy.exceptions import DontCloseSpider
from scrapy.http import Response, TextResponse

from scrapy_webtext.lab.systems import make_system
from tests.benchmarks.server import Served

CONCURRENCY = 16  #: requests at a time
ADDON: Final = {"ADDONS": {"scrapy_webtext.Addon": 500}}
#: Variant of the crawl with this package -> settings. A plus names the judge.
BARE: Final = "bare"
VARIANTS: Final[Mapping[str, Mapping[str, Any]]] = {
    "pvalue+pvalue": {**ADDON, "WEBTEXT_EXTRACTOR": "pvalue", "WEBTEXT_JUDGE": "pvalue"},
    "fusion+pvalue": {**ADDON, "WEBTEXT_EXTRACTOR": "fusion", "WEBTEXT_JUDGE": "pvalue"},
    "fusion+learned": {**ADDON, "WEBTEXT_EXTRACTOR": "fusion", "WEBTEXT_JUDGE": "learned"},
}
#: Beginnings of the names of stats that count errors or pages without a text.
FAULTS = ("benchmark/", "log_count/ERROR", "spider_exceptions", "downloader/exception",
          "webtext/errors/", "webtext/responses/skipped/", "webtext/items/un")  # fmt: skip


@dataclass(frozen=True)
class Order:
    """The pages and the settings of a crawl."""

    base: str  #: address of the server
    pages: int
    settings: Mapping[str, Any]
    peer: str = ""  #: system of a pipeline that fills the items, from HTML in each item
    sample_every: int = 0  #: pages between two samples of the memory; 0: no samples
    selects: bool = True  #: whether the spider reads each page by selectors, so Scrapy parses it


@dataclass(frozen=True)
class Measured:
    """What a crawl met."""

    sampled_bytes: list[int]  #: resident memory at each sample
    faults: dict[str, int]  #: stats of `FAULTS`


def order_of(
    variant: str, served: Served, settings: Mapping[str, Any] | None = None, **given: Any
) -> Order:
    """Return the order of the bare crawl, of a variant or of another package."""
    peer = "" if variant in (BARE, *VARIANTS) else variant
    return Order(
        served.base, settings={**VARIANTS.get(variant, {}), **(settings or {})}, peer=peer, **given
    )


def run(order: Order) -> Measured:
    """Crawl in a new process."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(crawl, order).result()


def memory() -> int:
    """Return the resident bytes of this process, after free memory went back to the system.

    0 on systems without /proc; the C library returns memory only if it is glibc.
    """
    gc.collect()
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
    path = Path("/proc/self/statm")
    return resource.getpagesize() * int(path.read_text().split()[1]) if path.exists() else 0


class PeerPipeline:
    """Fill the items with the text that another package extracts."""

    def __init__(self, crawler: Crawler) -> None:
        peer = crawler.settings["BENCHMARK_PEER"]
        logging.getLogger(peer).setLevel(logging.CRITICAL + 1)
        self._system = make_system(peer)
        self._stats = crawler.stats

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> PeerPipeline:
        return cls(crawler)

    def process_item(self, item: Any, spider: Any = None) -> Any:
        html = item.pop("html")
        try:
            item["main_text"] = self._system.text(html, item["url"])
        except Exception:
            assert self._stats is not None
            self._stats.inc_value("benchmark/raised")
        return item


class BenchmarkSpider(scrapy.Spider):
    """Read titles and links by selectors as a news spider does, and yield an item per page.

    Each page asks for the next one, so `CONCURRENCY` requests are always under way.
    """

    name = "benchmark"

    def __init__(self, order: Order) -> None:
        super().__init__()
        self.order = order
        self.asked = 0
        self.seen = 0
        self.sampled: list[int] = []

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> BenchmarkSpider:
        spider = super().from_crawler(crawler, *args, **kwargs)
        crawler.signals.connect(spider.idle, signal=signals.spider_idle)
        return spider

    async def start(self) -> AsyncIterator[Any]:
        for request in self.first_requests():
            yield request

    def first_requests(self) -> Iterator[scrapy.Request]:
        for _ in range(CONCURRENCY):
            yield from self.next_request()

    def next_request(self) -> Iterator[scrapy.Request]:
        """Yield the next request; none after the last page and before each sample."""
        end, every = self.order.pages, self.order.sample_every
        if every:
            end = min(end, every * (len(self.sampled) + 1))
        if self.asked < end:
            # Scrapy's filter of duplicates would keep every address in memory.
            yield scrapy.Request(f"{self.order.base}/{self.asked}", dont_filter=True)
            self.asked += 1

    def parse(self, response: Response) -> Iterator[Any]:
        assert isinstance(response, TextResponse)
        self.seen += 1
        yield from self.next_request()
        item: dict[str, Any] = {"url": response.url}
        if self.order.selects:
            item["title"] = response.css("title::text").get()
            item["links"] = len(response.xpath("//a/@href").getall())
        if self.order.peer:
            item["html"] = response.text
        yield item

    def idle(self) -> None:
        """End the crawl, or take a sample and go on."""
        if self.order.sample_every:
            self.sampled.append(memory())
            print(f"{self.seen} pages: {self.sampled[-1] / 1e6:.1f} MB", file=sys.stderr)
            requests = list(self.first_requests())
            for request in requests:
                assert self.crawler.engine is not None
                self.crawler.engine.crawl(request)
            if requests:
                raise DontCloseSpider


def crawl(order: Order) -> Measured:
    """Crawl in this process, which can run one crawl only."""
    settings: dict[str, Any] = {
        "CONCURRENT_REQUESTS": CONCURRENCY,
        "CONCURRENT_REQUESTS_PER_DOMAIN": CONCURRENCY,
        "METAREFRESH_ENABLED": False,  # such a page would lead to another site
        "LOG_LEVEL": "ERROR",
        "LOGSTATS_INTERVAL": 0,
        "TELNETCONSOLE_ENABLED": False,
        **order.settings,
    }
    if order.peer:
        settings |= {"ITEM_PIPELINES": {PeerPipeline: 100}, "BENCHMARK_PEER": order.peer}
    process = CrawlerProcess(settings)
    crawler = process.create_crawler(BenchmarkSpider)
    process.crawl(crawler, order=order)
    process.start()
    spider = crawler.spider
    assert isinstance(spider, BenchmarkSpider)
    assert crawler.stats is not None
    stats = crawler.stats.get_stats()
    return Measured(
        spider.sampled,
        {name: value for name, value in stats.items() if name.startswith(FAULTS)},
    )
