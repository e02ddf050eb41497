"""scrapy-poet and zyte-common-items: callbacks that ask for an ``Article``."""

from typing import Any

from scrapy.http import Response
from scrapy.settings import Settings
from zyte_common_items import Article

from scrapy_webtext import Addon
from tests.crawls.visit import ADDONS, SiteSpider, crawl
from tests.ecosystem.recipes import TEXT

PROVIDER = "scrapy_webtext.integrations.article_provider.ArticleProvider"
WITH_BOTH = {
    "ADDONS": {"scrapy_poet.Addon": 300, "zyte_common_items.Addon": 400, **ADDONS},
    "WEBTEXT_FIELDS": "zyte-article",
}


class ArticleSpider(SiteSpider):
    async def parse(self, response: Response, page: Article) -> Any:
        yield page


def test_a_callback_gets_an_article_from_the_results_of_the_crawl() -> None:
    report = crawl("tests.ecosystem.test_article_provider.ArticleSpider", WITH_BOTH)
    assert "rror" not in report["stderr"], report["stderr"]
    story = next(item for item in report["items"] if item["url"].endswith("/article"))
    assert story["headline"] == "Boat"
    assert story["articleBody"] == TEXT
    assert story["metadata"]["probability"] >= 0.5


def placed(**settings: object) -> dict[str, object]:
    values = Settings(settings)
    Addon().update_settings(values)
    return values.getdict("SCRAPY_POET_PROVIDERS")


def test_the_provider_of_an_api_has_precedence() -> None:
    assert PROVIDER in placed()
    assert PROVIDER not in placed(ADDONS={"scrapy_zyte_api.Addon": 500})
    api = "scrapy_zyte_api.providers.ZyteApiProvider"
    assert PROVIDER not in placed(SCRAPY_POET_PROVIDERS={api: 1100})
