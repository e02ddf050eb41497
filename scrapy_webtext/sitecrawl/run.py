"""Run the crawl of ``scrapy webtext crawl``, by Scrapy's own settings."""

from __future__ import annotations

import signal
import sys
from collections.abc import Mapping
from contextlib import closing, suppress
from typing import Any, Final

from scrapy import Request, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import CloseSpider
from scrapy.http import Response
from scrapy.http.request import NO_CALLBACK
from scrapy.resolver import CachingHostnameResolver
from scrapy.settings import BaseSettings, default_settings

from scrapy_webtext.commands.fetching import LastSettings, run_crawler
from scrapy_webtext.crawling.private import downloading
from scrapy_webtext.errors import InputError
from scrapy_webtext.integrations.job_queue import JobScheduler
from scrapy_webtext.log_text import describe, shown
from scrapy_webtext.progress import Progress
from scrapy_webtext.results import DEFAULT_FIELDS
from scrapy_webtext.sitecrawl.order import OUTPUT, PAGES, PAGES_READ, CrawlOrder, CrawlOutcome
from scrapy_webtext.sitecrawl.rows import RowStore
from scrapy_webtext.sitecrawl.spider import ArticleSpider

#: The setting of the resolver, which Scrapy 2.15 renamed.
RESOLVER: Final = (
    "TWISTED_DNS_RESOLVER" if hasattr(default_settings, "TWISTED_DNS_RESOLVER") else "DNS_RESOLVER"
)

#: Settings that a project can override.
DEFAULTS: Final[Mapping[str, Any]] = {
    "ROBOTSTXT_OBEY": True,
    "AUTOTHROTTLE_ENABLED": True,
    "AUTOTHROTTLE_START_DELAY": 1.0,
    # The number that autothrottle sends at once.
    "CONCURRENT_REQUESTS_PER_DOMAIN": 2,
    # Pages near the sources first: a crawl that is stopped early has seen all parts of a site.
    "DEPTH_PRIORITY": 1,
    # A sitemap may have 50 MB; Scrapy's default is 1 GB of an unpacked page.
    "DOWNLOAD_MAXSIZE": 64 * 2**20,
    # Ctrl-C waits for the pages in flight.
    "DOWNLOAD_TIMEOUT": 60,
    # Servers on loopback: one runs code, the other is a console.
    "REMOTE_CONTROL_ENABLED": False,
    "TELNETCONSOLE_ENABLED": False,
    # Scrapy's default finds no IPv6 addresses.
    RESOLVER: f"{__name__}.FreshResolver",
}

#: Seconds after which a robots.txt is skipped.
ROBOTS_SECONDS: Final = 10

#: Bytes of a robots.txt that are read (RFC 9309: at least 500 KiB).
ROBOTS_BYTES: Final = 500 * 2**10


def set_order(settings: BaseSettings, order: CrawlOrder) -> None:
    """Apply the options of a crawl; disable the project's own feeds, pipelines and queue.

    The project and the command line override `DEFAULTS`.
    """
    at_once = min(16, DEFAULTS["CONCURRENT_REQUESTS_PER_DOMAIN"] * len(order.sources))
    settings.setdict({**DEFAULTS, "CONCURRENT_REQUESTS": at_once}, priority="addon")
    wanted = {*order.fields, "main_text"} - {"url"}
    absent = dict.fromkeys(DEFAULT_FIELDS.keys() - wanted)
    middlewares, addons = settings.getdict("DOWNLOADER_MIDDLEWARES"), settings.getdict("ADDONS")
    if not any("scrapy_webtext" in str(addon) for addon in addons):
        addons["scrapy_webtext.Addon"] = 500
    addons[LastSettings] = sys.maxsize
    settings.setdict(
        {
            "ADDONS": addons,
            "WEBTEXT_ENABLED": True,
            "WEBTEXT_ACTION": "flag" if order.all_pages else "drop_items",
            "WEBTEXT_FIELDS": {name: name for name in sorted(wanted)} | absent,
            "DOWNLOADER_MIDDLEWARES": middlewares | {RobotsInTime: 1},
            "ITEM_PIPELINES": {},
            "FEEDS": {},
            "SCHEDULER": CrawlScheduler,
            "SCHEDULER_MEMORY_QUEUE": "scrapy.squeues.FifoMemoryQueue",
            "DEPTH_LIMIT": order.depth,
            "JOBDIR": None,
        },
        priority="cmdline",
    )


class FreshResolver(CachingHostnameResolver):
    """Leaves Twisted's resolver, without a cache: Scrapy 2.13 caches an address with its port."""

    def install_on_reactor(self) -> None:
        """Install nothing."""


class CrawlScheduler(JobScheduler):
    """The scheduler with the limit of pages and the journal of the spider's job.

    Scrapy's own ``CLOSESPIDER_PAGECOUNT`` counts each robots.txt, and requests in flight can exceed
    it. Here a request in flight counts as a page. Requests over the limit stay in the queue, and in
    the job. There are no more requests when rows cannot be stored.
    """

    def open(self, spider: Any) -> Any:
        """Open the queues; add the requests that earlier runs of the job left."""
        spider.queue = self
        return super().open(spider)

    @property
    def fault(self) -> str | None:
        """Return why no row can be stored any more; None if rows can."""
        fault: str | None = self.spider.store.fault
        return fault

    @classmethod
    def _journal_of(cls, crawler: Any) -> Any:
        return crawler.spider.store.job

    def _entry_of(self, request: Request) -> dict[str, Any] | None:
        if request.callback == self.spider.parse_source:
            return None  # each run reads the sources
        return super()._entry_of(request)

    def _is_full(self) -> bool:
        limit: int = self.spider.order.pages
        read: int = self.crawler.stats.get_value(PAGES_READ, 0)
        under_way = len(downloading(self.crawler))
        return self.fault is not None or 0 < limit <= read + under_way

    def _end(self) -> None:
        if self.fault is not None:
            raise CloseSpider(OUTPUT)
        if len(self):
            raise CloseSpider(PAGES)


class RobotsInTime:
    """The downloader middleware with a timeout and a limit of size for each robots.txt."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> RobotsInTime:
        """Return the middleware of a crawl."""
        return cls(crawler)

    def process_request(self, request: Request, **_: Any) -> None:
        """Set the timeout of a robots.txt."""
        if _is_robots(request):
            request.meta.update(download_timeout=ROBOTS_SECONDS, dont_retry=True)

    def process_response(self, request: Request, response: Response, **_: Any) -> Response:
        """Cut a robots.txt after its last whole line within the limit."""
        if not _is_robots(request) or len(response.body) <= ROBOTS_BYTES:
            return response
        return response.replace(body=response.body[:ROBOTS_BYTES].rpartition(b"\n")[0])

    def process_exception(self, request: Request, exception: Exception, **_: Any) -> None:
        """Print that the site is crawled without a robots.txt."""
        running: Any = self._crawler.spider
        if _is_robots(request):
            reason = f"{shown(request.url)} cannot be read ({describe(exception)})"
            running.progress.say(f"{reason}: the site is crawled without it")


def _is_robots(request: Request) -> bool:
    return request.callback is NO_CALLBACK and request.url.endswith("/robots.txt")


def run_crawl(process: Any, order: CrawlOrder, progress: Progress) -> CrawlOutcome:
    """Run a crawl in Scrapy's ``process`` and return its outcome; InputError if it cannot start.

    ``progress`` counts the pages.
    """

    def count(request: Any) -> None:
        if request.callback is not NO_CALLBACK and crawler.stats is not None:
            crawler.stats.inc_value(PAGES_READ)
            progress.step()

    def keep(item: Any) -> None:
        with suppress(OSError):  # the store knows its fault
            reason = store.keep(item)
            if reason is not None and crawler.stats is not None:
                crawler.stats.inc_value(f"webtext/crawl/{reason}")

    if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is signal.SIG_DFL:
        # A terminal that closes stops the crawl, and what was read is stored.
        signal.signal(signal.SIGHUP, lambda *_: signal.raise_signal(signal.SIGTERM))
    with closing(RowStore(order)) as store:
        crawler: Crawler = process.create_crawler(ArticleSpider)
        crawler.signals.connect(count, signals.response_received, weak=False)
        crawler.signals.connect(keep, signals.item_scraped, weak=False)
        error = run_crawler(process, crawler, store=store, progress=progress)
    spider: Any = crawler.spider
    if error is not None or spider is None or crawler.stats is None:
        reason = describe(error) if error is not None else "it was stopped before"
        raise InputError(f"The crawl cannot start: {reason}") from error
    failures = (*filter(None, [store.fault]), *spider.failures)
    is_resumed = store.job is not None and store.job.is_resumed
    return CrawlOutcome(crawler.stats.get_stats(), failures, store.rows, is_resumed)
