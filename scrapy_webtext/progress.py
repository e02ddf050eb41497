"""A progress bar on standard error: tqdm's, if it is installed and standard error is a terminal."""

from __future__ import annotations

import sys
from contextlib import suppress
from importlib import import_module
from typing import Any

from scrapy_webtext.log_text import printable


class Progress:
    """Counts up to ``total`` (None if unknown); draws only for more than one step."""

    def __init__(self, total: int | None, unit: str = "pages") -> None:
        self._bar: Any = None
        if sys.stderr.isatty() and total != 1:
            with suppress(ImportError):
                tqdm = import_module("tqdm").tqdm
                self._bar = tqdm(total=total, unit=f" {unit}", leave=False, file=sys.stderr)

    def step(self, count: int = 1) -> None:
        """Count one more, or this number."""
        if self._bar is not None:
            self._bar.update(count)

    def say(self, line: str) -> None:
        """Print a line above the bar, with unprintable characters escaped."""
        if self._bar is not None:
            self._bar.clear()
        print(printable(line), file=sys.stderr, flush=True)

    def clear(self) -> None:
        """Remove the bar."""
        if self._bar is not None:
            self._bar.close()
