"""``def parse(self, response, text: WebText)``: the text of the page, given by scrapy-poet.

The add-on registers :class:`WebTextProvider` where scrapy-poet is installed. Callbacks and page
objects that ask for a ``WebText`` (a name of :class:`~scrapy_webtext.results.WebTextResult`) get
the result that the middleware and the pipeline use, with the crawl's settings, computed once.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import asdict
from typing import Any, ClassVar, Final

from scrapy import Request
from scrapy.exceptions import NotConfigured
from scrapy.http import Response
from scrapy_poet.page_input_providers import PageObjectInputProvider
from web_poet.serialization import register_serialization

from scrapy_webtext.crawling.crawl import WebtextCrawl, extract_response
from scrapy_webtext.render import Link, Picture, TextBlock
from scrapy_webtext.results import Breadcrumb, WebTextResult

#: Result -> the class of its rows.
_ROWS: Final = {
    "blocks": TextBlock,
    "links": Link,
    "images": Picture,
    "breadcrumbs": Breadcrumb,
}


class WebTextProvider(PageObjectInputProvider):
    """Gives the result of a response, with the ``status`` that ``extract(response)`` gives it.

    Asking for it makes scrapy-poet download the page, even under a ``DummyResponse``.
    """

    provided_classes = {WebTextResult}  # noqa: RUF012 (an instance's, as the base has it)
    name: ClassVar[str] = "webtext"  #: of its entries in scrapy-poet's cache

    async def __call__(
        self,
        to_provide: set[Callable[..., Any]],  # noqa: ARG002 (there is one class to provide)
        request: Request,
        response: Response,
    ) -> list[WebTextResult]:
        """Return the result in a list, as scrapy-poet has it."""
        return [extract_for(self, request, response)]


def extract_for(
    provider: PageObjectInputProvider,
    request: Request,
    response: Response,
    include: Collection[str] = (),
) -> WebTextResult:
    """Return the result of a response that a provider is asked about, as its crawl has it."""
    with suppress(NotConfigured):  # WEBTEXT_ENABLED is False, and yet somebody asks
        # The response does not know its request yet: it is still on its way to the engine.
        WebtextCrawl.of(provider.injector.crawler).judge(response, request)
    return extract_response(response, include=include)


def _serialize(result: WebTextResult) -> dict[str, bytes]:
    return {"json": json.dumps(asdict(result), ensure_ascii=False).encode()}


def _deserialize(cls: type[WebTextResult], data: dict[str, bytes]) -> WebTextResult:
    values = json.loads(data["json"])
    for name, kind in _ROWS.items():
        if values.get(name) is not None:
            values[name] = tuple(kind(**_with_tuples(row)) for row in values[name])
    for name in ("authors", "tags"):
        if values.get(name) is not None:
            values[name] = tuple(values[name])
    return cls(**values)


def _with_tuples(row: dict[str, Any]) -> dict[str, Any]:
    return {name: tuple(v) if isinstance(v, list) else v for name, v in row.items()}


# For scrapy-poet's cache and for web-poet's test fixtures of page objects.
register_serialization(_serialize, _deserialize)
