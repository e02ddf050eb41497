"""A bounded cache for functions of a string, shared by all pages of a process.

The pages of a site repeat their class names. Scores of such strings are computed once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


def cached(limit: int) -> Callable[[Callable[[str], T]], Callable[[str], T]]:
    """Return a decorator that caches up to ``limit`` results, and then empties the cache.

    Emptying is as fast as dropping the least recently used entry (`functools.lru_cache`), and it
    frees memory. A string that stays for long keeps the megabyte alive in which it was allocated:
    with `lru_cache` one large page held up to 10 MB for the rest of a crawl.
    """

    def decorate(compute: Callable[[str], T]) -> Callable[[str], T]:
        cache: dict[str, T] = {}
        get = cache.get

        def lookup(string: str) -> T:
            result = get(string)
            if result is None:
                if len(cache) >= limit:
                    cache.clear()
                result = cache[string] = compute(string)
            return result

        return lookup

    return decorate
