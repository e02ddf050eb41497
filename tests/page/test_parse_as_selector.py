"""A tree made for us alone is read like that of the spider's selector."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from parsel import Selector

from scrapy_webtext.page import Page, decode, from_root, parse_as_selector
from tests.kits import hostile
from tests.test_hostile_pages import any_pages

SMALL = {
    name: page if isinstance(page, str) else decode(page) for name, page in hostile.SMALL.items()
}
#: Where there is no element, or no text.
ODD = [
    "",
    " \n",
    "\0",
    "<!-- x -->",
    "<!doctype html>",
    "<?php 1 ?>",
    "\ufeff<p>x",
    "\u3000<p>x",
    "x",
]


def by_selector(html: str) -> Page:
    return from_root(Selector(text=html, type="html").root, source=html)


def check(html: str) -> None:
    html = html.encode("utf-8", "replace").decode()
    own, others = parse_as_selector(html), by_selector(html)
    assert own.nodes == others.nodes
    assert (own.json_ld, own.is_truncated) == (others.json_ld, others.is_truncated)
    assert own.source == html


@pytest.mark.parametrize("html", ODD)
def test_odd_sources_are_read_alike(html: str) -> None:
    check(html)


@pytest.mark.parametrize("name", SMALL)
def test_hostile_pages_are_read_alike(name: str) -> None:
    check(SMALL[name])


@given(any_pages | st.text(max_size=200))
def test_any_page_is_read_alike(html: str | bytes) -> None:
    check(html if isinstance(html, str) else decode(html))


def test_white_space_beside_comments_is_kept() -> None:
    html = "<p>one <!-- x --> <b>two</b> <!-- y --> three</p>"
    assert parse_as_selector(html).blocks.text == by_selector(html).blocks.text == ["one two three"]
