"""zyte-common-items: ``Article`` filled by a preset, asked for, and its own pipeline that drops."""

from collections.abc import Callable
from typing import Any

import pytest
from scrapy.http import Response
from scrapy.settings import Settings
from zyte_common_items import Article, ArticleMetadata, Author, Image
from zyte_common_items.pipelines import DropLowProbabilityItemPipeline

from scrapy_webtext import Addon, WebTextResult, extract, fill
from scrapy_webtext.pipeline import WebtextPipeline
from scrapy_webtext.settings import FIELD_PRESETS
from tests.crawls.site import SENTENCE
from tests.crawls.visit import ADDONS, SiteSpider, crawl
from tests.ecosystem.recipes import TEXT, Recipe

FIELDS = FIELD_PRESETS["zyte-article"]
RESULT = WebTextResult("the text", False, 0.3, 0.3, "pvalue", 0.25)


def test_the_recipe_keeps_the_article_and_drops_the_list(recipe: Callable[[str], Recipe]) -> None:
    followed = recipe("zyte-common-items")
    log = followed.follow()
    (article,) = followed.items("articles.jsonl")
    assert article["articleBody"] == TEXT
    assert article["headline"] == "Boat"
    assert article["metadata"]["probability"] >= 0.5
    assert "'drop_low_probability_item/dropped/Article': 1" in log
    assert "'drop_low_probability_item/kept/Article': 1" in log


def test_the_preset_fills_the_whole_article() -> None:
    head = (
        '<html lang="de-AT"><meta property="og:image" content="/boat.jpg">'
        '<meta name="author" content="Ann Doe"><meta name="description" content="A boat is gone.">'
        '<link rel="canonical" href="https://example.com/boat">'
        '<meta property="article:published_time" content="2020-05-03T10:00:00Z">'
        '<meta property="article:modified_time" content="2020-05-04T10:00:00Z">'
    )
    html = f"{head}<title>Boat gone</title><h1>Boat gone</h1><p>{SENTENCE * 5}"
    result = extract(html, url="https://example.com/boat?a", include="all")
    article = fill(Article(url="https://example.com/boat?a"), result, FIELDS)
    assert article.headline == "Boat gone"
    assert article.authors == [Author(name="Ann Doe")]
    assert article.datePublished == "2020-05-03T10:00:00Z"
    assert article.dateModified == "2020-05-04T10:00:00Z"
    assert article.inLanguage == "de"
    assert article.mainImage == Image(url="https://example.com/boat.jpg")
    assert article.description == "A boat is gone."
    assert article.canonicalUrl == "https://example.com/boat"
    assert "<p>" in article.articleBodyHtml
    assert article.breadcrumbs is None


def test_values_of_the_spider_are_kept() -> None:
    result = extract(f"<h1>Boat gone</h1><p>{SENTENCE * 5}", include="all")
    article = fill(Article(url="https://example.com", headline="Its own"), result, FIELDS)
    assert (article.headline, bool(article.articleBody)) == ("Its own", True)
    assert fill({"title": "Its own"}, result, {"title": "title"}) == {"title": "Its own"}


def test_metadata_of_an_article_are_kept() -> None:
    metadata = ArticleMetadata(dateDownloaded="2024-01-01T00:00:00Z")
    article = fill(Article(url="https://example.com", metadata=metadata), RESULT, FIELDS)
    assert article.metadata.dateDownloaded == "2024-01-01T00:00:00Z"
    assert article.get_probability() == 0.25


@pytest.mark.parametrize(
    ("placed", "ours"),
    [
        ({}, 100),
        ({DropLowProbabilityItemPipeline: 300}, 100),
        ({DropLowProbabilityItemPipeline: None}, 100),
        ({DropLowProbabilityItemPipeline: 0}, -1),
        ({"zyte_common_items.pipelines.DropLowProbabilityItemPipeline": 0}, -1),
    ],
)
def test_the_pipeline_comes_before_that_of_the_probability(
    placed: dict[Any, int | None], ours: int
) -> None:
    settings = Settings({"ITEM_PIPELINES": placed})
    Addon().update_settings(settings)
    assert settings.getdict("ITEM_PIPELINES")[WebtextPipeline] == ours


PROVIDER = "scrapy_webtext.integrations.scrapy_poet.ArticleProvider"
WITH_BOTH = {
    "ADDONS": {"scrapy_poet.Addon": 300, "zyte_common_items.Addon": 400, **ADDONS},
    "WEBTEXT_FIELDS": "zyte-article",
}


class ArticleSpider(SiteSpider):
    async def parse(self, response: Response, page: Article) -> Any:
        yield page


def test_a_callback_gets_an_article_from_the_results_of_the_crawl() -> None:
    report = crawl("tests.ecosystem.test_zyte_items.ArticleSpider", WITH_BOTH)
    assert "rror" not in report["stderr"], report["stderr"]
    story = next(item for item in report["items"] if item["url"].endswith("/article"))
    assert story["headline"] == "Boat"
    assert story["articleBody"] == TEXT
    assert story["metadata"]["probability"] >= 0.5


def providers_of(**settings: object) -> dict[str, object]:
    values = Settings(settings)
    Addon().update_settings(values)
    return values.getdict("SCRAPY_POET_PROVIDERS")


def test_the_provider_of_an_api_has_precedence() -> None:
    assert PROVIDER in providers_of()
    assert PROVIDER not in providers_of(ADDONS={"scrapy_zyte_api.Addon": 500})
    api = "scrapy_zyte_api.providers.ZyteApiProvider"
    assert PROVIDER not in providers_of(SCRAPY_POET_PROVIDERS={api: 1100})
