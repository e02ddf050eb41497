"""Run the extraction of archives, from names of files to the final line.

In addition to the parts, the output folder has the hidden folder ``.webtext``::

    lock    a file that is locked during a run
    RUN/    partial files of the run with this name
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
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

from scrapy_webtext.archive import engines
from scrapy_webtext.archive.batch import RESULT_SCHEMA
from scrapy_webtext.archive.parts import (
    COUNTS,
    READ,
    STATE,
    Job,
    Part,
    check_same,
    finished,
    made_with,
    parts_below,
    plan_parts,
    read_stamp,
)
from scrapy_webtext.errors import InputError
from scrapy_webtext.files import lock_file
from scrapy_webtext.log_text import shown
from scrapy_webtext.progress import Progress
from scrapy_webtext.reader import PageReader
from scrapy_webtext.render import FORMATS

#: Exit statuses; the second is that of shells after Ctrl-C.
PARTS_FAILED: Final = 1
INTERRUPTED: Final = 130

PAUSE: Final = 0.5  #: seconds between two looks at the pages read


def run_archive(
    sources: Sequence[str],
    output: str,
    reader: PageReader,
    engine: str = "local",
    scheduler: str | None = None,
    workers: int = 1,
    *,
    keep: Sequence[str] = (),
    overwrite: bool = False,
) -> int:
    """Extract all pages of these archives; return the exit status.

    Skip parts of an earlier run of the same command, unless ``overwrite`` is true. ``keep`` names
    columns of the inputs that the output keeps. Print a line per failure to standard error, and
    the final line to standard output. The status is 1 if a part failed, 130 after SIGINT or
    SIGTERM. InputError, SettingsError and MissingExtraError before anything is written.
    """
    keep = checked_keep(keep, reader.fields)
    if scheduler is not None and engine == "local":
        raise InputError("--scheduler needs --engine dask or spark")
    parts = plan_parts(sources, output)
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, signal.default_int_handler)  # workers end with the run
    try:
        with claimed(output) as workspace:
            facts = made_with(reader, keep)
            for there in parts_below(workspace.parent.parent):
                if overwrite:
                    there.unlink()
                elif stamp := read_stamp(there):  # all parts have the same settings
                    check_same(output, stamp["made_with"], facts)
                    break
            job = Job(reader, keep, facts, workspace.name, str(workspace))
            return _run(parts, job, engine, workers, scheduler)
    except KeyboardInterrupt:
        print("archive: ended early; the same command continues from here", file=sys.stderr)
        return INTERRUPTED


def checked_keep(keep: Sequence[str], formats: Sequence[str] = ()) -> tuple[str, ...]:
    """Return the columns to keep, without repeats; InputError for a column of the output itself.

    The names of renderings are always the output's. Those of metadata are only if ``formats`` has
    them, because inputs have their own titles and tags.
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
    """Lock an output folder for a run; yield the run's workspace in it.

    InputError if the folder cannot be written, or during another run. The lock ends with its
    process. The next run removes the workspaces of runs that were killed.
    """
    workspace = Path(os.path.realpath(output), STATE, uuid.uuid4().hex[:12])
    try:
        workspace.parent.mkdir(parents=True, exist_ok=True)
        lock = (workspace.parent / "lock").open("a")
        lock_file(
            lock,
            f"Another run works on {shown(output)}: wait for its end, or choose another output "
            f"folder",
        )
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
            # A worker that still runs cannot complete its part after this.
            shutil.rmtree(workspace, ignore_errors=True)


@contextmanager
def _watched(read: Path, progress: Progress) -> Iterator[None]:
    """Count the pages that workers have read in the meantime, by the size of this file."""
    ended = threading.Event()

    def watch() -> None:
        seen = 0
        while not ended.wait(PAUSE):
            size = read.stat().st_size if read.exists() else 0
            progress.step(size - seen)
            seen = size

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        yield
    finally:
        ended.set()
        watcher.join()


def _run(parts: Sequence[Part], job: Job, engine: str, workers: int, scheduler: str | None) -> int:
    """Extract the missing parts, print failures and the final line; return the exit status."""
    known = {part: finished(part, job) for part in parts}
    waiting = [part for part, report in known.items() if report is None]
    there = Counter(parts=len(parts) - len(waiting))
    there["pages"] = sum(report.pages for report in known.values() if report is not None)
    made: Counter[str] = Counter()
    began = time.perf_counter()
    progress = Progress(None)
    has_value: set[str] = set()
    has_value.update(*(report.kept for report in known.values() if report is not None))
    if waiting and engine != "local":
        run = engines.run_dask if engine == "dask" else engines.run_spark
        reports = run(waiting, job, workers, scheduler)
    else:
        reports = engines.run_local(waiting, job, workers)
    try:
        with closing(reports), _watched(Path(job.workspace, READ), progress):
            for report in reports:
                has_value.update(report.kept)
                if report.failure is None:
                    counts = made if report.is_new else there
                    counts.update(parts=1, **{name: getattr(report, name) for name in COUNTS})
                else:
                    made["failures"] += 1
                    progress.say(f"{shown(report.source)}: {shown(report.failure)}")
    finally:
        progress.clear()
    for name in job.keep:
        if name not in has_value and made["pages"]:
            progress.say(f"--keep {name}: no page has it")
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
    print(line)
    return PARTS_FAILED if made["failures"] else 0
