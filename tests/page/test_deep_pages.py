"""The second way to read a page, by events, and where heads end in both."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from lxml import etree
from parsel import Selector

from scrapy_webtext import extract
from scrapy_webtext.page import Page, from_root, parse
from scrapy_webtext.page.nodes import Nodes, attributes_of, nodes_of
from scrapy_webtext.page.parse import read_events
from scrapy_webtext.registry import EXTRACTORS
from tests.kits import hostile
from tests.kits.laws import check_page
from tests.kits.soup import soup

#: libxml2's tree gives them their name as value, its events an empty one.
BOOLEAN = frozenset(
    "checked compact declare defer disabled ismap multiple nohref noresize noshade nowrap "
    "readonly selected".split()
)
WORDS = "It rained for nine days, and the river rose to the third step of the town hall. " * 6
TAGS = ["article", "main", "section", "header", "my-story"]


MISPLACED = "<head><title>T</title><main>one <b>two</b></main> <nav>three</nav></head>four<p>five"


def alike(nodes: Nodes) -> Nodes:
    flat: list[str] = []
    first = [0]
    for row in nodes.attributes:
        for name, value in row:
            flat += (name, name if name in BOOLEAN and not value else value)
        first.append(len(flat))
    rows = attributes_of(flat, first)
    return nodes_of(nodes.tag, nodes.parent, nodes.end, rows, nodes.text, nodes.tail)


def assert_both_ways_agree(html: str | bytes) -> None:
    page = parse(html)
    nodes, json_ld = read_events(page.body)
    if not page.nodes and not "".join(filter(None, nodes.text)).strip():
        return
    assert alike(nodes) == alike(page.nodes)
    assert json_ld == tuple(filter(None, page.json_ld))


def test_events_give_the_nodes_that_the_tree_gives() -> None:
    for html in (*hostile.SMALL.values(), MISPLACED):
        assert_both_ways_agree(html)


@example("<script type='application/ld+json'>")
@given(st.binary(max_size=60).map(soup).filter(lambda html: len(html) < 10_000))
def test_events_give_the_nodes_of_the_tree_for_any_markup(html: str) -> None:
    assert_both_ways_agree(html)


def words(page: Page) -> str:
    return " ".join(page.runs.text)


@pytest.mark.parametrize("tag", ["div", "b", "table", "x-y"])
@pytest.mark.parametrize("levels", [2_040, 2_045, 2_046, 2_047, 2_048, 30_000])
def test_a_page_of_any_depth_keeps_its_text(tag: str, levels: int) -> None:
    html = f"<{tag}>" * levels + "<p>deep</p>" + f"</{tag}>" * levels + "<p>the end</p>"
    for page in (parse(html), from_root(Selector(text=html).root, body=html.encode())):
        assert words(page).split() == ["deep", "the", "end"]
        assert page.nodes.tag.count(tag) == levels
        assert page.is_truncated is (levels > 2_045) or levels == 2_046
        check_page(page)


def test_a_cut_tree_without_its_source_is_called_truncated() -> None:
    page = from_root(Selector(text="<div>" * 3_000 + "deep").root)
    assert page.is_truncated
    assert words(page) == ""


def test_text_and_json_ld_of_a_deep_page_keep_their_order() -> None:
    script = '<script type="application/ld+json">{"a": 1}</script><script>x</script>'
    html = "".join(f"<font>w{n} " for n in range(5_000)) + "</font>tail" * 3
    page = parse(script + html + script)
    assert page.is_truncated
    assert words(page).split() == [*(f"w{n}" for n in range(5_000)), "tail", "tail", "tail"]
    assert page.json_ld == ('{"a": 1}', '{"a": 1}')


def children(page: Page, tag: str) -> list[str]:
    nodes = page.nodes
    return [nodes.tag[i] for i, up in enumerate(nodes.parent) if up >= 0 and nodes.tag[up] == tag]


@pytest.mark.parametrize("tag", TAGS)
def test_elements_that_head_must_not_hold_come_after_it(tag: str) -> None:
    page = parse(f"<title>T</title><meta name=a><{tag}><p>text</p></{tag}><script>1</script>")
    assert children(page, "html")[:2] == ["head", tag]
    assert children(page, "head") == ["title", "meta"]
    assert children(page, tag) == ["p"]
    html = f"<title>The flood</title><{tag}><p>{WORDS}</p><p>{WORDS}</p></{tag}>"
    for name in EXTRACTORS:
        result = extract(html, extractor=name)
        assert "third step of the town hall" in result.main_text
        assert "The flood" not in result.main_text
        assert result.has_article


def test_a_valid_head_is_not_changed() -> None:
    head = "<title>T</title><meta><link><style>a</style><noscript><img></noscript><base>"
    page = parse(f"<html><head>{head}<!-- x --></head><body><p>text</p></body></html>")
    assert children(page, "html") == ["head", "body"]
    assert page.blocks.text == ["T", "text"]
    assert page.hidden[page.blocks.node[0]]


def test_an_ended_head_keeps_the_order_of_text() -> None:
    page = parse(MISPLACED)
    assert page.blocks.text == ["T", "one two", "three", "four", "five"]
    check_page(page)


def test_text_after_nested_heads_is_copied_once() -> None:
    depth, text = 200, "t" * 1000
    source = f"<html>{'<head>' * depth}<p/>{f'</head>{text}' * depth}</html>"
    nodes = from_root(etree.fromstring(source)).nodes
    assert set(nodes.parent[1:]) == {0}
    assert list(filter(None, nodes.tail)) == [text * depth]
