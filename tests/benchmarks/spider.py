"""One crawl in a process of its own, since what it costs is asked of the process.

Takes an order as JSON on standard input, prints what was measured as JSON; `run` does both.
"""

from __future__ import annotations

import gc
import json
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import asdict, dataclass
from statistics import quantiles
from typing import Any

import scrapy
from scrapy import signals
from scrapy.crawler import Crawler, CrawlerProcess
from scrapy.exceptions import DontCloseSpider
from scrapy.http import Response, TextResponse

from scrapy_webtext.lab.systems import make_system
from tests.benchmarks import peers
from tests.benchmarks.clocks import Timer, give_back, memory

CONCURRENCY = 16  #: requests at a time


@dataclass(frozen=True)
class Order:
    """What to crawl and how."""

    base: str
    pages: int  #: that count
    settings: Mapping[str, Any]
    warm_up: int = 0  #: pages before those that count
    peer: str = ""  #: a system whose pipeline fills the items; items then carry their HTML to it
    sample_every: int = 0  #: pages from one sample of the memory to the next; 0 for none
    selects: bool = True  #: the spider reads each page by selectors, for which Scrapy parses it


@dataclass(frozen=True)
class Measured:
    """What a crawl cost."""

    pages: int
    cpu_seconds: float
    seconds: float
    lag_p99: float  #: seconds
    end_bytes: int
    sampled_bytes: list[int]  #: resident memory after each so many pages, none under way
    faults: dict[str, int]  #: stats that should not be there


def run(order: Order) -> Measured:
    """Crawl in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.benchmarks.spider"],
        input=json.dumps(asdict(order)),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return Measured(**json.loads(done.stdout))


class PeerPipeline:
    """Fills the items with the text that another package finds."""

    def __init__(self, crawler: Crawler) -> None:
        peers.silence()
        self._system = make_system(crawler.settings["BENCHMARK_PEER"])
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
    """Reads titles and links by selectors as a spider for news does, and yields an item a page.

    It keeps as many requests under way as Scrapy lets it: each page asks for the next.
    """

    name = "benchmark"

    def __init__(self, order: Order) -> None:
        super().__init__()
        self.order = order
        self.asked = 0
        self.seen = 0
        self.sampled: list[int] = []
        self.began = self.ended = (0.0, 0.0)
        self.timer: Timer | None = None

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> BenchmarkSpider:
        spider = super().from_crawler(crawler, *args, **kwargs)
        crawler.signals.connect(spider.idle, signal=signals.spider_idle)
        return spider

    async def start(self) -> AsyncIterator[Any]:
        self.begin()
        for request in self.first_requests():
            yield request

    def first_requests(self) -> Iterator[scrapy.Request]:
        for _ in range(CONCURRENCY):
            yield from self.next_request()

    def next_request(self) -> Iterator[scrapy.Request]:
        if self.asked < self.end_of_part():
            # Scrapy's filter of duplicates keeps every address, which is not asked about here.
            yield scrapy.Request(f"{self.order.base}/{self.asked}", dont_filter=True)
            self.asked += 1

    def end_of_part(self) -> int:
        """So many pages are asked for until the crawl is idle: all, or those to the next sample."""
        end, every = self.order.warm_up + self.order.pages, self.order.sample_every
        return min(end, every * (len(self.sampled) + 1)) if every else end

    def parse(self, response: Response) -> Iterator[Any]:
        assert isinstance(response, TextResponse)
        self.seen += 1
        if self.seen == self.order.warm_up:
            self.begin()
        yield from self.next_request()
        item: dict[str, Any] = {"url": response.url}
        if self.order.selects:
            item["title"] = response.css("title::text").get()
            item["links"] = len(response.xpath("//a/@href").getall())
        if self.order.peer:
            item["html"] = response.text
        yield item

    def begin(self) -> None:
        self.began = self.clocks()
        if self.timer is not None:
            self.timer.stop()
        # Samples of memory are not to find the timer's.
        self.timer = None if self.order.sample_every else Timer()

    def idle(self) -> None:
        self.ended = self.clocks()
        if self.timer is not None:
            self.timer.stop()
        if self.order.sample_every:
            self.sample()
            requests = list(self.first_requests())
            for request in requests:
                assert self.crawler.engine is not None
                self.crawler.engine.crawl(request)
            if requests:
                raise DontCloseSpider

    def sample(self) -> None:
        """Note the memory while no page is under way."""
        gc.collect()
        give_back()
        self.sampled.append(memory())
        print(f"{self.seen} pages: {self.sampled[-1] / 1e6:.1f} MB", file=sys.stderr)

    def clocks(self) -> tuple[float, float]:
        """Return the seconds of CPU of this process, and of the wall."""
        return time.process_time(), time.perf_counter()


def crawl(order: Order) -> Measured:
    settings: dict[str, Any] = {
        "CONCURRENT_REQUESTS": CONCURRENCY,
        "CONCURRENT_REQUESTS_PER_DOMAIN": CONCURRENCY,
        "METAREFRESH_ENABLED": False,  # else such a page would lead away from the others
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
    lateness = spider.timer.lateness if spider.timer is not None else []
    cpu, wall = (b - a for a, b in zip(spider.began, spider.ended, strict=True))
    gc.collect()
    return Measured(
        pages=spider.seen - order.warm_up,
        cpu_seconds=cpu,
        seconds=wall,
        lag_p99=quantiles(lateness, n=100)[98] if len(lateness) > 1 else 0.0,
        end_bytes=memory(),
        sampled_bytes=spider.sampled,
        faults=faults_in(stats),
    )


def faults_in(stats: Mapping[str, Any]) -> dict[str, int]:
    """Stats that say that something went wrong, or that pages were left alone."""
    kinds = ("benchmark/", "log_count/ERROR", "spider_exceptions", "downloader/exception",
             "webtext/errors/", "webtext/responses/skipped/", "webtext/items/un")  # fmt: skip
    return {name: value for name, value in stats.items() if name.startswith(kinds)}


def main() -> None:
    print(json.dumps(asdict(crawl(Order(**json.load(sys.stdin))))))


if __name__ == "__main__":
    # By its own name, under which the settings know what is in it.
    from tests.benchmarks.spider import main

    main()
