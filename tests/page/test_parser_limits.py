"""Tags with thousands of attributes are found before a tree is built."""

import pytest
from parsel import Selector

from scrapy_webtext.page import parse
from scrapy_webtext.page.parser_limits import has_swollen_tag
from tests.kits import hostile
from tests.kits.data import read_json

MANY = " ".join(f"a{k}" for k in range(5_000))
REST = "x" * 20_000


@pytest.mark.parametrize("value", ["", "=b", '="b c"', "='b/c'"])
@pytest.mark.parametrize("between", [" ", "\n", "/", " \t "])
def test_a_tag_with_thousands_of_attributes_is_seen(value: str, between: str) -> None:
    attributes = between.join(f"data-{k}{value}" for k in range(5_000))
    assert has_swollen_tag(f"<p>a</p> <script>a < b</script><p {attributes}>text</p>".encode())


@pytest.mark.parametrize(
    "before",
    [
        *read_json(__file__, "parser_limits.json"),
        f"<p {'=a ' * 3_000}",
        f"<a title='{'<b>' * 100}'>" * 200 + "<p ",
    ],
)
def test_no_text_before_a_tag_hides_its_attributes(before: str) -> None:
    assert has_swollen_tag(f"<p>a</p>{before}{MANY}>text</p>".encode())


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("", False),
        (hostile.page(hostile.ARTICLE * 100), False),
        (f"<p>{'a b ' * 50_000}</p>", False),
        (f"<script>{'var a = b; f(c, d) ' * 20_000}</script>", False),
        (f"<script>if (a <b) {'c d ' * 20_000}</script>", False),
        (f"<img alt='' src='data:image/png;base64,{'aGVsbG8' * 20_000}'>", False),
        (f"<path d='{'M 1.5 2.5 L 3 4 ' * 10_000}'>", False),
        (f"<div data-props='{'{&quot;a&quot;: [1, 2]}, ' * 5_000}'>", False),
        (f"<!-- {'a b ' * 50_000} -->", False),
        ("<p title=" + "a\u00a0b\u2003" * 20_000 + ">", False),
        (f"<a title='{'<b>' * 100}'>" * 200, False),
        (hostile.LARGE["tags in a tag"](10_000), False),
        (
            f"<script>if (a <b) {' '.join(f'f{k}(c, d);' for k in range(600))}</script>"
            + f"<p>{hostile.SENTENCE}</p>" * 2_000,
            False,
        ),
        (f"<p {' '.join(f'a{k}' for k in range(400))}>" * 20, True),
        (f"<p {' '.join(f'''a{k} b{k}='<p>a</p>' ''' for k in range(5_000))}>", True),
        (f"<p {MANY[:4_890]}>" + "a b " * 50_000, False),
        ("<i " + f"<p {MANY[:4_890]} " * 10 + ">" + "a b " * 50_000, True),
        ('<a href="{}">'.format("?a=b" * 2_000) + REST, False),  # in quotes
        ("<a " + "b=" * 2_000 + ">" + REST, True),
        # on a page of a megabyte
        ("<p " + "a=b " * 2_000 + ">" + "text " * 200_000, True),  # too many values to count
        ("<p " + "a " * 8_000 + ">" + "text " * 200_000, False),  # one attribute
        ("<p " + "d='M 1 2 L 3 4' " * 1_500 + ">" + "text " * 200_000, False),
        (f"<p {MANY[:22_890]}>" + "text " * 200_000, True),
        (f"<p {MANY[:16_890]}>" + "text " * 200_000, False),
    ],
)
def test_a_page_costs_what_its_different_attributes_do(html: str, expected: bool) -> None:
    assert has_swollen_tag(html.encode()) is expected


def test_a_source_is_as_long_as_it_is_with_its_nul_bytes() -> None:
    tag = f"<p {MANY[:4_890]}"
    assert len(tag) < 16_384
    assert has_swollen_tag(tag.encode() + b"\0" * 16_384)


def test_a_page_with_a_swollen_tag_is_read_like_any_other() -> None:
    html = hostile.LARGE["attributes"](4_000)
    page = parse(html)
    tag = Selector(text=html).css("p")[0]
    assert dict(page.nodes.attributes[page.nodes.tag.index("p")]) == tag.attrib
    assert hostile.SENTENCE.strip() in " ".join(page.runs.text)
