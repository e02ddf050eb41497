"""Judges responses on their way to the spider and flags them."""

from __future__ import annotations

from collections.abc import Awaitable, Coroutine
from typing import TYPE_CHECKING, Any, Final

from scrapy_webtext.crawling.crawl import WebtextCrawl

if TYPE_CHECKING:
    from scrapy import Request, Spider
    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from scrapy_webtext.crawling.response_state import ResponseState

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
        """Return the middleware; SettingsError or NotConfigured as the settings have it."""
        return cls(WebtextCrawl.of(crawler))

    def process_response(
        self,
        request: Request,
        response: Response,
        spider: Spider | None = None,  # noqa: ARG002 (Scrapy 2.13)
    ) -> Response | Coroutine[Any, Any, Response]:
        """Return the same response, flagged; a coroutine of it where a worker judges."""
        judged = self._crawl.judge(response, request, is_download=True)
        if isinstance(judged, Awaitable):
            return _flag_later(response, judged)
        flag(response, judged)
        return response


async def _flag_later(response: Response, judged: Awaitable[ResponseState]) -> Response:
    flag(response, await judged)
    return response


def flag(response: Response, state: ResponseState) -> None:
    """Flag a response as it was judged, whatever flag it brings from another one."""
    kept = [f for f in response.flags if f not in (ARTICLE, NOT_ARTICLE)]
    if state.judgement is not None:
        kept.append(ARTICLE if state.judgement.has_article else NOT_ARTICLE)
    response.flags[:] = kept
