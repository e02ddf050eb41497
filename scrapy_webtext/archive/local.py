"""Parts over processes of this machine."""

from __future__ import annotations

import multiprocessing
from collections import deque
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from typing import Final

from scrapy_webtext.archive.batch import ExtractionSettings
from scrapy_webtext.archive.parts import Part, PartReport, attempt_part

#: A part whose worker dies so often while nothing else runs is given up.
ATTEMPTS: Final = 3


def run_local(
    parts: Sequence[Part], settings: ExtractionSettings, workers: int
) -> Iterator[PartReport]:
    """Yield the report of each part as it ends.

    A worker that dies (killed for its memory, say) takes its pool with it. The parts that were
    in work begin again at the end, one at a time, each up to three times.
    """
    waiting = deque(parts)
    lost: list[Part] = []
    while waiting:
        lost += yield from _run_in_pool(waiting, settings, workers)
    for part in lost:
        for _ in range(ATTEMPTS):
            if not (yield from _run_in_pool(deque([part]), settings, 1)):
                break
        else:
            yield PartReport(part.source, failure=f"its worker died {ATTEMPTS} times")


def _run_in_pool(
    waiting: deque[Part], settings: ExtractionSettings, workers: int
) -> Generator[PartReport, None, list[Part]]:
    """Yield reports until all is done or a worker dies; return the parts that were lost."""
    lost: list[Part] = []
    running: dict[Future[PartReport], Part] = {}
    # Spawned: a fork would copy Arrow's threads and locks in whatever state they are.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, mp_context=context) as pool:
        while running or (waiting and not lost):
            while waiting and not lost and len(running) < workers:
                part = waiting.popleft()
                try:
                    running[pool.submit(attempt_part, part, settings)] = part
                except BrokenProcessPool:
                    lost.append(part)
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                part = running.pop(future)
                try:
                    yield future.result()
                except BrokenProcessPool:
                    lost.append(part)
    return lost
