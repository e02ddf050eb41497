"""The example project, crawled for real in a process of its own: every page, every spider."""

import gzip
import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from scrapy_webtext import extract
from tests.example_project.example import (
    FIELDS,
    LABELLED,
    PAGES,
    PROJECT,
    ROOT,
    SITE,
    Crawl,
    Crawls,
    path_of,
    run,
    squeezed,
)

FILES = {"/files/tide-tables-2024.pdf", "/api/tides.json", "/feed.xml"}


#: Articles that the P value at 0.5 does not recognise: both are short.
MISSED = {"/zh/tingshui-tongzhi.html", "/zh/tushuguan.html"}


#: Pages that are no article but mostly text, which is all that the P value looks at.
MISTAKEN = {"/search?q=ferry", "/shop/oilskin-jacket", "/forum/thread-118", "/about", "/privacy"}


#: What surrounds the texts, words of which none occurs in one: separated by bars.
FURNITURE = (
    "cookie to remember|uses cookies. You know|Accept all|Most read|More from|More on this|"
    "Read next|"
    "Also in brief|Recent Posts|Sign in|All rights reserved|Copy link|Comments (|thoughts on|"
    "Leave a Reply|Share this|Tides today|The Morning Tide|first half|Best viewed|"
    "Also from the archive|Page generated|Quick reply|Similar threads|Often bought|Reviews (2)|"
    "Free delivery|责任编辑|分享到|相关阅读|热点排行|网友评论|版权所有|推荐阅读|投诉"
).split("|")


#: Pages whose article is a small part of them: the element with the greatest P holds more.
BRIEFS = "flood-siren-test lost-tortoise-found mill-lane-closed bakery-fire".split()
TAKES_MORE = {
    **dict.fromkeys(["/sport/junior-chess", *(f"/news/{n}" for n in BRIEFS)], "Also in brief"),
    "/forum/thread-118": "Similar threads",
}


def gold(path: str) -> list[str]:
    file = SITE / LABELLED[path]["file"]
    return file.with_suffix(".txt").read_text("utf-8").splitlines()


# --- the plain spider, page by page ---------------------------------------------------------


def test_news_yields_one_item_for_every_page_and_file_with_its_judgement(news: Crawl) -> None:
    assert sorted(path_of(item["url"]) for item in news.items) == sorted({*PAGES, *FILES})
    wrong = []
    for path, page in PAGES.items():
        item = news.by_path[path]
        is_article = page["type"] in ("article", "liveblog")
        expected = path in MISTAKEN or (is_article and path not in MISSED)
        is_right = (
            set(item) == {"url"} | FIELDS
            and isinstance(item["main_text"], str)
            and 0 <= item["main_text_score"] <= 1
            and item["has_article"] is (0.5 <= item["p_value"] <= 1) is expected
        )
        wrong += [] if is_right else [path]
    assert wrong == []


def test_main_texts_have_every_paragraph_in_order_and_no_furniture(news: Crawl) -> None:
    wrong = []
    for path in LABELLED:
        text, at = squeezed(news.by_path[path]["main_text"]), 0
        for paragraph in map(squeezed, gold(path)):
            found = text.find(paragraph, at)
            wrong += [(path, paragraph)] if found < 0 else []
            at = max(found, at)
        words = {words for words in FURNITURE if words in news.by_path[path]["main_text"]}
        wrong += [(path, words)] if (TAKES_MORE.get(path) in words) is not bool(words) else []
    assert wrong == []


#: Page -> words of its text: one of each encoding, one without a type, one in a single form.
WORDS = {
    "/news/cafe-terraces": "said Zoë Lefèvre, who runs the Café Crème",  # called Latin-1
    "/zh/taifeng.html": "今年第十一号台风的中心",  # called Latin-1
    "/zh/caishichang.html": "杀错了一只鸡",  # gb2312
    "/archive/storm-of-1987.htm": "“It did not come in gusts,”",  # windows-1252
    "/news/lighthouse-open-day": "the first time since the keepers left in 1988",
    "/services/planning/Notice.aspx?id=0417": "may speak for up to three minutes.",
}


def test_pages_of_any_encoding_and_form_are_read_and_files_are_not(news: Crawl) -> None:
    texts = {path: news.by_path[path]["main_text"] for path in WORDS}
    assert {path for path, words in WORDS.items() if words not in texts[path]} == set()
    assert news.by_path["/services/planning/Notice.aspx?id=0417"]["has_article"]
    for path in ("/competition", "/app"):  # an empty body, a script alone
        item = news.by_path[path]
        assert (item["main_text"], item["has_article"], item["p_value"]) == ("", False, 0.0)
    for path in FILES:
        item = news.by_path[path]
        assert {name: item[name] for name in FIELDS} == dict.fromkeys(FIELDS)


def test_responses_are_flagged_in_scrapys_own_log(news: Crawl) -> None:
    flags = {
        path_of(url): flag
        for url, flag in re.findall(
            r"Crawled \(200\) <GET (\S+)> .*\['webtext:([\w-]+)'\]", news.log
        )
    }
    assert flags == {
        path: "article" if news.by_path[path]["has_article"] else "not-article" for path in PAGES
    }


def test_stats_say_what_was_read_and_what_was_left_alone(news: Crawl) -> None:
    articles = sum(item["has_article"] is True for item in news.items)
    webtext = {
        name.removeprefix("webtext/"): value
        for name, value in news.stats.items()
        if name.startswith("webtext/") and "/seconds/" not in name
    }
    assert webtext == {
        "responses/article": articles,
        "responses/not_article": len(PAGES) - articles,
        "responses/skipped/no_callback": 1,  # robots.txt
        "responses/skipped/not_html": len(FILES),
        "responses/skipped/status": 1,  # the dead link
        "items/seen": len(PAGES) + len(FILES),
        "items/filled": len(PAGES) - 2,
        "items/unfilled": len(FILES),
        "items/empty": 2,  # the empty body and the page that only a script could fill
    }
    assert news.stats["item_scraped_count"] == len(news.items)


def test_robots_txt_is_obeyed_and_redirects_are_followed(news: Crawl) -> None:
    assert news.stats["robotstxt/forbidden"] > 0
    assert "Crawled (404) <GET http://127.0.0.1:" in news.log
    assert not re.search(r"Crawled \(\d+\) <GET \S+/print/", news.log)
    assert "Redirecting (301) to <GET http://127.0.0.1" in news.log
    assert news.by_path["/news/museum-reopens"]["has_article"]


def test_both_readmes_quote_the_closing_line(tmp_path: Path) -> None:
    line = Crawl([], run(tmp_path / "items.jsonl", "news").stderr).closing_line  # its own judge
    line = line.replace("; in Python", "; compiled")
    assert f"    {line}\n" in (PROJECT / "README.md").read_text("utf-8")
    assert f"INFO: {line}\n" in (ROOT / "README.md").read_text("utf-8")


# --- the other spiders ----------------------------------------------------------------------


@pytest.mark.parametrize("spider", ["news", "articles", "own_extractor", "stories"])
def test_the_closing_line_agrees_with_the_stats(spider: str, crawls: Crawls) -> None:
    crawl = crawls.of(spider)

    def number(name: str) -> int:
        return int(crawl.stats.get(f"webtext/{name}", 0))

    articles = number("responses/article")
    assert crawl.closing_line.startswith(
        f"webtext: {articles + number('responses/not_article')} pages judged, "
        f"{articles} with an article, 5 left alone; {number('items/filled')} items filled"
    )
    dropped = number("items/dropped")
    assert (f", {dropped} dropped" in crawl.closing_line) is (dropped > 0)
    assert crawl.closing_line.endswith(("; 0 errors; compiled", "; 0 errors; in Python"))
    assert articles == (50 if spider == "articles" else 54)
    assert number("items/filled") > 0


def test_articles_drops_other_pages_and_still_follows_their_links(
    news: Crawl, crawls: Crawls
) -> None:
    crawl = crawls.of("articles")
    kept = set(crawl.by_path)
    assert len(crawl.items) == len(kept) == 50
    # Its judge is `learned`: it is mistaken on fewer other pages, and leaves short articles out.
    assert kept & MISTAKEN == {"/about"}
    assert {path for path in kept if not news.by_path[path]["has_article"]} < MISSED
    assert crawl.stats["webtext/items/dropped"] == len(PAGES) - len(kept)
    assert crawl.stats["item_dropped_reasons_count/NoArticle"] == len(PAGES) - len(kept)
    assert crawl.stats["response_received_count"] == news.stats["response_received_count"]
    for path, item in crawl.by_path.items():
        assert set(item) == {"url", "title"} | FIELDS
        assert item["title"]
        assert item["has_article"]
        for name in FIELDS - {"has_article", "article_probability"}:
            assert item[name] == news.by_path[path][name]


def test_own_extractor_takes_the_long_blocks_of_a_page(news: Crawl, crawls: Crawls) -> None:
    items = crawls.of("own_extractor").by_path
    assert set(items) == {*PAGES, *FILES}
    for path in LABELLED:
        text = squeezed(items[path]["main_text"])
        long = [squeezed(line) for line in gold(path) if len(line) >= 60]
        assert [line for line in long if line not in text] == [], path
        assert "Sign in" not in items[path]["main_text"].splitlines(), path
        assert items[path]["main_text_score"] != news.by_path[path]["main_text_score"]
        assert items[path]["p_value"] == news.by_path[path]["p_value"]  # the judge is the same


def test_stories_fills_a_dataclass_in_the_callback(news: Crawl, crawls: Crawls) -> None:
    stories = crawls.of("stories").by_path
    assert set(stories) == {path for path in PAGES if news.by_path[path]["has_article"]}
    for path, story in stories.items():
        assert set(story) == {"url", "title", "words"} | FIELDS
        assert story["main_text"] == news.by_path[path]["main_text"]
        assert story["words"] == len(story["main_text"].split())


def test_a_setting_on_the_command_line_reaches_a_spider_of_the_example(
    news: Crawl, crawls: Crawls
) -> None:
    crawl = crawls.of(
        "news", "-s", "WEBTEXT_THRESHOLD=0.7", "-s", 'WEBTEXT_FIELDS={"main_text_score":null}'
    )
    for path in PAGES:
        item = crawl.by_path[path]
        assert item["has_article"] == (news.by_path[path]["p_value"] >= 0.7)
        assert "main_text_score" not in item


# --- the spiders that take arguments ----------------------------------------------------------


@pytest.fixture
def server_module(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The example's ``news.server``, as its own spiders import it."""
    monkeypatch.syspath_prepend(str(PROJECT))
    import news.server

    yield news.server
    for name in [name for name in sys.modules if name.partition(".")[0] == "news"]:
        del sys.modules[name]


def test_site_crawls_the_host_of_its_address_and_no_other(
    server_module: Any, crawls: Crawls
) -> None:
    front = b"<!doctype html><p><a href='/a'>A</a> <a href='http://b.test/'>B</a>"
    story = f"<!doctype html><p>{'It rained, and we stayed in. ' * 9}</p>".encode()
    answers = {"/": server_module.Answer(front), "/a": server_module.Answer(story)}
    server = server_module.LoopbackServer(answers)
    server.start()
    try:
        crawl = crawls.of("site", "-a", f"url={server.url}/", "-s", "AUTOTHROTTLE_START_DELAY=0")
    finally:
        server.stop()
    assert {path: item["has_article"] for path, item in crawl.by_path.items()} == {
        "/": False,
        "/a": True,
    }
    assert crawl.stats["offsite/filtered"] == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["site"], "got url=''; give it the address of a site"),
        (["site", "-a", "url=example.com"], "got url='example.com'; give it the address"),
        (["corpus"], "needs a labelled corpus: scrapy crawl corpus -a path="),
        (["corpus", "-a", "path=nowhere.jsonl.gz"], "No corpus at nowhere.jsonl.gz"),
    ],
)
def test_a_missing_argument_is_named_and_nothing_is_crawled(
    arguments: list[str], message: str, tmp_path: Path
) -> None:
    done = run(tmp_path / "items.jsonl", *arguments)
    assert done.returncode == 1
    assert message in done.stderr.strip().splitlines()[-1]
    assert "Crawled" not in done.stderr


def test_corpus_crawls_every_page_of_a_labelled_file(tmp_path: Path, crawls: Crawls) -> None:
    story = "<html><body><article><p>" + "The tide came in and went out. " * 20 + "</p></article>"
    leads_away = '<meta http-equiv="refresh" content="0;url=https://elsewhere.test/">' + story
    names = ("id", "url", "type", "html", "text")
    rows = [
        ("one", "https://a.test/1", "article", story, "x"),
        ("two", "https://a.test/1", "listing", leads_away, ""),
        ("odd", "", "other", "\ud800", ""),
        ("none", "https://b.test/", "other", "", ""),
    ]
    pages = [{n: v for n, v in zip(names, row, strict=True) if v or n != "url"} for row in rows]
    path = tmp_path / "small.jsonl.gz"
    with gzip.open(path, "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(page) + "\n" for page in pages)
    crawl = crawls.of("corpus", "-a", f"path={path}")
    items = {item["id"]: item for item in crawl.items}
    assert len(crawl.items) == len(pages)
    assert set(items["one"]) == {"id", "url", "type"} | FIELDS
    assert items["one"]["url"] == "https://a.test/1"
    assert items["one"]["main_text"] == items["two"]["main_text"] == extract(story).main_text
    assert items["two"]["type"] == "listing"
    assert items["none"]["main_text"] == ""
    assert "3 items filled, 1 empty; 0 errors" in crawl.closing_line


def test_corpus_crawls_the_labelled_pages_of_the_example(news: Crawl, crawls: Crawls) -> None:
    crawl = crawls.of("corpus", "-a", "path=news/site/labelled")
    texts = {item["id"]: squeezed(item["main_text"]) for item in crawl.items}
    assert texts == {
        Path(route["file"]).stem: squeezed(news.by_path[path]["main_text"])
        for path, route in LABELLED.items()
    }
