"""Calls of an extractor: at once, or in one thread while the crawl goes on."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from time import perf_counter
from typing import Any

from twisted.internet.defer import Deferred


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a call returned or raised, and the seconds that it took."""

    value: Any
    error: BaseException | None
    seconds: float

    def result(self) -> Any:
        """Return what the call returned; raise what it raised."""
        if self.error is not None:
            raise self.error
        return self.value


def call(function: Callable[..., Any], *args: Any) -> Outcome:
    """Call a function and measure it. SystemExit of an extractor ends its page alone."""
    value, error, began = None, None, perf_counter()
    try:
        value = function(*args)
    except (Exception, SystemExit) as raised:
        error = raised
    return Outcome(value, error, perf_counter() - began)


class Calls:
    """The calls of one crawl, in one thread if ``in_thread``."""

    def __init__(self, in_thread: bool) -> None:
        self._pool = ThreadPoolExecutor(1, "webtext") if in_thread else None

    def start(self, function: Callable[..., Any], *args: Any) -> Future[Outcome]:
        """Return the future of a call; it is done unless a thread makes the call."""
        if self._pool is not None:
            return self._pool.submit(call, function, *args)
        future: Future[Outcome] = Future()
        future.set_result(call(function, *args))
        return future

    def close(self) -> None:
        """Cancel the calls that have not begun. Later calls are made at once."""
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
            self._pool = None


async def finished(future: Future[Any]) -> None:
    """Wait for a future, in asyncio's event loop or in another one of Twisted."""
    if future.done():
        return
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        from twisted.internet import reactor  # installed by now

        deferred: Deferred[None] = Deferred()
        future.add_done_callback(lambda _: reactor.callFromThread(deferred.callback, None))
        await deferred
    else:
        await asyncio.wait([asyncio.wrap_future(future)])
