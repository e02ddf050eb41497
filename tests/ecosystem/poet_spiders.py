"""Spiders that ask scrapy-poet for the text of their pages."""

from typing import Any

import attrs
import scrapy
from scrapy.http import Response
from scrapy_poet import DummyResponse
from web_poet import WebPage, field

import scrapy_webtext
from scrapy_webtext import WebText
from tests.crawls.visit import SiteSpider


@attrs.define
class Story:
    url: str
    body: str
    main_text: str | None = None
    has_article: bool | None = None
    p_value: float | None = None
    main_text_score: float | None = None


@attrs.define
class StoryPage(WebPage[Story]):
    text: WebText

    @field
    def url(self) -> str:
        return str(self.response.url)

    @field
    def body(self) -> str:
        return self.text.main_text


class CallbackSpider(SiteSpider):
    """Compares the text in a callback with ``extract(response)``."""

    async def parse(self, response: Response, text: WebText) -> Any:
        yield {
            "url": response.url,
            "given": text.main_text,
            "is_same": text is scrapy_webtext.extract(response),
            "probability": text.article_probability,
        }


class PageObjectSpider(SiteSpider):
    """A callback that asks for the text, and for a page object that asks for it."""

    async def parse(self, response: Response, page: StoryPage, text: WebText) -> Any:
        assert page.text is text
        yield await page.to_item()


class WithoutResponseSpider(SiteSpider):
    """A callback that needs no response, but a text that needs it."""

    def parse(self, response: DummyResponse, text: WebText) -> Any:
        yield {"url": response.url, "given": text.main_text}


class OverridingSpider(SiteSpider):
    """Requests with their own settings."""

    async def start(self) -> Any:
        for threshold in (0.0, 1.0):
            yield scrapy.Request(
                f"{self.base}/article",
                meta={"webtext": {"threshold": threshold}},
                dont_filter=True,
            )

    def parse(self, response: Response, text: WebText) -> Any:
        yield {"threshold": response.meta["webtext"]["threshold"], "given": text.has_article}
