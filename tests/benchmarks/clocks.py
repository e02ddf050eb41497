"""What a process costs: the lateness of its loop, its garbage collection, its memory."""

from __future__ import annotations

import asyncio
import ctypes
import gc
import os
import time
from pathlib import Path

#: Seconds between two rings of the timer whose lateness is the loop's lag.
INTERVAL = 0.005


class Timer:
    """How late a timer rings that is due every 5 ms.

    Rings that a long wait made impossible count too, each by its own lateness: this is the
    distribution that something sees which becomes due at any time.
    """

    def __init__(self) -> None:
        self.lateness: list[float] = []
        self._loop = asyncio.get_running_loop()
        self._due = self._loop.time() + INTERVAL
        self._handle = self._loop.call_at(self._due, self._ring)

    def _ring(self) -> None:
        now = self._loop.time()
        while self._due <= now:
            self.lateness.append(now - self._due)
            self._due += INTERVAL
        self._handle = self._loop.call_at(self._due, self._ring)

    def stop(self) -> None:
        self._handle.cancel()


class Collections:
    """CPU time that Python spends collecting garbage."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self._began = 0.0
        gc.callbacks.append(self._hear)

    def _hear(self, phase: str, _: object) -> None:
        if phase == "start":
            self._began = time.thread_time()
        else:
            self.seconds += time.thread_time() - self._began


def give_back() -> None:
    """Have the C library return free memory to the system, where it is one that can (glibc)."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)


def memory(field: str) -> int:
    """Bytes that Linux says of this process; 0 on systems that have no such file.

    ``ru_maxrss`` would do for the peak, if it did not begin with that of the process which
    started this one.
    """
    path = Path(f"/proc/{os.getpid()}/status")
    if not path.exists():
        return 0
    line = next(line for line in path.read_text().splitlines() if line.startswith(f"{field}:"))
    return 1024 * int(line.split()[1])
