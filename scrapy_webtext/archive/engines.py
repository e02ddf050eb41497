"""Extract the parts of a run: in processes of this machine, in a Dask or a Spark cluster.

Each engine yields the report of `attempt_part` for each part.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Generator, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, suppress
from functools import partial
from importlib import import_module
from typing import Any, Final, TypeAlias

from scrapy_webtext.archive.parts import Job, Part, PartReport, attempt_part
from scrapy_webtext.errors import InputError, import_extra
from scrapy_webtext.log_text import describe

Reports: TypeAlias = Generator[PartReport, None, None]

#: None on Windows.
resource: Any = import_module("resource") if os.name == "posix" else None

#: Bytes of address space that each worker may use, or its share of the memory if that is more.
WORKER_MEMORY: Final = 4 << 30

DIED: Final = (
    "its worker died, perhaps for want of memory: run the same command again, with fewer --workers"
)

CONTINUES: Final = "parts that are made stay, and the same command continues"

#: Settings of a local Dask cluster: its profile, which is not shown, takes 3 % of the time.
DASK: Final = {"distributed.worker.profile.enabled": False}

#: Spark's tasks for each worker.
TASKS: Final = 8


def run_local(parts: Sequence[Part], job: Job, workers: int) -> Reports:
    """Yield the report of each part when it ends, extracted by processes of this machine.

    A part whose worker dies (killed for its memory, for example) fails, and no other. All workers
    end with the iterator, and with this process.
    """
    workers = max(1, min(workers, len(parts)))
    others = multiprocessing.active_children()
    slots = ThreadPoolExecutor(workers, initializer=_block_sigint)
    pools = threading.local()  # of one worker each, for a pool ends with its first dead worker

    def attempt(part: Part) -> PartReport:
        try:
            if not hasattr(pools, "own"):
                # No fork: it would copy Arrow's locks in any state, and none of its threads.
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
    """Block SIGINT for the workers that this thread starts: Ctrl-C is for the run."""
    if resource is not None:
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})


def _begin_worker(workers: int) -> None:
    """Ignore Ctrl-C, end with the process of the run, and bound the memory."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    if resource is not None:
        share = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // workers
        soft, hard = resource.getrlimit(resource.RLIMIT_AS)
        if soft == resource.RLIM_INFINITY:
            with suppress(ValueError, OSError):  # a system may refuse it
                resource.setrlimit(resource.RLIMIT_AS, (max(WORKER_MEMORY, share), hard))


def _end_with_parent() -> None:
    """End this process when the process of the run has ended, also within a part."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def run_dask(parts: Sequence[Part], job: Job, workers: int, scheduler: str | None) -> Reports:
    """Yield the report of each part when it ends, extracted by the workers of a Dask cluster.

    The workers at the address of ``scheduler`` (``tcp://host:port``) need this package and the
    files under the same paths. If it is None, start a cluster of ``workers`` local processes. Dask
    gives the parts of a worker that died to other workers.
    """
    dask = import_extra("dask", "The engine dask", "dask", "distributed")
    distributed = import_extra("distributed", "The engine dask", "dask")
    with ExitStack() as stack:
        if scheduler is None:
            stack.enter_context(dask.config.set(DASK))
            cluster = distributed.LocalCluster(
                n_workers=workers, threads_per_worker=1, dashboard_address=None, host="127.0.0.1"
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
                if future.status == "error":  # of Dask: errors of the part are in its report
                    yield PartReport(part.source, failure=describe(future.exception()))
                else:
                    yield future.result()
                future.release()
        except Exception as error:
            raise InputError(f"Dask is lost: {describe(error)}; {CONTINUES}") from None


def run_spark(parts: Sequence[Part], job: Job, workers: int, scheduler: str | None) -> Reports:
    """Yield the reports of all parts after the last has ended, extracted by Spark's executors.

    The executors at the address of ``scheduler`` (``spark://host:port``, ``yarn``) need this
    package and the files under the same paths. If it is None, start a local Spark with ``workers``
    processes. Spark repeats the parts of an executor or worker that died.
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
        except Exception as error:  # of Spark: errors of a part are in its report
            raise InputError(f"Spark ended: {describe(error)}; {CONTINUES}") from None
        yield from reports
    finally:
        with suppress(Exception):  # its JVM may be dead
            context.cancelAllJobs()
            if running is None:
                spark.stop()


def _spark_session(workers: int, scheduler: str | None) -> Any:
    from pyspark.errors import PySparkException
    from pyspark.sql import SparkSession

    # A task may fail three times before its job fails, as on a cluster.
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
