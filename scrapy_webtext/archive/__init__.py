"""Extraction from stored pages, on this machine or a cluster (extra ``archive``).

::

    batch      RecordBatch of pages -> RecordBatch of results; every engine calls it
    warc       reads and decodes the records of WARC files
    readers    read WARC, JSON lines and Parquet files in batches of pages
    parts      writes one output part per input file, whole or not at all
    run        extracts parts in processes, Dask workers or Spark executors
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
