"""Waiting, in a coroutine of the crawl, for what a worker computes."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from contextlib import suppress
from typing import Any

from twisted.internet.defer import Deferred


def finished(future: Future[Any]) -> Awaitable[None]:
    """Return what a coroutine can await until the future is done, whatever came of it.

    Each call gives a new one: who gives up waiting, by a timeout of its own, say, does so for
    itself alone. It is asyncio's future in a task of asyncio's, else a Deferred: where Twisted
    runs the coroutine, with asyncio's event loop or without.
    """
    try:
        loop = asyncio.get_running_loop()
    except RuntimeError:
        from twisted.internet import reactor  # installed by now

        return _deferred(future, reactor.callFromThread)
    if asyncio.current_task(loop) is None:
        return _deferred(future, loop.call_soon_threadsafe)
    waiter: asyncio.Future[None] = loop.create_future()

    def wake() -> None:
        if not waiter.done():
            waiter.set_result(None)

    _when_done(future, loop.call_soon_threadsafe, wake)
    return waiter


def _deferred(future: Future[Any], call_from_thread: Callable[..., object]) -> Deferred[None]:
    deferred: Deferred[None] = Deferred()

    def wake() -> None:
        if not deferred.called:
            deferred.callback(None)

    _when_done(future, call_from_thread, wake)
    return deferred


def _when_done(
    future: Future[Any], call_from_thread: Callable[..., object], wake: Callable[[], None]
) -> None:
    def pass_on(_: Future[Any]) -> None:
        with suppress(RuntimeError):  # of a loop that is closed: nobody waits
            call_from_thread(wake)

    future.add_done_callback(pass_on)
