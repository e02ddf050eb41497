"""A memory of what was computed of strings, beyond the page that they stand on."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


def cached(limit: int) -> Callable[[Callable[[str], T]], Callable[[str], T]]:
    """Decorate a function of a string with a memory that is emptied when it holds ``limit``.

    As fast as one that drops the least recently used (`functools.lru_cache`), and nothing stays
    long: a string that does holds the megabyte in which it was allocated, so that those of one
    large page kept up to 10 MB of it for the rest of a crawl.
    """

    def decorate(compute: Callable[[str], T]) -> Callable[[str], T]:
        known: dict[str, T] = {}
        recall = known.get

        def remembered(string: str) -> T:
            found = recall(string)
            if found is None:
                if len(known) >= limit:
                    known.clear()
                found = known[string] = compute(string)
            return found

        return remembered

    return decorate
