"""Parts over processes of this machine."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Generator, Iterator, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from threading import Thread

from scrapy_webtext.archive.parts import ATTEMPTS, Job, PartReport, attempt_part
from scrapy_webtext.archive.plan import Part


def run_local(parts: Sequence[Part], job: Job, workers: int) -> Iterator[PartReport]:
    """Yield the report of each part as it ends.

    A worker that dies (killed for its memory, say) costs no part but its own, which begins again
    at the end, when nothing else runs. All workers end with the iterator, and with this process.
    """
    deaths: dict[Part, int] = {}
    lost = yield from _run(deque(parts), job, workers)
    while lost:
        part, code = lost.pop(0)
        deaths[part] = deaths.get(part, 0) + 1
        if deaths[part] < ATTEMPTS:
            lost += yield from _run(deque([part]), job, 1)
        else:
            failure = f"its worker died {deaths[part]} times, the last one with exit code {code}"
            yield PartReport(part.source, failure=failure)


def _run(
    waiting: deque[Part], job: Job, workers: int
) -> Generator[PartReport, None, list[tuple[Part, int | None]]]:
    """Yield reports until all is done; return the parts whose workers died, and how."""
    lost: list[tuple[Part, int | None]] = []
    idle: list[_Worker] = []
    busy: dict[Connection, tuple[_Worker, Part]] = {}
    try:
        while busy or waiting:
            while waiting and len(busy) < workers:
                worker = idle.pop() if idle else _Worker(job)
                part = waiting.popleft()
                busy[worker.connection] = worker, part
                with suppress(OSError):  # it is dead already, which shows below
                    worker.connection.send(part)
            for connection in wait(list(busy)):
                assert isinstance(connection, Connection)
                worker, part = busy.pop(connection)
                try:
                    report = connection.recv()
                except (EOFError, OSError):
                    lost.append((part, worker.end()))
                else:
                    idle.append(worker)
                    yield report
    finally:
        for worker in [*idle, *(worker for worker, _ in busy.values())]:
            worker.end()
    return lost


class _Worker:
    """A process that makes the parts that it is sent, one after the other."""

    def __init__(self, job: Job) -> None:
        # Spawned: a fork would copy Arrow's threads and locks in whatever state they are.
        context = multiprocessing.get_context("spawn")
        self.connection, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs, job))
        self._process.start()
        theirs.close()

    def end(self) -> int | None:
        """End it at once; return its exit code."""
        self.connection.close()
        self._process.kill()
        self._process.join()
        return self._process.exitcode


def _serve(connection: Connection, job: Job) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the run, which will end us
    Thread(target=_end_with_parent, daemon=True).start()
    with suppress(EOFError, OSError):
        while True:
            connection.send(attempt_part(connection.recv(), job))


def _end_with_parent() -> None:
    """End this process when the run's is gone, however it ended, even in the midst of a part."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
