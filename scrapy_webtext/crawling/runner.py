"""Calls extractors and judges: in the crawl's thread or in a worker, by the settings."""

from __future__ import annotations

from collections import OrderedDict
from operator import methodcaller
from time import perf_counter
from typing import Any, Final, Literal

from scrapy_webtext.registry import Part
from scrapy_webtext.settings import WebtextSettings
from scrapy_webtext.worker import SETUP_RESULT, TimedFuture, Worker

#: Extractors and judges that are kept; requests may name any number of others.
MAX_PARTS: Final = 100


class Runner:
    """Makes the calls of one crawl. The worker starts at the first call that needs it."""

    def __init__(self, settings: WebtextSettings) -> None:
        self._kind: Literal["thread", "process"]
        self._kind = "process" if settings.executor == "process" else "thread"
        self._timeout = settings.timeout
        self._made: OrderedDict[Any, Any] = OrderedDict()
        self._worker: Worker | None = None
        self._is_closed = False

    def make(self, part: Any) -> Any:
        """Return the extractor or judge of a `Part`, made once; a ready one unchanged."""
        if not isinstance(part, Part):
            return part
        key = part.key
        if key not in self._made:
            self._made[key] = part.make()
            if len(self._made) > MAX_PARTS:
                self._made.popitem(last=False)
        self._made.move_to_end(key)
        return self._made[key]

    def start(
        self, settings: WebtextSettings, part: Any, method: str, *args: Any
    ) -> TimedFuture[Any]:
        """Return the future of a call; it is already done if the call is made inline.

        ``part`` is a `Part`, or a ready extractor or judge.
        """
        if self._is_closed or _runs_inline(settings, part):
            return self._make_inline(part, method, args)
        if self._worker is None:
            self._worker = Worker(self._kind, self._timeout)
        call = methodcaller(method, *args)
        if self._kind == "process" and isinstance(part, Part):
            return self._worker.submit(call, SETUP_RESULT, setup=part.make)
        return self._worker.submit(call, self.make(part))

    def close(self) -> None:
        """Stop the worker; waiting calls are cancelled. Later calls are made inline."""
        self._is_closed = True
        if self._worker is not None:
            self._worker.close()

    def _make_inline(self, part: Any, method: str, args: tuple[Any, ...]) -> TimedFuture[Any]:
        future: TimedFuture[Any] = TimedFuture()
        began = perf_counter()
        try:
            result = getattr(self.make(part), method)(*args)
        except (Exception, SystemExit) as error:
            future.set_exception(error)
        else:
            future.seconds = perf_counter() - began
            future.set_result(result)
        return future


def _runs_inline(settings: WebtextSettings, part: Any) -> bool:
    if isinstance(part, Part):
        return settings.runs_inline(part)
    return settings.executor == "inline"
