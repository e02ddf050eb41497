"""One thread or process beside the crawl, for extractors too slow to run in it.

A supervisor takes the calls one after the other and has them made by a maker: a thread, or a
process. A maker that does not answer in time, or dies, costs the one call that it had: the next
call gets a new maker. A hung thread cannot be ended and is left to itself; a process is killed.
Everything here is a daemon, so that nothing hung keeps the crawler from exiting.
"""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import pickle
import signal
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from queue import Empty, SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol, TypeVar

from twisted.internet.defer import Deferred

from scrapy_webtext.errors import ExtractionTimeoutError, WorkerDiedError
from scrapy_webtext.faults import FramesError, frames_of

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

T = TypeVar("T")
Call = tuple[Callable[..., Any], tuple[Any, ...]]

#: Hung threads that are left to themselves; beyond them no call is begun until one ends.
MAX_HUNG: Final = 8

#: Seconds for a process to start, its imports included.
START_SECONDS: Final = 60.0


class Worker:
    """Makes one call after the other. ``timeout`` is in seconds of a call; 0 for no limit."""

    def __init__(self, kind: Literal["thread", "process"], timeout: float = 0.0) -> None:
        self._new_maker: Callable[[], _Maker] = _Process if kind == "process" else _Thread
        self._timeout = timeout or None
        self._calls: SimpleQueue[tuple[Future[Any], Call] | None] = SimpleQueue()
        self._supervisor: Thread | None = None

    def submit(self, function: Callable[..., T], *args: Any) -> Future[T]:
        """Return the future of a call.

        ExtractionTimeoutError where it took too long, WorkerDiedError where it ended its maker.
        """
        if self._supervisor is None:
            self._supervisor = Thread(target=self._supervise, name="webtext", daemon=True)
            self._supervisor.start()
        future: Future[T] = Future()
        self._calls.put((future, (function, args)))
        return future

    def close(self) -> None:
        """Give up what has not begun, and let what runs end by itself."""
        with contextlib.suppress(Empty):
            while waiting := self._calls.get_nowait():
                waiting[0].cancel()
        self._calls.put(None)
        self._supervisor = None

    def _supervise(self) -> None:
        maker: _Maker | None = None
        for future, call in iter(self._calls.get, None):
            if not future.set_running_or_notify_cancel():
                continue
            try:
                maker = maker or self._new_maker()
                result = maker.make(call, self._timeout)
            except Exception as error:
                if maker and isinstance(error, ExtractionTimeoutError | WorkerDiedError):
                    maker.end()
                    maker = None
                future.set_exception(error)
            else:
                future.set_result(result)
        if maker:
            maker.end()


class _Maker(Protocol):
    def make(self, call: Call, timeout: float | None) -> Any:
        """Return the result of a call, or raise what it raised."""

    def end(self) -> None:
        """Let go of the thread, or kill the process."""


class _Thread:
    _hung: list[Thread] = []  # noqa: RUF012 (of all workers: they share the interpreter)

    def __init__(self) -> None:
        self._hung[:] = filter(Thread.is_alive, self._hung)
        if len(self._hung) >= MAX_HUNG:
            raise ExtractionTimeoutError(
                f"not begun: the extractor still hangs on {MAX_HUNG} earlier pages; "
                f'WEBTEXT_EXECUTOR = "process" can end it'
            )
        self._calls: SimpleQueue[Call | None] = SimpleQueue()
        self._answers: SimpleQueue[tuple[Any, BaseException | None]] = SimpleQueue()
        self._thread = Thread(target=self._serve, name="webtext-extractor", daemon=True)
        self._thread.start()

    def make(self, call: Call, timeout: float | None) -> Any:
        self._calls.put(call)
        try:
            result, error = self._answers.get(timeout=timeout)
        except Empty:
            self._hung.append(self._thread)
            raise ExtractionTimeoutError(f"no result after {timeout} seconds") from None
        if error is not None:
            raise _as_exception(error)
        return result

    def end(self) -> None:
        self._calls.put(None)

    def _serve(self) -> None:
        for function, args in iter(self._calls.get, None):
            try:
                self._answers.put((function(*args), None))
            except BaseException as error:
                self._answers.put((None, error))


class _Process:
    def __init__(self) -> None:
        # A fork would copy the crawler's threads and locks in whatever state they are.
        context = multiprocessing.get_context("spawn")
        self._connection, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs,), daemon=True)
        self._process.start()
        theirs.close()
        self._is_ready = False

    def make(self, call: Call, timeout: float | None) -> Any:
        try:
            if not self._is_ready:
                self._receive(START_SECONDS)
                self._is_ready = True
            self._connection.send(call)
            result, error, frames = self._receive(timeout)
        except (EOFError, ConnectionError):
            self._process.join(1)
            code = self._process.exitcode
            raise WorkerDiedError(f"the worker process ended with exit code {code}") from None
        if error is not None:
            raise _as_exception(error) from FramesError(frames)
        return result

    def end(self) -> None:
        self._process.kill()
        self._process.join()
        self._connection.close()

    def _receive(self, timeout: float | None) -> Any:
        if not self._connection.poll(timeout):
            raise ExtractionTimeoutError(f"no result after {timeout} seconds")
        return self._connection.recv()


def _serve(connection: Connection) -> None:
    """Make the calls that come from the crawler's process, until it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the crawler, who will end us
    connection.send("ready")
    with contextlib.suppress(EOFError):
        while True:
            function, args = connection.recv()
            answer: tuple[Any, BaseException | None, str]
            try:
                answer = (function(*args), None, "")
                pickle.dumps(answer)
            except BaseException as error:
                answer = (None, _that_pickles(error), frames_of(error))
            connection.send(answer)


def _that_pickles(error: BaseException) -> BaseException:
    """Return the error, or one that says the same where it would not survive the journey."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error


def _as_exception(error: BaseException) -> Exception:
    """Return what may be raised in the crawl: no SystemExit or KeyboardInterrupt."""
    if isinstance(error, Exception):
        return error
    return WorkerDiedError(f"the extractor raised {type(error).__name__}")


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
