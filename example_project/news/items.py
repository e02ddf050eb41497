"""Items that scrapy_webtext fills. A dict needs no class: it has every field."""

from __future__ import annotations

from dataclasses import dataclass

import scrapy

from scrapy_webtext import WebTextFields, WebTextItem


class PageItem(WebTextItem):
    """A scrapy.Item: url and the fields of scrapy_webtext are inherited."""

    title = scrapy.Field()


@dataclass
class Story(WebTextFields):
    """A dataclass: the mixin declares the fields of scrapy_webtext."""

    url: str
    title: str | None = None
    words: int = 0
