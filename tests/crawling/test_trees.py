"""A page is read from the tree of the spider's selector if the spider uses selectors."""

import gc
import weakref
from functools import partial
from typing import Any

import pytest
from lxml import etree
from scrapy.http import HtmlResponse, Request, TextResponse, XmlResponse

from scrapy_webtext.crawling.private import has_selector
from scrapy_webtext.crawling.responses import read_page
from scrapy_webtext.page import parse
from scrapy_webtext.reader import PageReader
from tests.crawls.offline import Components, response_of
from tests.kits import hostile

ARTICLE = hostile.page(hostile.ARTICLE).encode()

READER = PageReader.of()


class Spider:
    """Callbacks are methods: each time another object."""

    def parse_list(self, response: Any) -> None: ...

    def parse_article(self, response: Any) -> None: ...


def test_a_spider_without_selectors_gets_no_tree() -> None:
    components = Components()
    for _ in range(3):
        response = response_of(ARTICLE)
        assert components.item_of(response)["main_text"]
        assert not has_selector(response)


@pytest.mark.parametrize("yielded", [{"a": 1}, Request("https://example.com/next")])
def test_a_callback_shares_trees_after_it_used_a_selector(yielded: Any) -> None:
    components, spider = Components(), Spider()

    def shares(callback: Any, *, selects: bool = False) -> bool:
        response = response_of(ARTICLE)
        assert response.request is not None
        response.request.callback = callback
        is_shared = has_selector(components.download(response))
        if selects:
            response.css("title")
        if isinstance(yielded, Request):
            components.spider.get_processed_request(yielded, response)
        else:
            components.spider.get_processed_item(yielded, response)
        return is_shared

    assert not shares(spider.parse_list)
    assert not shares(spider.parse_list, selects=True)
    assert shares(spider.parse_list)
    assert shares(partial(spider.parse_list, page=2))
    assert not shares(spider.parse_article)
    assert not shares(None)


@pytest.mark.parametrize("status", [200, 404])
def test_a_request_that_holds_its_response_is_not_kept_alive(status: int) -> None:
    components = Components()
    response = response_of(ARTICLE).replace(status=status)
    assert response.request is not None
    response.request.meta["response"] = response
    components.download(response)
    reference = weakref.ref(response)
    del response
    gc.collect()
    assert reference() is None


def test_a_response_that_has_a_selector_shares_its_tree() -> None:
    response = response_of(ARTICLE)
    tree = response.selector.root
    assert read_page(response, READER).nodes.tag[0] == tree.tag


@pytest.mark.parametrize("name", sorted(hostile.LARGE))
def test_both_trees_give_the_same_page(name: str) -> None:
    own, shared = (response_of(hostile.LARGE[name](500).encode()) for _ in range(2))
    assert read_page(own, READER, shares_tree=False) == read_page(shared, READER)
    assert not has_selector(own)


@pytest.mark.parametrize("shares_tree", [True, False])
def test_xhtml_of_an_xml_response_is_read_as_html(shares_tree: bool) -> None:
    body = """<html xmlns="http://www.w3.org/1999/xhtml"><head><title>Rain</title>
        <script type="application/ld+json">"&#xD800;"</script></head>
        <body><p>One day it rained &#xD800;.</p><p>Then it did not.</p></body></html>"""
    page = read_page(XmlResponse("https://example.com", body=body.encode()), READER, shares_tree)
    surrogate = "\ufffd" if etree.LIBXML_VERSION >= (2, 14) else ""
    assert page.blocks.text == ["Rain", f"One day it rained {surrogate}.", "Then it did not."]
    assert page.nodes == parse(body).nodes


@pytest.mark.parametrize("kind", [HtmlResponse, TextResponse])
@pytest.mark.parametrize("body", ['{"a": 1}', "[" * 10_000])
def test_json_that_is_sent_as_html_is_read_as_html(kind: type[TextResponse], body: str) -> None:
    response = kind("https://example.com/", body=body.encode(), encoding="utf-8")
    assert read_page(response, READER).blocks.text == [body]
