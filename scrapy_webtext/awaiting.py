"""Waiting, in a coroutine of the crawl, for what a worker computes."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from concurrent.futures import Future
from typing import Any

from twisted.internet.defer import Deferred


def finished(future: Future[Any]) -> Awaitable[None]:
    """Return what a coroutine can await until the future is done, whatever came of it.

    Each call gives a new one: who gives up waiting, by a timeout of its own, say, does so for
    itself alone. It is asyncio's future, or a Deferred where Twisted runs without asyncio.
    """
    try:
        loop = asyncio.get_running_loop()
    except RuntimeError:
        return _deferred(future)
    waiter: asyncio.Future[None] = loop.create_future()

    def wake() -> None:
        if not waiter.done():
            waiter.set_result(None)

    def pass_on(_: Future[Any]) -> None:
        if not loop.is_closed():
            loop.call_soon_threadsafe(wake)

    future.add_done_callback(pass_on)
    return waiter


def _deferred(future: Future[Any]) -> Deferred[None]:
    from twisted.internet import reactor  # installed by now

    deferred: Deferred[None] = Deferred()

    def wake() -> None:
        if not deferred.called:
            deferred.callback(None)

    future.add_done_callback(lambda _: reactor.callFromThread(wake))
    return deferred
