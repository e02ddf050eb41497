"""The queue of ``scrapy webtext crawl``: its limit of pages, and its job."""

from __future__ import annotations

import json
from typing import Any, Final

from scrapy import signals
from scrapy.core.scheduler import Scheduler
from scrapy.exceptions import CloseSpider
from scrapy.http import Request
from scrapy.squeues import FifoMemoryQueue

from scrapy_webtext.cli.crawl import OUTPUT, PAGES, PAGES_READ

#: Key of ``request.meta`` with the number of a request in the journal.
NUMBER: Final = "webtext_number"

_SIMPLE: Final = (str, int, float, bool, type(None))


def entry_of(request: Request) -> dict[str, Any]:
    """Return what the journal and the queue keep of a request, as JSON has it."""
    meta = {
        name: value
        for name, value in request.meta.items()
        if isinstance(value, _SIMPLE) and name not in ("link_text", NUMBER)
    }
    return {
        "url": request.url,
        "callback": getattr(request.callback, "__name__", ""),
        "errback": getattr(request.errback, "__name__", ""),
        "priority": request.priority,
        "again": request.dont_filter,
        "referer": (request.headers.get("Referer") or b"").decode("latin-1"),
        "meta": meta,
    }


def request_of(entry: dict[str, Any], spider: Any) -> Request:
    """Return the request of an entry."""
    return Request(
        entry["url"],
        getattr(spider, entry["callback"]),
        errback=getattr(spider, entry["errback"]),
        headers={"Referer": entry["referer"]} if entry["referer"] else None,
        priority=entry["priority"],
        dont_filter=entry["again"],
        meta=entry["meta"],
    )


def has_methods(request: Request, spider: Any) -> bool:
    """Return whether both callbacks of a request are methods of the spider."""
    calls = (request.callback, request.errback)
    return all(hasattr(spider, getattr(call, "__name__", "")) for call in calls)


def is_plain(request: Request, spider: Any) -> bool:
    """Return whether `entry_of` keeps all of a request."""
    return (
        has_methods(request, spider)
        and request.method == "GET"
        and not (request.body or request.cookies or request.cb_kwargs or request.flags)
        and request.headers.keys() <= {b"Referer"}
        and all(isinstance(value, _SIMPLE) for value in request.meta.values())
    )


class EntryQueue(FifoMemoryQueue):  # type: ignore[misc, valid-type]
    """Keeps plain requests as JSON, in a fifth of the memory: a sitemap may name 50,000 of them."""

    def __init__(self, crawler: Any) -> None:
        self._spider = crawler.spider
        super().__init__()

    @classmethod
    def from_crawler(cls, crawler: Any, *args: Any, **kwargs: Any) -> EntryQueue:  # noqa: ARG003
        """Return the queue of a crawl."""
        return cls(crawler)

    def push(self, request: Request) -> None:
        """Take a request."""
        if is_plain(request, self._spider):
            entry = entry_of(request)
            if NUMBER in request.meta:
                entry["meta"][NUMBER] = request.meta[NUMBER]
            super().push(json.dumps(entry).encode())
        else:
            super().push(request)

    def pop(self) -> Request | None:
        """Return the request that is next, None if none is left."""
        return self._request(super().pop())

    def peek(self) -> Request | None:
        """Return the request that is next and leave it there."""
        return self._request(super().peek())

    def _request(self, found: Any) -> Request | None:
        if isinstance(found, bytes):
            return request_of(json.loads(found), self._spider)
        return found  # type: ignore[no-any-return]


class CrawlScheduler(Scheduler):
    """Scrapy's scheduler, with the limit of pages and the journal of the spider's job.

    Scrapy's own ``CLOSESPIDER_PAGECOUNT`` counts each robots.txt, and lets what is under way go
    on. Here requests under way count as pages, as long as they may become one; what is kept back
    stays in the queue, and in the job. Nothing is asked for once rows cannot be stored.
    """

    def open(self, spider: Any) -> Any:
        """Open the queues; take up what earlier runs of the job left."""
        self._pages: int = spider.order.pages
        self._store = spider.store
        self._job = spider.job
        self._asked: dict[Request, int] = {}  #: requests that the engine has -> their numbers
        assert self.crawler is not None
        self.crawler.signals.connect(self._end, signals.spider_idle)
        opened = super().open(spider)
        for entry, is_left in self._job.asked() if self._job is not None else ():
            request = request_of(entry, spider)
            if not request.dont_filter:
                self.df.request_seen(request)
            if is_left:
                request.meta[NUMBER] = entry["ask"]
                self._mqpush(request)
        return opened

    def close(self, reason: str) -> Any:
        """Note what is done, and close the queues."""
        self._note_done()
        return super().close(reason)

    def enqueue_request(self, request: Request) -> bool:
        """Take a request, unless it was seen; sources are not noted: each run asks for them."""
        if self._job is None:
            return super().enqueue_request(request)
        request.meta.pop(NUMBER, None)  # of the request that was redirected, say
        if not request.dont_filter and self.df.request_seen(request):
            self.df.log(request, self.spider)
            return False
        spider: Any = self.spider
        is_noted = request.callback != spider.parse_source
        names = (
            getattr(request.callback, "__name__", ""),
            getattr(request.errback, "__name__", ""),
        )
        if is_noted and all(hasattr(spider, name) for name in names):
            request.meta[NUMBER] = self._job.ask(entry_of(request))
        self._mqpush(request)
        return True

    def next_request(self) -> Request | None:
        """Return the next request; None if none is left, or the limit may be reached."""
        self._note_done()
        request = None if self._is_full() else super().next_request()
        if request is not None and NUMBER in request.meta:
            self._asked[request] = request.meta[NUMBER]
        return request

    def has_pending_requests(self) -> bool:
        """Whether a request is left that can be handed out, now or later."""
        return super().has_pending_requests() and not self._is_full()

    def _note_done(self) -> None:
        """Note the requests that the engine let go: their links are asked, their rows are kept."""
        crawler: Any = self.crawler
        slot = crawler.engine._slot
        under_way = slot.inprogress if slot is not None else set()
        for request in [request for request in self._asked if request not in under_way]:
            number = self._asked.pop(request)
            if self._store.fault is None:
                self._job.done(number)

    def _is_broken(self) -> bool:
        return self._store.fault is not None or (
            self._job is not None and self._job.fault is not None
        )

    def _is_full(self) -> bool:
        crawler: Any = self.crawler
        if self._is_broken():
            return True
        if not self._pages:
            return False
        read: int = crawler.stats.get_value(PAGES_READ, 0)
        return read + len(crawler.engine.downloader.active) >= self._pages

    def _end(self) -> None:
        """Say why the crawl ends, where requests are left that were kept back."""
        if self._is_broken():
            raise CloseSpider(OUTPUT)
        if super().has_pending_requests():
            raise CloseSpider(PAGES)
