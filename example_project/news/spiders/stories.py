"""Extracts the text in the callback, decides by it, and fills a dataclass with it."""

from __future__ import annotations

from typing import Any

from scrapy.http import HtmlResponse, Response

import scrapy_webtext as webtext
from news.items import Story
from news.loopback import NewsSiteSpider
from news.spiders.news import LINKS


class StoriesSpider(NewsSiteSpider):
    """Yields articles only, without WEBTEXT_ACTION."""

    name = "stories"

    def parse(self, response: Response) -> Any:
        if not isinstance(response, HtmlResponse):
            return
        result = webtext.extract(response)
        if result.has_article:
            story = Story(url=response.url, title=response.css("title::text").get())
            story.words = len(result.main_text.split())
            yield webtext.fill(story, result)
        yield from response.follow_all(LINKS.extract_links(response))
