"""Extraction from stored pages, on this machine or a cluster (extra ``archive``).

::

    warc       reads and decodes the records of WARC files
    readers    read WARC, JSON lines and Parquet files in batches of pages
    parts      writes one output part per input file, whole or not at all
    run        extracts parts in processes, Dask workers or Spark executors

Every engine calls `extract_batch`. The columns of a batch of pages are ``html`` (text) or ``body``
(bytes), and optionally ``url``, ``content_type`` (of the HTTP header) and ``error`` (why a page
could not be read). Each page has one row in the output. If a page fails, its row has the error; the
other rows are not affected.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from scrapy_webtext.arrow import RESULT_TYPES, pa
from scrapy_webtext.errors import InputError
from scrapy_webtext.page.encoding import what_else
from scrapy_webtext.reader import PageReader, default_reader
from scrapy_webtext.results import DEFAULT_FIELDS, plain

__all__ = ["RESULT_SCHEMA", "extract_batch", "extract_batches", "extract_table"]


#: Number of bytes that are read at a time.
CHUNK: Final = 1 << 16


class StoredPage(NamedTuple):
    """A page of an archive, or the reason why it could not be read."""

    url: str | None = None
    body: bytes | None = None
    content_type: str | None = None  #: value of the HTTP header
    error: str | None = None
    kept: tuple[str | None, ...] = ()  #: values of the columns that --keep names


_TYPES: Final = [(name, RESULT_TYPES[name]) for name in DEFAULT_FIELDS]
#: Columns of the output. If a page could not be read, all columns but url and error are null.
RESULT_SCHEMA: Final = pa.schema([("url", pa.string()), *_TYPES, ("error", pa.string())])

#: Reason why a page was skipped -> text of the column "error".
LIMITS: Final = {
    "too_large": "too large: over {max_body_size} bytes",
    "too_many_elements": "too many elements: over {max_elements}",
}

#: A row of the output, in the order of its schema.
Row = tuple[Any, ...]


def schema_of(reader: PageReader) -> pa.Schema:
    """Return the schema of the output; optional fields of the reader are before "error"."""
    *first, error = RESULT_SCHEMA
    return pa.schema([*first, *(pa.field(n, RESULT_TYPES[n]) for n in reader.fields), error])


def extract_batch(batch: pa.RecordBatch, reader: PageReader | None = None) -> pa.RecordBatch:
    """Return the results of a batch of pages, one row per page.

    The output has the optional fields of the reader. Raise InputError for a batch that has neither
    ``html`` nor ``body``.
    """
    reader = reader or default_reader()
    rows = [_read(page, reader) for page in _pages(batch)]
    schema = schema_of(reader)
    columns = zip(*rows, strict=True) if rows else [()] * len(schema)
    arrays = [pa.array(column, f.type) for column, f in zip(columns, schema, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, schema=schema)


def extract_batches(
    batches: Iterator[pa.RecordBatch], reader: PageReader | None = None
) -> Iterator[pa.RecordBatch]:
    """Yield the results of each batch; Spark's ``mapInArrow`` takes this function."""
    for batch in batches:
        yield extract_batch(batch, reader)


def extract_table(table: pa.Table, reader: PageReader | None = None) -> pa.Table:
    """Return the results of a table; Ray's ``map_batches`` takes this function."""
    reader = reader or default_reader()
    found = extract_batches(iter(table.to_batches()), reader)
    return pa.Table.from_batches(found, schema=schema_of(reader))


def _pages(batch: pa.RecordBatch) -> Iterator[tuple[Any, Any, Any, Any]]:
    """Yield (url, HTML or body, content type, error) of each row."""
    names = batch.schema.names
    if not {"html", "body"} & set(names):
        raise InputError(f"No column html or body; the columns are: {', '.join(names) or 'none'}")
    urls, pages, bodies, content_types, errors = (
        _values(batch.column(names.index(name))) if name in names else [None] * len(batch)
        for name in ("url", "html", "body", "content_type", "error")
    )
    sources = [body if html is None else html for html, body in zip(pages, bodies, strict=True)]
    url, content_type, error = (map(_text, column) for column in (urls, content_types, errors))
    return zip(url, sources, content_type, error, strict=True)


def _values(column: pa.Array) -> list[Any]:
    """Return the values of a column; bytes if its text is not valid UTF-8."""
    try:
        values: list[Any] = column.to_pylist()
    except UnicodeDecodeError:
        values = column.cast(pa.large_binary()).to_pylist()
    return values


def _text(value: object) -> str | None:
    """Convert a value of any type to text; return None for None."""
    if value is None or isinstance(value, str):
        return value
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


def _read(page: tuple[Any, Any, Any, Any], reader: PageReader) -> Row:
    url, source, content_type, error = page
    names = (*DEFAULT_FIELDS, *reader.fields)
    if error is None and not isinstance(source, str | bytes):
        holds = "is empty" if source is None else f"holds {type(source).__name__}"
        error = f"no HTML: the cell {holds}"
    elif error is None and (other := what_else(source)):
        error = f"no HTML: it is {other}"
    if error is None:
        result = reader.read(source, url=url, content_type=content_type)
        if result.status == "ok":
            return (url, *(plain(getattr(result, name)) for name in names), None)
        error = LIMITS.get(str(result.reason), "{0.reason}").format(result, **vars(reader))
    return (url, *[None] * len(names), error)
