"""scrapy-poet: callbacks and page objects that ask for the text of their page."""

import importlib
from collections.abc import Callable
from typing import Any

import attrs
import pytest
import scrapy
from scrapy.http import Response
from scrapy.settings import Settings
from scrapy_poet import DummyResponse
from web_poet import WebPage, field
from web_poet.serialization import deserialize_leaf, serialize_leaf

import scrapy_webtext
from scrapy_webtext import Addon, WebText
from tests.crawls.visit import ADDONS, SiteSpider, crawl
from tests.ecosystem.recipes import TEXT, Recipe


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
                f"{self.base}/article", meta={"webtext": {"threshold": threshold}}, dont_filter=True
            )

    def parse(self, response: Response, text: WebText) -> Any:
        yield {"threshold": response.meta["webtext"]["threshold"], "given": text.has_article}


WITH_POET = {"ADDONS": {**ADDONS, "scrapy_poet.Addon": 300}}
COUNTING = {"WEBTEXT_EXTRACTOR": "tests.crawls.visit.Counting"}


def visit(spider: str, **settings: Any) -> dict[str, Any]:
    report = crawl(f"tests.ecosystem.test_poet.{spider}", {**WITH_POET, **settings})
    assert "rror" not in report["stderr"], report["stderr"]
    return report


def test_the_recipe_gives_page_objects_their_text(recipe: Callable[[str], Recipe]) -> None:
    followed = recipe("scrapy-poet")
    followed.follow()
    (story,) = followed.items("stories.jsonl")
    assert story["main_text"] == TEXT
    assert story["words"] == len(TEXT.split())


@pytest.mark.parametrize(
    "reactor", ["asyncioreactor.AsyncioSelectorReactor", "selectreactor.SelectReactor"]
)
def test_a_callback_gets_the_result_that_the_pipeline_writes(reactor: str) -> None:
    report = visit("CallbackSpider", TWISTED_REACTOR=f"twisted.internet.{reactor}")
    article, page_of_links = sorted(report["items"], key=lambda item: item["url"])
    assert article["given"] == article["main_text"] == TEXT
    assert article["has_article"] is True
    assert article["probability"] >= 0.5
    assert page_of_links["has_article"] is False
    assert article["is_same"]
    assert page_of_links["is_same"]


def test_a_page_object_gets_the_text_and_each_page_is_extracted_once() -> None:
    report = visit("PageObjectSpider", **COUNTING)
    assert sorted(report["calls"]) == ["/article", "/list"]
    assert report["stats"]["webtext/responses/article"] == 1
    assert report["stats"]["webtext/responses/not_article"] == 1
    assert report["stats"]["webtext/items/seen"] == 2
    story = next(item for item in report["items"] if item["url"].endswith("/article"))
    assert set(story) == {field.name for field in attrs.fields(Story)}
    assert story["body"] == story["main_text"] == TEXT


def test_a_page_is_downloaded_and_cached_if_only_its_text_is_needed(tmp_path: Any) -> None:
    report = visit("WithoutResponseSpider", SCRAPY_POET_CACHE=str(tmp_path / "cache"))
    article, _ = sorted(report["items"], key=lambda item: item["url"])
    assert article["given"] == TEXT
    assert "scrapy_poet/dummy_response_count" not in report["stats"]
    assert report["stats"]["poet/cache/firsthand"] == 2


def test_the_settings_of_a_request_apply_to_its_text() -> None:
    items = visit("OverridingSpider")["items"]
    assert {item["threshold"]: item["given"] for item in items} == {0.0: True, 1.0: False}
    assert all(item["given"] == item["has_article"] for item in items)


def test_a_callback_gets_the_text_if_the_add_on_is_disabled() -> None:
    report = visit("CallbackSpider", WEBTEXT_ENABLED=False)
    assert {item["given"] for item in report["items"]} >= {TEXT}
    assert not [name for name in report["stats"] if name.startswith("webtext/")]


def test_a_result_is_serialized_and_deserialized() -> None:
    importlib.import_module("scrapy_webtext.integrations.scrapy_poet")  # registers both
    result = WebText("text", True, 0.9, 0.8, "pvalue", 0.9)
    assert deserialize_leaf(WebText, serialize_leaf(result)) == result


def test_providers_of_the_project_keep_their_places() -> None:
    own = {
        "scrapy_webtext.integrations.scrapy_poet.WebTextProvider": 7,
        "scrapy_webtext.integrations.scrapy_poet.ArticleProvider": 8,
    }
    settings = Settings({"SCRAPY_POET_PROVIDERS": own})
    Addon().update_settings(settings)
    assert settings.getdict("SCRAPY_POET_PROVIDERS") == own
