"""The compiled reader of trees: its fallback, odd trees, names and threads."""

import gc

import pytest
from lxml import etree, html
from parsel import Selector

import scrapy_webtext
from scrapy_webtext.page import from_root
from tests.kits.processes import python

STEP_ASIDE = """
import sys, types
reader = types.ModuleType("scrapy_webtext.core.reader")
def read(root, source_chars):
    {body}
reader.read = read
sys.modules[reader.__name__] = reader
from scrapy_webtext import extract, is_compiled
print(extract("<p>One day it rained.").main_text, is_compiled)
"""


@pytest.mark.parametrize("body", ["return None", "raise ValueError('another layout')"])
def test_a_reader_with_other_results_is_not_used_and_warns_once(body: str) -> None:
    done = python("-c", STEP_ASIDE.format(body=body))
    assert done.stdout == "One day it rained. False\n"
    assert done.stderr.count("RuntimeWarning: The compiled reader of trees is not used") == 1


def test_a_page_is_the_same_after_its_tree_is_cleared() -> None:
    selector = Selector(text="<body title=x><p class='a b'>One <b>two</b> three</p>tail</body>")
    page = from_root(selector.root)
    before = repr(page.nodes)
    for element in selector.root.iter():
        element.clear()
    del selector, element
    assert repr(page.nodes) == before
    assert page.blocks.text == ["One two three", "tail"]


def test_elements_of_a_custom_class_are_read_like_others() -> None:
    class Own(html.HtmlElement):
        pass

    parser = etree.HTMLParser()
    parser.set_element_class_lookup(etree.ElementDefaultClassLookup(element=Own))
    root = etree.fromstring("<p>One <b>two</b></p>", parser)
    assert isinstance(root, Own)
    assert from_root(root).blocks.text == ["One two"]


def test_texts_and_names_set_by_a_spider_are_read() -> None:
    root = html.fromstring("<div><p>one</p></div>")
    root[0].tail = "t\u00e4il \U0001f600"
    root[0].set("data-x", "<&>")
    root[0].tag = "section"
    etree.SubElement(root, "p").text = ""
    nodes = from_root(root).nodes
    assert nodes.tag == ["div", "section", "p"]
    assert nodes.tail == [None, "t\u00e4il \U0001f600", None]
    assert nodes.text == [None, "one", root[1].text]
    assert nodes.attributes[1] == [("data-x", "<&>")]


def test_thousands_of_names_are_read_on_each_page() -> None:
    for page in range(4):
        names = [f"x{page}-{k}{page * '-' * 20}" for k in range(1500)]
        source = "".join(f"<{name} {name}=1 a{name}=2 type=3></{name}>" for name in names)
        nodes = from_root(html.fromstring(f"<div>{source}</div>")).nodes
        assert nodes.tag == ["div", *names]
        assert nodes.attributes[7] == [(names[6], "1"), (f"a{names[6]}", "2"), ("type", "3")]
        assert len(nodes.attributes.named(set(names))) == 1500


def test_long_names_are_cut() -> None:
    space = "urn:" + "a" * 100_000
    root = etree.fromstring(f'<x:p xmlns:x="{space}">{"<x:b/>" * 50}</x:p>')
    nodes = from_root(root).nodes
    assert nodes.tag == [f"{{{space}"[:1000]] * 51


RACE = """
import sys, threading, time
from lxml import etree
from scrapy_webtext.page import from_root
sys.setswitchinterval(1e-6)
script = '<script type="application/ld+json">1</script><p q{0}=v>text {0}</p>'
source = "".join(f"<div class=c{k}>{script.format(k)}</div>" for k in range(300))
read, stop = [], time.time() + 2
def change():
    while time.time() < stop:
        for root in read:
            for child in list(root[0]):
                root[0].remove(child)
threading.Thread(target=change).start()
while time.time() < stop:
    read[:] = [etree.fromstring(source, etree.HTMLParser())]
    from_root(read[0])
"""


def test_another_thread_may_change_the_tree_that_is_read() -> None:
    python("-c", RACE)


def test_compiled_columns_are_not_tracked_by_the_collector() -> None:
    page = from_root(html.fromstring("<p>One</p><p>two"))
    columns = [page.nodes.tag, page.runs.text, page.blocks.text]
    assert set(map(gc.is_tracked, columns)) == {not scrapy_webtext.is_compiled}


def test_a_root_that_is_no_element_raises_an_error() -> None:
    with pytest.raises((TypeError, AttributeError)):
        from_root("<p>text")  # type: ignore[arg-type]
