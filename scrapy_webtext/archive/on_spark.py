"""Parts over the executors of a Spark cluster."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import astuple
from functools import partial
from typing import Any, Final

from scrapy_webtext.archive.batch import ExtractionSettings
from scrapy_webtext.archive.parts import Part, PartReport, attempt_part, finished
from scrapy_webtext.errors import InputError, MissingExtraError

REPORT_SCHEMA: Final = "source string, pages long, articles long, errors long, failure string"

#: Seconds between two looks at what has been written.
PAUSE: Final = 0.5


def run_spark(
    parts: Sequence[Part], settings: ExtractionSettings, workers: int, scheduler: str | None
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
        yield from _run(spark, parts, settings)
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


def _run(spark: Any, parts: Sequence[Part], settings: ExtractionSettings) -> Iterator[PartReport]:
    rows = spark.sparkContext.parallelize([(p.source, p.target) for p in parts], len(parts))
    frame = spark.createDataFrame(rows, "source string, target string")
    reports = frame.mapInArrow(partial(_attempt_parts, settings=settings), REPORT_SCHEMA)
    waiting = {part.source: part for part in parts}
    with ThreadPoolExecutor(1) as thread:
        job = thread.submit(reports.collect)
        # The reports come all at once, at the end; the parts themselves show the progress.
        while not wait([job], PAUSE).done:
            for part in list(waiting.values()):
                if os.path.exists(part.target) and (report := finished(part, settings)):
                    del waiting[part.source]
                    yield report
        yield from _rest(job, waiting, settings)


def _rest(
    job: Future[Any], waiting: dict[str, Part], settings: ExtractionSettings
) -> Iterator[PartReport]:
    """Yield what the job says of the parts that nothing was said of yet."""
    error = job.exception()
    told = {} if error else {row["source"]: PartReport(**row.asDict()) for row in job.result()}
    for source, part in waiting.items():
        failed = PartReport(source, failure=f"{type(error).__name__}: {error}"[:500])
        yield told.get(source) or finished(part, settings) or failed


def _attempt_parts(batches: Iterable[Any], settings: ExtractionSettings) -> Iterator[Any]:
    import pyarrow as pa

    for batch in batches:
        for row in batch.to_pylist():
            report = attempt_part(Part(**row), settings)
            names = ("source", "pages", "articles", "errors", "failure")
            kinds = [pa.string(), pa.int64(), pa.int64(), pa.int64(), pa.string()]
            arrays = [pa.array([v], k) for v, k in zip(astuple(report), kinds, strict=True)]
            yield pa.RecordBatch.from_arrays(arrays, names=list(names))
