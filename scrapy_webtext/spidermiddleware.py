"""Binds each item to its response; with "ignore", keeps pages without article from the spider."""

from __future__ import annotations

import weakref
from typing import Any, Final

from scrapy import Request, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import IgnoreRequest
from scrapy.http import Response
from scrapy.spidermiddlewares.base import BaseSpiderMiddleware

from scrapy_webtext.crawling.binder import parsed
from scrapy_webtext.crawling.crawl import WebtextCrawl
from scrapy_webtext.crawling.private import is_of_command_parse
from scrapy_webtext.crawling.stats import logger
from scrapy_webtext.downloadermiddleware import flag
from scrapy_webtext.errors import shown

IGNORED_START: Final = (
    "a start page has no article and is ignored with all its links: <{}>. To follow the links, set "
    'WEBTEXT_ACTION = "drop_items", or give its request meta={{"webtext": False}}'
)


class NoArticleError(IgnoreRequest):
    """The page has no article and ``WEBTEXT_ACTION`` is "ignore"; passed to the errback."""


class WebtextSpiderMiddleware(BaseSpiderMiddleware):
    """Remembers the response of each item, for the pipeline.

    Priority 10, next to the engine: other spider middlewares have changed the items before, so
    these are the items that the pipelines get. Pages are ignored here and not in the downloader
    middleware, so that a callback that downloads a page itself always gets it.
    """

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._crawl = WebtextCrawl.of(crawler)
        for signal in (signals.item_scraped, signals.item_dropped, signals.item_error):
            crawler.signals.connect(self._item_done, signal=signal)

    def process_spider_input(self, response: Response, **_: Any) -> None:
        """Flag a response that another middleware made; raise NoArticleError to ignore a page."""
        if is_of_command_parse(response):
            parsed.set(weakref.ref(response))
        state = self._crawl.judge(response, response.request)
        flag(response, state)
        if state.settings.action == "ignore" and state.has_no_article:
            self._crawl.stats.count("responses/ignored")
            where = shown(response.url)
            logger.info("webtext: ignored, no article: <%s %s>", response.status, where)
            if response.meta.get("is_start_request"):
                self._crawl.warn_once("ignored start", IGNORED_START.format(where))
            raise NoArticleError("webtext: no article on this page")

    def process_spider_exception(self, exception: Exception, **_: Any) -> tuple[()] | None:
        """Return no output for an ignored page without an errback, since that is no error."""
        return () if isinstance(exception, NoArticleError) else None

    def get_processed_request(self, request: Request, response: Response | None) -> Request:
        """Return the request."""
        self._crawl.note_selector(response)
        return request

    def get_processed_item(self, item: Any, response: Response | None) -> Any:
        """Bind the item to its response and return it; an item of ``start()`` has no response."""
        self._crawl.note_selector(response)
        if response is not None:
            self._crawl.binder.bind(item, response)
        return item

    def _item_done(self, item: Any, response: Any = None) -> None:
        self._crawl.binder.done(item, response if isinstance(response, Response) else None)
