"""The binding of items to responses, over kinds of item, callbacks and event loops."""

import gc
import weakref
from dataclasses import dataclass
from typing import Any

import pytest
import scrapy

from scrapy_webtext.crawling.binder import MAX_HELD, Binder, FilledItems
from tests.crawls.items import KINDS
from tests.kits.processes import report_of

LOOPS = ["asyncio", "select"] + (["reactorless"] if scrapy.version_info >= (2, 15) else [])


@pytest.fixture(
    scope="module",
    params=[(loop, "inline") for loop in LOOPS] + [("asyncio", "thread"), ("select", "thread")],
)
def crawls(request: pytest.FixtureRequest) -> Any:
    return report_of("tests.crawls.binding", *request.param)


def test_every_item_of_every_kind_gets_the_text_of_its_own_page(crawls: dict[str, Any]) -> None:
    ways = ("SyncSpider", "AsyncSpider")
    assert set(crawls) == {f"{kind}-{way}" for kind in KINDS for way in ways}
    bound = {f"{page}/{copy}" for page in range(5) for copy in range(3)} - {"1/1", "2/1", "3/1"}
    unbound = {"3/1", "start", "errback"}
    for name, crawl in crawls.items():
        texts = {item["key"]: item.get("main_text") for item in crawl["items"]}
        assert set(texts) == bound | unbound, name
        assert len(crawl["items"]) == len(texts), name
        assert all(f"the text of page {key[0]}," in texts[key] for key in bound), name
        assert all(texts[key] is None for key in unbound), name
        assert crawl["left"] == 0, name
        counts = {"items/unbound": 3, "items/filled": 12, "responses/article": 5}
        assert {key: crawl["stats"][f"webtext/{key}"] for key in counts} == counts, name


def response(number: int) -> Any:
    return scrapy.http.HtmlResponse(f"https://example.com/{number}", body=b"<p>x</p>")


def test_items_are_bound_by_identity_and_to_the_last_response() -> None:
    binder, item, equal = Binder(), {"a": 1}, {"a": 1}
    first, second = response(1), response(2)
    for one, page in ((item, first), (equal, first), (item, second)):
        binder.bind(one, page)
    assert len(binder) == 2
    assert [binder.take(one) for one in (item, equal, item)] == [second, first, None]
    assert len(binder) == 0


def test_bindings_go_with_their_response() -> None:
    binder = Binder()
    page = response(1)
    items = [{"n": n} for n in range(10)]
    for item in items:
        binder.bind(item, page)
    assert len(binder) == 10
    del page
    assert len(binder) == 0
    assert binder.take(items[0]) is None


def test_an_item_that_is_yielded_again_before_it_came_is_bound_each_time() -> None:
    binder, item, page = Binder(), {"a": 1}, response(1)
    for _ in range(3):
        binder.bind(item, page)
    for _ in range(3):
        assert binder.take(item) is page
        binder.done(item, page)  # dropped, while the others are still to come
    assert binder.take(item) is None
    assert len(binder) == 0


def test_an_item_that_an_earlier_pipeline_drops_is_forgotten() -> None:
    binder, page = Binder(), response(1)
    dropped, other = {"a": 1}, {"a": 2}
    binder.bind(dropped, page)
    binder.bind(other, page)
    binder.done(dropped, page)
    assert binder.take(dropped) is None
    assert binder.take(other) is page
    binder.bind(other, page)
    binder.clear()
    assert binder.take(other) is None
    assert len(binder) == 0


def test_items_that_hold_their_response_do_not_keep_it_alive() -> None:
    """An earlier pipeline made another object of the item, so that ours never saw the item."""
    binder = Binder()
    page = response(1)
    binder.bind({"response": page}, page)
    binder.done({"title": "another object"}, page)
    assert len(binder) == 0
    reference = weakref.ref(page)
    del page
    gc.collect()
    assert reference() is None


@dataclass(slots=True)
class Slotted:
    text: str


@dataclass
class Plain:
    text: str


class Weak(dict[str, Any]):
    """A dict that can be referred to weakly."""


@pytest.mark.parametrize("kind", [dict, Weak, Slotted, Plain])
def test_filled_items_are_remembered_while_somebody_holds_them(kind: Any) -> None:
    filled = FilledItems()
    kept = [kind(text="of the page") for _ in range(MAX_HELD // 2)]
    for item in kept:
        filled.add(item, "of the page")
    for _ in range(10 * MAX_HELD):
        filled.add(kind(text="of the page"), "of the page")
    assert all(filled.has(item, "of the page") for item in kept)
    assert not filled.has(kept[0], "by the spider")
    assert not filled.has(kind(text="of the page"), "of the page")
    assert len(filled) <= 3 * MAX_HELD
