"""Markdown, HTML and rows have the words of the text in the same order, for any page."""

import json
import pickle
from functools import cache

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from parsel import Selector

from scrapy_webtext import extract, reader
from scrapy_webtext.page import Page, parse
from scrapy_webtext.page.encoding import decode
from scrapy_webtext.page.hidden import find_permalinks
from scrapy_webtext.registry import EXTRACTORS, make_extractor
from scrapy_webtext.results import Extraction
from tests.crawls.offline import Components, response_of
from tests.kits import hostile
from tests.kits.renderings import check_formats
from tests.test_hostile_pages import SITE, any_pages, mutations

ALL = ("main_markdown", "main_html", "blocks")


@cache
def small(name: str) -> Page:
    return parse(hostile.SMALL[name], url="https://example.com/a/b")


@pytest.mark.parametrize("extractor", EXTRACTORS)
def test_formats_of_hostile_and_real_pages_have_the_same_words(extractor: str) -> None:
    extract_from = make_extractor(extractor).extract
    for name in hostile.SMALL:
        check_formats(small(name), extract_from(small(name)))
    for path in sorted(SITE.glob("*.html")):
        page = parse(path.read_bytes(), url="https://example.com/")
        assert check_formats(page, extract_from(page))["blocks"]


def test_formats_of_large_hostile_pages_have_the_same_words() -> None:
    for name, make in hostile.LARGE.items():
        if "notes" in name:  # Markdown has them at its end
            continue
        page = parse(make(3_000))
        check_formats(page, Extraction.of_runs(page, range(len(page.runs)), 1.0, "all"))


words = st.sampled_from(
    "word Word a 1 2. 12) - + * ** _ __ # ## > >> ` ``` ~ ~~ | : [ ] ( ) [x](y) [x]: ![ \\ < <b "
    "&amp; &lt;p&gt; &amp;amp; ! . , “quoted” 中文 强调。 $ = === --- *** 3. "
    "https://example.com/a_b_c x_y € ® é".split(" ")
)
texts = st.lists(words, min_size=1, max_size=6).map(" ".join) | words


def wrapped(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    tags = st.sampled_from(
        "b i em strong code a del sub sup span p div li ul ol dl dt dd td tr th table blockquote "
        "pre h1 h3 figure figcaption caption br".split()
    )
    several = st.lists(inner, min_size=1, max_size=4).map("".join)
    return st.builds(lambda tag, inside: f"<{tag} href=x>{inside}</{tag}>", tags, several)


pages = st.recursive(texts, wrapped, max_leaves=25)


@given(pages, st.sets(st.integers(0, 30)))
@settings(max_examples=700, suppress_health_check=list(HealthCheck))
def test_formats_of_any_nesting_have_the_same_words(html: str, left_out: set[int]) -> None:
    page = parse(f"<h1>x</h1>{html}<p>end", url="https://example.com/x")
    # Links of headings to themselves are left out when a rendering is read again.
    again = page.nodes.below(find_permalinks(page.nodes))
    runs = [k for k, i in enumerate(page.runs.node) if k not in left_out and not again[i]]
    check_formats(page, Extraction.of_runs(page, runs, 1.0, "some"))


@given(any_pages | mutations())
@settings(max_examples=150, suppress_health_check=list(HealthCheck))
def test_formats_of_any_page_have_the_same_words(html: str | bytes) -> None:
    page = parse(html, url="https://example.com/x")
    check_formats(page, Extraction.of_runs(page, range(len(page.runs)), 1.0, "all"))


@pytest.mark.parametrize("extractor", EXTRACTORS)
def test_included_formats_do_not_change_the_text(extractor: str) -> None:
    html = "<article><ol start=4><li>One day it rained.<li>All stayed in.</ol><p>So it went.</p>"
    alone = extract(html, extractor=extractor)
    asked = extract(html, extractor=extractor, include=ALL)
    assert asked.main_text == alone.main_text
    assert asked.main_text_score == alone.main_text_score
    assert pickle.loads(pickle.dumps(asked)) == asked


def test_text_from_elsewhere_has_one_paragraph_per_line() -> None:
    page = parse("<p>What the page shows.</p><div class='callout note'>Note</div>")
    found = check_formats(page, Extraction("1. Its own\n\nlines, *here*", 1.0, "own", (0,)))
    assert found["main_markdown"] == "1\\. Its own\n\nlines, \\*here\\*"
    assert found["main_html"] == "<p>1. Its own</p>\n<p>lines, *here*</p>"
    assert [block.xpath for block in found["blocks"]] == [None, None]


STORY = (
    b"<article><p>One <b>day</b> it rained, and all stayed in, <a href=/mayor>said the mayor</a>."
)


@pytest.mark.parametrize("extractor", ["fusion", "bte"])
def test_items_have_the_formats_that_fields_name(extractor: str) -> None:
    fields = {"main_markdown": "body_md", "main_html": "page_html", "blocks": "rows"}
    components = Components(FIELDS=fields, EXTRACTOR=extractor)
    item = components.item_of(response_of(STORY))
    link = "https://example.com/mayor"
    assert item["body_md"] == (
        f"One **day** it rained, and all stayed in, [said the mayor]({link})."
    )
    assert item["page_html"] == (
        f"<p>One <strong>day</strong> it rained, and all stayed in, "
        f'<a href="{link}">said the mayor</a>.</p>'
    )
    assert json.loads(json.dumps(item["rows"])) == [
        {
            "kind": "paragraph", "level": 0, "text": item["main_text"],
            "xpath": "/html/body/article/p", "start": 0, "end": len(item["main_text"]),
            "section": [], "is_repeated": False,
        }
    ]  # fmt: skip
    assert not components.errors
    components.close()


def test_items_without_format_fields_render_no_format(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "render_formats", None)
    components = Components()
    assert "One day" in components.item_of(response_of(STORY))["main_text"]
    assert not components.errors


def test_xpaths_select_their_blocks_in_a_selector() -> None:
    for path in sorted(SITE.glob("*.html")):
        html = path.read_bytes()
        selector = Selector(text=decode(html))
        result = extract(html, include="blocks")
        assert result.blocks
        for block in result.blocks:
            assert block.xpath is not None
            (element,) = selector.xpath(block.xpath)
            found = " ".join(" ".join(element.xpath(".//text()").getall()).split())
            # " / " is between the lines of a cell, and may be in the page, too.
            text, found = (one.replace(" / ", "") for one in (block.text, found))
            assert "".join(text.split()) in "".join(found.split())
