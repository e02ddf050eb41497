"""Binds each item to the response that it came from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scrapy import signals
from scrapy.spidermiddlewares.base import BaseSpiderMiddleware

from scrapy_webtext.binder import take_filled
from scrapy_webtext.crawl import WebtextCrawl

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.http import Response


class WebtextSpiderMiddleware(BaseSpiderMiddleware):
    """Remembers, per item, its response, for the pipeline.

    Priority 10, nearest the engine: it sees the items that other middlewares let through, as
    the pipelines will see them.
    """

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._binder = WebtextCrawl.of(crawler).binder
        for signal in (signals.item_scraped, signals.item_dropped, signals.item_error):
            crawler.signals.connect(self._forget, signal=signal)

    def get_processed_item(self, item: Any, response: Response | None) -> Any:
        """Return the item, bound; an item of ``start()`` has no response."""
        if response is not None:
            self._binder.bind(item, response)
        return item

    def _forget(self, item: Any) -> None:
        self._binder.pop(item)
        take_filled(item)
