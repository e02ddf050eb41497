"""Keeps articles only: items of other pages are dropped, and their links are followed."""

from __future__ import annotations

from typing import Any

from scrapy.http import HtmlResponse, Response

from news.items import PageItem
from news.loopback import NewsSiteSpider
from news.spiders.news import LINKS


class ArticlesSpider(NewsSiteSpider):
    """Yields an item for every HTML page; the pipeline drops those without an article."""

    name = "articles"
    custom_settings = {"WEBTEXT_ACTION": "drop_items"}

    def parse(self, response: Response) -> Any:
        if isinstance(response, HtmlResponse):
            yield PageItem(url=response.url, title=response.css("title::text").get())
            yield from response.follow_all(LINKS.extract_links(response))
