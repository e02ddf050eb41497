"""Fetches pages for the command line with Scrapy's downloader.

The downloader has the project's settings: middlewares, handlers, cookies, cache, delays. The
project's feeds, pipelines and extensions do not run.
"""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Callable, Mapping, Set
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

from scrapy import Request, Spider
from scrapy.downloadermiddlewares.redirect import MetaRefreshMiddleware
from scrapy.exceptions import CloseSpider, IgnoreRequest
from scrapy.http import Response
from scrapy.settings import BaseSettings, default_settings
from scrapy.spidermiddlewares.httperror import HttpError
from scrapy.utils.misc import load_object
from twisted.python.failure import Failure

from scrapy_webtext.crawling.responses import read_page, skip_reason
from scrapy_webtext.crawling.sites import Sites
from scrapy_webtext.errors import InputError, describe, shown
from scrapy_webtext.page import Page
from scrapy_webtext.reader import PageReader

#: Settings that get Scrapy's defaults, so that no queue and no stats of the project are used.
PARTS: Final = (
    "DUPEFILTER_CLASS LOG_FORMATTER SCHEDULER SCHEDULER_DISK_QUEUE SCHEDULER_MEMORY_QUEUE "
    "SCHEDULER_PRIORITY_QUEUE STATS_CLASS"
).split()

#: Settings that disable the project's feeds, pipelines, extensions and queue. Fetching single pages
#: must not overwrite a feed or take requests from a queue that other crawls share.
OVERRIDES: Final[Mapping[str, Any]] = {
    "FEEDS": {},
    "FEED_URI": None,
    "ITEM_PIPELINES": {},
    "EXTENSIONS": {},
    # AutoThrottle sets delays if AUTOTHROTTLE_ENABLED is true.
    "EXTENSIONS_BASE": {"scrapy.extensions.throttle.AutoThrottle": 0},
    "SPIDER_MIDDLEWARES": {},
    "JOBDIR": None,
    "STATS_DUMP": False,
    "WEBTEXT_ENABLED": False,
    **{name: getattr(default_settings, name) for name in PARTS},
}

#: Schemes to which a server may redirect.
WEB: Final = frozenset({"http", "https"})

TOO_LARGE: Final = (
    "is larger than WEBTEXT_MAX_BODY_SIZE or DOWNLOAD_MAXSIZE allow: raise both with -s"
)

#: A function that receives the number of an address, and its page or the reason for no page.
Receive = Callable[[int, Page | str], None]


@dataclass
class LastSettings:
    """An add-on that runs last. It overrides other add-ons, and disables download handlers."""

    overrides: Mapping[str, Any] = field(default_factory=dict)  #: setting -> value
    schemes: Set[str] = WEB  #: schemes that may be fetched

    def update_settings(self, settings: BaseSettings) -> None:
        """Apply the overrides; disable the download handlers of all schemes not allowed."""
        sizes = [self.overrides.get("DOWNLOAD_MAXSIZE", 0), settings.getint("DOWNLOAD_MAXSIZE")]
        settings.setdict(dict(self.overrides), priority="cmdline")
        size = min(filter(None, sizes), default=0)  # 0 means no limit
        settings.set("DOWNLOAD_MAXSIZE", size, priority="cmdline")
        others = settings.getwithbase("DOWNLOAD_HANDLERS").keys() - self.schemes
        handlers = {**settings.getdict("DOWNLOAD_HANDLERS"), **dict.fromkeys(others)}
        settings.set("DOWNLOAD_HANDLERS", handlers, priority="cmdline")
        middlewares = settings.getdict("DOWNLOADER_MIDDLEWARES")
        if MetaRefreshMiddleware not in map(load_object, middlewares):
            middlewares |= {MetaRefreshMiddleware: None, PatientMetaRefresh: 580}
            settings.set("DOWNLOADER_MIDDLEWARES", middlewares, priority="cmdline")


class PatientMetaRefresh(MetaRefreshMiddleware):
    """Scrapy's middleware, changed to keep pages with a wrong ``<base>`` or an unknown charset."""

    def process_response(  # type: ignore[override]
        self, request: Request, response: Response, **given: Any
    ) -> Any:
        """Return the redirected request, or the response if looking for a redirect fails."""
        try:
            return super().process_response(request, response, **given)
        except (ValueError, LookupError):
            return response


def fetch(
    addresses: Mapping[int, str],
    receive: Receive,
    sites: Sites,
    meta: Mapping[str, Any],
    process: Any,
) -> None:
    """Fetch addresses in one crawl; call ``receive`` with each number and its page or reason.

    Scrapy's ``process`` can start only one crawl. ``meta`` is the meta of each request.
    """
    overrides = {**OVERRIDES, "DOWNLOAD_MAXSIZE": sites.of("").reader.max_body_size}
    schemes = WEB | {address.partition(":")[0].lower() for address in addresses.values()}
    last = partial(LastSettings, overrides, schemes)
    addons = {**process.settings.getdict("ADDONS"), last: sys.maxsize}
    process.settings.set("ADDONS", addons, priority="cmdline")
    waiting, raised = dict(addresses), list[Exception]()
    given = {"receive": receive, "sites": sites, "meta": meta}
    error = run_crawler(process, Fetcher, waiting=waiting, raised=raised, **given)
    if raised:
        raise raised[0]
    fault = f"cannot start: {describe(error)}" if error else "was stopped before"
    for number, address in sorted(waiting.items()):
        receive(number, f"{shown(address)} was not fetched: the crawl {fault}")


class Fetcher(Spider):
    """The spider of `fetch`."""

    name = "default"
    receive: Receive
    sites: Sites
    meta: Mapping[str, Any]
    waiting: dict[int, str]  #: addresses without an answer
    raised: list[Exception]  #: errors that ``receive`` raised

    async def start(self) -> AsyncIterator[Request]:
        """Yield the requests; call ``receive`` with the error of each source that is no address."""
        for number, address in list(self.waiting.items()):
            try:
                request = Request(
                    address,
                    callback=self._received,
                    errback=self._failed,
                    cb_kwargs={"number": number},
                    meta=dict(self.meta),
                    dont_filter=True,
                )
            except Exception as error:
                self.waiting.pop(number)
                self.receive(number, f"{shown(address)} is no address: {describe(error)}")
            else:
                yield request

    def _received(self, response: Response, number: int) -> None:
        found = self._read(response, shown(self.waiting.pop(number)))
        try:
            self.receive(number, found)
        except Exception as error:  # Scrapy would log it and continue
            self.raised.append(error)
            raise CloseSpider("failed") from error

    def _read(self, response: Response, address: str) -> Page | str:
        reader = self.sites.of(response.url).reader
        reason = skip_reason(response, None, reader)
        if reason is not None:
            return f"{address} {_skipped(reason, response, reader)}"
        try:
            return read_page(response, reader, shares_tree=False)
        except Exception as error:
            return f"{address} cannot be read: {describe(error)}"

    def _failed(self, failure: Failure) -> None:
        number = failure.request.cb_kwargs["number"]  # type: ignore[attr-defined]
        address = shown(self.waiting.pop(number))
        self.receive(number, f"{address} {reason_of(failure.value)}")


def reason_of(error: Any) -> str:
    """Return the end of a message: why the address was not fetched, and how to repair this."""
    if isinstance(error, HttpError):
        return f"answered with status {error.response.status}"
    if is_of_size(error):
        return TOO_LARGE
    if isinstance(error, IgnoreRequest) and "robots.txt" in str(error):
        return (
            "is forbidden by the site's robots.txt: name a part of the site that is not, or for a "
            "site of your own give -s ROBOTSTXT_OBEY=False"
        )
    if isinstance(error, IgnoreRequest):
        return f"was not fetched: {describe(error)}"
    return f"cannot be reached (address and connection right?): {describe(error)}"


def run_crawler(process: Any, crawler: Any, **arguments: Any) -> BaseException | None:
    """Run a crawler to its end; return the error that prevented its start, or None.

    Raise InputError if a component of the project raises.
    """
    faults: list[BaseException] = []
    try:
        running: Any = process.crawl(crawler, **arguments)
    except InputError:
        raise
    except Exception as error:  # components of a project may raise anything
        raise InputError(f"The crawl cannot start: {describe(error)}") from error
    if hasattr(running, "addErrback"):
        running.addErrback(lambda failure: faults.append(failure.value))
    else:
        running.add_done_callback(
            lambda task: faults.extend([] if task.cancelled() else filter(None, [task.exception()]))
        )
    process.start()
    return faults[0] if faults else None


def is_of_size(error: BaseException) -> bool:
    """Return whether a response exceeded DOWNLOAD_MAXSIZE, before or after decompression."""
    is_cancelled = type(error).__name__ in {"DownloadCancelledError", "CancelledError"}
    return is_cancelled or (isinstance(error, IgnoreRequest) and "DOWNLOAD_MAXSIZE" in str(error))


def _skipped(reason: str, response: Response, reader: PageReader) -> str:
    """Return the end of a message: why the page was skipped, and how to repair this."""
    if reason == "status":
        return f"answered with status {response.status}"
    if reason == "too_large":
        return TOO_LARGE
    if reason == "too_many_elements":
        limit = reader.max_elements
        return f"has more than {limit} elements: raise WEBTEXT_MAX_ELEMENTS with -s"
    content_type = (response.headers.get("Content-Type") or b"of no type").decode("latin-1")
    return f"is no HTML page ({shown(content_type)})"
