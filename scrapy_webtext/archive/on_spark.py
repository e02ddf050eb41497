"""Parts over the executors of a Spark cluster."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import asdict, astuple
from functools import partial
from typing import Any, Final

from scrapy_webtext.archive.parts import Job, PartReport, finished
from scrapy_webtext.archive.plan import Part
from scrapy_webtext.archive.tasks import attempt_parts, grouped
from scrapy_webtext.errors import InputError, MissingExtraError
from scrapy_webtext.log_text import describe

#: Seconds between two looks at what has been written.
PAUSE: Final = 0.5


def run_spark(
    parts: Sequence[Part], job: Job, workers: int, scheduler: str | None
) -> Iterator[PartReport]:
    """Yield the report of each part as it is written.

    On the master at this address (``spark://host:port``, ``yarn``), whose executors have this
    package and see the files under the same paths; without one, in ``workers`` threads of a
    Spark here. Spark makes the tasks of an executor or worker that died anew.
    """
    try:
        from pyspark.sql import SparkSession
    except ImportError:
        raise MissingExtraError("The engine spark", "pyspark", "spark") from None
    running = SparkSession.getActiveSession()
    spark = running or _session(workers, scheduler)
    try:
        yield from _run(spark, parts, job)
    finally:
        if running is None:
            spark.stop()


def _session(workers: int, scheduler: str | None) -> Any:
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


def _run(spark: Any, parts: Sequence[Part], job: Job) -> Iterator[PartReport]:
    context = spark.sparkContext
    groups = [(_as_text(group),) for group in grouped(parts, context.defaultParallelism)]
    frame = spark.createDataFrame(context.parallelize(groups, len(groups)), "parts string")
    reports = frame.mapInArrow(partial(_attempt_groups, job=job), "report string")
    waiting = {part.target: part for part in parts}
    with ThreadPoolExecutor(1) as thread:
        collected = thread.submit(reports.collect)
        try:
            yield from _seen(collected, waiting, job)
        except BaseException:  # the run is interrupted: what is not begun is not waited for
            context.cancelAllJobs()
            raise
        yield from _rest(collected, waiting, job)


def _seen(collected: Future[Any], waiting: dict[str, Part], job: Job) -> Iterator[PartReport]:
    """Yield the reports of parts as they are written.

    Those of the job come all at once, at its end. To look takes a tenth of the time at most.
    """
    pause = PAUSE
    while not wait([collected], pause).done:
        began = time.monotonic()
        for part in list(waiting.values()):
            if os.path.exists(part.target) and (report := finished(part, job)):
                del waiting[part.target]
                yield report
        pause = max(PAUSE, 10 * (time.monotonic() - began))


def _rest(collected: Future[Any], waiting: dict[str, Part], job: Job) -> Iterator[PartReport]:
    """Yield what the job says of the parts that nothing was said of yet."""
    error = collected.exception()
    rows = [] if error else [json.loads(row["report"]) for row in collected.result()]
    reported = {row["source"]: PartReport(**row) for row in rows}
    failure = describe(error) if error else "Spark says nothing of it"
    for part in waiting.values():
        failed = PartReport(part.source, failure=failure)
        yield reported.get(part.source) or finished(part, job) or failed


def _as_text(group: Sequence[Part]) -> str:
    """Return parts as JSON in ASCII: names need not be UTF-8."""
    return json.dumps([astuple(part) for part in group])


def _attempt_groups(batches: Iterable[Any], job: Job) -> Iterator[Any]:
    import pyarrow as pa

    for batch in batches:
        for text in batch.column(0).to_pylist():
            reports = attempt_parts([Part(*pair) for pair in json.loads(text)], job)
            rows = [json.dumps(asdict(report)) for report in reports]
            yield pa.RecordBatch.from_arrays([pa.array(rows, pa.string())], names=["report"])
