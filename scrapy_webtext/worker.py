"""One thread or process beside the crawl, for extractors too slow to run in it."""

from __future__ import annotations

import asyncio
import multiprocessing
from collections.abc import Awaitable, Callable
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any, Literal, TypeVar

from twisted.internet.defer import Deferred

T = TypeVar("T")


class Worker:
    """Runs one call after the other; a process that died is replaced."""

    def __init__(self, kind: Literal["thread", "process"]) -> None:
        self._kind = kind
        self._pool: Executor | None = None

    def submit(self, function: Callable[..., T], *args: Any) -> Future[T]:
        """Return the future of a call."""
        if self._pool is None:
            self._pool = self._new_pool()
        try:
            return self._pool.submit(function, *args)
        except BrokenProcessPool:
            self._pool = self._new_pool()
            return self._pool.submit(function, *args)

    def close(self) -> None:
        """Give up what has not begun, and let what runs end by itself."""
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
            self._pool = None

    def _new_pool(self) -> Executor:
        if self._kind == "thread":
            return ThreadPoolExecutor(1, thread_name_prefix="webtext")
        # A fork would copy the crawler's threads and locks in whatever state they are.
        return ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn"))


def awaitable(future: Future[T]) -> Awaitable[T]:
    """Return what a coroutine of this crawl can await: asyncio's future or Twisted's Deferred."""
    try:
        return asyncio.wrap_future(future, loop=asyncio.get_running_loop())
    except RuntimeError:
        return _deferred(future)


def _deferred(future: Future[T]) -> Deferred[T]:
    from twisted.internet import reactor  # installed by now

    deferred: Deferred[T] = Deferred()

    def pass_on(done: Future[T]) -> None:
        error = done.exception()
        if error is None:
            deferred.callback(done.result())
        else:
            deferred.errback(error)

    future.add_done_callback(lambda done: reactor.callFromThread(pass_on, done))
    return deferred
