"""The columns of a page: nodes, runs, blocks, from its source and from a spider's tree."""

import pickle
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree
from parsel import Selector

from scrapy_webtext.core.texts import Signs
from scrapy_webtext.page import Page, from_root, parse
from scrapy_webtext.page.encoding import decode, without_c1
from scrapy_webtext.page.hidden import find_hidden_elements
from scrapy_webtext.page.nodes import attributes_of, nodes_of
from scrapy_webtext.page.parse import read_columns
from scrapy_webtext.page.shown_later import has_sentence
from scrapy_webtext.render import render_blocks, render_runs
from tests.kits import hostile, laws
from tests.kits.data import read_json
from tests.test_hostile_pages import any_pages

CASES = read_json(__file__, "signs.json")


WHOLE = "<html><body><p>One <!-- x --> <b>two</b></p></body></html><script>1</script>"


def from_tree(html: str) -> Page:
    return from_root(Selector(text=html, type="html").root, body=html.encode())


def check(html: str | bytes) -> None:
    """A page has the same tables from its source and from a tree; their columns fit together."""
    html = html if isinstance(html, str) else decode(html)
    html = without_c1(html.encode("utf-8", "replace")).decode()
    # parsel strips white space before it removes NUL.
    own, others = parse(html), from_tree(html.replace("\0", ""))
    # Of nothing parsel makes an element.
    assert own.nodes == others.nodes or (not own.nodes and others.nodes.tag == ["html"])
    assert (own.json_ld, own.is_truncated) == (others.json_ld, others.is_truncated)
    laws.check_page(own)
    laws.check_page(others)


ODD = ["", " \n", "\xa0", "\0", "\0\x1c\0", "a\0b", "<!-- x -->", "<?php 1 ?>", "\ufeff<p>x", "x"]


def test_odd_and_hostile_sources_are_read_alike() -> None:
    for html in (*ODD, *hostile.SMALL.values()):
        check(html)


@given(any_pages | st.text(max_size=200))
def test_any_page_is_read_alike(html: str | bytes) -> None:
    check(html)


@pytest.mark.parametrize("blank", ["\n", " \r\n\t ", "\x1c", "\xa0", "\u3000\n", "\u2028"])
def test_white_space_around_a_source_is_no_part_of_it(blank: str) -> None:
    check(WHOLE + blank)
    assert parse(blank + WHOLE + blank).nodes == parse(WHOLE).nodes


def test_nodes_are_in_document_order_with_the_end_of_their_subtree() -> None:
    nodes = parse("<html><body><div><p>a</p><p>b</p></div><hr></body></html>").nodes
    assert nodes.tag == ["html", "body", "div", "p", "p", "hr"]
    assert list(nodes.parent) == [-1, 0, 1, 2, 2, 1]
    assert list(nodes.end) == [6, 6, 5, 4, 5, 6]


def test_text_around_comments_and_instructions_is_joined() -> None:
    html = """<div><!-- a -->one<!-- b --><?c?> two<p>three<!-- d --></p><!-- e --> four<!-- f -->
    five<br/><!-- g --></div>"""
    nodes, _, depth = read_columns(etree.fromstring(html))
    assert list(nodes.tag) == ["div", "p", "br"]
    assert list(nodes.parent) == [-1, 0, 0]
    assert list(nodes.end) == [3, 2, 3]
    assert list(nodes.text) == ["one two", "three", None]
    assert list(nodes.tail) == [None, " four\n    five", None]
    assert depth == 1
    nodes = read_columns(etree.fromstring("<r><a/>one<!-- b --> two<c/></r>")[0]).nodes
    assert list(nodes.tail) == ["one two", None]


def test_links_are_counted_by_character() -> None:
    blocks = parse("<p>go <a href=/>there <b>now</b></a>!</p>").blocks
    assert list(blocks.chars) == [len("go") + len("there") + len("now") + len("!")]
    assert list(blocks.link_chars) == [len("there") + len("now")]
    assert blocks[0].link_density == 8 / 11
    assert blocks[-1].text == "go there now!"


def test_a_block_belongs_to_the_block_level_element_around_it() -> None:
    page = parse("<div>intro <span>x</span><p><b>bold</b></p>outro</div>")
    owners = [page.nodes.tag[i] for i in page.blocks.node]
    assert list(zip(page.blocks.text, owners, strict=True)) == [
        ("intro x", "div"), ("bold", "p"), ("outro", "div"),
    ]  # fmt: skip


def test_tags_are_counted_before_each_run() -> None:
    runs = parse("<html><body><p>a<br>b</p>c</body></html>").runs
    # html body p | a | br | b | /p | c : a void element has no end tag
    assert list(runs.tags_before) == [3, 4, 5]


def test_title_and_json_ld_are_read() -> None:
    page = parse(
        "<title> A \n title </title><script type='application/ld+json'>{\"a\": 1}</script>"
        "<script>1</script><svg><title>no</title></svg>"
    )
    assert page.title == "A title"
    assert page.json_ld == ('{"a": 1}',)


def test_leaving_out_an_aside_joins_no_words() -> None:
    page = parse("<p>one<span>two</span>three</p><div>four</div><p>five</p>")
    assert render_runs(page, [0, 2]) == "onethree"
    assert render_runs(page, [2, 4]) == "three\nfive"
    assert render_blocks(page, [0, 2]) == "onetwothree\nfive"


# Columns of nodes, texts and attributes.

TEXTS = ["one", None, "", " \n", "\u3000two \u00e9\u6f22 \U0001f600\u2028", "\ud800"]
TAILS = [None, "\xa0", "x", None, " y ", "\u6f22"]
NODES = nodes_of(
    tag=["html", "p", "b", "", "p", "i"],
    parent=[-1, 0, 1, 0, 0, 4],
    end=[6, 3, 3, 4, 6, 6],
    attributes=attributes_of(["id", "\u00e9"], [0, 0, 2, 2, 2, 2, 2]),
    text=TEXTS,
    tail=TAILS,
)


def test_texts_are_indexed_sliced_and_iterated_as_lists_are() -> None:
    text = NODES.text
    assert [text[k] for k in range(-6, 6)] == TEXTS + TEXTS
    assert text[1:5] == TEXTS[1:5]
    assert text[::-2] == TEXTS[::-2]
    assert list(text) == TEXTS
    assert text != TAILS
    for k in (6, -7):
        with pytest.raises(IndexError):
            text[k]


def test_nodes_are_asked_by_their_tags() -> None:
    nodes = NODES
    assert nodes.tagged(frozenset({"p", ""})) == [1, 3, 4]
    assert nodes.tagged(frozenset({"main"})) == []
    assert nodes.tops(frozenset({"p", "b", "i"})) == [1, 4]
    assert nodes.tops(frozenset({"b", "i", "p"}), [2, 4, 5]) == [2, 4]
    assert list(nodes.nearest(frozenset({"p"}))) == [0, 1, 1, 0, 4, 4]
    assert nodes.inside(frozenset({"p"})) == bytearray(b"\0\1\1\0\1\1")
    assert nodes.below([2, 5]) == bytearray(b"\0\0\1\0\0\1")


def test_attributes_are_found_by_name_in_a_range_of_nodes() -> None:
    own = parse("<p id=a class=b>x<b CLASS=c d='&eacute;'>y<i>z").nodes.attributes
    names = {"class", "d", "none"}
    found = [(2, "class", "b"), (3, "class", "c"), (3, "d", "\u00e9")]
    assert own.named(names) == found
    assert own.named(names, 2, 3) == found[:1]
    assert own.named(names, 3) == found[1:]
    assert own.named(names, 4, 9) == own.named(names, 9, 2) == []


def test_a_page_outlives_a_pickle() -> None:
    page = parse("<p id=a title='\u00e9'>One <b>two</b> three<p>four")
    again = pickle.loads(pickle.dumps(page))
    assert again == page
    assert (again.nodes, again.runs, again.blocks) == (page.nodes, page.runs, page.blocks)


def test_white_space_is_what_python_calls_so() -> None:
    chars = [chr(k) for k in range(sys.maxunicode + 1) if k < 0x3100 or k % 0x101 == 0]
    n = len(chars)
    nodes = nodes_of(
        ["p"] * n,
        [-1] * n,
        list(range(1, n + 1)),
        attributes_of(["hidden", ""] * n, list(range(0, 2 * n + 1, 2))),
        [f"{char}\n{char}" for char in chars],
        [None] * n,
    )
    found = {one.node for one in find_hidden_elements(nodes, bytearray(n))}
    assert [k in found for k in range(n)] == [not char.isspace() for char in chars]


@pytest.mark.parametrize("edge", [" ", "\n\t", "\xa0", "\u3000", "\u2029 \x85"])
@pytest.mark.parametrize("inside", ["\u6f22", "a b", "\u00e9\u3000\u00e9", "\U0001f600 \u2003 x"])
def test_a_sentence_is_counted_in_characters_without_its_edges(edge: str, inside: str) -> None:
    times, more = divmod(60, len(inside))
    for chars, is_sentence in ((60, True), (59, False)):
        text = (inside * times + "x" * more)[60 - chars :].strip()
        text += "y" * (chars - len(text))
        one = [edge + text + edge]
        page = nodes_of(["p"], [-1], [1], attributes_of([], [0, 0]), one, [None])
        assert has_sentence(page, 0) is is_sentence


@pytest.mark.parametrize(("value", "is_found"), CASES["signs"])
def test_a_sign_is_found_in_any_case_of_ascii_and_at_the_end(value: str, is_found: bool) -> None:
    attributes = parse(f"<p id=tex class='{value}'>x").nodes.attributes
    assert bool(attributes.with_signs({"class": Signs("atex", "tex ")})) == is_found


def test_equal_and_similar_texts_are_searched_for_each_sign() -> None:
    names = [f"content-{k}-{k}-wrapper" for k in range(700)] * 2
    attributes = parse("".join(f"<p class={name}>" for name in names)).nodes.attributes
    for sign in ("7-", "wrapper", "nt-69", "none"):
        found = attributes.with_signs({"class": Signs(sign)})
        assert [value for _, _, value in found] == [name for name in names if sign in name]
