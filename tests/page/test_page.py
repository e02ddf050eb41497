"""The tables of a page: nodes, runs, blocks, from its source and from a spider's tree."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree
from parsel import Selector

from scrapy_webtext.page import Page, from_root, parse
from scrapy_webtext.page.encoding import decode
from scrapy_webtext.page.parse import read_columns
from scrapy_webtext.render import render_blocks, render_runs
from tests.kits import hostile, laws
from tests.test_hostile_pages import any_pages

WHOLE = "<html><body><p>One <!-- x --> <b>two</b></p></body></html><script>1</script>"


def from_tree(html: str) -> Page:
    return from_root(Selector(text=html, type="html").root, source=html)


def check(html: str | bytes) -> None:
    """A page has the same tables from its source and from a tree; their columns fit together."""
    html = html if isinstance(html, str) else decode(html)
    html = html.encode("utf-8", "replace").decode()
    own, others = parse(html), from_tree(html)
    # Of nothing parsel makes an element.
    assert own.nodes == others.nodes or (not own.nodes and others.nodes.tag == ["html"])
    assert (own.json_ld, own.is_truncated) == (others.json_ld, others.is_truncated)
    laws.check_page(own)
    laws.check_page(others)


ODD = ["", " \n", "\xa0", "\0", "<!-- x -->", "<?php 1 ?>", "\ufeff<p>x", "x"]


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
