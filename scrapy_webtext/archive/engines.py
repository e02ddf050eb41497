"""What makes the parts of a run: processes of this machine, a Dask cluster, a Spark cluster.

Each yields the report of `attempt_part` for each part.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from importlib import import_module
from threading import Thread
from typing import Any, Final

from scrapy_webtext.archive.parts import (
    ATTEMPTS,
    Job,
    Part,
    PartReport,
    attempt_part,
    finished,
    partials,
)
from scrapy_webtext.errors import InputError, MissingExtraError
from scrapy_webtext.log_text import describe

#: Windows has none of it.
resource: Any = import_module("resource") if os.name == "posix" else None

#: Bytes of address space that a worker may take at least; above, its share of the memory.
WORKER_MEMORY: Final = 4 << 30

#: Settings of a Dask cluster of our own: its profile takes 3 % of the time, and nobody sees it.
DASK: Final = {"distributed.worker.profile.enabled": False}

#: Spark gets so many tasks for each worker.
TASKS: Final = 8


def run_local(parts: Sequence[Part], job: Job, workers: int) -> Iterator[PartReport]:
    """Yield the report of each part as it ends, made by processes of this machine.

    A worker that dies (killed for its memory, say) ends its pool. The parts that were begun are
    made again one at a time, then the others by a new pool. All workers end with the iterator,
    and with this process.
    """
    waiting = dict.fromkeys(parts)
    while waiting:
        begun = [part for part in waiting if partials(part, job)][:1]
        chosen = begun or list(waiting)
        for part, report in _run_pool(chosen, job, 1 if begun else workers):
            del waiting[part]
            yield report
        if not any(partials(part, job) for part in chosen):  # none of those left has begun
            for part in [part for part in chosen if part in waiting]:
                del waiting[part]
                yield PartReport(part.source, failure="its worker died at its start")


def _run_pool(parts: Sequence[Part], job: Job, workers: int) -> Iterator[tuple[Part, PartReport]]:
    """Yield parts and their reports until all are made, or a worker dies."""
    workers = min(workers, len(parts))
    before = multiprocessing.active_children()
    # Spawned: a fork would copy Arrow's threads and locks in whatever state they are.
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(workers, context, _begin_worker, (workers,))
    try:
        with _sigint_blocked():
            futures = {pool.submit(attempt_part, part, job): part for part in parts}
        for future in as_completed(futures):
            yield futures[future], future.result()
    except BrokenProcessPool:
        return
    finally:
        for worker in multiprocessing.active_children():
            if worker not in before:
                worker.kill()
        pool.shutdown(cancel_futures=True)


@contextmanager
def _sigint_blocked() -> Iterator[None]:
    """Block SIGINT for the workers that start meanwhile: Ctrl-C is for the run."""
    if resource is None:  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin_worker(workers: int) -> None:
    """Leave Ctrl-C to the run, end with it, and bound the memory."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()
    if resource is not None:
        share = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // workers
        soft, hard = resource.getrlimit(resource.RLIMIT_AS)
        if soft == resource.RLIM_INFINITY:
            with suppress(ValueError, OSError):  # a system may refuse it
                resource.setrlimit(resource.RLIMIT_AS, (max(WORKER_MEMORY, share), hard))


def _end_with_parent() -> None:
    """End this process when the run's is gone, however it ended, even in the midst of a part."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def run_dask(
    parts: Sequence[Part], job: Job, workers: int, scheduler: str | None
) -> Iterator[PartReport]:
    """Yield the report of each part as it ends, made by the workers of a Dask cluster.

    On the cluster at this address (``tcp://host:port``), whose workers have this package and see
    the files under the same paths; without one, on a cluster of ``workers`` processes here. Dask
    gives the parts of a worker that died to others; those that it gives up are made one at a time.
    """
    try:
        import dask
        from distributed import Client, LocalCluster, as_completed
    except ImportError:
        raise MissingExtraError("The engine dask", "distributed", "dask") from None
    with ExitStack() as stack:
        if scheduler is None:
            stack.enter_context(dask.config.set(DASK))
            cluster = LocalCluster(
                n_workers=workers, threads_per_worker=1, dashboard_address=None, host="127.0.0.1"
            )
            scheduler = stack.enter_context(cluster).scheduler_address
        try:
            client = stack.enter_context(Client(scheduler))
        except (OSError, ValueError) as error:
            raise InputError(f"No Dask scheduler at {scheduler}: {error}") from None
        attempt = partial(attempt_part, job=job)
        part_of = dict(zip(client.map(attempt, parts, pure=False), parts, strict=True))
        lost = []
        for future in as_completed(list(part_of)):
            part = part_of.pop(future)
            if future.status == "finished":
                yield future.result()
            else:
                lost.append(part)
            future.release()
        for part in lost:
            yield _submit_alone(client, attempt, part)


def _submit_alone(client: Any, attempt: Any, part: Part) -> PartReport:
    """Return the report of a part that Dask gave up, tried again without others in work."""
    failure = ""
    for _ in range(ATTEMPTS):
        try:
            report: PartReport = client.submit(attempt, part, pure=False).result()
        except Exception as error:  # of Dask: a part's own faults are in its report
            failure = describe(error)
        else:
            return report
    return PartReport(part.source, failure=failure)


def run_spark(
    parts: Sequence[Part], job: Job, workers: int, scheduler: str | None
) -> Iterator[PartReport]:
    """Yield the report of each part after the last one, made by the executors of Spark.

    On the master at this address (``spark://host:port``, ``yarn``), whose executors have this
    package and see the files under the same paths; without one, in ``workers`` processes of a
    Spark here. Spark makes the parts of an executor or worker that died anew.
    """
    try:
        from pyspark.sql import SparkSession
    except ImportError:
        raise MissingExtraError("The engine spark", "pyspark", "spark") from None
    running = SparkSession.getActiveSession()
    spark = running or _spark_session(workers, scheduler)
    context = spark.sparkContext
    try:
        tasks = min(len(parts), TASKS * context.defaultParallelism)
        made = context.parallelize(parts, tasks).map(partial(attempt_part, job=job))
        try:
            yield from made.collect()
        except Exception as error:  # of Spark: a part's own faults are in its report
            for part in parts:
                failed = PartReport(part.source, failure=describe(error))
                yield finished(part, job) or failed
    finally:
        context.cancelAllJobs()
        if running is None:
            spark.stop()


def _spark_session(workers: int, scheduler: str | None) -> Any:
    from pyspark.errors import PySparkException
    from pyspark.sql import SparkSession

    # Each task may fail three times before the job does, as on a cluster.
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
