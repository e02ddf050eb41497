"""The result that a callback gets from ``extract(response)``, and the item of ``fill``."""

from collections.abc import Iterator
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from typing import Any

import pytest
import scrapy
from itemadapter import ItemAdapter
from scrapy import signals
from scrapy.http import HtmlResponse, JsonRequest, Response, TextResponse

from scrapy_webtext import WebTextResult, extract, fill
from scrapy_webtext.errors import SettingsError
from scrapy_webtext.pipeline import NoArticle
from scrapy_webtext.spidermiddleware import NoArticleError
from tests.crawls import faulty
from tests.crawls.offline import ARTICLE, LINKS, Components, response_of
from tests.crawls.site import SENTENCE

URL = "https://a.test/"
XHTML = "application/xhtml+xml"
OWN = WebTextResult("my own", True, 0.9, 0.8, "mine")


class Story(scrapy.Item):
    url = scrapy.Field()
    body = scrapy.Field()


@pytest.fixture
def open_crawl() -> Iterator[Any]:
    """Start crawls, which end with the test."""
    started: list[Components] = []

    def start(**settings: Any) -> Components:
        started.append(Components(**settings))
        started[-1].crawler.signals.send_catch_log(signals.spider_opened)
        return started[-1]

    yield start
    for components in started:
        components.close()


def test_other_parameters_give_another_result(open_crawl: Any) -> None:
    crawl = open_crawl()
    response = crawl.download(response_of(ARTICLE))
    assert extract(response, extractor="bte").extractor == "bte"
    assert extract(response, threshold=1.0).has_article is False
    assert extract(response).has_article is True
    assert crawl.stats["webtext/responses/article"] == 1
    with pytest.raises(SettingsError, match="Unknown extractor"):
        extract(response, extractor="bta")
    with pytest.raises(SettingsError, match="Unknown option"):
        extract(response, extractor="bte", radius=3)


def test_other_parameters_add_to_the_settings_of_the_request(open_crawl: Any) -> None:
    crawl = open_crawl()
    response = response_of(ARTICLE)
    response.request.meta["webtext"] = {"threshold": 1.0, "judge": "learned"}
    crawl.download(response)
    result = extract(response, include="main_markdown")
    assert (result.judge, result.has_article) == ("learned", False)
    assert result.main_markdown


@pytest.mark.parametrize("named", [{}, {"extractor": "fusion"}])
def test_a_parameter_of_the_extractor_adds_to_those_of_the_crawl(
    open_crawl: Any, named: Any
) -> None:
    crawl = open_crawl(EXTRACTOR="fusion", EXTRACTOR_OPTIONS={"headline": True})
    page = b"<title>Rain in May</title><h1>Rain in May</h1>" + ARTICLE
    text = extract(crawl.download(response_of(page)), tables=False, **named).main_text
    assert text.startswith("Rain in May")


def test_a_callers_extractor_fails_as_that_of_the_crawl(open_crawl: Any) -> None:
    crawl = open_crawl()
    response = response_of(ARTICLE + faulty.TRIGGER.encode())
    result = extract(crawl.download(response), extractor=faulty.Leaving())
    assert (result.status, result.has_article, result.main_text) == ("failed", True, "")
    assert result.reason == "SystemExit: bye"


@pytest.mark.parametrize(
    ("response", "reason"),
    [
        (response_of(b"%PDF-1.4", method="HEAD"), "head"),
        (TextResponse(URL, body=b'{"a": 1}'), "not_html"),
        (Response(URL, body=b"%PDF-1.4"), "not_html"),
        (Response(URL, request=JsonRequest(URL, method="HEAD")), "head"),
    ],
)
@pytest.mark.parametrize("has_crawl", [False, True])
def test_a_response_without_a_page_is_skipped(
    response: Any, reason: str, has_crawl: bool, open_crawl: Any
) -> None:
    if has_crawl:
        open_crawl()
    result = extract(response)
    assert (result.status, result.reason, result.has_article) == ("skipped", reason, None)
    assert fill({"a": 1}, result) == {
        "a": 1, "main_text": None, "has_article": None, "p_value": None, "main_text_score": None,
        "article_probability": None,
    }  # fmt: skip


@pytest.mark.parametrize(
    "response",
    [
        HtmlResponse(URL, body=ARTICLE, encoding="utf-8"),
        TextResponse(URL, body=ARTICLE, headers={"Content-Type": "text/html"}),
        Response(URL, body=ARTICLE, headers={"Content-Type": "TEXT/HTML; x=y"}),
        Response(URL, body=ARTICLE, headers={"Content-Type": XHTML}),
        HtmlResponse(URL, body=ARTICLE, encoding="utf-8", status="200"),  # type: ignore[arg-type]
    ],
)
def test_html_is_known_by_class_or_type(response: Any, open_crawl: Any) -> None:
    crawl = open_crawl()
    response.request = scrapy.Request(response.url, callback=print)
    assert crawl.download(response).flags == ["webtext:article"]


# --- responses made from others --------------------------------------------------------------


def test_a_response_that_a_middleware_changes_is_judged_again(open_crawl: Any) -> None:
    crawl = open_crawl()
    first = crawl.download(response_of(LINKS))
    assert first.flags == ["webtext:not-article"]
    changed = crawl.hand_on(first.replace(body=ARTICLE))
    assert changed.flags == ["webtext:article"]
    assert crawl.fill({}, changed)["has_article"] is True
    assert crawl.stats["webtext/responses/not_article"] == 1  # one page, counted once
    assert "webtext/responses/article" not in crawl.stats
    assert crawl.stats["webtext/responses/replaced"] == 1


def test_a_response_made_by_a_callback_has_its_requests_settings(open_crawl: Any) -> None:
    crawl = open_crawl(EXTRACTOR="pvalue")
    open_crawl(EXTRACTOR="ttr")  # another crawl of the process
    meta = {"webtext": {"threshold": 1.0, "extractor": "bte"}}
    response = crawl.download(response_of(ARTICLE, **meta))
    for result in (extract(response), extract(response.replace(url="https://example.com/other"))):
        assert (result.extractor, result.has_article) == ("bte", False)
    assert crawl.stats["webtext/responses/not_article"] == 1


# --- pages and items that are filtered ------------------------------------------------------------


def test_ignore_applies_to_callbacks_and_not_to_own_downloads(open_crawl: Any) -> None:
    crawl = open_crawl(ACTION="ignore")
    page = crawl.download(response_of(LINKS))  # what engine.download() would give a callback
    assert page.flags == ["webtext:not-article"]
    with pytest.raises(NoArticleError):
        crawl.hand_on(page)
    assert crawl.stats["webtext/responses/ignored"] == 1
    assert crawl.hand_on(crawl.download(response_of(ARTICLE))).flags == ["webtext:article"]


def test_an_ignored_start_page_is_warned_of_once(open_crawl: Any, caplog: Any) -> None:
    crawl = open_crawl(ACTION="ignore")
    for is_start in (False, True, True):
        with pytest.raises(NoArticleError):
            crawl.hand_on(crawl.download(response_of(LINKS, is_start_request=is_start)))
    (warning,) = [r.getMessage() for r in caplog.records if r.levelname == "WARNING"]
    assert "a start page has no article" in warning
    assert 'WEBTEXT_ACTION = "drop_items"' in warning


@pytest.mark.parametrize(
    ("settings", "lines"),
    [({"ACTION": "drop_items"}, 1), ({"ACTION": "ignore", "JUDGE": "pvalue"}, 0), ({}, 0)],
)
def test_filtering_by_the_default_judge_is_logged(
    open_crawl: Any, caplog: Any, settings: Any, lines: int
) -> None:
    caplog.set_level("INFO")
    open_crawl(**settings)
    found = [line for line in caplog.messages if "filters by the default judge" in line]
    assert len(found) == lines
    assert all('WEBTEXT_JUDGE = "learned"' in line for line in found)


@pytest.mark.parametrize(
    ("action", "kept"), [("flag", ["article", "list", "pdf", "empty"]), ("drop_items", ["article"])]
)
def test_which_items_an_action_keeps(open_crawl: Any, action: str, kept: list[str]) -> None:
    crawl = open_crawl(ACTION=action)
    came = []
    bodies = {"article": ARTICLE, "list": LINKS, "pdf": b"%PDF-1.4", "empty": b""}
    for name, body in bodies.items():
        with suppress(NoArticle):
            came.append(crawl.fill({"n": name}, crawl.download(response_of(body)))["n"])
    assert came == kept
    assert crawl.stats.get("webtext/items/dropped", 0) == 4 - len(kept)


@dataclass
class Typed:
    main_text: str = ""
    has_article: bool = False


@pytest.mark.parametrize(
    ("item", "outcome"),
    [
        (Typed("mine"), "filled"),
        (Typed("mine", True), "filled"),
        (fill({}, OWN), "filled"),
        ({**fill({"n": 1}, OWN), "tag": 1}, "filled"),
        ({"main_text": "", "has_article": True}, "empty"),
        (Story(url="u"), "unfilled"),
    ],
)
def test_fields_that_are_set_are_kept(open_crawl: Any, item: Any, outcome: str) -> None:
    crawl = open_crawl(ACTION="drop_items")
    before = {name: v for name, v in ItemAdapter(item).items() if v not in (None, False)}
    found = ItemAdapter(crawl.fill(item, crawl.download(response_of(ARTICLE)))).asdict()
    assert found.items() >= before.items()
    assert crawl.stats[f"webtext/items/{outcome}"] == 1


def test_fields_that_are_not_set_are_filled_beside_a_text_of_the_spiders_own(
    open_crawl: Any,
) -> None:
    page = b"<html lang=de><h1>Rain in May</h1>" + ARTICLE
    crawl = open_crawl(FIELDS={"title": "title", "language": "language"})
    item = {"main_text": "mine", "title": "my own"}
    found = crawl.fill(item, crawl.download(response_of(page)))
    assert (found["main_text"], found["title"]) == ("mine", "my own")
    assert (found["has_article"], found["language"]) == (True, "de")
    assert found["p_value"] > 0
    assert crawl.stats["webtext/items/filled"] == 1


@pytest.mark.parametrize(
    ("body", "item", "is_dropped"),
    [
        (LINKS, {"main_text": "mine"}, True),
        (LINKS, {"main_text": "mine", "has_article": True}, False),
        (ARTICLE, {"main_text": "mine", "has_article": False}, True),
        (LINKS, Typed("mine"), True),
        (ARTICLE, Typed("mine"), False),
        (b"%PDF-1.4", {"main_text": "mine"}, True),
        (b"%PDF-1.4", {"main_text": "mine", "has_article": True}, False),
    ],
)
def test_an_item_with_its_own_text_is_dropped_without_an_article(
    open_crawl: Any, body: bytes, item: Any, is_dropped: bool
) -> None:
    crawl = open_crawl(ACTION="drop_items")
    with pytest.raises(NoArticle) if is_dropped else nullcontext():
        crawl.fill(item, crawl.download(response_of(body)))
    assert crawl.stats.get("webtext/items/dropped", 0) == is_dropped


# --- fill --------------------------------------------------------------------------------------


def test_fill_knows_the_fields_of_the_crawl(open_crawl: Any) -> None:
    absent = dict.fromkeys(("p_value", "main_text_score", "article_probability"))
    crawl = open_crawl(FIELDS={"main_text": "body", **absent})
    response = crawl.download(response_of(ARTICLE))
    story = fill(Story(url="u"), extract(response))
    assert story["body"].startswith(SENTENCE[:20])
    assert fill({}, OWN) == {"body": "my own", "has_article": True}
    assert crawl.fill(story, response) is story
    assert crawl.stats["webtext/items/filled"] == 1


def test_fill_warns_once_of_undeclared_fields(open_crawl: Any, caplog: Any) -> None:
    open_crawl()
    for _ in range(2):
        fill(Story(url="u"), OWN)
    (warning,) = [m for m in caplog.messages if "does not declare" in m]
    assert "Story does not declare main_text, has_article, p_value, main_text_score" in warning


def test_fill_finds_the_crawl_of_a_result_among_several(open_crawl: Any) -> None:
    one = open_crawl(FIELDS={"main_text": "one"})
    other = open_crawl(FIELDS={"main_text": "other"})
    assert "one" in fill({}, extract(one.download(response_of(ARTICLE))))
    assert "other" in fill({}, extract(other.download(response_of(ARTICLE))))
    with pytest.raises(SettingsError, match="which of the crawls"):
        fill({}, OWN)
    assert fill({}, OWN, {"main_text": "given"}) == {"given": "my own"}


@pytest.mark.parametrize("odd", [None, 5, [1]])
def test_objects_of_other_types_are_refused(odd: Any) -> None:
    with pytest.raises(TypeError, match=r"takes str, bytes or a Response"):
        extract(odd)
    with pytest.raises(TypeError, match="is no type of item"):
        fill(odd, OWN)
    with pytest.raises(TypeError, match="takes a WebTextResult"):
        fill({}, odd)
