"""The limit of pages of ``scrapy webtext crawl``: so many are read, and none more."""

from __future__ import annotations

from typing import Any

from scrapy import signals
from scrapy.core.scheduler import Scheduler
from scrapy.exceptions import CloseSpider
from scrapy.http import Request

from scrapy_webtext.cli.crawl_outcome import PAGES, PAGES_READ


class PageLimitScheduler(Scheduler):
    """Scrapy's scheduler, which keeps back what would be read beyond the spider's limit of pages.

    Scrapy's own ``CLOSESPIDER_PAGECOUNT`` counts each robots.txt, and lets what is under way go
    on. Here requests under way count as pages, as long as they may become one; what is kept back
    stays in the queue, and in the job folder.
    """

    def open(self, spider: Any) -> Any:
        """Open the queues of the spider, whose ``order`` has the limit."""
        self._limit: int = spider.order.pages
        assert self.crawler is not None
        self.crawler.signals.connect(self._end, signals.spider_idle)
        return super().open(spider)

    def next_request(self) -> Request | None:
        """Return the next request; None if none is left, or the limit may be reached."""
        return None if self._is_full() else super().next_request()

    def has_pending_requests(self) -> bool:
        """Whether a request is left that can be handed out, now or later."""
        return super().has_pending_requests() and not self._is_full()

    def _is_full(self) -> bool:
        crawler: Any = self.crawler
        if not self._limit:
            return False
        read: int = crawler.stats.get_value(PAGES_READ, 0)
        return read + len(crawler.engine.downloader.active) >= self._limit

    def _end(self) -> None:
        """Say why the crawl ends, where requests are left that were kept back."""
        if super().has_pending_requests():
            raise CloseSpider(PAGES)
