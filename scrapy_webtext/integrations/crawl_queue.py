"""Schedule the requests of ``scrapy webtext crawl``, with its limit of pages and its job."""

from __future__ import annotations

from typing import Any

from scrapy.exceptions import CloseSpider
from scrapy.http import Request

from scrapy_webtext.cli.crawl import OUTPUT, PAGES, PAGES_READ
from scrapy_webtext.integrations.job_queue import JobScheduler


class CrawlScheduler(JobScheduler):
    """The scheduler with the limit of pages and the journal of the spider's job.

    Scrapy's own ``CLOSESPIDER_PAGECOUNT`` counts each robots.txt, and requests in flight can exceed
    it. Here a request in flight counts as a page. Requests over the limit stay in the queue, and in
    the job. There are no more requests when rows cannot be stored.
    """

    crawler: Any
    spider: Any

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
        under_way = len(self.crawler.engine.downloader.active)
        return self.fault is not None or 0 < limit <= read + under_way

    def _end(self) -> None:
        if self.fault is not None:
            raise CloseSpider(OUTPUT)
        if len(self):
            raise CloseSpider(PAGES)
