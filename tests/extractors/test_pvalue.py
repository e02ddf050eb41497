"""P on pages worked by hand and by its definitions on generated pages; step 1; the judge."""

import re
from fractions import Fraction
from math import prod
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml.html import fragment_fromstring

from scrapy_webtext import extract
from scrapy_webtext.extractors.pvalue import (
    REMOVED_TAGS,
    PValueExtractor,
    PValueJudge,
    p_values,
    read_source,
)
from scrapy_webtext.extractors.readings import Reading
from scrapy_webtext.page import from_root, parse
from scrapy_webtext.reader import PageReader
from tests.kits.data import read_json
from tests.kits.soup import soup

CASES = read_json(__file__, "pvalue.json")


def page_p(html: str, judge: PValueJudge | None = None) -> float:
    return (judge or PValueJudge()).judge(parse(html)).p_value


def text_of(html: str) -> str:
    return extract(html, extractor="pvalue").main_text


# Worked by hand. Text: "Rain fell." has 10 characters, "More" 4 (a link), "Bye." 4.
# L_VT = 10 + 4 = 14. Start and end tag: html 13, body 13, div 11, a 7, p 7 characters.
#
#   element  l_s (def. 1)            l_t (def. 2)  l_vt (def. 3)  P = l_t / l_s * l_vt / L_VT
#   html     18 + 13+13+11+7+7 = 69  18            14             18/69 * 14/14
#   body     18 + 13+11+7+7    = 56  18            14             18/56 * 14/14
#   div      14 + 11+7         = 32  14            10             14/32 * 10/14
#   a         4 + 7            = 11   4             0              4/11 *  0/14
#   p         4 + 7            = 11   4             4              4/11 *  4/14
WORKED = "<html><body><div>Rain fell.<a>More</a></div><p>Bye.</p></body></html>"
WORKED_P = {
    "html": 18 / 69,
    "body": 18 / 56,
    "div": 14 / 32 * 10 / 14,
    "a": 0.0,
    "p": 4 / 11 * 4 / 14,
}


def test_a_page_worked_by_hand_has_the_papers_p_text_and_signal() -> None:
    page = parse(WORKED)
    values = PValueExtractor().values(page).p
    assert dict(zip(page.nodes.tag, values, strict=True)) == pytest.approx(WORKED_P)
    extraction = PValueExtractor().extract(page)
    assert extraction.text == "Rain fell.More\nBye."
    assert extraction.score == pytest.approx(18 / 56)
    (signal,) = PValueExtractor().signals(page)
    assert (signal.unit, signal.values) == ("node", tuple(values))
    assert [page.nodes.tag[i] for i in signal.selected] == ["body"]


PLAIN = "<body><p>abcd</p></body>"


# Document -> its text, and a document with the same P after step 1.
@pytest.mark.parametrize(("html", "text", "same"), CASES["step 1"])
def test_step_1_and_the_greatest_p_decide(html: str, text: str, same: str | None) -> None:
    assert text_of(html) == text
    assert same is None or page_p(html) == page_p(same)


def test_the_root_of_a_ready_tree_can_be_chosen() -> None:
    page = from_root(fragment_fromstring("<p>Text of it, <b>all</b> of it.</p>"))
    extraction = PValueExtractor().extract(page)
    assert extraction.text == "Text of it, all of it."
    assert extraction.score == pytest.approx(20 / (20 + 7 + 7 + 2))  # a blank on each side of <b>


def test_judge_leaves_out_all_attributes_and_the_extractor_three() -> None:
    html = '<p data-x="1234567890">Text</p>'
    # 4 of text, 7 of tags, 20 of attribute; the page's P is p's.
    assert PValueExtractor().extract(parse(html)).score == pytest.approx(4 / 31)
    assert page_p(html) == pytest.approx(4 / 11)
    assert page_p(html, PValueJudge(reading="paper")) == pytest.approx(4 / 31)


def test_judge_says_article_from_one_half_on() -> None:
    html = "<p>abcdefg</p>"  # 7 of text, 7 of tags
    assert page_p(html) == 0.5
    assert PageReader.of().judged(parse(html)).has_article
    assert not PageReader.of().judged(parse("<p>abcdef</p>")).has_article
    assert not PageReader.of(threshold=0.51).judged(parse(html)).has_article


TEXT = "<p>What the page is about, in one plain sentence.</p>"
VOID = {"embed", "input", "link", "meta"}


@pytest.mark.parametrize("reading", get_args(Reading))
@pytest.mark.parametrize(
    "gone",
    [
        *(f"<{tag}>gone <b>too</b></{tag}>" for tag in sorted(REMOVED_TAGS - VOID - {"head"})),
        *(f'<{tag} title="long enough to matter">' for tag in sorted(VOID)),
        "<!-- no text at all -->",
    ],
)
def test_step_1_removes_an_element_with_its_content(gone: str, reading: Reading) -> None:
    extractor = PValueExtractor(reading)
    html, without = (f"<body><div>{TEXT}{one}</div></body>" for one in (gone, ""))
    assert extractor.extract(parse(html)) == extractor.extract(parse(without))


def test_paper_has_the_lengths_of_the_source() -> None:
    cases = read_json(__file__)["pvalue: of one element P by the letter and by the modern reading"]
    for html, expected in cases.items():
        page = parse(html)
        for reading, nodes in (("paper", read_source(page).nodes), ("modern", page.nodes)):
            found = PValueExtractor(reading).values(page).p
            for tag, *values in expected:
                product = prod(map(Fraction, values[reading == "modern"].split(" * ")))
                assert found[nodes.tag.index(tag)] == pytest.approx(float(product)), (html, reading)


# Document -> text in the paper's reading and in the modern one.
@pytest.mark.parametrize(("html", "paper", "modern"), CASES["text"])
def test_paper_has_all_text_of_the_element(html: str, paper: str, modern: str) -> None:
    page = parse(html)
    found = PValueExtractor("paper").extract(page)
    assert (found.text, PValueExtractor().extract(page).text) == (paper, modern)
    assert all(0 <= b < len(page.blocks) for b in found.chosen)


def test_paper_has_no_signal_if_scripts_were_read_as_elements() -> None:
    paper = PValueExtractor("paper")
    template = f"<p>short</p><script type='text/template'><p>{'long, ' * 99}</p></script>"
    assert paper.signals(parse(template)) == ()
    (signal,) = paper.signals(parse("<p>a&amp;b</p>"))
    assert signal.values == pytest.approx((7 / 40, 7 / 27, 7 / 14))
    assert signal.selected == (2,)


@pytest.mark.parametrize("html", ["", "<html></html>", "<body><a>Home</a> <a>News</a></body>"])
def test_a_page_without_valid_text_has_p_0_and_no_article(html: str) -> None:
    result = extract(html, extractor="pvalue")
    assert (result.main_text, result.p_value, result.has_article) == ("", 0, False)
    assert result.main_text_score == 0


WORDS = st.text("abcdefg", min_size=1, max_size=8)
LINKS = WORDS.map(lambda word: f"<a>{word}</a>")
TREES = st.recursive(
    WORDS | LINKS,
    lambda inner: st.builds(
        lambda tag, children: f"<{tag}>{''.join(children)}</{tag}>",
        st.sampled_from(["div", "span", "section"]),
        st.lists(inner, max_size=4),
    ),
    max_leaves=25,
)


TAG = re.compile(r"<[^>]*>")


def by_definition(html: str) -> list[float]:
    """Return P of every element of well-formed HTML without attributes, by cutting strings."""
    elements = []
    for start in re.finditer(r"<(\w+)>", html):
        depth = 0
        for tag in re.finditer(r"<(/?)\w+>", html[start.start() :]):
            depth += -1 if tag[1] else 1
            if depth == 0:
                elements.append(html[start.start() : start.start() + tag.end()])
                break

    def text(piece: str) -> int:
        return len(TAG.sub("", piece))

    def valid(piece: str) -> int:
        return text(re.sub(r"<a>.*?</a>", "", piece))

    total = valid(html)
    return [
        0.0 if e.startswith("<a>") or not total else text(e) / len(e) * valid(e) / total
        for e in elements
    ]


@given(TREES)
def test_p_agrees_with_the_definitions_on_the_source(tree: str) -> None:
    html = f"<html><body><div>{tree}</div></body></html>"
    assert PValueExtractor().values(parse(html)).p == pytest.approx(by_definition(html))


@pytest.mark.parametrize("has_attributes", [True, False])
@pytest.mark.parametrize("reading", get_args(Reading))
@given(html=TREES | st.binary(max_size=200).map(soup))
def test_the_search_finds_the_first_greatest_of_all_p(
    html: str, reading: Reading, has_attributes: bool
) -> None:
    values = p_values(parse(html), reading, has_attributes=has_attributes)
    greatest = max(values.p, default=0.0)
    assert values.page == greatest
    assert values.best == (values.p.index(greatest) if greatest else -1)
