"""A progress bar on standard error, if it is a terminal."""

from __future__ import annotations

import sys
import time
from typing import Final, TextIO

from scrapy_webtext.log_text import printable

WIDTH: Final = 30
#: Seconds between two drawings.
PAUSE: Final = 0.1


class Progress:
    """Counts up to ``total``; draws only on a terminal and only for more than one step.

    If the total is unknown (None), the count is drawn without a bar. ``is_watched`` is whether the
    stream is a terminal.
    """

    def __init__(
        self, total: int | None, unit: str = "pages", stream: TextIO | None = None
    ) -> None:
        self._total = total
        self._unit = unit
        self._stream = sys.stderr if stream is None else stream
        self.is_watched = self._stream.isatty()
        self._is_shown = (total is None or total > 1) and self.is_watched
        self._done = 0
        self._began = time.monotonic()
        self._drawn = 0.0

    def step(self) -> None:
        """Count one more."""
        self._done += 1
        now = time.monotonic()
        if self._is_shown and (now - self._drawn >= PAUSE or self._done == self._total):
            self._drawn = now
            self._draw(now)

    def say(self, line: str) -> None:
        """Print a line above the bar, with unprintable characters escaped."""
        self.clear()
        print(printable(line), file=self._stream, flush=True)

    def clear(self) -> None:
        """Remove the bar."""
        if self._is_shown:
            self._stream.write("\r\x1b[K")
            self._stream.flush()

    def _draw(self, now: float) -> None:
        rate = self._done / max(now - self._began, 1e-9)
        shown = f"{self._done} {self._unit}"
        if self._total is not None:
            full = min(WIDTH * self._done // self._total, WIDTH)
            shown = f"[{'#' * full}{'.' * (WIDTH - full)}] {self._done}/{self._total} {self._unit}"
        self._stream.write(f"\r\x1b[K{shown}, {rate:.1f} per second")
        self._stream.flush()
