"""Schedule the requests of ``scrapy webtext crawl``, with its limit of pages and its job."""

from __future__ import annotations

from typing import Any

from scrapy.exceptions import CloseSpider
from scrapy.http import Request

from scrapy_webtext.cli.crawl import OUTPUT, PAGES, PAGES_READ
from scrapy_webtext.integrations.job_queue import NUMBER, JournalScheduler


class CrawlScheduler(JournalScheduler):
    """The scheduler with the limit of pages and the journal of the spider's job.

    Scrapy's own ``CLOSESPIDER_PAGECOUNT`` counts each robots.txt, and requests in flight can exceed
    it. Here a request in flight counts as a page. Requests over the limit stay in the queue, and in
    the job. There are no more requests when rows cannot be stored.
    """

    def open(self, spider: Any) -> Any:
        """Open the queues; add the requests that earlier runs of the job left."""
        spider.queue = self
        self.journal = spider.job
        return super().open(spider)

    @property
    def fault(self) -> str | None:
        """Return why no row can be stored any more; None if rows can."""
        spider: Any = self.spider
        fault: str | None = spider.store.fault
        return fault

    def _entry_of(self, request: Request) -> dict[str, Any] | None:
        """Return the entry of a request; None if it is of a source, which each run reads."""
        spider: Any = self.spider
        is_own = getattr(request.callback, "__self__", None) is spider
        if not is_own or request.callback == spider.parse_source:
            return None
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

    def _request_of(self, entry: dict[str, Any]) -> Request:
        """Return the request of an entry."""
        spider: Any = self.spider
        return Request(
            entry["url"],
            getattr(spider, entry["callback"]),
            errback=spider.note_failure,
            headers={"Referer": entry["referer"]} if entry["referer"] else None,
            priority=entry["priority"],
            dont_filter=entry["again"],
            meta=entry["meta"],
        )

    def _is_full(self) -> bool:
        spider: Any = self.spider
        crawler: Any = self.crawler
        read: int = crawler.stats.get_value(PAGES_READ, 0)
        under_way = len(crawler.engine.downloader.active)
        return super()._is_full() or 0 < spider.order.pages <= read + under_way

    def _end(self) -> None:
        """Close the spider with a reason if the queue has requests over the limit."""
        if self.fault is not None:
            raise CloseSpider(OUTPUT)
        if len(self):
            raise CloseSpider(PAGES)
