"""Provides ``page: Article`` of zyte-common-items to callbacks, from results of the crawl.

The add-on registers :class:`ArticleProvider` if scrapy-poet and zyte-common-items are installed and
the project does not use scrapy-zyte-api, which provides articles, too.
"""

from __future__ import annotations

from typing import ClassVar

from scrapy.http import Response
from zyte_common_items import Article

from scrapy_webtext.integrations.scrapy_poet import WebTextProvider
from scrapy_webtext.pipeline import fill
from scrapy_webtext.reader import INCLUDED
from scrapy_webtext.results import WebTextResult
from scrapy_webtext.settings import FIELD_PRESETS

FIELDS = FIELD_PRESETS["zyte-article"]


class ArticleProvider(WebTextProvider):
    """Provides an ``Article``, filled with the crawl's result by the preset "zyte-article".

    The article of a page that could not be read has only the address.
    """

    provided_classes = {Article}  # noqa: RUF012 (a variable of instances in the base class)
    name: ClassVar[str] = "webtext-article"
    include = FIELDS.keys() & set(INCLUDED)

    def made_of(self, result: WebTextResult, response: Response) -> Article:
        """Return the article."""
        article: Article = fill(Article(url=response.url), result, FIELDS)
        return article
