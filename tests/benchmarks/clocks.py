"""What a process costs: the lateness of its loop, its memory."""

from __future__ import annotations

import asyncio
import ctypes
import resource
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


def give_back() -> None:
    """Have the C library return free memory to the system, where it is one that can (glibc)."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)


def memory() -> int:
    """Return the resident bytes of this process; 0 on systems without /proc."""
    path = Path("/proc/self/statm")
    return resource.getpagesize() * int(path.read_text().split()[1]) if path.exists() else 0
