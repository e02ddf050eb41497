"""What a crawl reads, flags and writes."""

from typing import Any

import pytest

import scrapy_webtext
from scrapy_webtext.crawling.stats import closing_line
from tests.crawling.visits import visit
from tests.crawls.site import SENTENCE


@pytest.fixture(scope="module")
def plain() -> dict[str, Any]:
    return visit(
        list(EXPECTED), settings={"WEBTEXT_MAX_BODY_SIZE": 100_000, "ROBOTSTXT_OBEY": True}
    )


#: Page -> its flag, and text that its item has; None if the page is left alone.
TEXT, BOXERS = SENTENCE.strip(), "Zwölf Boxkämpfer"
EXPECTED = {
    "/article": ("article", (SENTENCE * 20).strip()),
    "/list": ("not-article", "Item"),
    "/empty": ("not-article", ""),
    "/untyped": ("article", TEXT),
    "/untyped-fragment": ("article", TEXT),
    "/latin-1": ("article", BOXERS),
    "/true-latin-1": ("article", BOXERS),
    "/after-html": ("article", TEXT),
    **dict.fromkeys(["/missing", "/feed.xml", "/data.json", "/paper.pdf", "/large"], (None, None)),
}


def test_every_page_is_flagged_and_its_item_filled_or_left_alone(plain: dict[str, Any]) -> None:
    assert len(plain["items"]) == len(EXPECTED)
    for path, (flag, text) in EXPECTED.items():
        item = plain["by_path"][path]
        values = [item[n] for n in ("main_text", "has_article", "p_value", "main_text_score")]
        if flag is None:
            assert (plain["flags"][path], values) == ([], [None] * 4), path
            continue
        assert plain["flags"][path] == [f"webtext:{flag}"], path
        assert text in values[0], path
        assert values[1] is (flag == "article") is (values[2] >= 0.5), path
        assert 0 <= values[3] <= 1, path
    assert plain["by_path"]["/article"]["main_text"] == EXPECTED["/article"][1]
    assert plain["by_path"]["/empty"]["main_text"] == ""
    assert plain["by_path"]["/list"]["p_value"] == 0


def test_each_skip_is_counted_with_its_reason(plain: dict[str, Any]) -> None:
    counts = {
        name.rpartition("/")[2]: value
        for name, value in plain["stats"].items()
        if name.startswith("webtext/responses/skipped/")
    }
    assert counts == {"no_callback": 1, "status": 1, "not_html": 3, "too_large": 1}


def test_the_closing_line_agrees_with_the_stats(plain: dict[str, Any]) -> None:
    stats = plain["stats"]
    core = "compiled" if scrapy_webtext.is_compiled else "in Python"
    assert plain["log"][-1] == f"INFO {closing_line(stats)}; {core}"
    assert stats["webtext/responses/article"] + stats["webtext/responses/not_article"] == 8
    counts = {"filled": 7, "empty": 1, "unfilled": 5}
    assert counts == {name: stats[f"webtext/items/{name}"] for name in counts}
    assert stats["webtext/seconds/judging"] > 0
    assert stats["webtext/seconds/extraction"] > 0
