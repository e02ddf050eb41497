"""Judges responses on their way to the spider and flags them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from scrapy import signals
from scrapy.exceptions import IgnoreRequest

from scrapy_webtext.crawl import WebtextCrawl

if TYPE_CHECKING:
    from scrapy import Request, Spider
    from scrapy.crawler import Crawler
    from scrapy.http import Response

ARTICLE: Final = "webtext:article"
NOT_ARTICLE: Final = "webtext:not-article"


class WebtextDownloaderMiddleware:
    """Adds ``webtext:article`` or ``webtext:not-article`` to ``response.flags``.

    Priority 540: after decompression, redirects and retries. With ``WEBTEXT_ACTION = "ignore"``
    it raises IgnoreRequest for pages without an article.
    """

    def __init__(self, crawl: WebtextCrawl) -> None:
        self._crawl = crawl

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> WebtextDownloaderMiddleware:
        """Return the middleware; SettingsError or NotConfigured as the settings have it."""
        crawl = WebtextCrawl.of(crawler)
        crawler.signals.connect(crawl.close, signal=signals.spider_closed)
        return cls(crawl)

    def process_response(
        self,
        request: Request,
        response: Response,
        spider: Spider | None = None,  # noqa: ARG002 (Scrapy 2.13)
    ) -> Response:
        """Return the same response, flagged."""
        reading = self._crawl.read(response, request)
        judgement = reading.judgement
        if judgement is None:
            return response
        flag = ARTICLE if judgement.has_article else NOT_ARTICLE
        kept = [f for f in response.flags if f not in (ARTICLE, NOT_ARTICLE)]
        response.flags[:] = [*kept, flag]
        if reading.settings.action == "ignore" and not judgement.has_article:
            self._crawl.count("responses/ignored")
            raise IgnoreRequest("webtext: no article on this page")
        return response
