"""Judges responses on their way to the spider and flags them."""

from __future__ import annotations

from typing import Any, Final

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.http import Response

from scrapy_webtext.crawling.crawl import ResponseState, WebtextCrawl

ARTICLE: Final = "webtext:article"
NOT_ARTICLE: Final = "webtext:not-article"


class WebtextDownloaderMiddleware:
    """Adds ``webtext:article`` or ``webtext:not-article`` to ``response.flags``.

    Priority 540: after decompression, redirects and retries.
    """

    def __init__(self, crawl: WebtextCrawl) -> None:
        self._crawl = crawl

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> WebtextDownloaderMiddleware:
        """Return the middleware; raise SettingsError, or NotConfigured if the extension is off."""
        return cls(WebtextCrawl.of(crawler))

    def process_response(self, request: Request, response: Response, **_: Any) -> Response:
        """Return the same response, flagged; Scrapy 2.13 passes the spider, too."""
        flag(response, self._crawl.judge(response, request, is_download=True))
        return response


def flag(response: Response, state: ResponseState) -> None:
    """Replace the flag of a response by the flag of its judgement; no flag if not judged."""
    kept = [f for f in response.flags if f not in (ARTICLE, NOT_ARTICLE)]
    if state.judgement is not None:
        kept.append(ARTICLE if state.judgement.has_article else NOT_ARTICLE)
    response.flags[:] = kept
