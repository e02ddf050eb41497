"""Writes main text, judgement and scores into items."""

from __future__ import annotations

from typing import Any, Final

from itemadapter import ItemAdapter
from scrapy.crawler import Crawler
from scrapy.exceptions import DropItem
from scrapy.http import Response

from scrapy_webtext.crawling.binder import FilledItems
from scrapy_webtext.crawling.crawl import ResponseState, WebtextCrawl
from scrapy_webtext.items import (
    brings_text,
    fill_item,
    is_set,
    missing_fields,
    read,
    tell_undeclared,
)
from scrapy_webtext.results import WebTextResult
from scrapy_webtext.settings import FieldPreset

#: Result fields with a judgement or a score. An item that was judged has at least one of them.
JUDGED: Final = ("has_article", "p_value", "article_probability", "main_text_score")


class NoArticle(DropItem):
    """Drops an item of a page without an article, if ``WEBTEXT_ACTION`` asks for it."""


class WebtextPipeline:
    """Fills each item from the response that its spider was parsing.

    The text of a response is extracted once. Priority 100: before pipelines that return a new
    object for an item, because a new object is not bound to a response. An item that has a text
    already, from ``fill()`` or from the spider, is not changed. The fields are None if the item has
    no response (it comes from ``start()`` or an errback), if the page was skipped, or if the judge
    or the extractor failed. Each item is counted as seen, and in one of
    `scrapy_webtext.crawling.stats.OUTCOMES`.
    """

    def __init__(self, crawl: WebtextCrawl, crawler: Crawler) -> None:
        self._crawl = crawl
        self._crawler = crawler
        self._fields = crawl.settings.fields
        self._filled = FilledItems()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> WebtextPipeline:
        """Return the pipeline; raise SettingsError, or NotConfigured if the extension is off."""
        return cls(WebtextCrawl.of(crawler), crawler)

    def process_item(self, item: Any, spider: Any = None) -> Any:  # noqa: ARG002 (Scrapy 2.13)
        """Return the filled item, or a filled copy of a frozen item.

        If the text of next pages is to be fetched, return a coroutine that returns the item.

        Raise NoArticle for pages without an article under ``WEBTEXT_ACTION = "drop_items"`` and
        ``"articles_only"``.
        """
        self._crawl.stats.count("items/seen")
        response = self._crawl.binder.take(item)
        if not ItemAdapter.is_item(item):
            self._crawl.stats.count("items/unsupported")
            self._crawl.warn_once(type(item), f"{type(item).__qualname__} is no type of item")
            return item
        state = self._crawl.judge(response, response.request) if response is not None else None
        try:
            is_kept = brings_text(item, self._fields) and not self._wrote(item)
        except Exception as error:  # the item's class may raise any error
            return self._failed(item, error)
        if is_kept:
            return self._keep(item, state)
        if response is None or state is None:
            return self._fill(item, None, "unbound")
        if state.has_no_article:
            self._drop_if_filtered(state)
        result = self._crawl.result(state, response)
        if state.next_page is not None:
            return self._fill_with_next_pages(item, response, state)
        return self._fill_from(item, result, state)

    async def _fill_with_next_pages(
        self, item: Any, response: Response, state: ResponseState
    ) -> Any:
        result = await self._crawl.with_next_pages(self._crawler, response, state)
        return self._fill_from(item, result, state)

    def _fill_from(self, item: Any, result: WebTextResult, state: ResponseState) -> Any:
        if result.status == "ok":
            if result.has_article is False:  # earlier pages had the same text
                self._drop_if_filtered(state)
            return self._fill(item, result, "filled" if result.main_text else "empty")
        if result.status == "skipped" and state.settings.action == "articles_only":
            self._drop_if_filtered(state)
        return self._fill(item, result, "failed" if result.status == "failed" else "unfilled")

    def _keep(self, item: Any, state: ResponseState | None) -> Any:
        """Count and return an item that has a text already; drop it if its page has no article."""
        path = self._fields.get("has_article")
        has_article = read(item, path) if path is not None and is_set(item, path) else None
        if has_article is None and state is not None:
            has_article = not state.has_no_article
        if has_article is False:
            self._drop_if_filtered(state or self._crawl)
        paths = [self._fields[name] for name in JUDGED if name in self._fields]
        missing = missing_fields(item, self._fields.values())
        outcome = "filled"
        if "main_text" in self._fields and not read(item, self._fields["main_text"]):
            outcome = "empty"
        elif set(paths) - set(missing) and not any(is_set(item, path) for path in paths):
            outcome = "kept"
        self._crawl.stats.count(f"items/{outcome}")
        if missing:
            self._crawl.stats.count("items/undeclared")
        return item

    def _drop_if_filtered(self, by: ResponseState | WebtextCrawl) -> None:
        if by.settings.action in ("drop_items", "articles_only"):
            self._crawl.stats.count("items/dropped")
            # At the default level, Scrapy would log the whole item as a warning.
            raise NoArticle("webtext: no article on this page", log_level="DEBUG")

    def _fill(self, item: Any, result: WebTextResult | None, outcome: str) -> Any:
        """Return the item with the result in its fields, or with None if there is no result."""
        try:
            is_first = not self._wrote(item)
            written, missing = fill_item(item, result, self._fields, keeps_described=is_first)
        except Exception as error:
            return self._failed(item, error)
        is_preset = isinstance(self._fields, FieldPreset)
        if missing and not is_preset:
            self._crawl.stats.count("items/undeclared")
            tell_undeclared(self._crawl, written, missing)
        if (missing and is_preset) or len(missing) == len(self._fields):
            outcome = {"filled": "unfilled", "empty": "unfilled"}.get(outcome, outcome)
        self._crawl.stats.count(f"items/{outcome}")
        path = self._fields.get("main_text")
        if result is not None and result.main_text and path is not None:
            self._filled.add(written, read(written, path))  # a class may change the text
        return written

    def _failed(self, item: Any, error: Exception) -> Any:
        self._crawl.stats.fault(error, f"writing failed on an item of {type(item).__qualname__}")
        self._crawl.stats.count("items/failed")
        return item

    def _wrote(self, item: Any) -> bool:
        path = self._fields.get("main_text")
        return path is not None and self._filled.has(item, read(item, path))
