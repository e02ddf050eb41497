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

#: Responses that are looked after for a selector, the latest ones.
MAX_WATCHED: Final = 64


class SelectingCallbacks:
    """Which callbacks use selectors, as far as is known.

    Nobody says so, and a callback is believed not to until one of its responses has a selector. The
    few pages up to then are parsed twice.
    """

    def __init__(self) -> None:
        self._selecting: set[str] = set()
        self._watched: list[tuple[weakref.ref[Response], str]] = []

    def shares(self, response: Response, request: Request | None) -> bool:
        """Return whether to read a response from the tree of its selector."""
        self._look()
        callback = request.callback if request is not None else None
        name = getattr(callback, "__qualname__", "")  # "" for the spider's ``parse``
        if name in self._selecting or has_selector(response):
            return True
        self._watched.append((weakref.ref(response), name))
        return False

    def _look(self) -> None:
        """Note the callbacks of responses that got a selector meanwhile."""
        left = []
        for reference, name in self._watched[-MAX_WATCHED:]:
            response = reference()
            if response is None or name in self._selecting:
                continue
            if has_selector(response):
                self._selecting.add(name)
            else:
                left.append((reference, name))
        self._watched = left


def has_selector(response: Response) -> bool:
    """Whether a response was parsed already, or it cannot be told."""
    return getattr(response, "_cached_selector", response) is not None
