"""The recipe that tests a callback, and ``items_of`` in other projects."""

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest
import scrapy
from scrapy.http import HtmlResponse, TextResponse
from scrapy.settings import Settings

import scrapy_webtext
from scrapy_webtext.errors import SettingsError
from scrapy_webtext.testing import items_of
from tests.ecosystem.recipes import ROOT, run

SENTENCE = "It rained all morning, and nobody in the town had an umbrella at hand. "
STORY = f"<title>Rain</title><article><h1>Rain</h1><p>{SENTENCE * 9}</p></article>"
LIST = "<ul>" + "<li><a href='/'>Home</a></li>" * 20 + "</ul>"
RECIPES = (ROOT / "docs" / "recipes.md").read_text("utf-8")
(API,) = re.findall(
    r"^from scrapy.http import HtmlResponse$\n\n\ndef parse_api.*?(?=^```$)", RECIPES, re.M | re.S
)
ADDON = {"ADDONS": {"scrapy_webtext.Addon": 500}, "WEBTEXT_JUDGE": "learned"}


class Plain(scrapy.Spider):
    name = "plain"

    def parse(self, response: Any) -> Any:
        yield {"url": response.url}
        yield response.follow("/next")

    def parse_one(self, response: Any) -> Any:
        return {"url": response.url}

    async def parse_async(self, response: Any) -> Any:
        yield {"url": response.url}

    async def parse_list(self, response: Any) -> Any:
        return [{"url": response.url}]

    def parse_api(self, response: Any) -> Any:
        names: dict[str, Any] = {"webtext": scrapy_webtext}
        exec(API, names)
        return names["parse_api"](self, response)


def response(html: str) -> HtmlResponse:
    return HtmlResponse("https://example.com/rain", body=html.encode(), encoding="utf-8")


def settings(**more: Any) -> Settings:
    return Settings({**ADDON, **more})


@pytest.mark.parametrize("callback", ["parse", "parse_one", "parse_async", "parse_list"])
def test_any_callback_gives_filled_items_by_the_settings(callback: str) -> None:
    given = settings(WEBTEXT_FIELDS={"title": "headline"})
    (item,) = items_of(Plain, response(STORY), callback, given)
    assert item["main_text"] == (SENTENCE * 9).strip()
    assert (item["headline"], item["has_article"]) == ("Rain", True)


@pytest.mark.parametrize("action", ["drop_items", "ignore"])
def test_the_action_drops_items_of_pages_without_an_article(action: str) -> None:
    given = settings(WEBTEXT_ACTION=action)
    assert len(items_of(Plain, response(STORY), settings=given)) == 1
    assert items_of(Plain, response(LIST), settings=given) == []


def test_a_wrong_meta_names_false_and_the_closing_line_its_judges(caplog: Any) -> None:
    page = response(STORY)
    page.request = scrapy.Request(page.url, meta={"webtext": "off"})
    assert items_of(Plain, page, settings=settings())[0]["has_article"] is True
    assert "a JSON object, or False to skip the response" in caplog.text


def test_settings_without_the_add_on_are_refused() -> None:
    with pytest.raises(SettingsError, match=r"scrapy\.cfg"):
        items_of(Plain, response(STORY), settings=Settings())


def test_the_recipe_for_json_fills_items_by_the_settings() -> None:
    posts = [{"link": f"https://example.com/{n}", "content": {"rendered": STORY}} for n in "ab"]
    page = TextResponse("https://example.com/posts", body=json.dumps(posts).encode())
    given = settings(WEBTEXT_FIELDS=["title"])
    items = items_of(Plain, page, "parse_api", given)
    assert [item["url"] for item in items] == ["https://example.com/a", "https://example.com/b"]
    assert {(item["title"], item["has_article"]) for item in items} == {("Rain", True)}


def test_the_recipe_runs_in_a_project(tmp_path: Path) -> None:
    (block,) = re.findall(r"^```python\n# tests/test_news.py\n(.*?)^```$", RECIPES, re.M | re.S)
    run("scrapy startproject myproject .", tmp_path)
    spider = """import scrapy


class NewsSpider(scrapy.Spider):
    name = "news"

    def parse(self, response):
        yield {"url": response.url}
"""
    with (tmp_path / "myproject/settings.py").open("a") as file:
        file.writelines(f"{name} = {value!r}\n" for name, value in ADDON.items())
    (tmp_path / "myproject/spiders/news.py").write_text(spider)
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests/test_news.py").write_text(block)
    (tmp_path / "tests/story.html").write_text(STORY)
    assert "1 passed" in run(f"{sys.executable} -m pytest -q -p no:cacheprovider tests", tmp_path)
