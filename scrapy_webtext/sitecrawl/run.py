"""``scrapy webtext crawl``: from its options to its outcome, by Scrapy's own settings."""

from __future__ import annotations

import argparse
import re
import signal
import sys
from collections.abc import Mapping
from contextlib import closing, suppress
from dataclasses import dataclass, fields
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
from scrapy_webtext.errors import InputError, describe, shown
from scrapy_webtext.files import check_file
from scrapy_webtext.integrations.job_queue import JobScheduler
from scrapy_webtext.processes import Progress
from scrapy_webtext.results import DEFAULT_FIELDS, RESULT_FIELDS
from scrapy_webtext.sitecrawl.rows import FORMATS, CrawlOrder, RowStore, check_new
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

_WEB_ADDRESS: Final = re.compile(r"https?://[^/\s]", re.IGNORECASE)

#: Reason of the end of a crawl that reached its limit of pages.
PAGES: Final = "pages"

#: Reason of the end of a crawl whose rows or whose job could not be written.
OUTPUT: Final = "output"

#: The stat of pages that were read.
PAGES_READ: Final = "webtext/crawl/pages"

#: The stat of pages that were skipped because of their number of elements.
TOO_MANY: Final = "webtext/responses/skipped/too_many_elements"


def order_of(opts: argparse.Namespace) -> CrawlOrder:
    """Return the order of the options; InputError for an order that cannot be carried out."""
    if not opts.sources:
        raise InputError("No address given: name a site, a sitemap or a feed")
    for source in opts.sources:
        if not _WEB_ADDRESS.match(source):
            hint = "" if "://" in source else f": write https://{source}"
            raise InputError(f"{shown(source)} is no http or https address{hint}")
    unknown = [name for name in opts.fields if name not in ("url", *RESULT_FIELDS)]
    if unknown:
        allowed = ", ".join(sorted(RESULT_FIELDS))
        raise InputError(f"--fields has {unknown[0]!r}; it takes: url, {allowed}")
    given = {field.name: getattr(opts, field.name) for field in fields(CrawlOrder)}
    order = CrawlOrder(**{**given, "sources": list(dict.fromkeys(opts.sources))})
    if order.form is None:
        raise InputError(f"-o {order.output}: its ending must be one of {', '.join(FORMATS)}")
    check_file(order.output)
    if order.job is not None and order.overwrite:
        raise InputError("--job continues FILE and --overwrite replaces it: leave one of them out")
    if order.job is None and not order.overwrite:
        check_new(order.output)
    return order


def set_order(settings: BaseSettings, order: CrawlOrder) -> None:
    """Apply the options of a crawl; disable the project's own feeds, pipelines and queue.

    The project and the command line override `DEFAULTS`.
    """
    at_once = min(16, DEFAULTS["CONCURRENT_REQUESTS_PER_DOMAIN"] * len(order.sources))
    settings.setdict({**DEFAULTS, "CONCURRENT_REQUESTS": at_once}, priority="addon")
    wanted = {*order.fields, "main_text", *(["blocks"] if order.chunks else [])} - {"url"}
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
        is_page = request.callback is not NO_CALLBACK and not request.url.endswith("/robots.txt")
        if is_page and crawler.stats is not None:
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


@dataclass(frozen=True)
class CrawlOutcome:
    """The outcome of a crawl."""

    stats: Mapping[str, Any]  #: Scrapy's
    failures: tuple[str, ...]  #: faults of sources and of the output
    kept: int  #: number of rows in the output
    is_resumed: bool = False  #: whether it continued a job

    @property
    def is_interrupted(self) -> bool:
        """Whether the user stopped it."""
        return self.stats.get("finish_reason") in ("shutdown", None)

    def table(self, order: CrawlOrder) -> str:
        """Return the counts of the crawl, a line each, and why it stopped early, if it did.

        Counts of 0 are left out.
        """
        rows = [
            ("pages read", self._number(PAGES_READ)),
            ("pages kept" if order.all_pages else "articles kept", self.kept),
            ("without an article", self._number("webtext/items/dropped")),
            ("without a text", self._number("webtext/crawl/no_text")),
            ("copies of what was kept", self._number("webtext/crawl/copies")),
            ("answered with an error", self._number("webtext/crawl/error_answers")),
            ("sitemaps, feeds, files", self._number("webtext/responses/skipped/not_html")),
            ("too large", self._number("webtext/responses/skipped/too_large", TOO_MANY)),
            ("forbidden by robots.txt", self._number("robotstxt/forbidden")),
            ("not reached", self._number("webtext/crawl/not_reached")),
            ("links to other sites", self._number("offsite/filtered")),
        ]
        lines = [f"{words:<24} {n:>7}" for at, (words, n) in enumerate(rows) if n or at < 2]
        minutes, seconds = divmod(round(self.stats.get("elapsed_time_seconds") or 0), 60)
        lines.append(f"{'time':<24} {minutes:>4}:{seconds:02}")
        return "\n".join([*lines, *filter(None, [self._ending(order)])])

    def faults(self, order: CrawlOrder) -> list[str]:
        """Return the faults: sources that could not be read, or no article in the output."""
        if self.failures or self.is_interrupted or self.is_resumed:
            return list(self.failures)
        pages = self._number(PAGES_READ)
        if self.kept:
            return []
        if self._number("robotstxt/forbidden") and pages <= len(order.sources):
            return ["robots.txt forbids all that was found: name a part of the site that it allows"]
        unreached = self._number("webtext/crawl/not_reached")
        if unreached:
            return [
                f"Of {pages + unreached} pages {unreached} were not reached, none has an article"
            ]
        return [
            f"No article kept of {pages} read: read more (--pages, --depth, --include), name a "
            "section, a sitemap or a feed, lower --threshold, or see the others with --all-pages"
        ]

    def _ending(self, order: CrawlOrder) -> str | None:
        reason = self.stats.get("finish_reason")
        if reason == "finished":
            return None
        how = "with --job DIR " if order.job is None else ""
        file = " in another FILE" if order.is_whole else ""
        go_on = f"{how}the same command goes on from there{file}"
        if reason == PAGES:
            return f"stopped after {order.pages} pages (--pages); {go_on}"
        if reason == OUTPUT:
            return f"stopped, because nothing more can be stored; {go_on}"
        return f"{'interrupted' if self.is_interrupted else f'stopped: {reason}'}; {go_on}"

    def _number(self, *names: str) -> int:
        return sum(int(self.stats.get(name, 0)) for name in names)
