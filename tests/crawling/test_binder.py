"""The binding of items to responses; `test_stats` tests all kinds of items and event loops."""

import gc
import weakref
from collections import UserDict
from dataclasses import dataclass
from typing import Any

import pytest
import scrapy
from itemadapter import ItemAdapter

from scrapy_webtext.crawling.binder import Binder
from tests.crawls.offline import Components, response_of


@dataclass(slots=True)
class Slotted:
    text: str


@pytest.mark.parametrize("item", [{"n": 1}, Slotted("")])
def test_an_item_that_is_yielded_again_keeps_its_first_text(item: Any) -> None:
    crawl = Components(EXTRACTOR="pvalue", FIELDS={"main_text": "text"})
    for number in (1, 2):
        page = crawl.download(response_of(b"<p>This is the text of page %d." % number))
        assert ItemAdapter(crawl.fill(item, page))["text"] == "This is the text of page 1."


class HashlessDict(dict[str, Any]):
    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        raise TypeError("not to be compared")


class Unwritable(dict[str, Any]):
    def __setitem__(self, name: str, value: Any) -> None:
        raise OSError("text\nof a \x1b page")


def test_objects_of_any_type_come_out_of_the_pipeline(caplog: pytest.LogCaptureFixture) -> None:
    crawl = Components()
    page = crawl.download(response_of(b"<p>One day it rained."))
    strange = [7, "text", True, None, [1], {1, 2}, (1, 2), lambda: 1, type, UserDict(key="user")]
    for one in (*strange, Unwritable(n=1)):
        assert crawl.fill(one, page) is one
    assert crawl.stats["webtext/items/unsupported"] == len(strange)
    assert crawl.fill(HashlessDict(), page)["main_text"]
    line = r"writing failed on an item of Unwritable: OSError: text\nof a \x1b page"
    assert line in caplog.text


def response(number: int) -> Any:
    return scrapy.http.HtmlResponse(f"https://example.com/{number}", body=b"<p>x</p>")


@pytest.mark.parametrize("is_replaced", [False, True])
def test_bindings_end_with_their_response_which_they_do_not_keep_alive(is_replaced: bool) -> None:
    binder, page = Binder(), response(1)
    # An earlier pipeline replaces the item, so ours never gets the one that holds the response.
    binder.bind({"response": page} if is_replaced else {"n": 1}, page)
    if is_replaced:
        binder.done({"title": "another object"}, page)
    assert len(binder) == (not is_replaced)
    reference = weakref.ref(page)
    del page
    gc.collect()
    assert (reference(), len(binder)) == (None, 0)


def test_an_item_that_is_yielded_again_before_it_has_left_stays_bound() -> None:
    binder, page, item = Binder(), response(1), {"n": 1}
    for _ in range(2):
        binder.bind(item, page)
        assert binder.take(item) is page
        binder.bind(item, page)
        binder.done(item, page)
        assert binder.take(item) is page
        binder.done(item, page)
        assert len(binder) == 0
