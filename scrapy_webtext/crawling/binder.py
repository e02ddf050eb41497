"""The response of each item. Scrapy does not pass it to item pipelines (Scrapy issue 2436).

The binder maps the id of an item to its response from the moment that the spider yields the item
until the item leaves the last pipeline. Other ways fail for some class of items or some reactor: a
weak dictionary (dict has no weak references; equal frozen items collide), an attribute of the item
(slots, dict), a context variable (the select reactor), a field (it would be exported). The binder
holds the item, so that no other object gets its id. A pipeline may replace an item by another
object, which then leaves the pipelines instead. So all bindings of a response also end when as many
items have left the pipelines as were bound to it, and when the response is deleted.
"""

from __future__ import annotations

from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary, WeakValueDictionary, ref

from scrapy.http import Response

#: The response whose callback runs under ``scrapy parse``. That command passes items to the
#: pipelines itself, without spider middlewares.
parsed: ContextVar[ref[Response] | None] = ContextVar("parsed", default=None)


@dataclass(slots=True)
class _Bound:
    """One item of a response. A spider may yield the same object several times."""

    item: Any
    ahead: int = 0  #: times that it was yielded and has not reached our pipeline yet
    taken: int = 0  #: times that it reached our pipeline and has not left the last one yet


class _Yielded:
    """The items of one response that are between the spider and the end of the pipelines."""

    def __init__(self, response: Response) -> None:
        self.response = ref(response)
        self.items: dict[int, _Bound] = {}
        self.number = 0


class Binder:
    """Bindings of one crawl. All calls come from the crawler's own thread."""

    def __init__(self) -> None:
        self._by_response: WeakKeyDictionary[Response, _Yielded] = WeakKeyDictionary()
        self._by_item: WeakValueDictionary[int, _Yielded] = WeakValueDictionary()

    def __len__(self) -> int:
        """Return the number of items that are bound now."""
        return len(self._by_item)

    def bind(self, item: Any, response: Response) -> None:
        """Bind an item to a response, in place of an earlier response of the same item."""
        mine = self._by_response.setdefault(response, _Yielded(response))
        mine.number += 1
        before = self._by_item.get(id(item))
        if before is not None and before is not mine:
            before.items.pop(id(item), None)
        self._by_item[id(item)] = mine
        mine.items.setdefault(id(item), _Bound(item)).ahead += 1

    def take(self, item: Any) -> Response | None:
        """Return the response of an item that has reached our pipeline; None if unknown."""
        mine = self._by_item.get(id(item))
        if mine is None:
            reference = parsed.get()
            return reference() if reference is not None else None
        bound = mine.items[id(item)]
        bound.ahead -= 1
        bound.taken += 1
        self._forget_if_through(mine, bound)
        return mine.response()

    def done(self, item: Any, response: Response | None) -> None:
        """Note that an item of a response has left the pipelines, was dropped or failed."""
        mine = self._by_item.get(id(item))
        if mine is not None:
            bound = mine.items[id(item)]
            if bound.taken:
                bound.taken -= 1
            else:  # an earlier pipeline dropped it
                bound.ahead -= 1
            self._forget_if_through(mine, bound)
        if response is not None and response in self._by_response:
            of_response = self._by_response[response]
            of_response.number -= 1
            if of_response.number <= 0:
                del self._by_response[response]  # this also removes its items

    def clear(self) -> None:
        """Remove all bindings, at the end of the crawl."""
        self._by_response.clear()

    def _forget_if_through(self, mine: _Yielded, bound: _Bound) -> None:
        if bound.ahead <= 0 and bound.taken <= 0:
            del mine.items[id(bound.item)], self._by_item[id(bound.item)]
