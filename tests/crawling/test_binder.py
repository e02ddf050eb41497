"""The binding of items to responses, over kinds of item, callbacks and event loops."""

import gc
import json
import weakref
from dataclasses import dataclass
from typing import Any

import pytest
import scrapy

from scrapy_webtext.crawling.binder import MAX_HELD, Binder, FilledItems
from tests.crawls.items import KINDS
from tests.kits.processes import python

LOOPS = ["asyncio", "select"] + (["reactorless"] if scrapy.version_info >= (2, 15) else [])


@pytest.fixture(
    scope="module",
    params=[(loop, "inline") for loop in LOOPS] + [("asyncio", "thread"), ("select", "thread")],
)
def crawls(request: pytest.FixtureRequest) -> Any:
    done = python("-m", "tests.crawls.binding", *request.param)
    return {**json.loads(done.stdout), "stderr": done.stderr, "loop": request.param[0]}


def test_every_item_of_every_kind_gets_the_text_of_its_own_page(crawls: dict[str, Any]) -> None:
    bound = {f"{page}/{copy}" for page in range(5) for copy in range(3)} - {"1/1", "2/1", "3/1"}
    unbound = {"3/1", "start", "errback"}
    for name in (f"{kind}-{spider}" for kind in KINDS for spider in ("SyncSpider", "AsyncSpider")):
        crawl = crawls[name]
        texts = {item["key"]: item.get("main_text") for item in crawl["items"]}
        assert set(texts) == bound | unbound, name
        assert len(crawl["items"]) == len(texts), name
        assert all(f"the text of page {key[0]}," in texts[key] for key in bound), name
        assert all(texts[key] is None for key in unbound), name
        assert crawl["left"] == 0, name
        counts = {"items/unbound": 3, "items/filled": 12, "responses/article": 5}
        assert {key: crawl["stats"][f"webtext/{key}"] for key in counts} == counts, name


def of_page(number: int, text: str | None) -> bool:
    return (text or "").lower().startswith(f"this is the text of page {number},")


@pytest.mark.parametrize(("name", "field"), [("OddSpider", "main_text"), ("OtherSpider", "body")])
def test_odd_items_and_items_yielded_again_come_out(
    crawls: dict[str, Any], name: str, field: str
) -> None:
    crawl = crawls[name]
    texts: dict[str, list[Any]] = {}
    for item in crawl["items"]:
        texts.setdefault(item.get("key", "strange"), []).append(item.get(field))
    assert len(texts["strange"]) == crawl["stats"]["webtext/items/unsupported"] == 16
    assert crawl["stats"]["webtext/errors/OSError"] == 1
    pages = {"ordered": 0, "hashless": 0, "after the strange": 0, "after the mutated": 2,
             "before the break": 3, "filled and carried": 4}  # fmt: skip
    assert all(of_page(page, *texts[key]) for key, page in pages.items())
    assert texts["unwritable"] == texts["start"] == texts["errback"] == [None]
    assert len(texts.get("to be mutated", []) + texts.get("mutated", [])) == 1
    same = texts.get("same", []) + texts["carried"]
    assert len(same) == 4  # one object: "same" becomes "carried" while it waits for the thread
    assert all(of_page(1, text) or of_page(30, text) for text in same)
    assert of_page(30, same[-1])
    assert (crawl["reason"], crawl["left"]) == ("finished", 0)


def test_each_spider_of_a_process_has_its_own_settings(crawls: dict[str, Any]) -> None:
    assert {"main_text", "main_text_score"} <= set(crawls["OddSpider"]["items"][-1])
    shouted = [item["body"] for item in crawls["OtherSpider"]["items"] if item.get("body")]
    assert shouted
    assert all(text == text.upper() for text in shouted)


def test_crawlers_are_freed_and_errors_of_items_escaped(crawls: dict[str, Any]) -> None:
    assert crawls["crawlers"] == 0 or crawls["loop"] == "select"  # which keeps them itself
    line = r"writing failed on an item of Unwritable: OSError: text\nof a \x1b page"
    assert line in crawls["stderr"]


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


def test_an_item_is_bound_each_time_that_it_is_yielded() -> None:
    binder, item, dropped, page = Binder(), {"a": 1}, {"a": 2}, response(1)
    for one in (item, item, item, dropped):
        binder.bind(one, page)
    binder.done(dropped, page)
    assert binder.take(dropped) is None
    for _ in range(3):
        assert binder.take(item) is page
        binder.done(item, page)
    assert binder.take(item) is None
    binder.bind(item, page)
    binder.clear()
    assert len(binder) == 0


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


@dataclass(slots=True)
class Slotted:
    text: str


class Weak(dict[str, Any]):
    """A dict with weak references."""


@pytest.mark.parametrize("kind", [dict, Weak, Slotted])
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
