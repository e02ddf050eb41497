"""Which response an item came from: an item pipeline is not told (Scrapy issue 2436).

Ids of items, for as long as they are on their way from the spider through the pipelines. What
else was tried fails for some kind of item: a weak dictionary of items (dict has no weak
references, equal frozen items collide), an attribute on the item (slots, dict), a context
variable (the select reactor), a field (it leaks into feeds).

An item is kept while it is on its way, so that its id is not used again meanwhile. A pipeline
may take it and hand on another object; so bindings also end when nothing of their response is on
its way any more, and with the response itself. An item that holds its response keeps it alive
no longer than that.
"""

from __future__ import annotations

import weakref
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from scrapy.http import Response


#: The response whose callback runs under ``scrapy parse``: that command hands its items to the
#: pipelines by itself, and no spider middleware sees them.
parsed: ContextVar[weakref.ref[Response] | None] = ContextVar("parsed", default=None)


class _Bound:
    """One item of a response; a spider may yield the same object again before it is through."""

    __slots__ = ("ahead", "item", "taken")

    def __init__(self, item: Any) -> None:
        self.item = item
        self.ahead = 0  #: times that it is still to come to our pipeline
        self.taken = 0  #: times that it came, and is not through the other pipelines yet


class _OnTheirWay:
    """The items of one response that were yielded and are not through the pipelines."""

    __slots__ = ("__weakref__", "items", "number", "response")

    def __init__(self, response: Response) -> None:
        self.response = weakref.ref(response)
        self.items: dict[int, _Bound] = {}
        self.number = 0


class Binder:
    """Bindings of one crawl. All calls come from the crawler's own thread."""

    def __init__(self) -> None:
        self._by_response: weakref.WeakKeyDictionary[Response, _OnTheirWay]
        self._by_response = weakref.WeakKeyDictionary()
        self._by_item: weakref.WeakValueDictionary[int, _OnTheirWay]
        self._by_item = weakref.WeakValueDictionary()

    def __len__(self) -> int:
        """Number of items that are bound now."""
        return len(self._by_item)

    def bind(self, item: Any, response: Response) -> None:
        """Remember that this item came from this response; a later response replaces it."""
        mine = self._by_response.get(response)
        if mine is None:
            mine = self._by_response[response] = _OnTheirWay(response)
        mine.number += 1
        before = self._by_item.get(id(item))
        if before is not None and before is not mine:
            before.items.pop(id(item), None)
        self._by_item[id(item)] = mine
        mine.items.setdefault(id(item), _Bound(item)).ahead += 1

    def take(self, item: Any) -> Response | None:
        """Return the response of an item that came to our pipeline, or None."""
        mine, bound = self._find(item)
        if mine is None or bound is None:
            reference = parsed.get()
            return reference() if reference is not None else None
        bound.ahead -= 1
        bound.taken += 1
        self._forget_if_through(mine, bound)
        return mine.response()

    def done(self, item: Any, response: Response | None) -> None:
        """Note that one item of a response is through, dropped or failed; with which object."""
        mine, bound = self._find(item)
        if mine is not None and bound is not None:
            if bound.taken:
                bound.taken -= 1
            else:  # an earlier pipeline dropped it
                bound.ahead -= 1
            self._forget_if_through(mine, bound)
        of_response = self._by_response.get(response) if response is not None else None
        if of_response is not None:
            of_response.number -= 1
            if of_response.number <= 0:
                self._forget(of_response)

    def clear(self) -> None:
        """Forget everything: the crawl is over."""
        for of_response in list(self._by_response.values()):
            self._forget(of_response)

    def _find(self, item: Any) -> tuple[_OnTheirWay | None, _Bound | None]:
        mine = self._by_item.get(id(item))
        bound = mine.items.get(id(item)) if mine is not None else None
        return (mine, bound) if bound is not None and bound.item is item else (None, None)

    def _forget_if_through(self, mine: _OnTheirWay, bound: _Bound) -> None:
        if bound.ahead <= 0:
            mine.items.pop(id(bound.item), None)
            self._by_item.pop(id(bound.item), None)

    def _forget(self, of_response: _OnTheirWay) -> None:
        for key in of_response.items:
            if self._by_item.get(key) is of_response:
                del self._by_item[key]
        of_response.items.clear()
        of_response.number = 0
