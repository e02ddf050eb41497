"""Spiders that ask scrapy-poet for an article of zyte-common-items."""

from typing import Any

from scrapy.http import Response
from zyte_common_items import Article

from tests.ecosystem.crawl import SiteSpider


class ArticleSpider(SiteSpider):
    async def parse(self, response: Response, page: Article) -> Any:
        yield page
