"""Reads files of stored pages (WARC, JSON lines, Parquet, HTML, ZIP) in batches.

Memory is bounded by one batch. For a record, line or row that is damaged or too large, the batch
has a row with the error.
"""

from __future__ import annotations

import gzip
import json
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, Final, TypeAlias

import pyarrow as pa
import pyarrow.parquet as pq

from scrapy_webtext.archive import CHUNK, StoredPage
from scrapy_webtext.archive.warc import read_warc
from scrapy_webtext.arrow import encodable
from scrapy_webtext.errors import InputError, describe, shown

#: A batch is complete when it has this many pages or bytes, whichever comes first.
BATCH_PAGES: Final = 256
BATCH_BYTES: Final = 16 << 20

_STRINGS: Final = dict.fromkeys(("content_type", "error"), pa.string())
PAGE_FIELDS: Final = tuple(pa.schema({"url": pa.string(), "body": pa.large_binary(), **_STRINGS}))

#: A function of a file, the maximum size of a page (bytes, 0 for no limit) and the columns to keep.
#: It yields batches for `extract_batch`, with the kept columns at the end.
FileReader: TypeAlias = Callable[[BinaryIO, int, Sequence[str]], Iterator[pa.RecordBatch]]


def file_reader(path: Path) -> FileReader:
    """Return the reader for a file's suffix; raise InputError for an unknown suffix."""
    for ending, reader in FILE_READERS.items():
        if path.name.lower().endswith(ending):
            return reader
    known = ", ".join(FILE_READERS)
    raise InputError(f"{shown(str(path))} is of no known kind; known endings: {known}")


def batches(pages: Iterable[StoredPage], keep: Sequence[str]) -> Iterator[pa.RecordBatch]:
    """Yield batches of pages, bounded in pages and in bytes."""
    kept = [pa.field(name, pa.string()) for name in keep]
    rows: list[StoredPage] = []
    size = 0
    for page in pages:
        rows.append(page)
        size += len(page.body or "") + sum(len(text) for text in (page.url, *page.kept) if text)
        if len(rows) >= BATCH_PAGES or size >= BATCH_BYTES:
            yield _batch(rows, kept)
            rows, size = [], 0
    if rows:
        yield _batch(rows, kept)


def _batch(pages: Sequence[StoredPage], kept: Sequence[pa.Field]) -> pa.RecordBatch:
    missing = (None,) * len(kept)
    columns = zip(*((*page[:4], *(page.kept or missing)) for page in pages), strict=True)
    fields = [*PAGE_FIELDS, *kept]
    arrays = [pa.array(column, f.type) for column, f in zip(columns, fields, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, schema=pa.schema(fields))


# JSON lines

UTF_8: Final = "text/html; charset=utf-8"

#: A JSON line may be longer than its HTML: it has other keys, and JSON writes some characters as
#: six bytes. The maximum of a line is this factor times the maximum of a page, plus the overhead.
JSON_FACTOR: Final = 6
JSON_OVERHEAD: Final = 1 << 20


def read_lines(
    file: BinaryIO, max_body_size: int, keep: Sequence[str] = ()
) -> Iterator[StoredPage]:
    """Yield the page of each JSON line, or the error of a line that is no page.

    A line that is much longer than ``max_body_size`` (bytes, 0 for no limit) is an error and is not
    kept in memory. ``keep`` names keys whose values are kept: strings unchanged, other values as
    JSON.
    """
    limit = JSON_FACTOR * max_body_size + JSON_OVERHEAD if max_body_size else -1
    number = 0
    try:
        while line := file.readline(limit):
            number += 1
            if len(line) == limit and not line.endswith(b"\n"):
                while line and not line.endswith(b"\n"):
                    line = file.readline(CHUNK)
                yield StoredPage(error=f"line {number}: too large: over {limit} bytes")
            elif line.strip():
                yield _page_of_line(line, number, keep)
    except (OSError, EOFError, zlib.error) as error:
        yield StoredPage(error=f"damaged after line {number}, the rest is lost: {error}")


def _page_of_line(line: bytes, number: int, keep: Sequence[str]) -> StoredPage:
    try:
        record = json.loads(line)
        if not isinstance(record, dict):
            return StoredPage(error=f"line {number}: no JSON object: write one page a line")
        page = StoredPage(_text(record.get("url")), kept=tuple(_text(record.get(k)) for k in keep))
    except (ValueError, RecursionError, MemoryError) as error:
        return StoredPage(error=f"line {number}: no JSON: {shown(str(error))}")
    html = record.get("html")
    if html is None:
        html = record.get("body")
    if not isinstance(html, str):
        keys = shown(", ".join(record), 80)
        return page._replace(error=f"line {number}: no text under html or body, only: {keys}")
    return page._replace(body=html.encode("utf-8", "replace"), content_type=UTF_8)


def _text(value: Any) -> str | None:
    """Return a value as text that UTF-8 can encode; None for None."""
    if value is None:
        return None
    return encodable(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))


# Parquet

SOURCES: Final = ("html", "body")
PAGE_COLUMNS: Final = ("url", *SOURCES, "content_type")

#: Errors that pyarrow raises for files that are damaged or no Parquet.
FAULTS: Final = (ValueError, OSError, MemoryError, pa.ArrowException)


def read_parquet(file: BinaryIO, _: int, keep: Sequence[str] = ()) -> Iterator[pa.RecordBatch]:
    """Yield the pages of a Parquet file in batches, with the columns in ``keep`` at the end.

    Kept columns have their own types. Each row of a damaged row group has an error. `extract_batch`
    checks the size of each page. Raise InputError if the file has no column of HTML or lacks a
    column in ``keep``.
    """
    try:
        # With a buffer, pyarrow reads a column in small pieces, not as a whole.
        parquet = pq.ParquetFile(file, pre_buffer=False, buffer_size=CHUNK)
        schema = parquet.schema_arrow
    except FAULTS as error:
        yield from batches([StoredPage(error=f"no Parquet file: {describe(error)}")], keep)
        return
    columns = _columns(schema.names, keep)
    kept = [schema.field(name).remove_metadata() for name in keep]
    pages = [name for name in PAGE_COLUMNS if name in columns]
    for number in range(parquet.num_row_groups):
        group = parquet.metadata.row_group(number)
        done, fault, rows = 0, "its rows are missing", _rows_at_once(group, columns)
        try:
            for batch in parquet.iter_batches(rows, [number], columns, use_threads=False):
                yield batch.select([*pages, *keep])
                done += len(batch)
        except FAULTS as error:
            fault = describe(error)
        lost = StoredPage(error=f"row group {number} is damaged: {fault}")
        for start in range(done, group.num_rows, BATCH_PAGES):
            yield _batch([lost] * min(BATCH_PAGES, group.num_rows - start), kept)


def _rows_at_once(group: Any, columns: Sequence[str]) -> int:
    """Return how many rows to read at a time so that a batch stays within `BATCH_BYTES`.

    Each row is assumed to be as large as all unpacked columns of the row group together, because a
    value of a dictionary, or a shared prefix, is stored once and can be large in every row.
    """
    chunks = [group.column(leaf) for leaf in range(group.num_columns)]
    size: int = sum(
        c.total_uncompressed_size for c in chunks if c.path_in_schema.split(".")[0] in columns
    )
    return min(BATCH_PAGES, max(1, BATCH_BYTES // max(1, size)))


def _columns(names: Sequence[str], keep: Sequence[str]) -> list[str]:
    """Return the columns to read; raise InputError if one is missing."""
    listed = shown(", ".join(names))
    if not set(SOURCES) & set(names):
        raise InputError(f"No column html or body; its columns are: {listed}")
    if missing := [name for name in keep if name not in names]:
        raise InputError(f"No column {shown(missing[0])} to keep; its columns are: {listed}")
    return [name for name in dict.fromkeys([*PAGE_COLUMNS, *keep]) if name in names]


# HTML

#: Endings of files with one page each. All of a folder have one output part.
PAGES: Final = (".html", ".htm", ".xhtml")


def pages_below(folder: Path) -> list[Path]:
    """Return the paths of the pages in a folder and its subfolders, in order; of no hidden ones."""
    found = [path for path in folder.rglob("*") if path.name.lower().endswith(PAGES)]
    return sorted(p for p in found if p.is_file() and "/." not in f"/{p.relative_to(folder)}")


def read_folder(folder: Path, max_body_size: int, keep: Sequence[str]) -> Iterator[pa.RecordBatch]:
    """Yield the pages of a folder; the url of a page is its path below the folder."""
    paths = {path.relative_to(folder).as_posix(): path for path in pages_below(folder)}
    pages = (_stored(name, partial(p.open, "rb"), max_body_size) for name, p in paths.items())
    return batches(pages, keep)


def _read_zip(file: BinaryIO, max_body_size: int, keep: Sequence[str]) -> Iterator[StoredPage]:  # noqa: ARG001
    """Yield the pages in a ZIP archive; the url of a page is its name."""
    with zipfile.ZipFile(file) as archive:
        for name in archive.namelist():
            if name.lower().endswith(PAGES):
                yield _stored(name, partial(archive.open, name), max_body_size)


def _stored(name: str, open_page: Callable[[], Any], max_body_size: int) -> StoredPage:
    try:
        with open_page() as page:
            return StoredPage(name, page.read(max_body_size + 1 if max_body_size else -1))
    except Exception as error:  # a damaged or encrypted member, a file without permission
        return StoredPage(name, error=f"cannot be read: {describe(error)}")


def _in_batches(
    read: Callable[[BinaryIO, int, Sequence[str]], Iterable[StoredPage]],
    unpack: Callable[[BinaryIO], Any] = lambda file: file,
) -> FileReader:
    """Return a reader that collects the pages of ``read`` into batches."""
    return lambda file, limit, keep: batches(read(unpack(file), limit, keep), keep)


FILE_READERS: Final[dict[str, FileReader]] = {
    ".warc": _in_batches(read_warc),
    ".warc.gz": _in_batches(read_warc),
    ".warc.zst": _in_batches(read_warc),
    ".jsonl": _in_batches(read_lines),
    ".jsonl.gz": _in_batches(read_lines, gzip.open),
    ".ndjson": _in_batches(read_lines),
    ".ndjson.gz": _in_batches(read_lines, gzip.open),
    ".parquet": read_parquet,
    ".zip": _in_batches(_read_zip),
    **dict.fromkeys(
        PAGES,
        _in_batches(lambda f, size, _: [_stored(Path(f.name).name, partial(nullcontext, f), size)]),
    ),
}
