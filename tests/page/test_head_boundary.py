"""<head> ends where a browser ends it, whatever the parser makes of it."""

import pytest
from lxml import etree

from scrapy_webtext import extract
from scrapy_webtext.page import Page, from_root, parse
from scrapy_webtext.page.columns import read_events
from scrapy_webtext.registry import EXTRACTORS
from tests.kits import laws

WORDS = "It rained for nine days, and the river rose to the third step of the town hall. " * 6
TAGS = ["article", "main", "section", "header", "my-story", "figure"]


def children(page: Page, tag: str) -> list[str]:
    nodes = page.nodes
    return [nodes.tag[i] for i, up in enumerate(nodes.parent) if up >= 0 and nodes.tag[up] == tag]


@pytest.mark.parametrize("tag", TAGS)
def test_what_no_head_may_hold_lies_beside_it(tag: str) -> None:
    page = parse(f"<title>T</title><meta name=a><{tag}><p>text</p></{tag}><script>1</script>")
    assert children(page, "html")[:2] == ["head", tag]
    assert children(page, "head") == ["title", "meta"]
    assert children(page, tag) == ["p"]


@pytest.mark.parametrize("name", sorted(EXTRACTORS))
@pytest.mark.parametrize("tag", TAGS[:-1])
def test_a_page_without_body_and_end_of_head_has_its_text(tag: str, name: str) -> None:
    html = f"<title>The flood</title><{tag}><p>{WORDS}</p><p>{WORDS}</p></{tag}>"
    result = extract(html, extractor=name)
    assert "third step of the town hall" in result.main_text
    assert "The flood" not in result.main_text
    assert result.has_article


def test_a_head_that_is_one_stays() -> None:
    head = "<title>T</title><meta><link><style>a</style><noscript><img></noscript><base>"
    page = parse(f"<html><head>{head}<!-- x --></head><body><p>text</p></body></html>")
    assert children(page, "html") == ["head", "body"]
    assert page.blocks.text == ["T", "text"]
    assert page.hidden[page.blocks.node[0]]


def test_text_stays_in_its_order() -> None:
    page = parse("<head><title>T</title><main>one</main><nav>two</nav></head>three<p>four</p>")
    assert page.blocks.text == ["T", "one", "two", "three", "four"]
    laws.check_page(page)


def test_both_ways_of_reading_end_the_head_alike() -> None:
    html = "<title>T</title><link><main>one <b>two</b></main> <aside>three</aside><p>four"
    events, _ = read_events(html)
    assert events.parent == parse(html).nodes.parent
    assert events.end == parse(html).nodes.end


def test_the_spiders_tree_is_left_as_it_is() -> None:
    from parsel import Selector

    selector = Selector(text="<title>T</title><article><p>text</p></article>")
    before = selector.get()
    from_root(selector.root)
    assert selector.get() == before
    assert selector.css("head article p::text").get() == "text"


def test_text_behind_heads_in_heads_is_copied_once() -> None:
    depth, text = 200, "t" * 1000
    source = f"<html>{'<head>' * depth}<p/>{f'</head>{text}' * depth}</html>"
    nodes = from_root(etree.fromstring(source)).nodes
    assert set(nodes.parent[1:]) == {0}
    assert list(filter(None, nodes.tail)) == [text * depth]
