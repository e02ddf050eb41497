"""One thread or process beside the crawl, for extractors too slow to run in it.

A supervisor (`supervisor.py`, a thread of the crawler's process) takes the calls one after the
other and has them made by a backend: a thread (`thread.py`) or a process (`process.py`, whose far
end is `serve.py`). A backend that does not answer in time, or dies, costs the one call that it
had; the next call gets a new backend.

A hung thread cannot be ended and is left to itself; a process is killed. Nothing here keeps the
crawler from exiting, and a process ends with its crawler, however that ended.
"""

from __future__ import annotations

import pickle
import weakref
from collections.abc import Callable, Hashable
from typing import Any, Final, Literal, TypeVar

from scrapy_webtext.worker.call import MAX_SETUPS, SETUP_RESULT, Call
from scrapy_webtext.worker.futures import TimedFuture
from scrapy_webtext.worker.process import ProcessBackend
from scrapy_webtext.worker.supervisor import Supervisor
from scrapy_webtext.worker.thread import ThreadBackend

__all__ = ["MAX_SETUPS", "SETUP_RESULT", "SETUP_SECONDS", "TimedFuture", "Worker"]

T = TypeVar("T")

#: Seconds that the start of a process, a call's imports and its setup may take together. Ten
#: minutes: a language model from a slow disk takes some; a setup that hangs ends nevertheless.
SETUP_SECONDS: Final = 600.0


class Worker:
    """Makes one call after the other, in a thread or a process that lasts from call to call.

    ``timeout`` is in seconds of a call, ``setup_timeout`` in those of all that goes before it;
    0 for no limit. A worker that nobody refers to any more closes itself once its calls are done.
    """

    def __init__(
        self,
        kind: Literal["thread", "process"],
        timeout: float = 0.0,
        setup_timeout: float = SETUP_SECONDS,
    ) -> None:
        backend = ProcessBackend if kind == "process" else ThreadBackend
        self._supervisor = Supervisor(backend, timeout or None, setup_timeout or None)
        self._close = weakref.finalize(self, self._supervisor.close)

    def submit(
        self, function: Callable[..., T], *args: Any, setup: Callable[[], Any] | None = None
    ) -> TimedFuture[T]:
        """Return the future of a call, at once.

        ``setup`` is called in the worker before the function, once as long as the thread or the
        process lasts; of more than `MAX_SETUPS` the one longest unused is called again. What it
        returned takes the place of `SETUP_RESULT` among the arguments. Setups that pickle to the
        same bytes are the same one: pass partials of functions of modules.

        The future has what the function or its setup raised; ExtractionTimeoutError where one of
        them took too long; WorkerDiedError where it ended its process, or raised SystemExit and
        the like; WorkerClosedError where the worker was closed first. For a process: what pickle
        raises; SettingsError for what is defined in the script that was started.
        """
        future: TimedFuture[T] = TimedFuture(self)
        self._supervisor.add(future, Call(function, args, setup, _key(setup)))
        return future

    def close(self) -> None:
        """Fail all calls that are not done and end the process, or a thread that does not hang.

        Returns at once; does nothing the second time.
        """
        self._close()


class _Itself:
    """Equals itself alone, whatever the thing in it equals."""

    def __init__(self, thing: object) -> None:
        self._thing = thing  # held, lest another get its id

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Itself) and other._thing is self._thing

    def __hash__(self) -> int:
        return id(self._thing)


def _key(setup: Callable[[], Any] | None) -> Hashable:
    if setup is None:
        return None
    try:
        return pickle.dumps(setup)
    except Exception:  # good enough for a thread
        return _Itself(setup)
