"""Provides the text of a page to callbacks: ``def parse(self, response, text: WebText)``.

The add-on registers :class:`WebTextProvider` if scrapy-poet is installed. Callbacks and page
objects that ask for a ``WebText`` (an alias of :class:`~scrapy_webtext.results.WebTextResult`) get
the same result as the pipeline. It is computed once, with the crawl's settings.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import asdict
from importlib import import_module
from typing import Any, ClassVar, Final, get_args, get_type_hints

from scrapy import Request
from scrapy.exceptions import NotConfigured
from scrapy.http import Response
from scrapy_poet.page_input_providers import PageObjectInputProvider
from web_poet.serialization import register_serialization

from scrapy_webtext.crawling.crawl import WebtextCrawl, extract_response
from scrapy_webtext.pipeline import fill
from scrapy_webtext.reader import INCLUDED
from scrapy_webtext.results import WebTextResult
from scrapy_webtext.settings import FIELD_PRESETS

Article: Any = None
with suppress(ImportError):
    Article = import_module("zyte_common_items").Article

#: Result field -> its declared type, such as ``tuple[Comment, ...] | None``.
_DECLARED: Final = get_type_hints(WebTextResult)


class WebTextProvider(PageObjectInputProvider):
    """Provides the result of a response, with the same ``status`` as ``extract(response)``.

    scrapy-poet downloads the page for it, even if the callback has a ``DummyResponse``.
    """

    provided_classes = {WebTextResult}  # noqa: RUF012 (a variable of instances in the base class)
    name: ClassVar[str] = "webtext"  #: name of its entries in scrapy-poet's cache
    include: ClassVar[Collection[str]] = ()  #: optional result fields

    async def __call__(
        self,
        to_provide: set[Callable[..., Any]],  # noqa: ARG002 (always the same class)
        request: Request,
        response: Response,
    ) -> list[Any]:
        """Return a list with the result, as scrapy-poet expects."""
        with suppress(NotConfigured):  # WEBTEXT_ENABLED is False
            # The response has no request yet, because it has not reached the engine.
            WebtextCrawl.of(self.injector.crawler).judge(response, request)
        return [self.made_of(extract_response(response, include=self.include), response)]

    def made_of(self, result: WebTextResult, response: Response) -> Any:  # noqa: ARG002
        """Return the object to provide; a subclass makes another one from the result."""
        return result


class ArticleProvider(WebTextProvider):
    """Provides an ``Article`` of zyte-common-items, filled by the preset "zyte-article".

    The article of a page that could not be read has only the address. The add-on registers the
    provider if the project does not use scrapy-zyte-api, which provides articles, too.
    """

    provided_classes = {Article}  # noqa: RUF012
    name: ClassVar[str] = "webtext-article"
    include = FIELD_PRESETS["zyte-article"].keys() & set(INCLUDED)

    def made_of(self, result: WebTextResult, response: Response) -> Any:
        """Return the article."""
        return fill(Article(url=response.url), result, FIELD_PRESETS["zyte-article"])


def _serialize(result: WebTextResult) -> dict[str, bytes]:
    return {"json": json.dumps(asdict(result), ensure_ascii=False).encode()}


def _deserialize(cls: type[WebTextResult], data: dict[str, bytes]) -> WebTextResult:
    values = json.loads(data["json"])
    for name, rows in values.items():
        if isinstance(rows, list):
            kind = get_args(get_args(_DECLARED[name])[0])[0]
            values[name] = tuple(row if kind is str else kind(**_with_tuples(row)) for row in rows)
    return cls(**values)


def _with_tuples(row: dict[str, Any]) -> dict[str, Any]:
    return {name: tuple(v) if isinstance(v, list) else v for name, v in row.items()}


# Used by scrapy-poet's cache and by web-poet's test fixtures.
register_serialization(_serialize, _deserialize)
