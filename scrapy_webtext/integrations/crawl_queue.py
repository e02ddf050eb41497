"""Schedule the requests of ``scrapy webtext crawl``, with its limit of pages and its job."""

from __future__ import annotations

from typing import Any, Final

from scrapy import signals
from scrapy.core.scheduler import Scheduler
from scrapy.exceptions import CloseSpider
from scrapy.http import Request

from scrapy_webtext.cli.crawl import OUTPUT, PAGES, PAGES_READ

#: Key of ``request.meta`` with the number of a request in the journal.
NUMBER: Final = "webtext_number"


def entry_of(request: Request) -> dict[str, Any]:
    """Return the entry of the journal for a request of the spider, as values of JSON."""
    return {
        "url": request.url,
        "callback": getattr(request.callback, "__name__", ""),
        "priority": request.priority,
        "again": request.dont_filter,
        "referer": (request.headers.get("Referer") or b"").decode("latin-1"),
        "meta": {
            name: value
            for name, value in request.meta.items()
            if isinstance(value, str | int | float) and name not in ("link_text", NUMBER)
        },
    }


def request_of(entry: dict[str, Any], spider: Any) -> Request:
    """Return the request of an entry."""
    return Request(
        entry["url"],
        getattr(spider, entry["callback"]),
        errback=spider.note_failure,
        headers={"Referer": entry["referer"]} if entry["referer"] else None,
        priority=entry["priority"],
        dont_filter=entry["again"],
        meta=entry["meta"],
    )


class CrawlScheduler(Scheduler):
    """Scrapy's scheduler, with the limit of pages and the journal of the spider's job.

    Scrapy's own ``CLOSESPIDER_PAGECOUNT`` counts each robots.txt, and requests in flight can exceed
    it. Here a request in flight counts as a page. Requests over the limit stay in the queue, and in
    the job. There are no more requests when rows cannot be stored.
    """

    def open(self, spider: Any) -> Any:
        """Open the queues; add the requests that earlier runs of the job left."""
        self._asked: dict[Request, int] = {}  #: requests in the engine -> their numbers
        assert self.crawler is not None
        self.crawler.signals.connect(self._end, signals.spider_idle)
        spider.queue = self
        opened = super().open(spider)
        for entry, is_left in spider.job.asked() if spider.job is not None else ():
            request = request_of(entry, spider)
            if not request.dont_filter:
                self.df.request_seen(request)
            if is_left:
                request.meta[NUMBER] = entry["ask"]
                self._mqpush(request)
        return opened

    def close(self, reason: str) -> Any:
        """Note the answered requests, and close the queues."""
        self._note_done()
        return super().close(reason)

    def enqueue_request(self, request: Request) -> bool:
        """Add a request unless it is a duplicate; note it in the job unless it is of a source."""
        spider: Any = self.spider
        request.meta.pop(NUMBER, None)  # of another request, before a redirect for example
        is_new = super().enqueue_request(request)
        is_own = getattr(request.callback, "__self__", None) is spider
        if is_new and spider.job and is_own and request.callback != spider.parse_source:
            request.meta[NUMBER] = spider.job.ask(entry_of(request))
        return is_new

    def next_request(self) -> Request | None:
        """Return the next request; None if the queue is empty or the limit may be reached."""
        self._note_done()
        request = None if self._is_full() else super().next_request()
        if request is not None and NUMBER in request.meta:
            self._asked[request] = request.meta[NUMBER]
        return request

    def has_pending_requests(self) -> bool:
        """Return whether the queue has a request within the limit."""
        return super().has_pending_requests() and not self._is_full()

    def _note_done(self) -> None:
        """Note the requests that the engine has finished: their links and rows are stored."""
        spider, crawler = self._running()
        slot = crawler.engine._slot
        under_way = slot.inprogress if slot is not None else set()
        for request in [request for request in self._asked if request not in under_way]:
            number = self._asked.pop(request)
            if spider.store.fault is None:
                spider.job.done(number)

    def _is_full(self) -> bool:
        spider, crawler = self._running()
        limit: int = spider.order.pages
        read: int = crawler.stats.get_value(PAGES_READ, 0)
        under_way = len(crawler.engine.downloader.active)
        return spider.store.fault is not None or 0 < limit <= read + under_way

    def _end(self) -> None:
        """Close the spider with a reason if the queue has requests over the limit."""
        if self._running()[0].store.fault is not None:
            raise CloseSpider(OUTPUT)
        if super().has_pending_requests():
            raise CloseSpider(PAGES)

    def _running(self) -> tuple[Any, Any]:
        return self.spider, self.crawler
