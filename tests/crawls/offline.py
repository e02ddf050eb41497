"""Responses through the middlewares and the pipeline, without a network or an event loop."""

from typing import Any

import scrapy
from scrapy import signals
from scrapy.crawler import Crawler
from scrapy.http import HtmlResponse, Request, Response
from scrapy.statscollectors import MemoryStatsCollector

from scrapy_webtext.downloadermiddleware import WebtextDownloaderMiddleware
from scrapy_webtext.pipeline import WebtextPipeline
from scrapy_webtext.spidermiddleware import WebtextSpiderMiddleware
from tests.crawls.site import SENTENCE

#: An article, and a list of links, as bodies of responses.
ARTICLE = f"<article><p>{SENTENCE * 20}</p></article>".encode()
LINKS = b"".join(b"<li><a href='/%d'>Item %d</a></li>" % (n, n) for n in range(30))


class Components:
    """The three components of one crawl, called as the engine calls them."""

    def __init__(self, **settings: Any) -> None:
        self.crawler = Crawler(
            scrapy.Spider, {f"WEBTEXT_{name}": value for name, value in settings.items()}
        )
        self.crawler.stats = MemoryStatsCollector(self.crawler)
        self._downloader = WebtextDownloaderMiddleware.from_crawler(self.crawler)
        self.spider = WebtextSpiderMiddleware.from_crawler(self.crawler)
        self._pipeline = WebtextPipeline.from_crawler(self.crawler)

    @property
    def stats(self) -> dict[str, Any]:
        assert self.crawler.stats is not None
        return self.crawler.stats.get_stats()

    @property
    def errors(self) -> dict[str, Any]:
        return {name: n for name, n in self.stats.items() if name.startswith("webtext/errors/")}

    def download(self, response: Response) -> Response:
        """Return a response as the downloader middleware hands it on."""
        assert response.request is not None
        seen = self._downloader.process_response(response.request, response)
        assert isinstance(seen, Response)
        return seen

    def hand_on(self, response: Response) -> Response:
        """Return a response as the spider gets it; raise as the spider middleware does."""
        self.spider.process_spider_input(response)
        return response

    def fill(self, item: Any, response: Response) -> Any:
        """Return an item that a spider yields from a response, filled."""
        return self._pipeline.process_item(self.spider.get_processed_item(item, response))

    def item_of(self, response: Response) -> Any:
        """Return the item of a spider that yields one per response, filled."""
        return self.fill({"url": response.url}, self.download(response))

    def close(self) -> None:
        """End the crawl."""
        self.crawler.signals.send_catch_log(signals.spider_closed, spider=None)


def response_of(
    body: bytes, content_type: str = "text/html", method: str = "GET", **meta: Any
) -> HtmlResponse:
    url = "https://example.com/page"
    request = Request(url, callback=lambda _: None, meta=meta, method=method)
    headers = {"Content-Type": content_type}
    return HtmlResponse(request.url, body=body, headers=headers, request=request)
