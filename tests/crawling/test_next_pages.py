"""Articles over several pages: ``WEBTEXT_NEXT_PAGES``."""

import asyncio
import re
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from scrapy.http import HtmlResponse, Request

from scrapy_webtext.crawling import next_pages
from scrapy_webtext.crawling.next_pages import download, find_next, is_further, is_next, join
from scrapy_webtext.page import parse
from scrapy_webtext.page.selectors import read_selectors
from scrapy_webtext.reader import PageReader
from scrapy_webtext.results import Extraction
from tests.crawls.visit import visit
from tests.kits.data import read_json

CASES = read_json(__file__, "next_pages.json")


FIELDS = {name: name for name in ("main_markdown", "blocks", "title")}


@pytest.mark.parametrize(("address", "other", "number", "expected"), CASES["next addresses"])
def test_the_next_page_has_the_same_address_with_the_next_number(
    address: str, other: str, number: int, expected: bool
) -> None:
    assert is_next(address, other, number) is expected


def test_further_pages_are_those_of_the_first_page_up_to_a_number() -> None:
    first, others = "http://a.b/s/1", ("1", "2", "9", "10", "2/b", "9" * 5000)
    found = [other for other in others if is_further(first, f"http://a.b/s/{other}", 9)]
    assert found == ["2", "9"]
    assert not is_further("http://a.b/s/4", "http://a.b/s/5", 9)
    assert is_further("http://a.b/s", "http://a.b/s?page=3", 9)


@pytest.mark.parametrize(("html", "expected"), CASES["links to the next page"])
def test_the_link_of_the_rule_or_a_link_by_relation_or_number(
    html: str, expected: str | None
) -> None:
    selectors = read_selectors({"next_page": "a.more"})
    response = HtmlResponse("https://a.example/s", body=html.encode())
    assert find_next(response, parse(html, url=response.url, selectors=selectors)) == expected


def test_a_further_page_is_fetched_as_the_first_page_was() -> None:
    asked: list[Request] = []

    async def fetch(request: Request) -> HtmlResponse:
        asked.append(request)
        return HtmlResponse(request.url, body=b"<p>x")

    crawler: Any = SimpleNamespace(engine=SimpleNamespace(download_async=fetch))
    meta = {"cookiejar": 1, "proxy": "http://p:1", "webtext": {"threshold": 0.3}}
    headers = {"Accept-Language": "de", "If-None-Match": "x"}
    state = {"retry_times": 2, "depth": 3, "webtext_number": 4}
    request = Request("http://a.b/s", headers=headers, meta={**meta, **state})
    first = HtmlResponse("http://a.b/s", request=request)
    for address in ("http://a.b/s/2", "http://c.d/s/2"):
        asyncio.run(download(crawler, address, 2, first))
    assert [one.meta for one in asked] == [{**meta, "webtext_page": 2}] * 2
    assert [one.headers.to_unicode_dict() for one in asked] == [{"Accept-Language": "de"}, {}]


def test_rows_of_several_pages_have_their_places_in_the_whole_text() -> None:
    reader = PageReader.of(include=("blocks", "links", "images", "fingerprint"))
    html = "<article><h1>S</h1>{0}<p>{0} is {0} <a href=/{0}>of</a> {0} words.</p><img src={0}.png>"
    parts = [reader.read(html.format(word), url="http://a.b/") for word in ("one", "two")]
    whole = join(parts)
    assert whole.main_text == "\n".join(part.main_text for part in parts)
    assert whole.blocks is not None
    assert all(whole.main_text[row.start : row.end] == row.text for row in whole.blocks)
    assert [whole.blocks[link.block].text[:3] for link in whole.links or ()] == ["one", "two"]
    assert whole.fingerprint not in {part.fingerprint for part in parts}


def test_joined_pages_have_one_headline_and_labels_of_their_own() -> None:
    reader = PageReader.of(include=("main_markdown", "main_html"))
    html = (
        "<article><h1>The story</h1><p>Page {0} is here<sup><a href=#f1 id=r1>1</a></sup> and "
        "more<sup><a href=#f2 id=r2>2</a></sup>, [^1] as text.</p><ol><li id=f1>One of {0} <a "
        "href=#r1>b</a><li id=f2>Two of {0} <a href=#r2>b</a></ol></article>"
    )
    parts = [reader.read(html.format(word), url="http://a.b/") for word in ("one", "two", "three")]
    whole = join(parts)
    expected = ["# The story"]
    for k, word in ((1, "one"), (3, "two"), (5, "three")):
        expected.append(f"Page {word} is here[^{k}] and more[^{k + 1}], \\[^1] as text.")
        expected += [f"[^{k}]: One of {word}", f"[^{k + 1}]: Two of {word}"]
    assert (whole.main_markdown or "").split("\n\n") == expected
    assert (whole.main_html or "").count("<h1>") == 1


def test_headlines_with_the_number_of_their_page_are_dropped() -> None:
    titles = ["# S", "# S - Page 2", "# S (2/3)", "# S | Seite 2 von 3", "# S 2", "# S of two"]
    empty = PageReader.of().read("<p>x")
    joined = join([replace(empty, main_markdown=f"{title}\n\nOne.") for title in titles])
    assert re.findall("^#.*", joined.main_markdown or "", re.M) == [titles[0], titles[-1]]


def test_repeats_of_the_first_page_are_dropped_at_both_ends() -> None:
    page = parse("<h2>Under it</h2><p>By A</p><p>New</p><p>By B</p><p>More</p><p>Bio")
    whole = Extraction.of_runs(page, range(len(page.runs)), 1.0, "all")
    found = next_pages.without_repeats(page, whole, "Under it\nBy A\nOld\nBio")
    assert found.text == "New\nBy B\nMore"


@pytest.mark.parametrize(
    ("pages", "expected"), [(0, "1"), (1, "12"), (9, "123")], ids=["off", "one", "all"]
)
def test_items_of_an_article_have_the_text_of_its_next_pages(pages: int, expected: str) -> None:
    settings: dict[str, Any] = {"WEBTEXT_NEXT_PAGES": pages, "WEBTEXT_FIELDS": FIELDS}
    report = visit(["/parts", "/story-1"], settings=settings)
    item = report["by_path"]["/parts"]
    for text in (item["main_text"], item["main_markdown"]):
        assert "".join(n for n in "12345" if f"Part {n}, 4." in text) == expected
    rows = item["blocks"]
    assert all(item["main_text"][row["start"] : row["end"]] == row["text"] for row in rows)
    assert item["title"] == "Story"
    assert "Part 5, 4." in report["by_path"]["/story-1"]["main_text"]
    assert report["stats"].get("webtext/errors/ValueError", 0) == (pages == 9)  # page 4 is missing
    assert report["stats"].get("webtext/responses/further", 0) == len(expected) - 1 + (pages == 9)
    assert "2 pages judged by pvalue, 2 with an article; 2 items filled; " in report["log"][-1]


def test_a_redirect_from_the_next_page_to_another_ends_the_article() -> None:
    report = visit(["/moved"], settings={"WEBTEXT_NEXT_PAGES": 9})
    text = report["by_path"]["/moved"]["main_text"]
    assert [n for n in "1235" if f"Part {n}, 4." in text] == ["1", "2"]
    (line,) = [line for line in report["log"] if line.startswith("ERROR")]
    assert "/moved is missing: ValueError: redirected to http" in line


def test_further_pages_are_read_by_the_settings_of_the_first_pages_request() -> None:
    settings = {"WEBTEXT_NEXT_PAGES": 2, "WEBTEXT_EXTRACTOR": "tests.crawls.faulty.Failing"}
    report = visit(["/parts"], settings=settings, meta={"/parts": {"extractor": "bte"}})
    assert "Part 3, 4." in report["by_path"]["/parts"]["main_text"]
