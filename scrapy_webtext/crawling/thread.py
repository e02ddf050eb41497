"""Calls of an extractor or judge: timed, and waited for while the crawl goes on."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from time import perf_counter
from typing import Any

from twisted.internet.defer import Deferred


def timed(function: Callable[..., Any], *args: Any) -> tuple[Any, float]:
    """Return what a function returns, and the seconds that it took."""
    began = perf_counter()
    return function(*args), perf_counter() - began


async def finished(future: Future[Any]) -> None:
    """Wait for a future, in asyncio's event loop or in another one of Twisted."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        from twisted.internet import reactor  # installed by now

        deferred: Deferred[None] = Deferred()
        future.add_done_callback(lambda _: reactor.callFromThread(deferred.callback, None))
        await deferred
    else:
        waiting = asyncio.wrap_future(future)
        waiting.add_done_callback(
            lambda done: done.cancelled() or done.exception()
        )  # seen, so not logged
        await asyncio.wait([waiting])
