"""The example project, crawled in another process: every page, every spider."""

import gzip
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import pytest

from scrapy_webtext import extract
from tests.crawls.site import Answer, Site
from tests.kits.data import read_json

CASES = read_json(__file__)

ROOT = Path(__file__).parents[2]
PROJECT = ROOT / "example_project"
SITE = PROJECT / "news" / "site"
ROUTES = {route["path"]: route for route in json.loads((SITE / "routes.json").read_text("utf-8"))}
PAGES = {path: route for path, route in ROUTES.items() if route.get("file", "").endswith(".html")}
LABELLED = {path: route for path, route in PAGES.items() if route["file"].startswith("labelled/")}
FIELDS = {"main_text", "has_article", "p_value", "main_text_score", "article_probability"}

#: The expected texts, captions included, are those of the P value.
EXTRACT_BY_P_VALUE = ("-s", "WEBTEXT_EXTRACTOR=pvalue")
JUDGE_BY_P_VALUE = ("-s", "WEBTEXT_JUDGE=pvalue")


class Crawl(NamedTuple):
    items: list[dict[str, Any]]
    log: str

    @property
    def by_path(self) -> dict[str, dict[str, Any]]:
        return {path_of(item["url"]): item for item in self.items}

    @property
    def stats(self) -> dict[str, float]:
        """The numbers that Scrapy prints when a spider closes."""
        return {
            name: float(value) for name, value in re.findall(r"'([\w/]+)': ([\d.]+)[,}]", self.log)
        }

    @property
    def closing_line(self) -> str:
        (line,) = re.findall(r"\[scrapy_webtext\] INFO: (webtext: \d+ pages judged.*)", self.log)
        return str(line)


def path_of(url: str) -> str:
    parts = urlsplit(url)
    return parts.path + (f"?{parts.query}" if parts.query else "")


def run(output: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run ``scrapy crawl`` as a user does, with this checkout's package."""
    return subprocess.run(
        [sys.executable, "-W", "default", "-m", "scrapy", "crawl", *arguments, "-O", str(output)],
        cwd=PROJECT,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        encoding="utf-8",
        timeout=300,
        check=False,
    )


Crawls = Callable[..., Crawl]


@pytest.fixture(scope="module")
def crawl(tmp_path_factory: pytest.TempPathFactory) -> Crawls:
    """Run a spider of the example once; return its items and its log."""

    @cache
    def crawled(*arguments: str) -> Crawl:
        output = tmp_path_factory.mktemp("crawl") / "items.jsonl"
        extractor = () if arguments[0] == "own_extractor" else EXTRACT_BY_P_VALUE
        judge = () if arguments[0] == "articles" else JUDGE_BY_P_VALUE
        done = run(output, *arguments, *extractor, *judge)
        assert done.returncode == 0, done.stderr
        assert "Traceback (most recent" not in done.stderr, done.stderr
        assert "DeprecationWarning" not in done.stderr, done.stderr
        lines = output.read_text("utf-8").split("\n")
        return Crawl([json.loads(line) for line in lines if line], done.stderr)

    return crawled


@pytest.fixture(scope="module")
def news(crawl: Crawls) -> Crawl:
    return crawl("news")


def squeezed(text: str) -> str:
    """Return a text without white space and without marks between cells."""
    return "".join(text.replace(" | ", " ").split())


FILES = {"/files/tide-tables-2024.pdf", "/api/tides.json", "/feed.xml"}
#: Articles that the P value at 0.5 does not recognise: both are short.
MISSED = {"/zh/tingshui-tongzhi.html", "/zh/tushuguan.html"}
#: Pages that are no article but mostly text, and only that matters to the P value.
MISTAKEN = {"/search?q=ferry", "/shop/oilskin-jacket", "/forum/thread-118", "/about", "/privacy"}
#: Boilerplate around the texts, separated by bars: words that occur in none of them.
FURNITURE = (
    "cookie to remember|uses cookies. You know|Accept all|Most read|More from|More on this|"
    "Read next|Also in brief|Recent Posts|Sign in|All rights reserved|Copy link|Comments (|"
    "thoughts on|Leave a Reply|Share this|Tides today|The Morning Tide|first half|Best viewed|"
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


def test_news_yields_an_item_with_its_judgement_for_every_page(news: Crawl) -> None:
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
WORDS = CASES["words"]


def test_pages_of_any_encoding_and_form_are_read_and_files_are_not(news: Crawl) -> None:
    texts = {path: news.by_path[path]["main_text"] for path in WORDS}
    assert {path for path, words in WORDS.items() if words not in texts[path]} == set()
    assert news.by_path["/services/planning/Notice.aspx?id=0417"]["has_article"]
    for path in ("/competition", "/app"):  # an empty body, a script only
        item = news.by_path[path]
        assert (item["main_text"], item["has_article"], item["p_value"]) == ("", False, 0.0)
    for path in FILES:
        item = news.by_path[path]
        assert {name: item[name] for name in FIELDS} == dict.fromkeys(FIELDS)


def test_both_readmes_quote_the_closing_line(tmp_path: Path) -> None:
    items = tmp_path / "items.jsonl"
    line = Crawl([], run(items, "news").stderr).closing_line  # its own judge
    line = line.replace("; in Python", "; compiled")
    assert f"    {line}\n" in (PROJECT / "README.md").read_text("utf-8")
    readme = (ROOT / "README.md").read_text("utf-8")
    assert f"INFO: {line}\n" in readme
    (pattern,) = re.findall(r"grep -m 3 '(.+?)'", readme)  # of its last line for a fresh clone
    shown = [one for one in items.read_text("utf-8").splitlines() if re.search(pattern, one)][:3]
    assert len(shown) == 3
    assert not [one for one in shown for path in MISTAKEN if f'{path}"' in one]


# --- the other spiders ----------------------------------------------------------------------


@pytest.mark.parametrize("spider", ["news", "articles", "own_extractor", "stories"])
def test_the_closing_line_agrees_with_the_stats(spider: str, crawl: Crawls) -> None:
    found = crawl(spider)
    names = ("responses/article", "responses/not_article", "items/filled", "items/dropped")
    articles, others, filled, dropped = (int(found.stats.get(f"webtext/{n}", 0)) for n in names)
    judge = "learned" if spider == "articles" else "pvalue"
    assert found.closing_line.startswith(
        f"webtext: {articles + others} pages judged by {judge}, {articles} with an article, "
        f"5 skipped: 3 not_html; {filled} items filled"
    )
    assert (f", {dropped} dropped" in found.closing_line) is (dropped > 0)
    assert found.closing_line.endswith(("; 0 errors; compiled", "; 0 errors; in Python"))
    assert articles == (47 if spider == "articles" else 54)
    assert filled > 0


def test_articles_drops_other_pages_and_still_follows_their_links(
    news: Crawl, crawl: Crawls
) -> None:
    found = crawl("articles")
    kept = set(found.by_path)
    assert len(found.items) == len(kept) == 47
    # Its judge is `learned`: it takes fewer other pages, and leaves short articles out.
    assert kept & MISTAKEN == {"/about"}
    missed = {path for path in kept if not news.by_path[path]["has_article"]}
    assert missed == MISSED
    assert found.stats["webtext/items/dropped"] == len(PAGES) - len(kept)
    assert found.stats["item_dropped_reasons_count/NoArticle"] == len(PAGES) - len(kept)
    assert found.stats["response_received_count"] == news.stats["response_received_count"]
    for path, item in found.by_path.items():
        assert set(item) == {"url", "title"} | FIELDS
        assert item["title"]
        assert item["has_article"]
        for name in FIELDS - {"has_article", "article_probability"}:
            assert item[name] == news.by_path[path][name]


def test_own_extractor_takes_the_long_blocks_of_a_page(news: Crawl, crawl: Crawls) -> None:
    items = crawl("own_extractor").by_path
    assert set(items) == {*PAGES, *FILES}
    for path in LABELLED:
        text = squeezed(items[path]["main_text"])
        long = [squeezed(line) for line in gold(path) if len(line) >= 60]
        assert [line for line in long if line not in text] == [], path
        assert "Sign in" not in items[path]["main_text"].splitlines(), path
        assert items[path]["main_text_score"] != news.by_path[path]["main_text_score"]
        assert items[path]["p_value"] == news.by_path[path]["p_value"]  # the judge is the same


def test_stories_fills_a_dataclass_in_the_callback(news: Crawl, crawl: Crawls) -> None:
    stories = crawl("stories").by_path
    assert set(stories) == {path for path in PAGES if news.by_path[path]["has_article"]}
    for path, story in stories.items():
        assert set(story) == {"url", "title", "words"} | FIELDS
        assert story["main_text"] == news.by_path[path]["main_text"]
        assert story["words"] == len(story["main_text"].split())


# --- the spiders that take arguments ----------------------------------------------------------


def test_site_crawls_the_host_of_its_address_and_no_other(crawl: Crawls) -> None:
    front = b"<!doctype html><p><a href='/a'>A</a> <a href='http://b.test/'>B</a>"
    story = f"<!doctype html><p>{'It rained, and we stayed in. ' * 9}</p>".encode()
    with Site({"/": Answer(front), "/a": Answer(story)}) as base:
        found = crawl("site", "-a", f"url={base}/", "-s", "AUTOTHROTTLE_START_DELAY=0")
    judged = {path: item["has_article"] for path, item in found.by_path.items()}
    assert judged == {"/": False, "/a": True}
    assert found.stats["offsite/filtered"] == 1


@pytest.mark.parametrize(("arguments", "message"), CASES["missing arguments"])
def test_a_missing_argument_is_named_and_nothing_is_crawled(
    arguments: list[str], message: str, tmp_path: Path
) -> None:
    done = run(tmp_path / "items.jsonl", *arguments)
    assert done.returncode == 1
    assert message in done.stderr.strip().splitlines()[-1]
    assert "Crawled" not in done.stderr


def test_corpus_crawls_every_page_of_a_labelled_file(tmp_path: Path, crawl: Crawls) -> None:
    story = "<html><body><article><p>" + "The tide came in and went out. " * 20 + "</p></article>"
    leads_away = '<meta http-equiv="refresh" content="0;url=https://elsewhere.test/">' + story
    page = {"id": "one", "url": "https://a.test/1", "type": "article", "html": story, "text": "x"}
    pages = [
        page,
        {**page, "id": "two", "type": "listing", "html": leads_away},
        {"id": "odd", "html": "\ud800"},
        {"id": "none", "html": "", "url": "https://b.test/"},
    ]
    path = tmp_path / "small.jsonl.gz"
    lines = "".join(json.dumps({"type": "other", "text": "", **page}) + "\n" for page in pages)
    path.write_bytes(gzip.compress(lines.encode()))
    found = crawl("corpus", "-a", f"path={path}")
    items = {item["id"]: item for item in found.items}
    assert len(found.items) == len(pages)
    assert set(items["one"]) == {"id", "url", "type"} | FIELDS
    assert items["one"]["url"] == "https://a.test/1"
    assert items["one"]["main_text"] == items["two"]["main_text"] == extract(story).main_text
    assert items["two"]["type"] == "listing"
    assert items["none"]["main_text"] == ""
    assert "3 items filled, 1 empty; 0 errors" in found.closing_line


def test_corpus_crawls_the_labelled_pages_of_the_example(news: Crawl, crawl: Crawls) -> None:
    items = crawl("corpus", "-a", "path=news/site/labelled").items
    assert {item["id"]: squeezed(item["main_text"]) for item in items} == {
        Path(route["file"]).stem: squeezed(news.by_path[path]["main_text"])
        for path, route in LABELLED.items()
    }
