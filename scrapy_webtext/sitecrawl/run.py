"""``scrapy webtext crawl``: checks the options, sets Scrapy's settings, runs the crawl."""

from __future__ import annotations

import argparse
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

from scrapy_webtext.crawling.private import downloading
from scrapy_webtext.crawling.sites import is_web_address
from scrapy_webtext.errors import InputError, describe, shown
from scrapy_webtext.fetching import LastSettings, run_crawler
from scrapy_webtext.files import Progress, check_file
from scrapy_webtext.results import DEFAULT_FIELDS, RESULT_FIELDS
from scrapy_webtext.sitecrawl.job_queue import JobScheduler
from scrapy_webtext.sitecrawl.rows import FORMATS, CrawlOrder, RowStore, check_new
from scrapy_webtext.sitecrawl.spider import ROBOTS_BYTES, ArticleSpider, is_robots

#: The name of the setting for the DNS resolver; Scrapy 2.15 renamed it.
RESOLVER: Final = (
    "TWISTED_DNS_RESOLVER" if hasattr(default_settings, "TWISTED_DNS_RESOLVER") else "DNS_RESOLVER"
)

#: Settings that a project can override.
DEFAULTS: Final[Mapping[str, Any]] = {
    "ROBOTSTXT_OBEY": True,
    "AUTOTHROTTLE_ENABLED": True,
    "AUTOTHROTTLE_START_DELAY": 1.0,
    # AutoThrottle sends up to this many requests to a site at the same time.
    "CONCURRENT_REQUESTS_PER_DOMAIN": 2,
    # Pages near the sources first, so that a crawl that stops early has seen all parts of a site.
    "DEPTH_PRIORITY": 1,
    # A sitemap may have 50 MB. Scrapy's default limit is 1 GB, also for an unpacked page.
    "DOWNLOAD_MAXSIZE": 64 * 2**20,
    # Short, because Ctrl-C waits for requests in progress.
    "DOWNLOAD_TIMEOUT": 60,
    # Both listen on a local port and can run code in this process.
    "REMOTE_CONTROL_ENABLED": False,
    "TELNETCONSOLE_ENABLED": False,
    # Scrapy's default resolver finds no IPv6 addresses.
    RESOLVER: f"{__name__}.FreshResolver",
}

#: Timeout of a robots.txt in seconds; after it the site is crawled without robots.txt.
ROBOTS_SECONDS: Final = 10

#: Finish reason of a crawl that reached its maximum number of pages.
PAGES: Final = "pages"

#: Finish reason of a crawl whose output or job could not be written.
OUTPUT: Final = "output"

#: The stat that counts pages read.
PAGES_READ: Final = "webtext/crawl/pages"

#: The stat that counts pages skipped because of their number of elements.
TOO_MANY: Final = "webtext/responses/skipped/too_many_elements"


def order_of(opts: argparse.Namespace) -> CrawlOrder:
    """Return the validated options of a crawl; raise InputError for options that cannot be used."""
    if not opts.sources:
        raise InputError("No address given: name a site, a sitemap or a feed")
    for source in opts.sources:
        if not is_web_address(source):
            hint = "" if "://" in source else f": write https://{source}"
            raise InputError(f"{shown(source)} is no http or https address{hint}")
        try:
            Request(source)
        except ValueError as error:
            raise InputError(f"{shown(source)} is no address ({error}): correct it") from None
    unknown = [name for name in opts.fields if name not in RESULT_FIELDS]
    if unknown:
        allowed = ", ".join(sorted(RESULT_FIELDS))
        raise InputError(f"--fields has {unknown[0]!r}; it takes: {allowed}")
    given = {field.name: getattr(opts, field.name) for field in fields(CrawlOrder)}
    order = CrawlOrder(**{**given, "sources": list(dict.fromkeys(opts.sources))})
    if order.form not in FORMATS:
        raise InputError(f"-o {order.output}: its ending must be one of {', '.join(FORMATS)}")
    check_file(order.output)
    if order.job is not None and order.overwrite:
        raise InputError("--job continues FILE and --overwrite replaces it: leave one of them out")
    if order.job is None and not order.overwrite:
        check_new(order.output)
    return order


def set_order(settings: BaseSettings, order: CrawlOrder) -> None:
    """Write the options of a crawl into ``settings``.

    Disable the project's own feeds, pipelines and queue. `DEFAULTS` have a low priority, so that
    the project and the command line override them.
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
    """Keeps Twisted's resolver: Scrapy 2.13 caches an address together with its first port."""

    def install_on_reactor(self) -> None:
        """Do nothing, so that the reactor keeps its resolver."""


class CrawlScheduler(JobScheduler):
    """A scheduler with a maximum number of pages and the journal of the spider's job.

    Scrapy's own ``CLOSESPIDER_PAGECOUNT`` counts each robots.txt, and requests in progress can
    exceed it. Here a request in progress counts as a page. Requests beyond the maximum stay in the
    queue and in the job. If rows cannot be stored, the scheduler returns no more requests.
    """

    def open(self, spider: Any) -> Any:
        """Open the queues; add the requests that earlier runs of the job left."""
        spider.queue = self
        return super().open(spider)

    @property
    def fault(self) -> str | None:
        """Return why no row can be stored any more; None if there is no fault."""
        fault: str | None = self.spider.store.fault
        return fault

    @classmethod
    def _journal_of(cls, crawler: Any) -> Any:
        return crawler.spider.store.job

    def _entry_of(self, request: Request) -> dict[str, Any] | None:
        if request.callback == self.spider.parse_source:
            return None  # not in the journal: each run requests the sources
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
    """A downloader middleware that limits time and size of each robots.txt."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> RobotsInTime:
        """Return the middleware of a crawl."""
        return cls(crawler)

    def process_request(self, request: Request, **_: Any) -> None:
        """Allow a robots.txt of any site, with a short timeout and without retries."""
        if _is_robots(request):
            request.meta.update(allow_offsite=True, dont_retry=True)
            request.meta["download_timeout"] = ROBOTS_SECONDS

    def process_response(self, request: Request, response: Response, **_: Any) -> Response:
        """Cut a large robots.txt after the last complete line within `ROBOTS_BYTES`."""
        if not _is_robots(request) or len(response.body) <= ROBOTS_BYTES:
            return response
        return response.replace(body=response.body[:ROBOTS_BYTES].rpartition(b"\n")[0])

    def process_exception(self, request: Request, exception: Exception, **_: Any) -> None:
        """Print that a robots.txt cannot be read and that the site is crawled without it."""
        running: Any = self._crawler.spider
        if _is_robots(request):
            reason = f"{shown(request.url)} cannot be read ({describe(exception)})"
            running.progress.say(f"{reason}: the site is crawled without it")


def _is_robots(request: Request) -> bool:
    return request.callback is NO_CALLBACK and is_robots(request)


def run_crawl(process: Any, order: CrawlOrder, progress: Progress) -> CrawlOutcome:
    """Run a crawl in Scrapy's ``process`` and return its outcome; ``progress`` counts the pages.

    Raise InputError if the crawl cannot start.
    """

    def count(request: Any) -> None:
        is_page = request.callback is not NO_CALLBACK and not is_robots(request)
        if is_page and crawler.stats is not None:
            crawler.stats.inc_value(PAGES_READ)
            progress.step()

    def keep(item: Any) -> None:
        with suppress(OSError):  # ``store.fault`` has the reason
            reason = store.keep(item)
            if reason is not None and crawler.stats is not None:
                crawler.stats.inc_value(f"webtext/crawl/{reason}")

    if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is signal.SIG_DFL:
        # When the terminal is closed, the crawl stops as after Ctrl-C and stores its rows.
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
    is_resumed = store.job is not None and store.job.last is not None
    return CrawlOutcome(crawler.stats.get_stats(), failures, store.rows, is_resumed)


@dataclass(frozen=True)
class CrawlOutcome:
    """The stats and faults of a finished crawl."""

    stats: Mapping[str, Any]  #: Scrapy's stats of the crawl
    failures: tuple[str, ...]  #: messages about sources and the output
    kept: int  #: number of rows in the output
    is_resumed: bool = False  #: whether the crawl continued a job

    @property
    def is_interrupted(self) -> bool:
        """Whether the user stopped the crawl."""
        return self.stats.get("finish_reason") in ("shutdown", None)

    def table(self, order: CrawlOrder) -> str:
        """Return the crawl's counts, one per line, and why it stopped, if it stopped early.

        Zero counts are left out, except the first two.
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
        return "\n".join([*lines, *filter(None, [self._ending(order), self._most_dropped()])])

    def faults(self, order: CrawlOrder) -> list[str]:
        """Return messages for unreadable sources and faults, or for an output without articles."""
        if self.failures or self.is_interrupted or self.is_resumed:
            return list(self.failures)
        pages = self._number(PAGES_READ)
        if self.kept:
            return []
        if self._number("robotstxt/forbidden") and pages <= len(order.sources):
            return ["robots.txt forbids all that was found: name a part of the site that it allows"]
        unreached = self._number("webtext/crawl/not_reached")
        if unreached:
            of = f"Of {pages + unreached} pages {unreached}"
            return [f"{of} were not reached, none has an article"]
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

    def _most_dropped(self) -> str | None:
        """Return how to keep pages without an article, if more than half of the pages have none."""
        pages, dropped = self._number(PAGES_READ), self._number("webtext/items/dropped")
        if 2 * dropped <= pages:
            return None
        return (
            f"{dropped} of {pages} pages have no article (lists, shops, manuals, forums, terms): "
            "--all-pages also writes these, with their main text"
        )

    def _number(self, *names: str) -> int:
        return sum(int(self.stats.get(name, 0)) for name in names)
