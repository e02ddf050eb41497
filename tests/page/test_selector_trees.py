"""A page is the same from its source and from the tree of a spider's selector."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from parsel import Selector

from scrapy_webtext.page import decode, from_root, parse
from tests.kits import hostile
from tests.test_hostile_pages import any_pages

WHOLE = "<html><body><p>One <!-- x --> <b>two</b></p></body></html><script>1</script>"


def check(html: str | bytes) -> None:
    html = html if isinstance(html, str) else decode(html)
    html = html.encode("utf-8", "replace").decode()
    own = parse(html)
    others = from_root(Selector(text=html, type="html").root, source=html)
    # Of nothing parsel makes an element.
    assert own.nodes == others.nodes or (not own.nodes and others.nodes.tag == ["html"])
    assert (own.json_ld, own.is_truncated) == (others.json_ld, others.is_truncated)


@pytest.mark.parametrize(
    "html", ["", " \n", "\xa0", "\0", "<!-- x -->", "<?php 1 ?>", "\ufeff<p>x", "x"]
)
def test_odd_sources_are_read_alike(html: str) -> None:
    check(html)


@pytest.mark.parametrize("name", hostile.SMALL)
def test_hostile_pages_are_read_alike(name: str) -> None:
    check(hostile.SMALL[name])


@given(any_pages | st.text(max_size=200))
def test_any_page_is_read_alike(html: str | bytes) -> None:
    check(html)


@pytest.mark.parametrize("blank", ["\n", " \r\n\t ", "\x1c", "\xa0", "\u3000\n", "\u2028"])
def test_white_space_around_a_source_is_no_part_of_it(blank: str) -> None:
    check(WHOLE + blank)
    assert parse(blank + WHOLE + blank).nodes == parse(WHOLE).nodes
