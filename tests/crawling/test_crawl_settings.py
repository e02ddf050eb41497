"""What settings and callbacks change in a crawl."""

from typing import Any

import pytest
import scrapy

from scrapy_webtext.errors import UndeclaredFieldError
from tests.crawling.visits import visit
from tests.crawls.offline import Components, response_of
from tests.crawls.site import SENTENCE
from tests.crawls.visit import Narrow

ARTICLE = f"<article><p>{SENTENCE * 20}</p></article>".encode()
LINKS = b"".join(b"<li><a href='/%d'>Item %d</a></li>" % (n, n) for n in range(30))


def test_nothing_is_extracted_of_pages_whose_items_are_dropped() -> None:
    crawl = Components(ACTION="drop_items", EXTRACTOR="tests.crawls.visit.Failing")
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
            "/untyped": {"extractor": "shout"},
            "/latin-1": {"treshold": 0.1},
        },
        settings={"WEBTEXT_EXTRACTORS": {"shout": "tests.crawls.visit.Shout"}},
    )
    assert report["flags"]["/article"] == []
    assert report["by_path"]["/article"]["main_text"] is None
    assert report["stats"]["webtext/responses/skipped/meta"] == 1
    assert report["flags"]["/list"] == ["webtext:article"]
    assert report["by_path"]["/untyped"]["main_text"].startswith("BOAT THE HARBOUR")
    assert report["flags"]["/latin-1"] == ["webtext:article"]
    assert report["stats"]["webtext/errors/SettingsError"] == 1
    assert "Unknown key 'treshold'" in report["stderr"]


def test_encoding_is_left_as_it_is_when_told_so() -> None:
    body, latin_1 = "<p>Zwölf Boxkämpfer</p>".encode(), "text/html; charset=iso-8859-1"
    for fixes, text in ((True, "Zwölf Boxkämpfer"), (False, "ZwÃ¶lf BoxkÃ¤mpfer")):
        crawl = Components(FIX_ENCODING=fixes, EXTRACTOR="pvalue")
        assert crawl.item_of(response_of(body, latin_1))["main_text"] == text


SCORES = ("main_text_score", "article_probability")


def test_fields_are_mapped_and_left_out() -> None:
    crawl = Components(FIELDS={"main_text": "body", "p_value": None, "extractor": "made_by"})
    item = crawl.item_of(response_of(ARTICLE))
    assert SENTENCE.strip() in item["body"]
    assert item["made_by"] == "fusion"
    assert set(item) == {"url", "body", "made_by", "has_article", *SCORES}


def test_undeclared_fields_are_counted_and_warned_of_once(caplog: Any) -> None:
    crawl = Components()
    for _ in range(2):
        item = crawl.fill(Narrow(url="u"), crawl.download(response_of(ARTICLE)))
        assert SENTENCE.strip() in item["main_text"]
    assert crawl.stats["webtext/items/undeclared"] == 2
    assert crawl.stats["webtext/items/filled"] == 2
    (warning,) = [line for line in caplog.messages if "does not declare" in line]
    assert "Narrow does not declare has_article, p_value, main_text_score, article_" in warning
    crawl = Components(ON_UNDECLARED="error")
    with pytest.raises(UndeclaredFieldError):
        crawl.fill(Narrow(url="u"), crawl.download(response_of(ARTICLE)))
    assert crawl.stats["webtext/items/failed"] == 1


def test_callbacks_get_what_the_pipeline_writes_inline_and_in_a_thread() -> None:
    paths, found = ["/article", "/list", "/paper.pdf"], []
    for callback, executor in (
        ("parse", "inline"),
        ("parse", "thread"),
        ("parse_and_await", "thread"),
        ("parse_without_await", "inline"),
    ):
        report = visit(paths, callback=callback, settings={"WEBTEXT_EXECUTOR": executor})
        found.append([{**report["by_path"][path], "url": ""} for path in paths])
        counts = {"filled": 2, "unfilled": 1, "unbound": None}
        assert counts == {name: report["stats"].get(f"webtext/items/{name}") for name in counts}
        assert report["stats"]["webtext/seconds/extraction"] > 0
    assert found == [found[0]] * 4
    article, listing, pdf = found[0]
    assert SENTENCE.strip() in article["main_text"]
    assert (article["has_article"], listing["has_article"]) == (True, False)
    assert pdf["main_text"] is None


STATUS_PATHS = ["/article", "/list", "/missing", "/data.json", "/paper.pdf", "/large"]


@pytest.mark.parametrize("action", ["flag", "drop_items"])
def test_what_is_no_page_and_what_has_no_article_are_told_apart(action: str) -> None:
    settings = {"WEBTEXT_ACTION": action, "WEBTEXT_MAX_BODY_SIZE": 100_000, "LOG_LEVEL": "INFO"}
    report = visit(STATUS_PATHS, callback="parse_statuses", settings=settings)
    told = {
        p: (item["status"], item["reason"], item["has"]) for p, item in report["by_path"].items()
    }
    expected = {
        "/article": ("ok", None, True),
        "/list": ("ok", None, False),
        "/missing": ("ok", None, True),  # left alone by the crawl, and yet somebody asks
        "/data.json": ("skipped", "not_html", None),
        "/paper.pdf": ("skipped", "not_html", None),
        "/large": ("ok", None, True),
    }
    if action == "drop_items":
        del expected["/list"]
    assert told == expected
    assert all(item["is_same"] for item in report["items"])
    assert sorted(report["flags"]) == sorted(STATUS_PATHS)  # callbacks still ran
    dropped = int(action == "drop_items")
    assert report["stats"].get("webtext/items/dropped", 0) == dropped
    assert report["stats"].get("item_dropped_count", 0) == dropped
    assert "Dropped" not in report["stderr"]


def test_disabled_means_nothing_happens() -> None:
    settings = {"WEBTEXT_ENABLED": False, "LOG_LEVEL": "WARNING"}
    report = visit(["/article"], settings=settings)
    assert report["flags"]["/article"] == []
    assert "main_text" not in report["by_path"]["/article"]
    assert not [name for name in report["stats"] if name.startswith("webtext")]
    assert report["log"] == []
    assert report["stderr"] == ""


def test_the_explicit_form_does_what_the_add_on_does() -> None:
    settings = {
        "ADDONS": {},
        "DOWNLOADER_MIDDLEWARES": {
            "scrapy_webtext.downloadermiddleware.WebtextDownloaderMiddleware": 540
        },
        "SPIDER_MIDDLEWARES": {"scrapy_webtext.spidermiddleware.WebtextSpiderMiddleware": 10},
        "ITEM_PIPELINES": {
            "scrapy_webtext.pipeline.WebtextPipeline": 100, "tests.crawls.visit.Keep": 900
        },
    }  # fmt: skip
    report = visit(["/article"], settings=settings)
    assert report["flags"]["/article"] == ["webtext:article"]
    assert report["by_path"]["/article"]["has_article"] is True


def test_cached_responses_are_flagged_anew_with_todays_threshold(tmp_path: Any) -> None:
    cache = {"HTTPCACHE_ENABLED": True, "HTTPCACHE_DIR": str(tmp_path)}
    policy = {"HTTPCACHE_IGNORE_HTTP_CODES": []}
    first = visit(["/article"], settings={**cache, **policy})
    assert first["flags"]["/article"] == ["webtext:article"]
    again = visit(["/article"], settings={**cache, **policy, "WEBTEXT_THRESHOLD": 1.0})
    assert again["flags"]["/article"] == ["webtext:not-article"]


def test_a_wrong_setting_stops_the_spider_at_its_start() -> None:
    report = visit(["/article"], settings={"WEBTEXT_THRESHOLD": 1.5})
    assert not report["items"]
    assert "WEBTEXT_THRESHOLD = 1.5 is not allowed" in report["stderr"]
