"""Writes main text, judgement and scores into items."""

from __future__ import annotations

import logging
from collections.abc import Awaitable
from typing import TYPE_CHECKING, Any

from itemadapter import ItemAdapter
from scrapy.exceptions import DropItem

from scrapy_webtext.binder import take_filled
from scrapy_webtext.crawl import WebtextCrawl
from scrapy_webtext.errors import UndeclaredFieldError
from scrapy_webtext.items import read, values_of, write
from scrapy_webtext.results import WebTextResult

if TYPE_CHECKING:
    from scrapy import Spider
    from scrapy.crawler import Crawler
    from scrapy.http import Response

logger = logging.getLogger("scrapy_webtext")


class WebtextPipeline:
    """Fills each item from the response that it came from, each response extracted once.

    Priority 100, before pipelines that return new objects: those lose the binding. Items that
    a callback filled with ``fill()`` are left as they are. An item without a response (from
    ``start()`` or an errback) goes on with None in its fields and is counted as unbound; one
    on whose page the extractor failed, or whose response is no HTML, likewise with None.
    """

    def __init__(self, crawl: WebtextCrawl) -> None:
        self._crawl = crawl
        self._warned: set[type] = set()
        #: The response of an item that waits for the worker: a spider may yield the same again.
        self._waiting: dict[int, Response] = {}

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> WebtextPipeline:
        """Return the pipeline; SettingsError or NotConfigured as the settings have it."""
        return cls(WebtextCrawl.of(crawler))

    def process_item(
        self,
        item: Any,
        spider: Spider | None = None,  # noqa: ARG002 (Scrapy 2.13)
    ) -> Any:
        """Return the item, filled, or a copy where it is frozen; a coroutine of it at need.

        Raises DropItem for pages without an article under ``WEBTEXT_ACTION = "drop_items"``.
        """
        filled = take_filled(item)
        response = self._crawl.binder.pop(item) or self._waiting.get(id(item))
        if filled is not None:
            action = self._action(response)
            self._drop_without_article(filled, action)
            self._count_filled(filled)
            return item
        if response is None:
            self._crawl.count("items/unbound")
            return self._fill(item, None)
        found = self._crawl.result(response)
        if isinstance(found, Awaitable) and not isinstance(found, WebTextResult):
            return self._finish_later(item, response, found)
        return self._finish(item, response, found)

    async def _finish_later(
        self, item: Any, response: Response, found: Awaitable[WebTextResult | None]
    ) -> Any:
        self._waiting[id(item)] = response
        try:
            result = await found
        finally:
            self._waiting.pop(id(item), None)
        return self._finish(item, response, result)

    def _finish(self, item: Any, response: Response, result: WebTextResult | None) -> Any:
        if result is None:
            self._crawl.count("items/unfilled")
        else:
            self._drop_without_article(result, self._action(response))
        return self._fill(item, result)

    def _count_filled(self, result: WebTextResult) -> None:
        self._crawl.count("items/filled")
        if not result.main_text:
            self._crawl.count("items/empty")

    def _action(self, response: Response | None) -> str:
        if response is None:
            return self._crawl.settings.action
        return self._crawl.read(response, response.request).settings.action

    def _drop_without_article(self, result: WebTextResult, action: str) -> None:
        if action == "drop_items" and not result.has_article:
            self._crawl.count("items/dropped")
            raise DropItem("webtext: no article on this page")

    def _fill(self, item: Any, result: WebTextResult | None) -> Any:
        if not ItemAdapter.is_item(item):
            self._crawl.count("items/unsupported")
            self._warn_once(type(item), f"{type(item).__qualname__} is no type of item")
            return item
        try:
            item, missing = self._write(item, result)
        except Exception as error:
            self._crawl.fault(error, "writing", f"an item of {type(item).__qualname__}")
            return item
        if missing:
            self._undeclared(item, missing)
        if result is not None:
            self._count_filled(result)
        return item

    def _write(self, item: Any, result: WebTextResult | None) -> tuple[Any, list[str]]:
        values = values_of(result, self._crawl.settings.fields)
        if result is not None:
            return write(item, values)
        if isinstance(item, dict):
            return write(item, {name: read(item, name) for name in values})
        return item, []

    def _undeclared(self, item: Any, missing: list[str]) -> None:
        self._crawl.count("items/undeclared")
        message = (
            f"{type(item).__qualname__} does not declare {', '.join(missing)}: declare them, "
            f"or map or leave out results with WEBTEXT_FIELDS"
        )
        if self._crawl.settings.on_undeclared == "error":
            raise UndeclaredFieldError(message)
        self._warn_once(type(item), message)

    def _warn_once(self, item_class: type, message: str) -> None:
        if item_class not in self._warned:
            self._warned.add(item_class)
            logger.warning("webtext: %s", message)
