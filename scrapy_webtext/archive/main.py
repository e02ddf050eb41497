"""Extraction over archives: the run as a whole, from names of files to the final line."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TextIO

from scrapy_webtext.archive.batch import ExtractionSettings
from scrapy_webtext.archive.parts import Part, PartReport, finished, plan_parts
from scrapy_webtext.cli.progress import Progress
from scrapy_webtext.errors import InputError


@dataclass
class Totals:
    """Counts over parts."""

    parts: int = 0
    pages: int = 0
    articles: int = 0
    errors: int = 0
    failures: list[str] = field(default_factory=list)

    def add(self, report: PartReport) -> None:
        """Count one part."""
        if report.failure is not None:
            self.failures.append(f"{report.source}: {report.failure}")
            return
        self.parts += 1
        self.pages += report.pages
        self.articles += report.articles
        self.errors += report.errors


def run_archive(
    sources: Sequence[str],
    output: str,
    settings: ExtractionSettings,
    engine: str = "local",
    scheduler: str | None = None,
    workers: int = 1,
    stream: TextIO | None = None,
) -> int:
    """Extract all pages of these archives; return 0, or 1 where parts could not be made.

    What an earlier run of the same command left whole is not made again. Prints a line per
    failure to standard error and the final line to ``stream`` (standard output). InputError,
    SettingsError and MissingExtraError before anything is written.
    """
    settings.parts()
    if scheduler is not None and engine == "local":
        raise InputError("--scheduler needs --engine dask or spark")
    parts = plan_parts(sources, output)
    _make_folder(output)
    there = Totals()
    waiting: list[Part] = []
    for part in parts:
        report = finished(part, settings)
        if report is None:
            waiting.append(part)
        else:
            there.add(report)
    made = Totals()
    began = time.perf_counter()
    progress = Progress(len(waiting), "parts")
    if waiting:
        for report in _engine(engine, waiting, settings, workers, scheduler):
            made.add(report)
            if report.failure is not None:
                progress.say(f"{report.source}: {report.failure}")
            progress.step()
    progress.clear()
    print(final_line(made, there, time.perf_counter() - began), file=stream or sys.stdout)
    return 1 if made.failures else 0


def _make_folder(output: str) -> None:
    try:
        Path(output).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{output} cannot be made: {error.strerror or error}") from None


def _engine(
    name: str,
    parts: Sequence[Part],
    settings: ExtractionSettings,
    workers: int,
    scheduler: str | None,
) -> Iterator[PartReport]:
    if name == "dask":
        from scrapy_webtext.archive.on_dask import run_dask

        return run_dask(parts, settings, workers, scheduler)
    if name == "spark":
        from scrapy_webtext.archive.on_spark import run_spark

        return run_spark(parts, settings, workers, scheduler)
    from scrapy_webtext.archive.local import run_local

    return run_local(parts, settings, workers)


def final_line(made: Totals, there: Totals, seconds: float) -> str:
    """Return the line that sums up a run."""
    line = (
        f"archive: {made.pages:,} pages, {made.articles:,} with an article, "
        f"{made.errors:,} errors, {made.pages / max(seconds, 1e-9):.1f} pages a second; "
        f"{made.parts} parts made in {seconds:.1f} s"
    )
    if there.parts:
        line += f", {there.parts} with {there.pages:,} pages were there"
    if made.failures:
        line += f", {len(made.failures)} FAILED"
    return line
