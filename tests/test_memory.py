"""The memory of a page is freed after its items."""

import gc
import tracemalloc
from typing import Any

import pytest

from scrapy_webtext import extract
from scrapy_webtext.crawling.crawl import ResponseState
from scrapy_webtext.page import Page
from scrapy_webtext.registry import EXTRACTORS, JUDGES
from scrapy_webtext.results import WebTextResult
from tests.crawls.offline import Components, response_of

PARAGRAPH = (
    "<p class='of-a-log'>On day {0} the keeper of light {0} saw ship s{0} pass the w{0} rock.</p>"
)


def page(number: int) -> bytes:
    """Return a page with words of its own; its class names are on other pages, too."""
    paragraphs = "".join(PARAGRAPH.format(f"{number}x{n}") for n in range(40))
    return f"<title>t{number}</title><article>{paragraphs}</article>".encode()


def visit(components: Components, numbers: range) -> None:
    for number in numbers:
        assert components.item_of(response_of(page(number)))["main_text"]


@pytest.mark.parametrize("judge", JUDGES)
@pytest.mark.parametrize("extractor", EXTRACTORS)
def test_page_state_and_result_are_freed_with_their_response(extractor: str, judge: str) -> None:
    components = Components(EXTRACTOR=extractor, JUDGE=judge)
    before = alive()
    visit(components, range(5))
    assert alive() == before
    assert not components.errors


def alive() -> int:
    gc.collect()  # responses end in reference cycles
    return sum(
        isinstance(found, Page | ResponseState | WebTextResult) for found in gc.get_objects()
    )


@pytest.mark.parametrize("extractor", EXTRACTORS)
def test_memory_does_not_grow_with_the_pages(extractor: str) -> None:
    components: Any = Components(EXTRACTOR=extractor, JUDGE="learned")
    visit(components, range(5))
    tracemalloc.start()
    try:
        visit(components, range(5, 35))
        first = allocated()
        visit(components, range(35, 65))
        grown = allocated() - first
    finally:
        tracemalloc.stop()
    assert grown < 30 * 1_000  # the text of a page has 3,000 characters


def test_memory_of_class_names_does_not_grow_with_their_length() -> None:
    extract("<p>One day it rained.")
    tracemalloc.start()
    try:
        before = allocated()
        for number in range(20):
            extract(f"<p class='{number} {number}{'x' * 100_000}'>One day it rained.")
        grown = allocated() - before
    finally:
        tracemalloc.stop()
    assert grown < 20 * 10_000


def allocated() -> int:
    gc.collect()
    return tracemalloc.get_traced_memory()[0]
