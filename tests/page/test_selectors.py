"""Pages without what CSS selectors leave out."""

import pickle
from time import process_time

import pytest

from scrapy_webtext.errors import SettingsError
from scrapy_webtext.extraction import extract_page
from scrapy_webtext.page import Page, from_root, parse
from scrapy_webtext.page.selectors import read_selectors
from scrapy_webtext.registry import EXTRACTORS, make_extractor, make_judge

HTML = """<html><head><title>Boats | Site</title><meta property="og:title" content="Boats"></head>
<body><h1>Boats</h1>stray<div class="body"><p>One <b>bold</b> tail.</p>
<div class="promo">Buy <i>now</i>!</div>after<p>Two.</p></div><aside>Other</aside>end</body></html>
"""


def page_of(within: str = "", without: str = "", html: str = HTML) -> Page:
    return parse(html, url="https://a.example/", selectors=read_selectors(within, without, ""))


@pytest.mark.parametrize(
    ("within", "without", "texts", "unmatched"),
    [
        ("", "", "Boats|stray|One bold tail.|Buy now!|after|Two.|Other|end", ()),
        (".body", "", "One bold tail.|Buy now!|after|Two.", ()),
        ("", ".promo, aside", "Boats|stray|One bold tail.|after|Two.|end", ()),
        (".body, main", ".promo", "One bold tail.|after|Two.", ("main",)),
        ("div.body > p, .body", "p i, .promo, .promo i", "One bold tail.|after|Two.", ("p i",)),
        ("main", "", "Boats|stray|One bold tail.|Buy now!|after|Two.|Other|end", ("main",)),
        ("", "body", "", ()),
    ],
)
def test_selectors_limit_the_text_of_a_page(
    within: str, without: str, texts: str, unmatched: tuple[str, ...]
) -> None:
    page = page_of(within, without)
    assert "|".join(page.blocks.text[1:]) == texts  # after <title>
    assert page.unmatched == unmatched
    assert pickle.loads(pickle.dumps(page)) == page


def test_the_text_after_the_end_of_the_page_is_selected_too() -> None:
    page = page_of(".late", html="<p>One</p></body></html><div class=late>Two</div>")
    assert page.blocks.text == ["Two"]


def test_a_tree_of_the_caller_gives_the_same_page_and_stays_as_it_is() -> None:
    from lxml import etree

    root = etree.HTML(HTML)
    before = etree.tostring(root)
    page = from_root(root, source=HTML, selectors=read_selectors(".body", ".promo", ""))
    assert page.blocks == page_of(".body", ".promo").blocks
    assert etree.tostring(root) == before


@pytest.mark.parametrize("name", EXTRACTORS)
def test_no_extractor_takes_what_is_left_out(name: str) -> None:
    long = "The harbour was quiet, and the boats came home before the storm, as they do. " * 8
    html = f"<body><div class=body><p>{long}</p></div><div class=x><p>Left out. {long}</p></div>"
    extractor, judge = make_extractor(name, {}), make_judge("learned", {})
    for selectors in ((".body", ""), ("", ".x")):
        text = extract_page(page_of(*selectors, html=html), extractor, judge).main_text
        assert "boats came home" in text
        assert "Left out" not in text


def test_metadata_and_xpaths_are_those_of_the_whole_page() -> None:
    html = HTML.replace("One", "One sentence of some length, as articles have it, and one more:")
    page = page_of(".body", ".promo", html)
    made = make_extractor("fusion", {}), make_judge("learned", {})
    result = extract_page(page, *made, formats=("title", "blocks", "main_markdown"))
    assert result.title == "Boats"
    assert result.main_markdown is not None
    assert result.main_markdown.startswith("# Boats\n")
    assert "Buy" not in result.main_markdown
    assert result.blocks is not None
    assert result.blocks[-1].xpath == "/html/body/div/p[2]"


@pytest.mark.parametrize("css", ["a[", "p::text", "a:foo(", 5])
def test_an_invalid_selector_raises_an_error_with_its_name(css: str) -> None:
    with pytest.raises(SettingsError, match=r"^WEBTEXT_SITES: without = .* is not allowed"):
        read_selectors("", css, "WEBTEXT_SITES: ")


def test_nested_matches_cost_no_more_than_the_page() -> None:
    def seconds(depth: int) -> float:
        began = process_time()
        page_of(".b, .a", "i, .c", "<div class=a>x" * depth)
        return process_time() - began

    few, many = (min(seconds(depth) for _ in range(3)) for depth in (100, 1600))
    assert many < 16 * 4 * max(few, 1e-3)


def test_a_headline_outside_of_the_selectors_costs_no_more_than_the_page() -> None:
    made = make_extractor("bte", {}), make_judge("pvalue", {})

    def seconds(paragraphs: int) -> float:
        html = f"<h1>Boats</h1><main>{'<p>The boats came home before the storm.</p>' * paragraphs}"
        page = page_of("main", html=html)
        began = process_time()
        extract_page(page, *made, formats=("main_markdown",))
        return process_time() - began

    few, many = (min(seconds(paragraphs) for _ in range(3)) for paragraphs in (500, 4000))
    assert many < 8 * 3 * max(few, 1e-3)
