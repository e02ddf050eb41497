"""Stored pages as batches: WARC, JSON lines and Parquet, told apart by their names."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO, Final

from scrapy_webtext.archive.warc import StoredPage, read_warc
from scrapy_webtext.errors import InputError, MissingExtraError

try:
    import pyarrow as pa
    import pyarrow.parquet as pq
except ImportError:
    raise MissingExtraError("Reading archives", "pyarrow", "archive") from None

#: A batch is full at so many pages or bytes, whichever comes first: memory stays bounded.
BATCH_PAGES: Final = 256
BATCH_BYTES: Final = 16 << 20

PAGE_SCHEMA: Final = pa.schema(
    [
        ("url", pa.string()),
        ("body", pa.large_binary()),
        ("content_type", pa.string()),
        ("error", pa.string()),
    ]
)

#: Columns of a Parquet file that are read; one of html and body must be there.
COLUMNS: Final = ("url", "html", "body", "content_type")

UTF_8: Final = "text/html; charset=utf-8"

#: A JSON line is longer than its HTML: other keys, and six bytes for some characters.
JSON_FACTOR: Final = 6
JSON_OVERHEAD: Final = 1 << 20


def read_batches(path: Path, max_body_size: int) -> Iterator[pa.RecordBatch]:
    """Yield the pages of a file in batches that `extract_batch` takes.

    A page larger than ``max_body_size`` (bytes, 0 for no limit) is an error. So is whatever is
    damaged: each such record, line or row gives a row with its error. InputError for a file
    whose kind is not known or that cannot be opened.
    """
    read = reader_of(path)
    try:
        with path.open("rb") as file:
            yield from read(file, max_body_size)
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}") from None


def reader_of(path: Path) -> Callable[[BinaryIO, int], Iterator[pa.RecordBatch]]:
    """Return the function that reads files of this name; InputError for an unknown ending."""
    name = path.name.lower()
    for suffix, reader in READERS.items():
        if name.endswith(suffix):
            return reader
    raise InputError(f"{path} is of no known kind; known endings: {', '.join(READERS)}")


def _read_warc(file: BinaryIO, max_body_size: int) -> Iterator[pa.RecordBatch]:
    return _batches(read_warc(file, max_body_size))


def _read_lines(file: BinaryIO, max_body_size: int) -> Iterator[pa.RecordBatch]:
    return _batches(_pages_of_lines(file, max_body_size))


def _read_gzipped_lines(file: BinaryIO, max_body_size: int) -> Iterator[pa.RecordBatch]:
    return _batches(_pages_of_lines(gzip.GzipFile(fileobj=file), max_body_size))


def _batches(pages: Iterable[StoredPage]) -> Iterator[pa.RecordBatch]:
    rows: list[StoredPage] = []
    size = 0
    for page in pages:
        rows.append(page)
        size += len(page.body or b"")
        if len(rows) >= BATCH_PAGES or size >= BATCH_BYTES:
            yield _batch(rows)
            rows, size = [], 0
    if rows:
        yield _batch(rows)


def _batch(rows: list[StoredPage]) -> pa.RecordBatch:
    columns = zip(*rows, strict=True)
    arrays = [pa.array(c, f.type) for c, f in zip(columns, PAGE_SCHEMA, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, schema=PAGE_SCHEMA)


def _pages_of_lines(file: Any, max_body_size: int) -> Iterator[StoredPage]:
    limit = JSON_FACTOR * max_body_size + JSON_OVERHEAD if max_body_size else -1
    number = 0
    try:
        while line := file.readline(limit):
            number += 1
            if not line.endswith(b"\n") and len(line) == limit:
                while line and not line.endswith(b"\n"):
                    line = file.readline(limit)
                yield StoredPage(error=f"line {number}: too large: over {limit} bytes")
            elif line.strip():
                yield _page_of_line(line, number)
    except (OSError, EOFError, zlib.error) as error:
        yield StoredPage(error=f"damaged after line {number}, the rest is lost: {error}")


def _page_of_line(line: bytes, number: int) -> StoredPage:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError) as error:
        return StoredPage(error=f"line {number}: no JSON: {error}")
    if not isinstance(record, dict):
        return StoredPage(error=f"line {number}: no JSON object")
    url = record.get("url")
    url = _clean(url) if isinstance(url, str) else None
    html = record.get("html", record.get("body"))
    if not isinstance(html, str):
        return StoredPage(url, error=f"line {number}: no text under html or body")
    return StoredPage(url, html.encode("utf-8", "replace"), UTF_8)


def _clean(text: str) -> str:
    return text.encode("utf-8", "replace").decode()


def _read_parquet(file: BinaryIO, max_body_size: int) -> Iterator[pa.RecordBatch]:  # noqa: ARG001
    try:
        parquet = pq.ParquetFile(file)
    except (pa.ArrowInvalid, OSError) as error:
        yield _batch([StoredPage(error=f"no Parquet file: {error}")])
        return
    names = parquet.schema_arrow.names
    if not {"html", "body"} & set(names):
        raise InputError(
            f"No column html or body in {file.name}; its columns are: {', '.join(names)}"
        )
    columns = [name for name in COLUMNS if name in names]
    for group in range(parquet.num_row_groups):
        yield from _row_group(parquet, group, columns)


def _row_group(parquet: Any, group: int, columns: list[str]) -> Iterator[pa.RecordBatch]:
    rows = parquet.metadata.row_group(group).num_rows
    done = 0
    try:
        for batch in parquet.iter_batches(BATCH_PAGES, row_groups=[group], columns=columns):
            yield batch
            done += len(batch)
    except (pa.ArrowException, OSError) as error:
        fault = StoredPage(error=f"row group {group} is damaged: {error}")
        yield _batch([fault] * (rows - done))


READERS: Final[dict[str, Callable[[BinaryIO, int], Iterator[pa.RecordBatch]]]] = {
    ".warc": _read_warc,
    ".warc.gz": _read_warc,
    ".jsonl": _read_lines,
    ".jsonl.gz": _read_gzipped_lines,
    ".ndjson": _read_lines,
    ".ndjson.gz": _read_gzipped_lines,
    ".parquet": _read_parquet,
}
