"""Calls an extractor or judge where the settings have it: in the crawl's thread, or in a worker."""

from __future__ import annotations

from concurrent.futures import Future
from typing import Any, Literal

from scrapy_webtext import calls
from scrapy_webtext.registry import Part
from scrapy_webtext.settings import WebtextSettings
from scrapy_webtext.worker import Worker


class Runner:
    """Makes the calls of one crawl. The worker starts with the first call that needs it."""

    def __init__(self, settings: WebtextSettings) -> None:
        self._kind: Literal["thread", "process"]
        self._kind = "process" if settings.executor == "process" else "thread"
        self._timeout = settings.timeout
        self._parts = calls.MadeParts()
        self._worker: Worker | None = None
        self._is_closed = False

    def make(self, part: Any) -> Any:
        """Return the extractor or judge, made at the first time; a ready one as it is."""
        return self._parts.get(part) if isinstance(part, Part) else part

    def start(
        self, settings: WebtextSettings, part: Any, method: str, *args: Any
    ) -> Future[calls.Timed[Any]]:
        """Return the future of a call, done already where the call is made inline.

        ``part`` is a `Part`, or a ready extractor or judge.
        """
        if self._is_closed or _runs_inline(settings, part):
            return _finished(self.make, part, method, args)
        if self._worker is None:
            self._worker = Worker(self._kind, self._timeout)
        if self._kind == "process" and isinstance(part, Part):
            return self._worker.submit(calls.call, part, method, *args)
        try:
            function = getattr(self.make(part), method)
        except (Exception, SystemExit) as error:
            return _failed(error)
        return self._worker.submit(calls.timed, function, *args)

    def close(self) -> None:
        """Stop the worker; what it has not begun is given up. Later calls are made inline."""
        self._is_closed = True
        if self._worker is not None:
            self._worker.close()


def _runs_inline(settings: WebtextSettings, part: Any) -> bool:
    if isinstance(part, Part):
        return settings.runs_inline(part)
    return settings.executor == "inline"


def _finished(make: Any, part: Any, method: str, args: tuple[Any, ...]) -> Future[Any]:
    future: Future[Any] = Future()
    try:
        future.set_result(calls.timed(getattr(make(part), method), *args))
    except (Exception, SystemExit) as error:
        future.set_exception(error)
    return future


def _failed(error: BaseException) -> Future[Any]:
    future: Future[Any] = Future()
    future.set_exception(error)
    return future
