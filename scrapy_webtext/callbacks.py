"""``extract(response)`` inside a spider's callback."""

from __future__ import annotations

from collections.abc import Awaitable, Mapping
from typing import TYPE_CHECKING, Any, cast

from scrapy.http import Response, TextResponse

from scrapy_webtext.crawl import WebtextCrawl
from scrapy_webtext.extraction import extract_page, resolve
from scrapy_webtext.page import parse
from scrapy_webtext.responses import has_html, read_page
from scrapy_webtext.results import WebTextResult
from scrapy_webtext.settings import WebtextSettings

if TYPE_CHECKING:
    from scrapy_webtext.results import Extractor, Judge


def extract_response(
    response: Response,
    extractor: str | Extractor | None,
    judge: str | Judge | None,
    threshold: float | None,
    options: Mapping[str, Any],
) -> WebTextResult:
    """Return the result of a response, as the settings of its crawl have it.

    With an extractor, judge, threshold or options of one's own it is computed anew, in the
    crawl's thread. A response that the crawl leaves alone (another status, too large, told so
    by its request) is read all the same, since somebody asks; one that is no HTML gives an
    empty result, and so does one on which the extractor failed. TypeError for what is no
    response.
    """
    if not isinstance(response, Response):
        raise TypeError(f"extract() takes str, bytes or a Response, not {type(response).__name__}")
    crawl = WebtextCrawl.of_response(response)
    settings = crawl.settings if crawl is not None else WebtextSettings()
    asks_its_own = bool(extractor or judge or options) or threshold is not None
    if crawl is not None and not asks_its_own:
        reading = crawl.read(response, response.request)
        if reading.skipped is None:
            found = crawl.result(response)
            if isinstance(found, Awaitable) and not isinstance(found, WebTextResult):
                return cast(WebTextResult, _or_empty(found, settings.extractor))
            return found or empty_result(settings.extractor)
    ready_extractor, ready_judge = resolve(
        extractor or settings.extractor,
        judge or settings.judge,
        options or ({} if extractor else settings.extractor_options),
        {} if judge else settings.judge_options,
    )
    if isinstance(response, TextResponse) or has_html(response):
        page = read_page(response, settings.fix_encoding)
    else:
        page = parse("", url=response.url)
    return extract_page(
        page, ready_extractor, ready_judge, settings.threshold if threshold is None else threshold
    )


async def _or_empty(found: Awaitable[WebTextResult | None], extractor: str) -> WebTextResult:
    return await found or empty_result(extractor)


def empty_result(extractor: str) -> WebTextResult:
    """Return the result of a page without text."""
    return WebTextResult("", False, 0.0, 0.0, extractor, 0.0)
