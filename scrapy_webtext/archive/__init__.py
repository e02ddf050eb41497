"""Extraction over stored pages, on this machine or a cluster (extra ``archive``).

::

    batch      the function of every engine: RecordBatch of pages -> RecordBatch of results
    warc       records of WARC files, decoded
    readers    files of pages as batches: WARC, JSON lines, Parquet
    parts      one input file -> one output part, complete or missing
    run        parts in processes, Dask workers, Spark executors; a run to its final line
"""

from scrapy_webtext.archive.batch import (
    RESULT_SCHEMA,
    extract_batch,
    extract_batches,
    extract_table,
)

__all__ = [
    "RESULT_SCHEMA",
    "extract_batch",
    "extract_batches",
    "extract_table",
]
