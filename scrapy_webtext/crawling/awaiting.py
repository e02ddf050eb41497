"""Lets a coroutine of the crawl wait for a future of the worker, with asyncio or without."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from contextlib import suppress
from typing import Any

from twisted.internet.defer import Deferred


def finished(future: Future[Any]) -> Awaitable[None]:
    """Return an awaitable that is done when the future is done, with a result or an error.

    Each call returns a new awaitable, so one waiter can give up (by a timeout, for example) while
    others go on. In an asyncio task it is a future of asyncio; where Twisted runs the coroutine,
    with or without asyncio's event loop, it is a Deferred.
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
        with suppress(RuntimeError):  # the loop is closed: nobody waits
            call_from_thread(wake)

    future.add_done_callback(pass_on)
