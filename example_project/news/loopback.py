"""Spiders with their own site, which is served while the spider is open."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import scrapy
from scrapy import signals
from scrapy.crawler import Crawler

from news.server import Answer, LoopbackServer

SITE = Path(__file__).parent / "site"


class LoopbackSpider(scrapy.Spider):
    """Serves ``answers()`` from spider_opened to spider_closed at ``self.server.url``."""

    allowed_domains = ("127.0.0.1",)
    server: LoopbackServer

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> LoopbackSpider:
        spider = super().from_crawler(crawler, *args, **kwargs)
        spider.server = LoopbackServer(spider.answers())
        crawler.signals.connect(spider.server.start, signal=signals.spider_opened)
        crawler.signals.connect(spider.server.stop, signal=signals.spider_closed)
        return spider

    def answers(self) -> Mapping[str, Answer]:
        """Return the answers of the site by path."""
        raise NotImplementedError


class NewsSiteSpider(LoopbackSpider):
    """Serves the example's news site and starts at its front page."""

    def answers(self) -> Mapping[str, Answer]:
        return site_answers()

    async def start(self) -> Any:
        yield scrapy.Request(self.server.url + "/")


def site_answers() -> dict[str, Answer]:
    """Return the answers of the news site: a page each, with the headers of site/routes.json."""
    routes = json.loads((SITE / "routes.json").read_text(encoding="utf-8"))
    return {route["path"]: _answer(route) for route in routes}


def _answer(route: Mapping[str, Any]) -> Answer:
    if "location" in route:
        return Answer(status=301, headers=(("Location", route["location"]),))
    return Answer((SITE / route["file"]).read_bytes(), route["content_type"])
