"""The future of a call, and which errors it may hold."""

from __future__ import annotations

from concurrent.futures import CancelledError, Future
from typing import TypeVar

from scrapy_webtext.errors import WorkerDiedError
from scrapy_webtext.log_text import describe
from scrapy_webtext.worker.call import Answer

T = TypeVar("T")

#: Errors that say something else to whoever awaits them: a coroutine that returns, one that is
#: cancelled.
MISREAD: tuple[type[Exception], ...] = (StopIteration, StopAsyncIteration, CancelledError)


class TimedFuture(Future[T]):
    """The future of a call."""

    #: Seconds that the function ran in the worker, whether it returned or raised; neither its
    #: setup nor its wait is in them. 0 for a call that did not begin.
    seconds: float = 0.0

    def __init__(self, worker: object = None) -> None:
        super().__init__()
        self._worker: object = worker  # which lasts as long, even if nobody else refers to it

    def settle(self, answer: Answer) -> None:
        """Pass an answer on to whoever waits for it."""
        self._worker = None
        self.seconds = answer.seconds
        if answer.error is None:
            self.set_result(answer.value)
        else:
            self.set_exception(_raisable(answer.error))


def _raisable(error: BaseException) -> Exception:
    """Return what may be raised in the crawl and means there what it meant in the worker."""
    raisable: Exception
    if not isinstance(error, Exception):
        raisable = WorkerDiedError(f"the extractor raised {type(error).__name__}")
    elif isinstance(error, MISREAD):
        raisable = RuntimeError(describe(error))
    else:
        return error
    raisable.__cause__ = error.__cause__
    return raisable.with_traceback(error.__traceback__)
