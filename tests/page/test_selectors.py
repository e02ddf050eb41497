"""Pages without what CSS selectors leave out."""

import json
import pickle
from dataclasses import replace

import pytest
from cssselect import HTMLTranslator
from hypothesis import given

from scrapy_webtext import extract
from scrapy_webtext.errors import SettingsError
from scrapy_webtext.page import Page, from_root, parse
from scrapy_webtext.page.selectors import find_matches, read_selectors
from scrapy_webtext.reader import PageReader
from scrapy_webtext.registry import EXTRACTORS
from tests.kits.costs import assert_linear
from tests.kits.data import read_json
from tests.kits.soup import SCRAPS

CASES = read_json(__file__, "selectors.json")


HTML = CASES["page"]


def page_of(within: str = "", without: str = "", html: str = HTML) -> Page:
    return parse(
        html,
        url="https://a.example/",
        selectors=read_selectors({"within": within, "without": without}),
    )


def shown(page: Page) -> list[str]:
    blocks = page.blocks
    return [text for text, i in zip(blocks.text, blocks.node, strict=True) if not page.hidden[i]]


@pytest.mark.parametrize(("within", "without", "texts", "unmatched"), CASES["texts"])
def test_selectors_limit_the_text_of_a_page(
    within: str, without: str, texts: str, unmatched: list[str]
) -> None:
    page = page_of(within, without)
    assert "|".join(shown(page)) == texts
    assert list(page.unmatched) == unmatched
    assert pickle.loads(pickle.dumps(page)) == page


def test_the_text_after_the_end_of_the_page_is_selected_too() -> None:
    page = page_of(".late", html="<p>One</p></body></html><div class=late>Two</div>")
    assert shown(page) == ["Two"]


def test_a_tree_of_the_caller_gives_the_same_page_and_stays_as_it_is() -> None:
    from lxml import etree

    root = etree.HTML(HTML)
    before = etree.tostring(root)
    page = from_root(
        root, body=HTML.encode(), selectors=read_selectors({"within": ".body", "without": ".promo"})
    )
    assert page.blocks == page_of(".body", ".promo").blocks
    assert etree.tostring(root) == before


@pytest.mark.parametrize(
    ("name", "options"),
    [
        *((name, {}) for name in EXTRACTORS),
        *((name, {"reading": "paper"}) for name in EXTRACTORS if name not in ("fusion", "peers")),
    ],
)
def test_no_extractor_takes_what_is_left_out(name: str, options: dict[str, str]) -> None:
    long = "The harbour was quiet, and the boats came home before the storm, as they do. " * 8
    html = f"<body><div class=body><p>{long}</p></div><div class=x><p>Left out. {long}</p></div>"
    reader = PageReader.of(name, "learned", options=options)
    for selectors in ((".body", ""), ("", ".x")):
        page = page_of(*selectors, html=html)
        text = reader.result(page).main_text
        assert "boats came home" in text
        assert "Left out" not in text
        chosen = [page.blocks.text[k] for k in reader.extracted(page).chosen]
        assert chosen
        assert not any("Left out" in block for block in chosen)


def test_of_alternatives_the_first_that_matches_has_the_text_and_no_other_is_missed() -> None:
    selectors = read_selectors({"within": ["//main", ".body, .none", "aside"], "without": "//i"})
    page = parse(HTML, selectors=selectors)
    assert shown(page) == ["One bold tail.", "Buy !", "after", "Two."]
    assert page.unmatched == (".none",)


@pytest.mark.parametrize("extractor", ["fusion", "bte", "pvalue"])
def test_what_a_rule_keeps_is_text_in_its_place_whatever_the_extractor_says(extractor: str) -> None:
    prose = "<p>The harbour was quiet that morning, and nobody saw the boat leave.</p>" * 9
    html = f"<body><ul class=facts><li><a href=1>Built 1931</a></ul><article>{prose}</article>"
    reader = PageReader.of(extractor, "learned", include="blocks", without="li")
    assert "Built 1931" not in reader.read(html).main_text
    kept = replace(reader, selectors=read_selectors({"keep": ".facts", "without": "li"}))
    result = kept.read(html)
    assert "Built 1931" in result.main_text.splitlines()[0]
    assert result.main_text.count("harbour") == 9
    assert result.blocks is not None
    assert "Built 1931" in result.blocks[0].text
    assert kept.version != reader.version


def test_selectors_give_title_authors_and_date_and_fall_back_without_a_match() -> None:
    html = (
        "<title>T</title><meta name=d content='2024-05-03T10:00'><h1>Boats</h1><h2>Real title</h2>"
        "<p class=who>By Ann Archer and Bob Baker</p><p class=who>Cy Cole</p><p>One.</p>"
    )
    date = "//meta[@name='d']/@content"
    given = {"title": ["h6", "//h2/text()"], "authors": ".who", "published": date}
    reader = PageReader.of("fusion", "learned", include=("title", "authors", "published"))
    result = replace(reader, selectors=read_selectors(given)).read(html)
    assert result.title == "Real title"
    assert result.authors == ("Ann Archer", "Bob Baker", "Cy Cole")
    assert result.published == "2024-05-03T10:00:00"
    assert replace(reader, selectors=read_selectors({"title": "h6"})).read(html).title == "Boats"


def test_metadata_and_xpaths_are_those_of_the_whole_page() -> None:
    html = HTML.replace("One", "One sentence of some length, as articles have it, and one more:")
    page = page_of(".body", ".promo", html)
    reader = PageReader.of("fusion", "learned", include=("title", "blocks", "main_markdown"))
    result = reader.result(page)
    assert result.title == "Boats"
    assert result.main_markdown is not None
    assert result.main_markdown.startswith("# Boats\n")
    assert "Buy" not in result.main_markdown
    assert result.blocks is not None
    assert result.blocks[-1].xpath == "/html/body/div/p[2]"


LONG = "The harbour was quiet, and the boats came home before the storm, as they do. " * 8


def test_metadata_next_to_the_text_is_read_and_formulas_keep_their_script() -> None:
    html = (
        "<title>T</title><script>MathJax = {tex: {inlineMath: [['$', '$'], ['\\\\(', '\\\\)']]}}"
        "</script><script src='https://cdn.jsdelivr.net/npm/mathjax@3/es5/tex-chtml.js'></script>"
        f"<h1>Boats</h1><article>By Ann Doe, 3 May 2020<div class=body><p>{LONG} \\(a+b\\)."
        f"<p>{LONG}</div>after</article>"
    )
    plain = extract(html, url="https://a.example/x", include="all")
    limited = extract(html, url="https://a.example/x", include="all", within=".body")
    assert limited.authors == plain.authors == ("Ann Doe",)
    assert limited.published == plain.published == "2020-05-03"
    assert "$a+b$" in str(limited.main_markdown)
    assert "Ann Doe" not in limited.main_text
    assert plain.blocks
    assert limited.blocks
    assert [row.xpath for row in limited.blocks] == [row.xpath for row in plain.blocks]


def test_text_that_a_rule_leaves_out_does_not_come_back_from_the_scripts() -> None:
    hidden = "Buy the promo of the day, which is a sentence that nobody wants. " * 9
    data = {"@context": "https://schema.org", "@type": "NewsArticle", "articleBody": hidden}
    state = f"<script>window.state = {json.dumps({'text': hidden * 2})}</script>"
    for head in (f"<script type='application/ld+json'>{json.dumps(data)}</script>", state):
        html = f"{head}<h1>A</h1><div class=body><p>Short.</div><div class=promo><p>More.</div>"
        for limits in ({"within": ".body"}, {"without": ".promo"}):
            assert "promo" not in extract(html, **limits).main_text
        assert "promo" in extract(html, within=".none").main_text


@pytest.mark.parametrize("css", ["p", "div", "a", "section", "td, pre", "a:first-child", "div > a"])
@pytest.mark.parametrize("key", ["within", "without"])
@given(html=SCRAPS)
def test_a_rule_is_a_mask_over_the_elements_of_a_page(key: str, css: str, html: str) -> None:
    page, whole = page_of(**{key: css}, html=html), parse(html, url="https://a.example/")
    selectors = read_selectors({"keep": css})
    assert selectors is not None
    nodes, matched = page.nodes, bytearray(len(page.nodes))
    for one in selectors.keep:
        nodes.cover(
            matched, (i for i, is_one in enumerate(find_matches(nodes, one.tree)) if is_one)
        )
    assert (nodes, page.runs, len(page.blocks)) == (whole.nodes, whole.runs, len(whole.blocks))
    heads = nodes.inside(frozenset({"head"}))
    if any(matched):
        is_within = key == "within"
        assert all(
            page.outside[i] == (matched[i] != is_within) for i in range(len(nodes)) if not heads[i]
        )
    for block in page.blocks:
        runs = page.blocks.runs(block.number)
        assert len({page.hidden[page.runs.node[k]] for k in runs}) == 1


CSS_PAGE, XPATH_PAGE = CASES["page of css"], CASES["page of xpath"]


@pytest.mark.parametrize("xpath", ["//p[text()='a b']/b", "//a[contains(text(), 'More')]"])
def test_an_error_shows_the_xpath_as_it_was_written(xpath: str) -> None:
    with pytest.raises(SettingsError) as caught:
        read_selectors({"within": xpath})
    assert repr(xpath[xpath.index("text()") :]) in str(caught.value)


#: A page, a selector in CSS or XPath, and the XPath that lxml finds the same elements by.
SELECTED = [
    *((CSS_PAGE, css, HTMLTranslator().css_to_xpath(css)) for css in CASES["css"]),
    *((XPATH_PAGE, xpath, xpath) for xpath in CASES["xpath"]),
]


@pytest.mark.parametrize(("html", "given", "xpath"), SELECTED, ids=lambda text: text[:40])
def test_a_selector_matches_what_lxml_finds(html: str, given: str, xpath: str) -> None:
    from lxml import etree

    root = etree.HTML(html)
    found = set(root.xpath(xpath))
    selectors = read_selectors({"keep": given})
    assert selectors is not None
    nodes = parse(html).nodes
    masks = [find_matches(nodes, one.tree) for one in selectors.keep]
    kept = [i for i in range(len(nodes)) if any(mask[i] for mask in masks)]
    assert kept == [k for k, one in enumerate(root.iter()) if one in found]
    assert kept or given != xpath
    assert {one.given for one in selectors.keep} == {given}


@pytest.mark.parametrize(
    "css", ["a[", "p::text", "a:foo(", 5, ["p", 5], f"//p[{'(' * 9_000}", *CASES["refused"]]
)
def test_an_invalid_selector_raises_an_error_with_its_name(css: str) -> None:
    with pytest.raises(SettingsError, match=r"^WEBTEXT_SITES: without = .* is not allowed"):
        read_selectors({"without": css}, "WEBTEXT_SITES: ")


@pytest.mark.parametrize(("css", "part"), CASES["costs"])
def test_a_selector_costs_no_more_than_the_page(css: str, part: str) -> None:
    assert_linear(lambda html: page_of(css, f"i, {css}", html), part.__mul__, 100, 1_600)


def test_a_headline_outside_of_the_selectors_costs_no_more_than_the_page() -> None:
    def make(paragraphs: int) -> Page:
        body = "<p>The boats came home before the storm.</p>" * paragraphs
        return page_of("main", html=f"<h1>Boats</h1><main>{body}")

    assert_linear(PageReader.of("bte", include="main_markdown").result, make, 500, 4_000)
