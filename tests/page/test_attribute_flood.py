"""Tags with thousands of attributes are seen before a tree is made of them."""

import pytest
from parsel import Selector

from scrapy_webtext.page import has_swollen_tag, parse
from tests.kits import hostile


@pytest.mark.parametrize("value", ["", "=b", '="b c"', "='b/c'"])
@pytest.mark.parametrize("between", [" ", "\n", "/", " \t "])
def test_a_tag_with_thousands_of_attributes_is_seen(value: str, between: str) -> None:
    attributes = between.join(f"data-{k}{value}" for k in range(5_000))
    assert has_swollen_tag(f"<p>a</p> <script>a < b</script><p {attributes}>text</p>".encode())


@pytest.mark.parametrize(
    "before",
    [
        "<p x=f() ",
        "<p x='>' ",
        '<p x = "<b>a</b>" ',
        "<p x='><b y=\"z\">' ",
        '<p a"=">" ',
        "<p x=\0'>' ",
        "<script>a<b c=\"</script><p x='\">' ",
        "<title><script></title><p ",
        "<!-- <i x=' --><p y='>' ",
    ],
)
def test_nothing_that_stands_before_hides_its_attributes(before: str) -> None:
    attributes = " ".join(f"a{k}" for k in range(5_000))
    assert has_swollen_tag(f"<p>a</p>{before}{attributes}>text</p>".encode())


def test_quotes_between_its_attributes_do_not_hide_them() -> None:
    attributes = " ".join(f"a{k} b{k}='<p>a</p>'" for k in range(5_000))
    assert has_swollen_tag(f"<p>a</p><p {attributes}>text</p>".encode())
    attributes = "=a " * 3_000 + " ".join(f"a{k}" for k in range(5_000))
    assert has_swollen_tag(f"<p {attributes}>text</p>".encode())


def test_many_tags_of_some_hundred_attributes_are_seen() -> None:
    tag = f"<p {' '.join(f'a{k}' for k in range(400))}>"
    assert has_swollen_tag((tag * 20).encode())


def test_code_that_is_mistaken_for_a_tag_costs_a_large_page_nothing() -> None:
    code = f"<script>if (a <b) {' '.join(f'f{k}(c, d);' for k in range(600))}</script>"
    assert not has_swollen_tag((code + f"<p>{hostile.SENTENCE}</p>" * 2_000).encode())


def test_tags_inside_a_tag_are_counted_too() -> None:
    attributes = " ".join(f"a{k}" for k in range(1_000))
    assert not has_swollen_tag((f"<p {attributes}>" + "a b " * 50_000).encode())
    assert has_swollen_tag(("<i " + f"<p {attributes} " * 10 + ">" + "a b " * 50_000).encode())


def test_short_tags_inside_tags_cost_nothing_however_many() -> None:
    tag = f"<a title='{'<b>' * 100}'>"
    assert not has_swollen_tag((tag * 200).encode())
    assert not has_swollen_tag(hostile.LARGE["tags in a tag"](10_000).encode())
    attributes = " ".join(f"a{k}" for k in range(5_000))
    assert has_swollen_tag((tag * 200 + f"<p {attributes}>").encode())


@pytest.mark.parametrize(
    "html",
    [
        "",
        hostile.page(hostile.ARTICLE * 100),
        f"<p>{'a b ' * 50_000}</p>",
        f"<script>{'var a = b; f(c, d) ' * 20_000}</script>",
        f"<script>if (a <b) {'c d ' * 20_000}</script>",
        f"<img alt='' src='data:image/png;base64,{'aGVsbG8' * 20_000}'>",
        f"<path d='{'M 1.5 2.5 L 3 4 ' * 10_000}'>",
        f"<div data-props='{'{&quot;a&quot;: [1, 2]}, ' * 5_000}'>",
        f"<!-- {'a b ' * 50_000} -->",
        "<p title=" + "a\u00a0b\u2003" * 20_000 + ">",
    ],
)
def test_pages_that_mean_well_have_no_swollen_tag(html: str) -> None:
    assert not has_swollen_tag(html.encode())


def test_a_page_with_a_swollen_tag_is_read_like_any_other() -> None:
    html = hostile.LARGE["attributes"](4_000)
    page = parse(html)
    tag = Selector(text=html).css("p")[0]
    assert dict(page.nodes.attributes[page.nodes.tag.index("p")]) == tag.attrib
    assert hostile.SENTENCE.strip() in " ".join(page.runs.text)


def test_equals_signs_in_quotes_are_no_values() -> None:
    rest = "x" * 20_000
    address = '<a href="{}">'.format("?a=b" * 2_000)
    assert not has_swollen_tag((address + rest).encode())
    assert has_swollen_tag(("<a " + "b=" * 2_000 + ">" + rest).encode())


@pytest.mark.parametrize(
    ("attributes", "expected"),
    [
        ("a=b " * 2_000, True),  # too many values to count
        ("a " * 8_000, False),  # one attribute
        ("d='M 1 2 L 3 4' " * 1_500, False),
        (" ".join(f"a{k}" for k in range(4_000)), True),
        (" ".join(f"a{k}" for k in range(3_000)), False),  # costs what a megabyte may
    ],
)
def test_a_tag_on_a_large_page_is_counted_as_exactly_as_it_takes(
    attributes: str, expected: bool
) -> None:
    assert has_swollen_tag((f"<p {attributes}>" + "text " * 200_000).encode()) is expected


def test_a_source_is_as_long_as_it_is_with_its_nul_bytes() -> None:
    tag = "<p" + "".join(f" a{k}" for k in range(1_000))
    source = tag.encode() + b"\0" * 16_384
    assert len(tag) < 16_384
    assert has_swollen_tag(source)
