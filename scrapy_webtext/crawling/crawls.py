"""Which crawl a response, a request or a result belongs to; a process may have several crawls.

``extract(response)`` and ``fill(item, result)`` have no crawler as an argument, so they look here.
All references are weak.
"""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING

from scrapy_webtext.results import WebTextResult

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from scrapy_webtext.crawling.crawl import WebtextCrawl

_by_crawler: weakref.WeakKeyDictionary[Crawler, WebtextCrawl] = weakref.WeakKeyDictionary()
_by_response: weakref.WeakKeyDictionary[Response, weakref.ref[WebtextCrawl]]
_by_response = weakref.WeakKeyDictionary()
_by_request: weakref.WeakKeyDictionary[Request, weakref.ref[WebtextCrawl]]
_by_request = weakref.WeakKeyDictionary()
#: By id, because equal results may come from several crawls. The first reference removes its entry.
_by_result: dict[int, tuple[weakref.ref[WebTextResult], weakref.ref[WebtextCrawl]]] = {}


def add(crawler: Crawler, crawl: WebtextCrawl) -> None:
    """Register the crawl of a crawler; it lives as long as the crawler."""
    _by_crawler[crawler] = crawl


def register(crawl: WebtextCrawl, response: Response, request: Request | None) -> None:
    """Register the crawl of a response, and of the request that it answers."""
    _by_response[response] = weakref.ref(crawl)
    if request is not None:
        _by_request[request] = weakref.ref(crawl)


def register_result(crawl: WebtextCrawl, result: WebTextResult) -> None:
    """Register the crawl that computed a result."""
    key = id(result)

    def forget(_: weakref.ref[WebTextResult]) -> None:
        _by_result.pop(key, None)

    _by_result[key] = (weakref.ref(result, forget), weakref.ref(crawl))


def has_request(request: Request | None) -> bool:
    """Return whether a response to this request is registered."""
    return request is not None and request in _by_request


def of_crawler(crawler: Crawler) -> WebtextCrawl | None:
    """Return the crawl of a crawler, or None."""
    return _by_crawler.get(crawler)


def of_response(response: Response) -> WebtextCrawl | None:
    """Return the crawl of a response, or of a response with the same request.

    If neither is registered, the only open crawl; None if there is none, or several.
    """
    reference = _by_response.get(response)
    if reference is None and response.request is not None:
        reference = _by_request.get(response.request)
    if reference is not None:
        return reference()
    running = open_crawls()
    return running[0] if len(running) == 1 else None


def of_result(result: WebTextResult) -> WebtextCrawl | None:
    """Return the crawl that computed this result, or None."""
    _, reference = _by_result.get(id(result), (None, None))
    return reference() if reference is not None else None


def open_crawls() -> list[WebtextCrawl]:
    """Return the crawls of this process that are not closed."""
    return [crawl for crawl in _by_crawler.values() if crawl.is_open]
