"""What the columns of a tree hold of what is no element."""

from lxml import etree

from scrapy_webtext.page.columns import read_columns


def test_text_around_what_is_no_element_is_joined() -> None:
    html = """<div><!-- a -->one<!-- b --><?c?> two<p>three<!-- d --></p><!-- e --> four<!-- f -->
    five<br/><!-- g --></div>"""
    nodes = read_columns(etree.fromstring(html)).nodes
    assert list(nodes.tag) == ["div", "p", "br"]
    assert list(nodes.parent) == [-1, 0, 0]
    assert list(nodes.end) == [3, 2, 3]
    assert list(nodes.text) == ["one two", "three", None]
    assert list(nodes.tail) == [None, " four\n    five", None]


def test_what_is_no_element_adds_no_level() -> None:
    assert read_columns(etree.fromstring("<a><b><!-- c --></b></a>")).depth == 1
    assert read_columns(etree.fromstring("<a><!-- b --></a>")).depth == 0


def test_a_subtree_is_read_with_the_text_behind_it() -> None:
    nodes = read_columns(etree.fromstring("<r><a/>one<!-- b --> two<c/></r>")[0]).nodes
    assert list(nodes.tail) == ["one two", None]
