"""Work on many pages in several processes."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from multiprocessing import get_context
from typing import Final, TypeVar

#: Pages that are sent ahead, per process.
_AHEAD: Final = 4

Page = TypeVar("Page")
Found = TypeVar("Found")


def in_order(
    work: Callable[[Page], Found], pages: Iterable[Page], processes: int
) -> Iterator[Found]:
    """Yield the result of the work for each page, in their order, a few pages ahead.

    ``work`` must be picklable for several processes.
    """
    if processes == 1:
        yield from map(work, pages)
        return
    # Spawned, not forked: the same on every platform, and safe where threads are running.
    with ProcessPoolExecutor(processes, get_context("spawn")) as pool:
        pending: deque[Future[Found]] = deque()
        for page in pages:
            pending.append(pool.submit(work, page))
            if len(pending) >= _AHEAD * processes:
                yield pending.popleft().result()
        while pending:
            yield pending.popleft().result()
