"""Takes calls one after the other, and sees to it that each gets an answer."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Callable, Hashable
from itertools import count
from math import inf
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from time import monotonic
from typing import Any, Final, Protocol

from scrapy_webtext.errors import ExtractionTimeoutError, WorkerClosedError, WorkerDiedError
from scrapy_webtext.worker.call import Answer, Call, Event, Message
from scrapy_webtext.worker.futures import TimedFuture

#: Late setups of one kind after which the worker does not try it again.
MAX_LATE_SETUPS: Final = 2

#: Hung threads that are left to themselves; beyond them no call is begun until one ends.
MAX_HUNG: Final = 8

#: Seconds between looks whether a process is alive whose end was not heard: a program that it
#: started may hold its pipes open.
LOOK_SECONDS: Final = 1.0


class Backend(Protocol):
    """A thread or a process that makes calls."""

    def start(self, number: int, call: Call) -> None:
        """Begin a call. Messages of this number say what comes of it."""

    def is_alive(self) -> bool:
        """Whether there may be an answer yet."""

    def end(self, at_once: bool) -> str:
        """End it, or let it end by itself; return what is known of its end."""


class Supervisor:
    """Calls, and the thread that has them made. Limits are in seconds, None for no limit."""

    def __init__(
        self,
        new_backend: Callable[[SimpleQueue[Message | None]], Backend],
        timeout: float | None,
        setup_timeout: float | None,
    ) -> None:
        self._new_backend = new_backend
        self._timeout = timeout
        self._setup_timeout = setup_timeout
        self._calls: SimpleQueue[tuple[TimedFuture[Any], Call] | None] = SimpleQueue()
        self._inbox: SimpleQueue[Message | None] = SimpleQueue()  # None: look who closed it
        self._lock = Lock()
        self._is_closed = False
        self._thread: Thread | None = None
        self._backend: Backend | None = None
        self._hung: list[Backend] = []
        self._late_setups: Counter[Hashable] = Counter()
        self._numbers = count(1)

    def add(self, future: TimedFuture[Any], call: Call) -> None:
        """Have a call made after those before it."""
        error: Exception = WorkerClosedError("not begun: the worker is closed")
        with self._lock:
            if not self._is_closed:
                try:
                    self._start()
                except RuntimeError as no_thread:
                    error = WorkerDiedError(f"not begun: {no_thread}")
                else:
                    self._calls.put((future, call))
                    return
        _settle(future, Answer(None, error))

    def close(self) -> None:
        """Fail what waits, and have the thread fail what runs and end the backend."""
        with self._lock:
            self._is_closed = True
        with contextlib.suppress(Empty):
            while waiting := self._calls.get_nowait():
                _settle(waiting[0], _closed())
        self._calls.put(None)
        self._inbox.put(None)

    def _start(self) -> None:
        if self._thread is None:
            thread = Thread(target=self._supervise, name="webtext", daemon=True)
            thread.start()
            self._thread = thread

    def _supervise(self) -> None:
        while self._serve_next():
            pass
        if self._backend is not None:
            self._backend.end(at_once=False)

    # A function of its own: the last call and its page are let go of before the next is waited for.
    def _serve_next(self) -> bool:
        task = self._calls.get()
        if task is None:
            return False
        future, call = task
        if future.set_running_or_notify_cancel():
            try:
                answer = self._answer(call)
            except BaseException as error:
                answer = Answer(None, error)
            _settle(future, answer)
        return True

    def _answer(self, call: Call) -> Answer:
        if self._late_setups[call.key] >= MAX_LATE_SETUPS:
            return _late(
                f"not begun: its setup took longer than {self._setup_timeout} seconds "
                f"{MAX_LATE_SETUPS} times"
            )
        end = ""
        for _ in range(2):  # a process was gone before the function began: another can make it
            answer = self._attempt(call)
            if isinstance(answer, Answer):
                return answer
            end = answer
        return Answer(None, WorkerDiedError(f"{end} before the call began, as did one before it"))

    def _attempt(self, call: Call) -> Answer | str:
        """Return the answer to a call, or how its backend ended before the function began."""
        backend, number = self._ready_backend(), next(self._numbers)
        backend.start(number, call)
        event = self._wait(backend, number, self._setup_timeout)
        if event is Event.BEGUN:
            self._late_setups.pop(call.key, None)
            return self._result(backend, number)
        if isinstance(event, Answer):
            return event
        end = self._let_go(backend, event)
        if event is Event.LATE:
            self._late_setups[call.key] += 1
            return _late(f"its setup was not done after {self._setup_timeout} seconds")
        return end if event is Event.DIED else _closed()

    def _result(self, backend: Backend, number: int) -> Answer:
        """Return the answer to a call whose function has begun."""
        began = monotonic()
        event = self._wait(backend, number, self._timeout)
        if isinstance(event, Answer):
            return event
        seconds = monotonic() - began
        end = self._let_go(backend, event)
        if event is Event.LATE:
            return _late(f"no result after {self._timeout} seconds", seconds)
        return Answer(None, WorkerDiedError(end), seconds) if event is Event.DIED else _closed()

    def _wait(self, backend: Backend, number: int, limit: float | None) -> Answer | Event:
        """Return what comes of a call next."""
        end = inf if limit is None else monotonic() + limit
        is_dead = False
        while not self._is_closed:
            left = max(0.0, end - monotonic())
            try:
                message = self._inbox.get(timeout=min(LOOK_SECONDS, left))
            except Empty:
                if is_dead:
                    return Event.DIED
                if monotonic() >= end:
                    return Event.LATE
                is_dead = not backend.is_alive()  # its last words may be on their way
                continue
            if message is not None and message[0] == number:
                return message[1]
        return Event.CLOSED

    def _ready_backend(self) -> Backend:
        if self._backend is not None and not self._backend.is_alive():  # killed while idle, say
            self._backend.end(at_once=True)
            self._backend = None
        if self._backend is None:
            self._hung = [backend for backend in self._hung if backend.is_alive()]
            if len(self._hung) >= MAX_HUNG:
                raise ExtractionTimeoutError(
                    f"not begun: the extractor still hangs on {MAX_HUNG} earlier pages; "
                    f'WEBTEXT_EXECUTOR = "process" can end it'
                )
            self._backend = self._new_backend(self._inbox)
        return self._backend

    def _let_go(self, backend: Backend, event: Event) -> str:
        """End a backend that gave no answer, if that can be; return what is known of its end."""
        self._backend = None
        end = backend.end(at_once=event is not Event.DIED)
        if backend.is_alive():
            self._hung.append(backend)
        return end


def _settle(future: TimedFuture[Any], answer: Answer) -> None:
    if future.running() or future.set_running_or_notify_cancel():
        # What a callback of the future raises, SystemExit too, is no affair of ours.
        with contextlib.suppress(BaseException):
            future.settle(answer)


def _late(message: str, seconds: float = 0.0) -> Answer:
    return Answer(None, ExtractionTimeoutError(message), seconds)


def _closed() -> Answer:
    return Answer(None, WorkerClosedError("the worker was closed before this call was done"))
