"""Extraction over archives: the run as a whole, from names of files to the final line."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, TextIO

from scrapy_webtext.archive.batch import ExtractionSettings
from scrapy_webtext.archive.folder import OutputFolder, claimed
from scrapy_webtext.archive.manifest import check_same, checked_keep, made_with
from scrapy_webtext.archive.parts import Job, PartReport, finished
from scrapy_webtext.archive.plan import Part, plan_parts
from scrapy_webtext.archive.stamp import is_part
from scrapy_webtext.cli.progress import Progress
from scrapy_webtext.errors import InputError
from scrapy_webtext.extraction import format_names
from scrapy_webtext.log_text import describe, shown

#: Exit statuses, the last two as shells have them for signals.
PARTS_FAILED: Final = 1
INTERRUPTED: Final = 130
TERMINATED: Final = 143


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
            self.failures.append(f"{shown(report.source)}: {shown(report.failure)}")
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
    *,
    keep: Sequence[str] = (),
    overwrite: bool = False,
) -> int:
    """Extract all pages of these archives; return 0, or 1 where parts could not be made.

    What an earlier run of the same command left whole is not made again, unless it is to be
    overwritten. ``keep`` names columns that are passed on. Prints a line per failure to standard
    error and the final line to ``stream`` (standard output). InputError, SettingsError and
    MissingExtraError before anything is written. 130 and 143 where SIGINT or SIGTERM ended it.
    """
    settings.parts()
    format_names(settings.formats)
    keep = checked_keep(keep, settings.formats)
    if scheduler is not None and engine == "local":
        raise InputError("--scheduler needs --engine dask or spark")
    parts = plan_parts(sources, output)
    try:
        with _ended_by_sigterm(), claimed(output) as folder:
            facts = made_with(settings, keep)
            job = Job(settings, keep, facts, folder.run, str(folder.workspace))
            run = _Run(folder, job, _begun_manifest(folder, output, facts, overwrite))
            run.make(parts, engine, workers, scheduler)
            print(run.final_line(), file=stream or sys.stdout)
            return PARTS_FAILED if run.made.failures else 0
    except (KeyboardInterrupt, _Terminated) as end:
        print("archive: ended early; the same line goes on where it stopped", file=sys.stderr)
        return INTERRUPTED if isinstance(end, KeyboardInterrupt) else TERMINATED


class _Terminated(BaseException):
    """The process was sent SIGTERM."""


@contextmanager
def _ended_by_sigterm() -> Iterator[None]:
    """Let SIGTERM end the run as SIGINT does, so that its workers end with it."""

    def end(*_: object) -> None:
        raise _Terminated

    is_main = threading.current_thread() is threading.main_thread()
    if not is_main or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
        yield
        return
    signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _begun_manifest(
    folder: OutputFolder, output: str, facts: Mapping[str, Any], overwrite: bool
) -> dict[str, Any]:
    """Return the manifest to go on with; InputError where results would be mixed."""
    if overwrite:
        _discard(folder.path)
    manifest = None if overwrite else folder.read_manifest()
    if manifest is not None:
        check_same(output, manifest["made_with"], facts)
        return manifest
    manifest = {"made_with": dict(facts), "parts": {}}
    try:
        folder.write_manifest(manifest)
    except OSError as error:
        raise InputError(f"{shown(output)} cannot be written to: {describe(error)}") from None
    return manifest


def _discard(folder: Path) -> None:
    """Delete the parts below a folder, and nothing that this command did not write."""
    for root, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for path in (Path(root, name) for name in names):
            if is_part(path):
                path.unlink()


class _Run:
    """A run over an output folder."""

    def __init__(self, folder: OutputFolder, job: Job, manifest: dict[str, Any]) -> None:
        self._folder = folder
        self._job = job
        self._manifest = manifest
        self.there = Totals()
        self.made = Totals()
        self._seconds = 0.0

    def make(self, parts: Sequence[Part], engine: str, workers: int, scheduler: str | None) -> None:
        """Make what is not there yet, and tell of it in the manifest however the run ends."""
        waiting = []
        for part in parts:
            report = finished(part, self._job)
            if report is None:
                waiting.append(part)
            else:
                self._add(report)
        began = time.perf_counter()
        progress = Progress(len(waiting), "parts")
        try:
            if waiting:
                with closing(_engine(engine, waiting, self._job, workers, scheduler)) as reports:
                    for report in reports:
                        self._add(report)
                        if report.failure is not None:
                            progress.say(self.made.failures[-1])
                        progress.step()
        finally:
            progress.clear()
            self._seconds = time.perf_counter() - began
            self._write_manifest()

    def _add(self, report: PartReport) -> None:
        (self.made if report.is_new else self.there).add(report)
        if report.failure is None:
            name = os.path.relpath(report.target, self._folder.path)
            counts = {n: getattr(report, n) for n in ("pages", "articles", "errors")}
            entry = {"source": report.source, **(report.facts or {}), **counts}
            self._manifest["parts"][name] = entry

    def _write_manifest(self) -> None:
        try:
            self._folder.write_manifest(self._manifest)
        except OSError as error:
            failure = f"the manifest cannot be written: {describe(error)}"
            self.made.failures.append(failure)
            print(failure, file=sys.stderr)

    def final_line(self) -> str:
        """Return the line that sums up the run."""
        made, there = self.made, self.there
        line = (
            f"archive: {made.pages:,} pages, {made.articles:,} with an article, "
            f"{made.errors:,} errors, {made.pages / max(self._seconds, 1e-9):.1f} pages a second; "
            f"{made.parts} parts made in {self._seconds:.1f} s"
        )
        if there.parts:
            line += f", {there.parts} with {there.pages:,} pages were there"
        if made.failures:
            line += f", {len(made.failures)} FAILED"
        return line


def _engine(name: str, parts: Sequence[Part], job: Job, workers: int, scheduler: str | None) -> Any:
    """Return the generator of reports of an engine."""
    if name == "dask":
        from scrapy_webtext.archive.on_dask import run_dask

        return run_dask(parts, job, workers, scheduler)
    if name == "spark":
        from scrapy_webtext.archive.on_spark import run_spark

        return run_spark(parts, job, workers, scheduler)
    from scrapy_webtext.archive.local import run_local

    return run_local(parts, job, workers)
