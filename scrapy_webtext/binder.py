"""Which response an item came from: an item pipeline is not told (Scrapy issue 2436).

Ids of items, held by the response. What else was tried fails for some kind of item: a weak
dictionary of items (dict has no weak references, equal frozen items collide), an attribute on
the item (slots, dict), a context variable (the select reactor), a field (it leaks into feeds).
The response pins each item, so that its id is not used again while the binding lasts; when the
response goes, so does every binding that nobody took.
"""

from __future__ import annotations

import weakref
from collections import OrderedDict
from typing import TYPE_CHECKING, Any, Final

from scrapy_webtext.results import WebTextResult

if TYPE_CHECKING:
    from scrapy.http import Response

#: Filled items that were never yielded are forgotten beyond this many.
MAX_FILLED: Final = 10_000

_filled: OrderedDict[int, tuple[Any, WebTextResult]] = OrderedDict()


class Binder:
    """Bindings of one crawl. All calls come from the crawler's own thread."""

    def __init__(self) -> None:
        self._by_response: weakref.WeakKeyDictionary[Response, dict[int, Any]]
        self._by_response = weakref.WeakKeyDictionary()
        self._by_item: dict[int, weakref.ref[Response]] = {}

    def __len__(self) -> int:
        """Number of items that are bound now."""
        return len(self._by_item)

    def bind(self, item: Any, response: Response) -> None:
        """Remember that this item came from this response; a later binding replaces it."""
        self.pop(item)
        items = self._by_response.get(response)
        if items is None:
            items = self._by_response[response] = {}
            weakref.finalize(response, self._forget, items).atexit = False
        items[id(item)] = item
        self._by_item[id(item)] = weakref.ref(response)

    def pop(self, item: Any) -> Response | None:
        """Return the response of this item, or None, and forget the binding."""
        reference = self._by_item.pop(id(item), None)
        response = reference() if reference is not None else None
        if response is not None:
            self._by_response[response].pop(id(item), None)
        return response

    def _forget(self, items: dict[int, Any]) -> None:
        for key in items:
            self._by_item.pop(key, None)
        items.clear()


def mark_filled(item: Any, result: WebTextResult) -> None:
    """Remember that a callback filled this item itself, until the pipeline sees it."""
    _filled[id(item)] = (item, result)
    if len(_filled) > MAX_FILLED:
        _filled.popitem(last=False)


def take_filled(item: Any) -> WebTextResult | None:
    """Return the result that a callback filled this item with, or None; forget it."""
    mark = _filled.get(id(item))
    if mark is None or mark[0] is not item:
        return None
    return _filled.pop(id(item))[1]
