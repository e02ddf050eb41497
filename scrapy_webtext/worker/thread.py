"""Calls made in a thread of the crawler's process."""

from __future__ import annotations

from queue import SimpleQueue
from threading import Thread

from scrapy_webtext.worker.call import Call, Event, Message, Setups, perform

Calls = SimpleQueue[tuple[int, Call] | None]


class ThreadBackend:
    """Makes calls in a daemon thread; says what came of each to ``inbox``."""

    def __init__(self, inbox: SimpleQueue[Message | None]) -> None:
        self._calls: Calls = SimpleQueue()
        self._thread = Thread(
            target=_serve, args=(self._calls, inbox), name="webtext-extractor", daemon=True
        )
        self._thread.start()

    def start(self, number: int, call: Call) -> None:
        """Hand over a call."""
        self._calls.put((number, call))

    def is_alive(self) -> bool:
        """Whether the thread runs; hung, it does."""
        return self._thread.is_alive()

    def end(self, at_once: bool) -> str:  # noqa: ARG002 (a thread cannot be ended)
        """Let the thread end once its call is done; return what is known of its end."""
        self._calls.put(None)
        return "the worker thread ended"


def _serve(calls: Calls, inbox: SimpleQueue[Message | None]) -> None:
    setups = Setups()
    while _serve_next(calls, inbox, setups):
        pass


# A function of its own: the last call and its page are let go of before the next is waited for.
def _serve_next(calls: Calls, inbox: SimpleQueue[Message | None], setups: Setups) -> bool:
    task = calls.get()
    if task is None:
        return False
    number, call = task
    inbox.put((number, perform(call, setups, lambda: inbox.put((number, Event.BEGUN)))))
    return True
