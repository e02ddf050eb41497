"""The plainest spider: follows every link and yields a dict for every page."""

from __future__ import annotations

from typing import Any

from scrapy.http import HtmlResponse, Response
from scrapy.linkextractors import LinkExtractor

from news.loopback import NewsSiteSpider

LINKS = LinkExtractor(deny_extensions=())


class NewsSpider(NewsSiteSpider):
    """Knows nothing of scrapy_webtext: the add-on in settings.py fills the items."""

    name = "news"

    def parse(self, response: Response) -> Any:
        yield {"url": response.url}
        if isinstance(response, HtmlResponse):
            yield from response.follow_all(LINKS.extract_links(response))
