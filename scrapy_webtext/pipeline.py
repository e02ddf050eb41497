"""Writes main text, judgement and scores into items."""

from __future__ import annotations

from collections.abc import Set
from typing import Any, Final

from itemadapter import ItemAdapter
from scrapy.crawler import Crawler
from scrapy.exceptions import DropItem
from scrapy.http import Response

from scrapy_webtext.crawling.crawl import ResponseState, WebtextCrawl
from scrapy_webtext.items import fill_item, read, set_by_spider, tell_undeclared
from scrapy_webtext.results import WebTextResult
from scrapy_webtext.settings import FieldPreset

#: Result fields with a judgement or a score. An item that was judged has at least one of them.
JUDGED: Final = ("has_article", "p_value", "article_probability", "main_text_score")


class NoArticle(DropItem):
    """Drops an item of a page without an article, if ``WEBTEXT_ACTION`` asks for it."""


class WebtextPipeline:
    """Fills each item from the response that its spider was parsing.

    The text of a response is extracted once. Priority 100: before pipelines that return a new
    object for an item, because a new object is not bound to a response. A field that is set
    already, by ``fill()``, the spider or a page object, is not changed. The other fields are None
    if the item has no response (it comes from ``start()`` or an errback), if the page was skipped,
    or if the judge or the extractor failed. Each item is counted as seen, and in one of
    `scrapy_webtext.crawling.stats.OUTCOMES`.
    """

    def __init__(self, crawl: WebtextCrawl, crawler: Crawler) -> None:
        self._crawl = crawl
        self._crawler = crawler
        self._fields = crawl.settings.fields

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> WebtextPipeline:
        """Return the pipeline; raise SettingsError, or NotConfigured if the extension is off."""
        return cls(WebtextCrawl.of(crawler), crawler)

    def process_item(self, item: Any, spider: Any = None) -> Any:  # noqa: ARG002 (Scrapy 2.13)
        """Return the filled item, or a filled copy of a frozen item.

        If the text of next pages is to be fetched, return a coroutine that returns the item.

        Under ``WEBTEXT_ACTION = "drop_items"`` raise NoArticle if the page has no article, unless
        the spider has set ``has_article``.
        """
        self._crawl.stats.count("items/seen")
        response = self._crawl.binder.take(item)
        if not ItemAdapter.is_item(item):
            self._crawl.stats.count("items/unsupported")
            self._crawl.warn_once(type(item), f"{type(item).__qualname__} is no type of item")
            return item
        state = self._crawl.judge(response, response.request) if response is not None else None
        try:
            kept = set_by_spider(item, self._fields)
            path = self._fields.get("has_article")
            own = read(item, path) if path in kept else None
        except Exception as error:  # the item's class may raise any error
            return self._failed(item, error)
        if own is False or (own is None and state is not None and state.is_without_article):
            self._drop_if_filtered(state or self._crawl)
        if response is None or state is None:
            return self._fill(item, None, kept)
        result = self._crawl.result(state, response)
        if state.next_page is not None:
            return self._fill_with_next_pages(item, response, state, kept)
        if own is None and result.has_article is False:  # earlier pages had the same text
            self._drop_if_filtered(state)
        return self._fill(item, result, kept)

    async def _fill_with_next_pages(
        self, item: Any, response: Response, state: ResponseState, kept: Set[str]
    ) -> Any:
        result = await self._crawl.with_next_pages(self._crawler, response, state)
        return self._fill(item, result, kept)

    def _drop_if_filtered(self, by: ResponseState | WebtextCrawl) -> None:
        if by.settings.action == "drop_items":
            self._crawl.stats.count("items/dropped")
            # At the default level, Scrapy would log the whole item as a warning.
            raise NoArticle("webtext: no article on this page", log_level="DEBUG")

    def _fill(self, item: Any, result: WebTextResult | None, kept: Set[str]) -> Any:
        """Return the item with the result in its fields, or with None if there is no result."""
        try:
            written, missing = fill_item(item, result, self._fields, kept)
            outcome = self._outcome(item, result, kept)
        except Exception as error:
            return self._failed(item, error)
        is_preset = isinstance(self._fields, FieldPreset)
        if missing and not is_preset:
            self._crawl.stats.count("items/undeclared")
            tell_undeclared(self._crawl, written, missing)
        if (missing and is_preset) or len(missing) == len(self._fields):
            outcome = {"filled": "unfilled", "empty": "unfilled"}.get(outcome, outcome)
        self._crawl.stats.count(f"items/{outcome}")
        return written

    def _outcome(self, item: Any, result: WebTextResult | None, kept: Set[str]) -> str:
        """Return the stat of an item in which the fields ``kept`` were set before."""
        path = self._fields.get("main_text", "")
        judged = {self._fields[name] for name in JUDGED if name in self._fields}
        if path in kept and (judged & kept or (result is not None and result.status == "ok")):
            return "filled" if read(item, path) else "empty"
        if result is None:
            return "unbound"
        if result.status == "ok":
            return "filled" if result.main_text else "empty"
        return "failed" if result.status == "failed" else "unfilled"

    def _failed(self, item: Any, error: Exception) -> Any:
        self._crawl.stats.fault(error, f"writing failed on an item of {type(item).__qualname__}")
        self._crawl.stats.count("items/failed")
        return item
