"""Crawls of the test site: pages that are read, flagged and written; settings that change it."""

from typing import Any

import pytest
import scrapy

import scrapy_webtext
from scrapy_webtext.crawling.stats import closing_line
from tests.crawls.offline import ARTICLE, LINKS, Components, response_of
from tests.crawls.site import SENTENCE
from tests.crawls.visit import visit


@pytest.fixture(scope="module")
def plain() -> dict[str, Any]:
    return visit(
        list(EXPECTED), settings={"WEBTEXT_MAX_BODY_SIZE": 100_000, "ROBOTSTXT_OBEY": True}
    )


#: Page -> its flag, and text that its item has; None if the page is skipped.
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


def test_every_page_is_flagged_and_its_item_filled_or_skipped(plain: dict[str, Any]) -> None:
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


def test_skips_are_counted_by_reason_and_the_closing_line_sums_up(plain: dict[str, Any]) -> None:
    stats = plain["stats"]
    reasons = {"no_callback": 1, "status": 1, "not_html": 3, "too_large": 1}
    expected = {f"responses/skipped/{reason}": number for reason, number in reasons.items()}
    expected |= {"responses/article": 6, "responses/not_article": 2}
    expected |= {"items/seen": 13, "items/filled": 7, "items/empty": 1, "items/unfilled": 5}
    found = {n.removeprefix("webtext/"): stats[n] for n in stats if n.startswith("webtext/")}
    assert found.pop("seconds/judging") > 0
    assert found.pop("seconds/extraction") > 0
    assert found == expected
    core = "compiled" if scrapy_webtext.is_compiled else "in Python"
    assert plain["log"][-1] == f"INFO: {closing_line(stats, 'pvalue')}; {core}"


def test_nothing_is_extracted_from_pages_whose_items_are_dropped() -> None:
    crawl = Components(ACTION="drop_items", EXTRACTOR="tests.crawls.faulty.Failing")
    with pytest.raises(scrapy.exceptions.DropItem):
        crawl.item_of(response_of(LINKS))
    assert not crawl.errors


def test_ignore_keeps_pages_without_an_article_from_the_spider() -> None:
    report = visit(["/article", "/list"], settings={"WEBTEXT_ACTION": "ignore"})
    assert sorted(report["flags"]) == ["/article"]
    assert report["stats"]["webtext/responses/ignored"] == 1
    (line,) = [line for line in report["log"] if "ignored, no article" in line]
    assert line.endswith("/list>")
    assert "1 ignored" in report["log"][-1]
    assert "Traceback" not in report["stderr"]


def test_requests_override_settings_with_their_meta() -> None:
    report = visit(
        ["/article", "/list", "/untyped", "/latin-1"],
        meta={
            "/article": False,
            "/list": {"threshold": 0.0},
            "/untyped": {"extractor": "tests.crawls.faulty.Shout"},
            "/latin-1": {"treshold": 0.1},
        },
        settings={"WEBTEXT_EXTRACTOR": "tests.crawls.faulty.Shout"},
    )
    assert report["flags"]["/article"] == []
    assert report["by_path"]["/article"]["main_text"] is None
    assert report["stats"]["webtext/responses/skipped/meta"] == 1
    assert report["flags"]["/list"] == ["webtext:article"]
    assert report["by_path"]["/untyped"]["main_text"].startswith("BOAT THE HARBOUR")
    assert report["flags"]["/latin-1"] == ["webtext:article"]
    assert report["stats"]["webtext/errors/SettingsError"] == 1
    assert "Unknown key 'treshold'" in report["stderr"]


class Narrow(scrapy.Item):
    main_text = scrapy.Field()


def test_undeclared_fields_are_counted_and_warned_of_once(caplog: Any) -> None:
    crawl = Components()
    for _ in range(2):
        item = crawl.fill(Narrow(), crawl.download(response_of(ARTICLE)))
        assert SENTENCE.strip() in item["main_text"]
    assert crawl.stats["webtext/items/undeclared"] == 2
    assert crawl.stats["webtext/items/filled"] == 2
    (warning,) = [line for line in caplog.messages if "does not declare" in line]
    assert "Narrow does not declare has_article, p_value, main_text_score, article_" in warning


#: Page -> status, reason and has_article of the result that a callback gets.
STATUSES = {
    "/article": ("ok", None, True),
    "/missing": ("ok", None, True),  # skipped by the crawl, and read because the callback asks
    "/data.json": ("skipped", "not_html", None),
    "/paper.pdf": ("skipped", "not_html", None),
    "/large": ("ok", None, True),
    "/list": ("ok", None, False),
}


@pytest.mark.parametrize(("action", "kept"), [("flag", [*STATUSES]), ("drop_items", ["/article"])])
def test_callbacks_tell_unread_pages_from_pages_without_an_article(
    action: str, kept: list[str]
) -> None:
    settings = {"WEBTEXT_ACTION": action, "WEBTEXT_MAX_BODY_SIZE": 100_000}
    report = visit(list(STATUSES), callback="parse_statuses", settings=settings)
    found = report["by_path"].items()
    statuses = {path: (item["status"], item["reason"], item["has"]) for path, item in found}
    assert statuses == {path: STATUSES[path] for path in kept}
    assert all(item["is_same"] for item in report["items"])
    assert sorted(report["flags"]) == sorted(STATUSES)  # callbacks still ran
    dropped = len(STATUSES) - len(kept)
    for stat in ("webtext/items/dropped", "item_dropped_count"):
        assert report["stats"].get(stat, 0) == dropped
    assert "Dropped" not in report["stderr"]


def test_disabled_means_nothing_happens() -> None:
    settings = {"WEBTEXT_ENABLED": False, "LOG_LEVEL": "WARNING"}
    report = visit(["/article"], settings=settings)
    assert report["flags"]["/article"] == []
    assert "main_text" not in report["by_path"]["/article"]
    assert not [name for name in report["stats"] if name.startswith("webtext")]
    assert report["stderr"] == ""


def test_the_explicit_form_does_what_the_add_on_does() -> None:
    settings = {
        "ADDONS": {},
        "DOWNLOADER_MIDDLEWARES": {
            "scrapy_webtext.downloadermiddleware.WebtextDownloaderMiddleware": 540
        },
        "SPIDER_MIDDLEWARES": {"scrapy_webtext.spidermiddleware.WebtextSpiderMiddleware": 10},
        "ITEM_PIPELINES": {
            "scrapy_webtext.pipeline.WebtextPipeline": 100, "tests.crawls.parts.Keep": 900
        },
    }  # fmt: skip
    report = visit(["/article"], settings=settings)
    assert report["flags"]["/article"] == ["webtext:article"]
    assert report["by_path"]["/article"]["has_article"] is True


def test_cached_responses_are_judged_by_the_current_settings(tmp_path: Any) -> None:
    cache = {"HTTPCACHE_ENABLED": True, "HTTPCACHE_DIR": str(tmp_path)}
    for threshold, flag in ((0.5, "webtext:article"), (1.0, "webtext:not-article")):
        report = visit(["/article"], settings={**cache, "WEBTEXT_THRESHOLD": threshold})
        assert report["flags"]["/article"] == [flag]


def test_a_wrong_setting_stops_the_spider_at_its_start() -> None:
    report = visit(["/article"], settings={"WEBTEXT_THRESHOLD": 1.5})
    assert not report["items"]
    assert "WEBTEXT_THRESHOLD = 1.5 is not allowed" in report["stderr"]
