"""Runs the extraction of archives and prints a summary.

Besides the parts, the output folder has the hidden folder ``.webtext``::

    lock    a file that is locked during a run
    RUN/    partial files of the run with this name
"""

from __future__ import annotations

import multiprocessing
import os
import shutil
import signal
import sys
import threading
import time
import uuid
from collections import Counter
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, closing, contextmanager, suppress
from functools import partial
from importlib import import_module
from itertools import chain
from pathlib import Path
from typing import Any, Final, TypeAlias

from scrapy_webtext.archive import RESULT_SCHEMA
from scrapy_webtext.archive.parts import (
    COUNTS,
    READ,
    STATE,
    Job,
    Part,
    PartReport,
    attempt_part,
    check_same,
    describe_settings,
    find_finished,
    parts_below,
    plan_parts,
    read_stamp,
)
from scrapy_webtext.errors import InputError, describe, import_extra, shown
from scrapy_webtext.files import Progress, lock_file
from scrapy_webtext.reader import PageReader
from scrapy_webtext.render import FORMATS

#: Exit status if a part failed.
PARTS_FAILED: Final = 1

#: Endings that show that somebody expects a file as output.
FILES: Final = (".jsonl", ".json", ".csv", ".parquet")

PAUSE: Final = 0.5  #: seconds between two updates of the progress bar

Reports: TypeAlias = Generator[PartReport, None, None]

#: None on Windows, which has no limits of resources.
resource: Any = import_module("resource") if os.name == "posix" else None

#: Maximum address space of a worker in bytes, or its share of the machine's memory if that is
#: greater.
WORKER_MEMORY: Final = 4 << 30

DIED: Final = (
    "its worker died, perhaps because memory ran out: run the same command again, with fewer "
    "--workers"
)

CONTINUES: Final = "parts that are made stay, and the same command continues"

#: Settings of a local Dask cluster. Dask's profiler takes 3 % of the time, and nobody sees its
#: output.
DASK: Final = {"distributed.worker.profile.enabled": False}

#: Number of Spark tasks per worker.
TASKS: Final = 8


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

    Skip parts that an earlier run of the same command has finished, unless ``overwrite`` is true.
    ``keep`` names columns of the inputs that the output keeps. Print one line per failure to
    standard error and a summary to standard output. The status is 1 if a part failed or has only
    errors. Raise KeyboardInterrupt after SIGINT or SIGTERM. Raise InputError, SettingsError or
    MissingExtraError before anything is written.
    """
    if output.endswith(FILES) and not os.path.isdir(output):
        raise InputError(f"-o {shown(output)}: name a folder; it gets a Parquet file per input")
    keep = check_keep(keep, reader.fields)
    if scheduler is not None and engine == "local":
        raise InputError("--scheduler needs --engine dask or spark")
    parts = plan_parts(sources, output)
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, signal.default_int_handler)  # so that workers end, too
    try:
        with claim(output) as workspace:
            facts = describe_settings(reader, keep)
            for there in parts_below(workspace.parent.parent):
                if overwrite:
                    there.unlink()
                elif stamp := read_stamp(there):  # one part is enough: all have equal settings
                    check_same(output, stamp["made_with"], facts)
                    break
            job = Job(reader, keep, facts, workspace.name, str(workspace))
            return _run(parts, job, engine, workers, scheduler)
    except KeyboardInterrupt:
        print("archive: ended early; the same command continues from here", file=sys.stderr)
        raise


def check_keep(keep: Sequence[str], formats: Sequence[str] = ()) -> tuple[str, ...]:
    """Return the columns to keep, each once; raise InputError for names that the output uses.

    Names of renderings are always reserved. Names of metadata are reserved only if ``formats`` has
    them, because inputs often have a title and tags, too.
    """
    own = {name.casefold(): name for name in (*RESULT_SCHEMA.names, *FORMATS, *formats)}
    for name in keep:
        if name.casefold() in own:
            words = f"the output has a column {own[name.casefold()]} of its own"
            repair = "leave it out, or rename it in the input"
            raise InputError(f"--keep {shown(name)}: {words}; {repair}")
    return tuple(dict.fromkeys(keep))


@contextmanager
def claim(output: str) -> Iterator[Path]:
    """Lock an output folder for a run; yield the run's workspace in it.

    Raise InputError if the folder cannot be written or another run has locked it. The lock ends
    with its process. The next run removes the workspaces of killed runs.
    """
    workspace = Path(os.path.realpath(output), STATE, uuid.uuid4().hex[:12])
    try:
        workspace.parent.mkdir(parents=True, exist_ok=True)
        lock = (workspace.parent / "lock").open("a")
        repair = "wait for its end, or choose another output folder"
        lock_file(lock, f"Another run works on {shown(output)}: {repair}")
        for left in workspace.parent.iterdir():
            shutil.rmtree(left, ignore_errors=True)  # removes no file, so the lock stays
        workspace.mkdir()
    except OSError as error:
        reason = error.strerror or error
        raise InputError(f"{shown(output)} cannot be written to: {reason}") from None
    with lock:
        try:
            yield workspace
        finally:
            # After this, a worker that still runs cannot complete its part.
            shutil.rmtree(workspace, ignore_errors=True)


@contextmanager
def _watched(read: Path, progress: Progress) -> Iterator[None]:
    """Update the progress bar in a thread; the size of the file ``read`` is the number of pages."""
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
    """Extract the missing parts, print failures and a summary; return the exit status."""
    known = {part: find_finished(part, job) for part in parts}
    waiting = [part for part, report in known.items() if report is None]
    there, made = Counter[str](), Counter[str]()
    began = time.perf_counter()
    progress = Progress(None)
    has_value: set[str] = set()
    if waiting and engine != "local":
        run = run_dask if engine == "dask" else run_spark
        reports = run(waiting, job, workers, scheduler)
    else:
        reports = run_local(waiting, job, workers)
    with closing(progress), closing(reports), _watched(Path(job.workspace, READ), progress):
        for report in chain(filter(None, known.values()), reports):
            has_value.update(report.kept)
            if report.nothing is not None:
                made["failures"] += 1
                progress.say(f"{shown(report.source)}: no page was read: {shown(report.nothing)}")
            if report.failure is None:
                counts = made if report.is_new else there
                counts.update(parts=1, **{name: getattr(report, name) for name in COUNTS})
            else:
                made["failures"] += 1
                progress.say(f"{shown(report.source)}: {shown(report.failure)}")
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


def run_local(parts: Sequence[Part], job: Job, workers: int) -> Reports:
    """Extract parts in processes of this machine; yield each report when its part ends.

    If a worker dies (killed for its memory, for example), only its part fails. All workers end when
    the iterator is closed or this process ends.
    """
    workers = max(1, min(workers, len(parts)))
    others = multiprocessing.active_children()
    slots = ThreadPoolExecutor(workers, initializer=_block_sigint)
    pools = threading.local()  # one worker per pool, since a dead worker breaks its whole pool

    def attempt(part: Part) -> PartReport:
        try:
            if not hasattr(pools, "own"):
                # Not "fork": it copies Arrow's locks, perhaps locked, but not the threads that
                # would release them.
                context = multiprocessing.get_context("spawn")
                pools.own = ProcessPoolExecutor(1, context, _begin_worker, (workers,))
            report: PartReport = pools.own.submit(attempt_part, part, job).result()
            return report
        except BrokenProcessPool:
            del pools.own
            return PartReport(part.source, failure=DIED)

    futures = [slots.submit(attempt, part) for part in parts]
    try:
        for future in as_completed(futures):
            yield future.result()
    finally:
        slots.shutdown(wait=False, cancel_futures=True)
        while not all(future.done() for future in futures):
            for worker in multiprocessing.active_children():
                if worker not in others:
                    worker.kill()
            time.sleep(0.01)


def _block_sigint() -> None:
    """Block SIGINT in this thread and the workers that it starts; only the run handles Ctrl-C."""
    if resource is not None:
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})


def _begin_worker(workers: int) -> None:
    """Prepare a worker: ignore Ctrl-C, end when the run's process ends, limit the memory."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    if resource is not None:
        share = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // workers
        soft, hard = resource.getrlimit(resource.RLIMIT_AS)
        if soft == resource.RLIM_INFINITY:
            with suppress(ValueError, OSError):  # a system may refuse the limit
                resource.setrlimit(resource.RLIMIT_AS, (max(WORKER_MEMORY, share), hard))


def _end_with_parent() -> None:
    """Wait for the end of the run's process; then end this process at once."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def run_dask(parts: Sequence[Part], job: Job, workers: int, scheduler: str | None) -> Reports:
    """Extract parts in the workers of a Dask cluster; yield each report when its part ends.

    ``scheduler`` is the address of a cluster (``tcp://host:port``), whose workers need this package
    and the files under the same paths. If it is None, start a cluster of ``workers`` local
    processes. Dask gives the parts of a dead worker to other workers.
    """
    dask = import_extra("dask", "The engine dask", "dask", "distributed")
    distributed = import_extra("distributed", "The engine dask", "dask")
    with ExitStack() as stack:
        if scheduler is None:
            stack.enter_context(dask.config.set(DASK))
            cluster = distributed.LocalCluster(
                n_workers=workers,
                threads_per_worker=1,
                host="127.0.0.1",
                # Without an address, the port of the dashboard is taken even if it is not shown.
                scheduler_kwargs={"dashboard": False, "dashboard_address": "127.0.0.1:0"},
            )
            scheduler = stack.enter_context(cluster).scheduler_address
        try:
            client = stack.enter_context(distributed.Client(scheduler))
        except (OSError, ValueError) as error:
            raise InputError(f"No Dask scheduler at {scheduler}: {error}") from None
        attempt = partial(attempt_part, job=job)
        try:
            part_of = dict(zip(client.map(attempt, parts, pure=False), parts, strict=True))
            for future in distributed.as_completed(list(part_of)):
                part = part_of.pop(future)
                if future.status == "error":  # an error of Dask; errors of a part are in its report
                    yield PartReport(part.source, failure=describe(future.exception()))
                else:
                    yield future.result()
                future.release()
        except Exception as error:
            raise InputError(f"Dask is lost: {describe(error)}; {CONTINUES}") from None


def run_spark(parts: Sequence[Part], job: Job, workers: int, scheduler: str | None) -> Reports:
    """Extract parts in Spark's executors; yield all reports after the last part has ended.

    ``scheduler`` is Spark's master (``spark://host:port``, ``yarn``), whose executors need this
    package and the files under the same paths. If it is None, start a local Spark with ``workers``
    processes. Spark repeats the parts of a dead executor or worker.
    """
    sql = import_extra("pyspark.sql", "The engine spark", "spark")
    running = sql.SparkSession.getActiveSession()
    spark = running or _spark_session(workers, scheduler)
    context = spark.sparkContext
    try:
        tasks = min(len(parts), TASKS * context.defaultParallelism)
        made = context.parallelize(parts, tasks).map(partial(attempt_part, job=job))
        try:
            reports = made.collect()
        except Exception as error:  # an error of Spark; errors of a part are in its report
            raise InputError(f"Spark ended: {describe(error)}; {CONTINUES}") from None
        yield from reports
    finally:
        with suppress(Exception):  # Spark's JVM may be dead
            context.cancelAllJobs()
            if running is None:
                spark.stop()


def _spark_session(workers: int, scheduler: str | None) -> Any:
    from pyspark.errors import PySparkException
    from pyspark.sql import SparkSession

    # "4": a task may fail three times before the job fails, as on a cluster.
    builder = SparkSession.builder.master(scheduler or f"local[{workers},4]")
    builder = builder.appName("webtext archive").config("spark.ui.showConsoleProgress", "false")
    if scheduler is None:
        os.environ["PYSPARK_PYTHON"] = sys.executable
        builder = (
            builder.config("spark.ui.enabled", "false")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.driver.host", "127.0.0.1")
        )
    try:
        spark = builder.getOrCreate()
    except (PySparkException, RuntimeError, OSError) as error:
        raise InputError(f"Spark does not start (it needs Java 17 or later): {error}") from None
    spark.sparkContext.setLogLevel("ERROR")
    return spark
