"""Writes main text, judgement and scores into items."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from itemadapter import ItemAdapter
from scrapy.exceptions import DropItem

from scrapy_webtext.crawling.binder import FilledItems
from scrapy_webtext.crawling.crawl import WebtextCrawl
from scrapy_webtext.crawling.item_fields import (
    brings_text,
    described_by_spider,
    missing_fields,
    read,
    values_of,
    write,
)
from scrapy_webtext.errors import UndeclaredFieldError
from scrapy_webtext.items import tell_undeclared
from scrapy_webtext.settings import FieldPreset

if TYPE_CHECKING:
    from scrapy import Spider
    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from scrapy_webtext.results import WebTextResult


class WebtextPipeline:
    """Fills each item from the response that it came from, each response extracted once.

    Priority 100, before pipelines that return new objects: those lose the binding. An item that
    brings a text, from ``fill()`` or the spider's own, is left as it is. One without a response
    (from ``start()`` or an errback) goes on with None in its fields, and so does one of a page
    that was left alone or on which a judge or extractor failed.

    Each item is counted as seen, and in one of `scrapy_webtext.crawling.stats.OUTCOMES`.
    """

    def __init__(self, crawl: WebtextCrawl) -> None:
        self._crawl = crawl
        self._fields = crawl.settings.fields
        self._is_preset = isinstance(self._fields, FieldPreset)
        self._filled = FilledItems()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> WebtextPipeline:
        """Return the pipeline; SettingsError or NotConfigured as the settings have it."""
        return cls(WebtextCrawl.of(crawler))

    def process_item(
        self,
        item: Any,
        spider: Spider | None = None,  # noqa: ARG002 (Scrapy 2.13)
    ) -> Any:
        """Return the item, filled, or a copy if it is frozen; a coroutine of it if it waits.

        Raises DropItem for pages without an article under ``WEBTEXT_ACTION = "drop_items"``.
        """
        self._crawl.stats.count("items/seen")
        response = self._crawl.binder.take(item)
        if not ItemAdapter.is_item(item):
            self._crawl.stats.count("items/unsupported")
            self._crawl.warn_once(type(item), f"{type(item).__qualname__} is no type of item")
            return item
        try:
            brings = brings_text(item, self._fields) and not self._wrote(item)
        except Exception as error:  # of the item's class, any
            return self._failed(item, error)
        if brings:
            return self._keep(item, response)
        if response is None:
            return self._fill(item, None, "unbound")
        state = self._crawl.judge(response, response.request)
        if state.has_no_article:
            self._drop_if_told(state.settings.action)
        if self._crawl.is_ready(response):
            return self._finish(item, self._crawl.result(response))
        return self._finish_later(item, response)

    async def _finish_later(self, item: Any, response: Response) -> Any:
        return self._finish(item, await self._crawl.result_later(response))

    def _finish(self, item: Any, result: WebTextResult) -> Any:
        if result.status == "ok":
            return self._fill(item, result, "filled" if result.main_text else "empty")
        return self._fill(item, result, "failed" if result.status == "failed" else "unfilled")

    def _keep(self, item: Any, response: Response | None) -> Any:
        """Leave an item that brings a text as it is; drop it if it says: no article."""
        path = self._fields.get("has_article")
        says = read(item, path) if path is not None else None
        action = self._crawl.settings.action
        if response is not None:
            state = self._crawl.state(response, response.request)
            action = state.settings.action
            says = not state.has_no_article if says is None else says
        if says is False:
            self._drop_if_told(action)
        text = read(item, self._fields["main_text"]) if "main_text" in self._fields else True
        self._crawl.stats.count("items/filled" if text else "items/empty")
        if missing_fields(item, self._fields.values()):
            self._crawl.stats.count("items/undeclared")
        return item

    def _drop_if_told(self, action: str) -> None:
        if action == "drop_items":
            self._crawl.stats.count("items/dropped")
            # Scrapy would log a warning with the whole item.
            raise DropItem("webtext: no article on this page", log_level="DEBUG")

    def _fill(self, item: Any, result: WebTextResult | None, outcome: str) -> Any:
        """Return the item with the result, or None, in its fields."""
        values = values_of(result, self._fields)
        if not self._wrote(item):
            for name in described_by_spider(item, self._fields):
                del values[name]
        if isinstance(item, dict):  # it gets every field
            values = {n: read(item, n) if v is None else v for n, v in values.items()}
        else:  # None is what its own fields say already
            values = {n: v for n, v in values.items() if v is not None}
        try:
            missing = missing_fields(item, self._fields.values())
            written, _ = write(item, values, self._is_preset)
        except Exception as error:
            return self._failed(item, error)
        is_placeless = len(missing) == len(self._fields) or (missing and self._is_preset)
        if missing and not self._is_preset:
            self._tell(written, missing)
        self._crawl.stats.count(
            "items/" + ("unfilled" if is_placeless and outcome in ("filled", "empty") else outcome)
        )
        if result is not None and result.main_text:
            self._filled.add(written, result.main_text)
        return written

    def _tell(self, item: Any, missing: list[str]) -> None:
        self._crawl.stats.count("items/undeclared")
        try:
            tell_undeclared(self._crawl, item, missing)
        except UndeclaredFieldError:
            self._crawl.stats.count("items/failed")
            raise

    def _failed(self, item: Any, error: Exception) -> Any:
        self._crawl.stats.fault(error, f"writing failed on an item of {type(item).__qualname__}")
        self._crawl.stats.count("items/failed")
        return item

    def _wrote(self, item: Any) -> bool:
        path = self._fields.get("main_text")
        return path is not None and self._filled.has(item, read(item, path))
