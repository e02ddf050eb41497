"""scrapy-poet and zyte-common-items: callbacks that ask for an ``Article``."""

from scrapy.settings import Settings

from scrapy_webtext import Addon
from tests.crawls.site import SENTENCE
from tests.ecosystem.crawl import ADDONS, crawl

PROVIDER = "scrapy_webtext.integrations.article_provider.ArticleProvider"
WITH_BOTH = {
    "ADDONS": {"scrapy_poet.Addon": 300, "zyte_common_items.Addon": 400, **ADDONS},
    "WEBTEXT_FIELDS": "zyte-article",
}


def test_a_callback_gets_an_article_from_the_crawls_own_results() -> None:
    report = crawl("tests.ecosystem.article_spiders:ArticleSpider", WITH_BOTH)
    assert not [line for line in report["log"] if "rror" in line], report["log"]
    story = next(item for item in report["items"] if item["url"].endswith("/article"))
    assert story["headline"] == "Boat"
    assert story["articleBody"] == (SENTENCE * 20).strip()
    assert story["metadata"]["probability"] >= 0.5


def placed(**settings: object) -> dict[str, object]:
    values = Settings(settings)
    Addon().update_settings(values)
    return values.getdict("SCRAPY_POET_PROVIDERS")


def test_the_provider_of_an_api_that_the_project_uses_is_left_alone() -> None:
    assert PROVIDER in placed()
    assert PROVIDER not in placed(ADDONS={"scrapy_zyte_api.Addon": 500})
    api = "scrapy_zyte_api.providers.ZyteApiProvider"
    assert PROVIDER not in placed(SCRAPY_POET_PROVIDERS={api: 1100})
