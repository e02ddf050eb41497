"""Provide ``page: Article`` of zyte-common-items to callbacks, from results of the crawl.

The add-on registers :class:`ArticleProvider` if scrapy-poet and zyte-common-items are installed,
and if the project has no other provider of articles (scrapy-zyte-api's).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from scrapy import Request
from scrapy.http import Response
from scrapy_poet.page_input_providers import PageObjectInputProvider
from zyte_common_items import Article

from scrapy_webtext.extraction import INCLUDED
from scrapy_webtext.integrations.scrapy_poet import extract_for
from scrapy_webtext.items import fill
from scrapy_webtext.settings import FIELD_PRESETS


class ArticleProvider(PageObjectInputProvider):
    """Provide an ``Article``, filled by the preset "zyte-article" from the crawl's extractor.

    For a page that could not be read it has only the address.
    """

    provided_classes = {Article}  # noqa: RUF012 (a variable of instances in the base class)
    name: ClassVar[str] = "webtext-article"  #: name of its entries in scrapy-poet's cache

    async def __call__(
        self,
        to_provide: set[Callable[..., Any]],  # noqa: ARG002 (always the same class)
        request: Request,
        response: Response,
    ) -> list[Article]:
        """Return a list with the article, as scrapy-poet expects."""
        fields = FIELD_PRESETS["zyte-article"]
        result = extract_for(self, request, response, fields.keys() & set(INCLUDED))
        return [fill(Article(url=response.url), result, fields)]
