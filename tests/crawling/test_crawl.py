"""What a crawl reads, flags and writes."""

from typing import Any

import pytest

import scrapy_webtext
from tests.crawling.visits import visit
from tests.crawls.site import SENTENCE


@pytest.fixture(scope="module")
def plain() -> dict[str, Any]:
    paths = [
        "/article", "/list", "/missing", "/feed.xml", "/data.json", "/paper.pdf", "/untyped",
        "/untyped-fragment", "/empty", "/large", "/latin-1", "/true-latin-1", "/after-html",
    ]  # fmt: skip
    return visit(paths, settings={"WEBTEXT_MAX_BODY_SIZE": 100_000, "ROBOTSTXT_OBEY": True})


def test_an_article_is_flagged_and_its_item_filled(plain: dict[str, Any]) -> None:
    assert plain["flags"]["/article"] == ["webtext:article"]
    item = plain["by_path"]["/article"]
    assert item["main_text"] == (SENTENCE * 20).strip()
    assert item["has_article"] is True
    assert 0.5 <= item["p_value"] <= 1
    assert 0.5 <= item["main_text_score"] <= 1


def test_a_list_of_links_is_flagged_as_no_article(plain: dict[str, Any]) -> None:
    assert plain["flags"]["/list"] == ["webtext:not-article"]
    assert plain["by_path"]["/list"]["has_article"] is False
    assert plain["by_path"]["/list"]["p_value"] == 0


def test_every_page_has_its_item_whatever_its_kind(plain: dict[str, Any]) -> None:
    assert len(plain["items"]) == 13
    assert all(
        {"main_text", "has_article", "p_value", "main_text_score"} <= set(item)
        for item in plain["items"]
    )


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("/missing", "status"), ("/feed.xml", "not_html"), ("/data.json", "not_html"),
        ("/paper.pdf", "not_html"), ("/large", "too_large"),
    ],
)  # fmt: skip
def test_what_is_left_alone_has_no_flag_and_none_in_its_fields(
    plain: dict[str, Any], path: str, reason: str
) -> None:
    assert plain["flags"][path] == []
    assert plain["by_path"][path]["main_text"] is None
    assert plain["by_path"][path]["has_article"] is None
    assert plain["stats"][f"webtext/responses/skipped/{reason}"] >= 1


def test_each_skip_is_counted_with_its_reason(plain: dict[str, Any]) -> None:
    counts = {
        name.rpartition("/")[2]: value
        for name, value in plain["stats"].items()
        if name.startswith("webtext/responses/skipped/")
    }
    assert counts == {"no_callback": 1, "status": 1, "not_html": 3, "too_large": 1}


@pytest.mark.parametrize("path", ["/untyped", "/untyped-fragment"])
def test_html_without_a_content_type_is_read(plain: dict[str, Any], path: str) -> None:
    assert plain["flags"][path] == ["webtext:article"]
    assert SENTENCE.strip() in plain["by_path"][path]["main_text"]


def test_an_empty_page_gives_empty_text(plain: dict[str, Any]) -> None:
    item = plain["by_path"]["/empty"]
    assert (item["main_text"], item["has_article"], item["p_value"]) == ("", False, 0)


@pytest.mark.parametrize("path", ["/latin-1", "/true-latin-1"])
def test_utf_8_that_is_called_latin_1_is_read_as_utf_8(plain: dict[str, Any], path: str) -> None:
    assert "Zwölf Boxkämpfer" in plain["by_path"][path]["main_text"]


def test_text_after_the_end_of_html_is_read(plain: dict[str, Any]) -> None:
    assert SENTENCE.strip() in plain["by_path"]["/after-html"]["main_text"]


def test_the_closing_line_agrees_with_the_stats(plain: dict[str, Any]) -> None:
    stats = plain["stats"]
    articles = stats["webtext/responses/article"]
    judged = articles + stats["webtext/responses/not_article"]
    core = "compiled" if scrapy_webtext.is_compiled else "in Python"
    assert plain["log"][-1] == (
        f"INFO webtext: {judged} pages judged, {articles} with an article, 6 left alone; "
        f"{stats['webtext/items/filled']} items filled, 1 empty, 5 unfilled; 0 errors; "
        f"{core}"
    )
    assert judged == 8
    assert stats["webtext/items/filled"] == 7
    assert stats["webtext/seconds/judging"] > 0
    assert stats["webtext/seconds/extraction"] > 0
