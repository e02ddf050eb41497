"""Crawls pages from loopback: without this package, with it, or with another package in a pipeline.

The pages come from a process of its own, compressed with gzip as by most sites. The address /N is
that of page N, modulo the number of pages.
"""

from __future__ import annotations

import gzip
import logging
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any, Final

import scrapy
from scrapy.crawler import Crawler, CrawlerProcess
from scrapy.http import Response, TextResponse

from scrapy_webtext.lab.evaluation import make_system
from tests.benchmarks.pages import read_pages

CONCURRENCY = 16  #: requests at a time
ADDON: Final = {"ADDONS": {"scrapy_webtext.Addon": 500}}
#: A crawl with nothing, and crawls with this package -> settings. A plus names the judge.
BARE: Final = "bare"
VARIANTS: Final[Mapping[str, Mapping[str, Any]]] = {
    BARE: {},
    "pvalue+pvalue": {**ADDON, "WEBTEXT_EXTRACTOR": "pvalue", "WEBTEXT_JUDGE": "pvalue"},
    "fusion+pvalue": {**ADDON, "WEBTEXT_EXTRACTOR": "fusion", "WEBTEXT_JUDGE": "pvalue"},
    "fusion+learned": {**ADDON, "WEBTEXT_EXTRACTOR": "fusion", "WEBTEXT_JUDGE": "learned"},
}
#: Beginnings of the names of stats that count errors or pages without a text.
FAULTS = ("benchmark/", "log_count/ERROR", "spider_exceptions", "downloader/exception",
          "webtext/errors/", "webtext/responses/skipped/", "webtext/items/un")  # fmt: skip


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

    def __init__(self, base: str, pages: int, selects: bool, has_peer: bool) -> None:
        super().__init__()
        self.left = iter(range(pages))
        self.base, self.selects, self.has_peer = base, selects, has_peer

    async def start(self) -> AsyncIterator[Any]:
        for _ in range(CONCURRENCY):
            for request in self.next_request():
                yield request

    def next_request(self) -> Iterator[scrapy.Request]:
        for number in self.left:
            yield scrapy.Request(f"{self.base}/{number}")
            return

    def parse(self, response: Response) -> Iterator[Any]:
        assert isinstance(response, TextResponse)
        yield from self.next_request()
        item: dict[str, Any] = {"url": response.url}
        if self.selects:
            item["title"] = response.css("title::text").get()
            item["links"] = len(response.xpath("//a/@href").getall())
        if self.has_peer:
            item["html"] = response.text
        yield item


def crawl(variant: str, base: str, pages: int, selects: bool) -> dict[str, int]:
    """Crawl this many pages in this process, which can run only one crawl; return its `FAULTS`.

    ``variant`` is one of `VARIANTS` or another package, ``base`` the address of the server. With
    ``selects`` the spider reads each page by selectors, so that Scrapy parses it.
    """
    settings: dict[str, Any] = {
        "CONCURRENT_REQUESTS": CONCURRENCY,
        "CONCURRENT_REQUESTS_PER_DOMAIN": CONCURRENCY,
        "METAREFRESH_ENABLED": False,  # such a page would lead to another site
        "LOG_LEVEL": "ERROR",
        "LOGSTATS_INTERVAL": 0,
        "TELNETCONSOLE_ENABLED": False,
        **VARIANTS.get(variant, {}),
    }
    has_peer = variant not in VARIANTS
    if has_peer:
        settings |= {"ITEM_PIPELINES": {PeerPipeline: 100}, "BENCHMARK_PEER": variant}
    process = CrawlerProcess(settings)
    crawler = process.create_crawler(BenchmarkSpider)
    process.crawl(crawler, base, pages, selects, has_peer)
    process.start()
    assert crawler.stats is not None
    stats = crawler.stats.get_stats()
    return {name: value for name, value in stats.items() if name.startswith(FAULTS)}


class _Server(ThreadingHTTPServer):
    request_queue_size = 128
    bodies: Sequence[bytes]


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: _Server

    def do_GET(self) -> None:
        body = self.server.bodies[int(self.path[1:]) % len(self.server.bodies)]
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        pass


@contextmanager
def serving(corpora: Sequence[str], every: int) -> Iterator[str]:
    """Run the server during the context, whose value is its address; EOFError without pages."""
    context = get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_serve, args=(corpora, every, theirs), daemon=True)
    process.start()
    theirs.close()
    try:
        yield ours.recv()
    finally:
        process.terminate()


def _serve(corpora: Sequence[str], every: int, ready: Connection) -> None:
    server = _Server(("127.0.0.1", 0), _Handler)
    pages = read_pages(corpora, every)
    server.bodies = [gzip.compress(page.html.encode("utf-8", "replace"), 6) for page in pages]
    ready.send(f"http://127.0.0.1:{server.server_port}")
    server.serve_forever()
