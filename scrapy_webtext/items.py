"""Items with the extension's fields, and `fill`, which writes a result into an item."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import scrapy
from itemadapter import ItemAdapter

from scrapy_webtext.crawling.crawl import WebtextCrawl, of_result, open_crawls
from scrapy_webtext.crawling.item_fields import fill_item
from scrapy_webtext.errors import SettingsError
from scrapy_webtext.results import DEFAULT_FIELDS, WebTextResult
from scrapy_webtext.settings import FieldPreset


class WebTextItem(scrapy.Item):
    """A scrapy.Item with the default fields; subclass it and add your own."""

    url = scrapy.Field()
    main_text = scrapy.Field()
    has_article = scrapy.Field()
    p_value = scrapy.Field()
    main_text_score = scrapy.Field()
    article_probability = scrapy.Field()


@dataclass(kw_only=True)
class WebTextFields:
    """A dataclass mixin with the default fields, all None until the pipeline fills them."""

    main_text: str | None = None
    has_article: bool | None = None
    p_value: float | None = None
    main_text_score: float | None = None
    article_probability: float | None = None


def fill(item: Any, result: WebTextResult, fields: Mapping[str, str] | None = None) -> Any:
    """Return the item with the result in its fields, or a copy if the item is frozen.

    Yield the returned item: the pipeline does not change items that have a text. Metadata that the
    item has already, such as a title, is kept. ``fields`` maps results to names of fields; the
    default is ``WEBTEXT_FIELDS`` of the crawl that made the result, else of the running crawl.
    Fields that the item does not declare are left out, with one warning per class. TypeError for an
    object that is no item or no result.
    """
    if not isinstance(result, WebTextResult):
        raise TypeError(f"fill() takes a WebTextResult, not {type(result).__name__}")
    if not ItemAdapter.is_item(item):
        raise TypeError(f"fill() takes an item, and {type(item).__qualname__} is no type of item")
    crawl = of_result(result) or _only_crawl(fields)
    if fields is None:
        fields = crawl.settings.fields if crawl is not None else DEFAULT_FIELDS
    item, missing = fill_item(item, result, fields)
    if missing and crawl is not None and not isinstance(fields, FieldPreset):
        tell_undeclared(crawl, item, missing)
    return item


def _only_crawl(fields: Mapping[str, str] | None) -> WebtextCrawl | None:
    """Return the running crawl, or one of several with equal fields; None if no crawl runs."""
    running = open_crawls()
    if fields is None and any(c.settings.fields != running[0].settings.fields for c in running):
        raise SettingsError(
            "fill(item, result) cannot tell which of the crawls in this process the result is for: "
            "give it the result of `extract(response)`, or fields="
        )
    return running[0] if running else None


def tell_undeclared(crawl: WebtextCrawl, item: Any, missing: Sequence[str]) -> None:
    """Log a warning about fields that an item does not declare, once per class."""
    crawl.warn_once(
        type(item),
        f"{type(item).__qualname__} does not declare {', '.join(missing)}: declare them, "
        f"or map or leave out results with WEBTEXT_FIELDS",
    )
