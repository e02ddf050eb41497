"""``page: Article`` of zyte-common-items, given by scrapy-poet from our results, with no API.

The add-on registers :class:`ArticleProvider` where both packages are installed and no other
provider of articles is (scrapy-zyte-api's).
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
    """Gives an ``Article`` filled as the preset "zyte-article" does, from the crawl's extractor.

    Of a page that could not be read it has the address alone.
    """

    provided_classes = {Article}  # noqa: RUF012 (an instance's, as the base has it)
    name: ClassVar[str] = "webtext-article"  #: of its entries in scrapy-poet's cache

    async def __call__(
        self,
        to_provide: set[Callable[..., Any]],  # noqa: ARG002 (there is one class to provide)
        request: Request,
        response: Response,
    ) -> list[Article]:
        """Return the article in a list, as scrapy-poet has it."""
        fields = FIELD_PRESETS["zyte-article"]
        result = extract_for(self, request, response, fields.keys() & set(INCLUDED))
        return [fill(Article(url=response.url), result, fields)]
