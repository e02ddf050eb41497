"""The second way to read a page, and when it is taken."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from parsel import Selector

from scrapy_webtext.page import Page, from_root, parse
from scrapy_webtext.page.columns import read_events
from scrapy_webtext.page.nodes import Attributes, Nodes
from tests.fuzz.pages import soup
from tests.kits import hostile
from tests.kits.laws import check_page

#: libxml2's tree gives them their name as value, its events an empty one.
BOOLEAN = frozenset(
    "checked compact declare defer disabled ismap multiple nohref noresize noshade nowrap "
    "readonly selected".split()
)


def alike(nodes: Nodes) -> Nodes:
    table = Attributes([], [0])
    for row in nodes.attributes:
        for name, value in row:
            table.flat.extend((name, name if name in BOOLEAN and not value else value))
        table.first.append(len(table.flat))
    return Nodes(nodes.tag, nodes.parent, nodes.end, table, nodes.text, nodes.tail)


def assert_both_ways_agree(html: str | bytes) -> None:
    page = parse(html)
    nodes, json_ld = read_events(page.source)
    if not page.nodes and not "".join(filter(None, nodes.text)).strip():
        return
    assert alike(nodes) == alike(page.nodes)
    assert json_ld == tuple(filter(None, page.json_ld))


@pytest.mark.parametrize("name", hostile.SMALL)
def test_events_give_the_nodes_that_the_tree_gives(name: str) -> None:
    assert_both_ways_agree(hostile.SMALL[name])


@given(st.binary(max_size=60).map(soup).filter(lambda html: len(html) < 10_000))
def test_events_give_the_nodes_that_the_tree_gives_for_any_soup(html: str) -> None:
    assert_both_ways_agree(html)


def words(page: Page) -> str:
    return " ".join(page.runs.text)


@pytest.mark.parametrize("tag", ["div", "b", "ul", "font", "table", "x-y"])
@pytest.mark.parametrize("levels", [2_045, 2_046, 2_047, 2_048, 2_049, 3_000, 30_000])
def test_a_page_of_any_depth_keeps_its_text(tag: str, levels: int) -> None:
    html = f"<{tag}>" * levels + "<p>deep</p>" + f"</{tag}>" * levels + "<p>the end</p>"
    for page in (parse(html), from_root(Selector(text=html).root, source=html)):
        assert words(page).split() == ["deep", "the", "end"]
        assert page.nodes.tag.count(tag) == levels
        check_page(page)


@pytest.mark.parametrize(
    ("levels", "is_truncated"), [(2_040, False), (2_045, False), (2_046, False), (2_047, True)]
)
def test_only_a_tree_that_lost_something_is_called_truncated(
    levels: int, is_truncated: bool
) -> None:
    html = "<div>" * levels + "deep" + "</div>" * levels + "<p>the end</p>"
    assert parse(html).is_truncated is is_truncated
    assert from_root(Selector(text=html).root, source=html).is_truncated is is_truncated


def test_a_cut_tree_without_its_source_is_called_truncated() -> None:
    html = "<div>" * 3_000 + "deep" + "</div>" * 3_000 + "<p>the end</p>"
    page = from_root(Selector(text=html).root)
    assert page.is_truncated
    assert words(page) == ""


def test_text_between_the_levels_of_a_deep_page_keeps_its_order() -> None:
    html = "".join(f"<font>w{n} " for n in range(5_000)) + "</font>tail" * 3
    page = parse(html)
    assert page.is_truncated
    assert words(page).split() == [*(f"w{n}" for n in range(5_000)), "tail", "tail", "tail"]


def test_json_ld_of_a_deep_page_is_kept() -> None:
    script = '<script type="application/ld+json">{"a": 1}</script><script>x</script>'
    page = parse(script + "<div>" * 3_000 + "deep" + script)
    assert page.json_ld == ('{"a": 1}', '{"a": 1}')
    assert words(page) == "deep"
