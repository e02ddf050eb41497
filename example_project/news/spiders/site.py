"""Crawls any site: scrapy crawl site -a url=https://www.example.com/ -O items.jsonl."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

import scrapy
from scrapy.http import HtmlResponse, Response
from scrapy.linkextractors import LinkExtractor

from news.items import PageItem


class SiteSpider(scrapy.Spider):
    """Crawls the host of the address and its subdomains, slowly, at most 100 pages."""

    name = "site"
    custom_settings = {
        "AUTOTHROTTLE_ENABLED": True,
        "AUTOTHROTTLE_START_DELAY": 1,
        "CLOSESPIDER_PAGECOUNT": 100,
    }
    links = LinkExtractor()

    def __init__(self, url: str = "", **kwargs: Any) -> None:
        super().__init__(**kwargs)
        address = urlsplit(url)
        if address.scheme not in ("http", "https") or not address.hostname:
            raise ValueError(
                f"The spider 'site' got url={url!r}; give it the address of a site: "
                f"scrapy crawl site -a url=https://www.example.com/"
            )
        self.start_urls = [url]
        self.allowed_domains = [address.hostname.removeprefix("www.")]

    def parse(self, response: Response) -> Any:
        if isinstance(response, HtmlResponse):
            yield PageItem(url=response.url, title=response.css("title::text").get())
            yield from response.follow_all(self.links.extract_links(response))
