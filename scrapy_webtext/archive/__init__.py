"""Extraction over stored pages, on this machine or a cluster (extra ``archive``).

::

    batch      the function of every engine: RecordBatch of pages -> RecordBatch of results
    readers    files of pages as batches: WARC, JSON lines, Parquet
    parts      one input file -> one output part, complete or missing
    engines    parts in processes, Dask workers, Spark executors
    main       a run from names of files to the final line
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
