"""Extraction over archives: the run as a whole, from names of files to the final line.

In addition to the parts the output folder has the hidden folder ``.webtext``::

    lock    locked while a run is on
    RUN/    parts in the making, of the run of this name
"""

from __future__ import annotations

import os
import shutil
import signal
import sys
import threading
import time
import uuid
from collections import Counter
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, Final, TextIO

from scrapy_webtext.archive import engines
from scrapy_webtext.archive.batch import RESULT_SCHEMA, ExtractionSettings
from scrapy_webtext.archive.parts import (
    COUNTS,
    STATE,
    Job,
    Part,
    PartReport,
    check_same,
    finished,
    made_with,
    parts_below,
    plan_parts,
    read_stamp,
)
from scrapy_webtext.cli.progress import Progress
from scrapy_webtext.errors import InputError
from scrapy_webtext.extraction import format_names
from scrapy_webtext.log_text import shown
from scrapy_webtext.render import FORMATS

#: Exit statuses, the second as shells have it after Ctrl-C.
PARTS_FAILED: Final = 1
INTERRUPTED: Final = 130

#: Windows has none of it: there, two runs on one folder are not told apart.
fcntl: Any = import_module("fcntl") if os.name == "posix" else None


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
    """Extract all pages of these archives; return 0, or 1 if parts could not be made.

    What an earlier run of the same command left whole is not made again, unless it is to be
    overwritten. ``keep`` names columns that are passed on. Prints a line per failure to standard
    error and the final line to ``stream`` (standard output). InputError, SettingsError and
    MissingExtraError before anything is written. 130 after SIGINT and SIGTERM.
    """
    settings.parts()
    format_names(settings.formats)
    keep = checked_keep(keep, settings.formats)
    if scheduler is not None and engine == "local":
        raise InputError("--scheduler needs --engine dask or spark")
    parts = plan_parts(sources, output)
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, signal.default_int_handler)  # its workers end with it
    try:
        with claimed(output) as workspace:
            facts = made_with(settings, keep)
            for there in parts_below(workspace.parent.parent):
                if overwrite:
                    there.unlink()
                elif stamp := read_stamp(there):  # all parts are made with the same
                    check_same(output, stamp["made_with"], facts)
                    break
            job = Job(settings, keep, facts, workspace.name, str(workspace))
            return _run(parts, job, engine, workers, scheduler, stream or sys.stdout)
    except KeyboardInterrupt:
        print("archive: ended early; the same line goes on where it stopped", file=sys.stderr)
        return INTERRUPTED


def checked_keep(keep: Sequence[str], formats: Sequence[str] = ()) -> tuple[str, ...]:
    """Return the columns to be kept, each once; InputError for one that the output has itself.

    It has those of renderings whether they are asked for or not, of what articles say of
    themselves those in ``formats``: inputs have titles and tags of their own.
    """
    own = {name.casefold(): name for name in (*RESULT_SCHEMA.names, *FORMATS, *formats)}
    for name in keep:
        if name.casefold() in own:
            raise InputError(
                f"--keep {shown(name)}: the output has a column {own[name.casefold()]} of its own; "
                f"leave it out, or rename it in the input"
            )
    return tuple(dict.fromkeys(keep))


@contextmanager
def claimed(output: str) -> Iterator[Path]:
    """Give the workspace of a run in its output folder, which is this run's alone until the end.

    InputError if the folder cannot be written to, or while another run is on. The lock goes with
    its process, however that ends. A later run clears the workspaces of runs that were killed.
    """
    workspace = Path(os.path.realpath(output), STATE, uuid.uuid4().hex[:12])
    try:
        lock = _lock(workspace.parent, output)
        for left in workspace.parent.iterdir():
            shutil.rmtree(left, ignore_errors=True)  # not the lock, which is no folder
        workspace.mkdir()
    except OSError as error:
        reason = error.strerror or error
        raise InputError(f"{shown(output)} cannot be written to: {reason}") from None
    with lock:
        try:
            yield workspace
        finally:
            # Whoever still makes a part cannot put it into place.
            shutil.rmtree(workspace, ignore_errors=True)


def _lock(state: Path, output: str) -> TextIO:
    """Return the locked file of a run; InputError if another process has locked it."""
    state.mkdir(parents=True, exist_ok=True)
    lock = (state / "lock").open("a")
    try:
        if fcntl is not None:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        lock.close()
        raise InputError(
            f"Another run works on {shown(output)}: wait for its end, or choose another output "
            f"folder"
        ) from None
    except OSError:
        pass  # a file system without locks
    return lock


def _run(
    parts: Sequence[Part],
    job: Job,
    engine: str,
    workers: int,
    scheduler: str | None,
    stream: TextIO,
) -> int:
    """Make what is not there yet and print what came of it; return the exit status."""
    there: Counter[str] = Counter()
    made: Counter[str] = Counter()
    waiting = []
    for part in parts:
        if report := finished(part, job):
            there.update(parts=1, pages=report.pages)
        else:
            waiting.append(part)
    began = time.perf_counter()
    progress = Progress(len(waiting), "parts")
    try:
        with closing(_reports(waiting, job, engine, workers, scheduler)) as reports:
            for report in reports:
                if report.failure is None:
                    counts = made if report.is_new else there
                    counts.update(parts=1, **{name: getattr(report, name) for name in COUNTS})
                else:
                    made["failures"] += 1
                    progress.say(f"{shown(report.source)}: {shown(report.failure)}")
                progress.step()
    finally:
        progress.clear()
    seconds = time.perf_counter() - began
    line = (
        f"archive: {made['pages']:,} pages, {made['articles']:,} with an article, "
        f"{made['errors']:,} errors, {made['pages'] / max(seconds, 1e-9):.1f} pages a second; "
        f"{made['parts']} parts made in {seconds:.1f} s"
    )
    if there["parts"]:
        line += f", {there['parts']} with {there['pages']:,} pages were there"
    if made["failures"]:
        line += f", {made['failures']} FAILED"
    print(line, file=stream)
    return PARTS_FAILED if made["failures"] else 0


def _reports(
    parts: Sequence[Part], job: Job, engine: str, workers: int, scheduler: str | None
) -> Generator[PartReport, None, None]:
    """Yield the reports of an engine."""
    if parts and engine == "local":
        yield from engines.run_local(parts, job, workers)
    elif parts:
        run = engines.run_dask if engine == "dask" else engines.run_spark
        yield from run(parts, job, workers, scheduler)
