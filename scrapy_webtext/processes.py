"""Work on many pages: in several processes, and with a progress bar."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import suppress
from importlib import import_module
from multiprocessing import get_context
from time import monotonic
from typing import Any, Final, TypeVar

from scrapy_webtext.errors import printable

#: Maximum number of pages per process that wait for it or are in work.
_AHEAD: Final = 4

PAUSE: Final = 30  #: seconds between two lines of progress

Page = TypeVar("Page")
Found = TypeVar("Found")


def in_order(
    work: Callable[[Page], Found], pages: Iterable[Page], processes: int
) -> Iterator[Found]:
    """Yield ``work(page)`` for each page, in the order of the pages.

    With several processes ``work`` must be picklable, and a few pages are read in advance. If
    ``pages`` raises, the results of earlier pages come first.
    """
    if processes == 1:
        yield from map(work, pages)
        return
    # "spawn" exists on every platform, and it is safe in a process with threads; "fork" is not.
    with ProcessPoolExecutor(processes, get_context("spawn")) as pool:
        pending: deque[Future[Found]] = deque()
        source, fault = iter(pages), None
        while fault is None:
            try:
                pending.append(pool.submit(work, next(source)))
            except Exception as error:  # StopIteration, too
                fault = error
            if len(pending) >= _AHEAD * processes:
                yield pending.popleft().result()
        while pending:
            yield pending.popleft().result()
        if not isinstance(fault, StopIteration):
            raise fault


class Progress:
    """A progress bar up to ``total`` pages (None if unknown).

    It is drawn only on a terminal, if tqdm is installed and ``total`` is not 1. Otherwise a line is
    printed every `PAUSE` seconds.
    """

    def __init__(self, total: int | None) -> None:
        self._bar: Any = None
        self._count, self._said = 0, monotonic()
        if sys.stderr.isatty() and total != 1:
            with suppress(ImportError):
                tqdm = import_module("tqdm").tqdm
                self._bar = tqdm(total=total, unit=" pages", leave=False, file=sys.stderr)

    def step(self, count: int = 1) -> None:
        """Add ``count`` pages to the progress."""
        if self._bar is not None:
            self._bar.update(count)
        self._count += count
        if self._bar is None and monotonic() - self._said > PAUSE:
            self._said = monotonic()
            self.say(f"{self._count:,} pages")

    def say(self, line: str) -> None:
        """Print a line above the bar, with unprintable characters escaped."""
        if self._bar is not None:
            self._bar.clear()
        print(printable(line), file=sys.stderr, flush=True)

    def close(self) -> None:
        """Remove the bar."""
        if self._bar is not None:
            self._bar.close()
