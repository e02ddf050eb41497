"""Stored pages as batches: WARC, JSON lines and Parquet, told apart by their names."""

from __future__ import annotations

import gzip
import os
import stat
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import BinaryIO, Final

from scrapy_webtext.archive.lines import read_lines
from scrapy_webtext.archive.pages import batches
from scrapy_webtext.archive.parquet import read_parquet
from scrapy_webtext.archive.warc import read_warc
from scrapy_webtext.errors import InputError, MissingExtraError
from scrapy_webtext.log_text import shown

try:
    import pyarrow as pa
except ImportError:
    raise MissingExtraError("Reading archives", "pyarrow", "archive") from None

Reader = Callable[[BinaryIO, int, Sequence[str]], Iterator[pa.RecordBatch]]


def read_batches(
    path: Path, max_body_size: int, keep: Sequence[str] = ()
) -> Iterator[pa.RecordBatch]:
    """Yield the pages of a file in batches that `extract_batch` takes.

    Behind the columns of pages stand those that ``keep`` names. A page larger than
    ``max_body_size`` (bytes, 0 for no limit) is an error. So is whatever is damaged: each such
    record, line or row gives a row with its error. InputError for a file whose kind is not known
    or that cannot be opened.
    """
    reader_of(path)
    with open_input(path) as file:
        yield from read_open(path, file, max_body_size, keep)


def read_open(
    path: Path, file: BinaryIO, max_body_size: int, keep: Sequence[str]
) -> Iterator[pa.RecordBatch]:
    """Yield the pages of a file that is open, as `read_batches` does."""
    try:
        yield from reader_of(path)(file, max_body_size, keep)
    except OSError as error:
        raise InputError(f"{shown(str(path))} cannot be read: {error.strerror or error}") from None


def open_input(path: Path) -> BinaryIO:
    """Return a file opened for reading; InputError where there is none.

    What is no file, such as a pipe or a device, could wait for ever or never end.
    """
    try:
        # Not to wait for somebody who writes into a pipe.
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | O_BINARY)
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            os.close(descriptor)
            raise InputError(f"{shown(str(path))} is no file that can be read")
        return os.fdopen(descriptor, "rb")
    except OSError as error:
        raise InputError(f"{shown(str(path))} cannot be read: {error.strerror or error}") from None


def reader_of(path: Path) -> Reader:
    """Return the function that reads files of this name; InputError for an unknown ending."""
    name = path.name.lower()
    for suffix, reader in READERS.items():
        if name.endswith(suffix):
            return reader
    raise InputError(f"{shown(str(path))} is of no known kind; known endings: {', '.join(READERS)}")


def _read_warc(file: BinaryIO, max_body_size: int, keep: Sequence[str]) -> Iterator[pa.RecordBatch]:
    return batches(read_warc(file, max_body_size, keep), keep)


def _read_lines(
    file: BinaryIO, max_body_size: int, keep: Sequence[str]
) -> Iterator[pa.RecordBatch]:
    return batches(read_lines(file, max_body_size, keep), keep)


def _read_gzipped_lines(
    file: BinaryIO, max_body_size: int, keep: Sequence[str]
) -> Iterator[pa.RecordBatch]:
    with gzip.GzipFile(fileobj=file) as lines:
        yield from batches(read_lines(lines, max_body_size, keep), keep)


O_BINARY: Final = getattr(os, "O_BINARY", 0)

READERS: Final[dict[str, Reader]] = {
    ".warc": _read_warc,
    ".warc.gz": _read_warc,
    ".jsonl": _read_lines,
    ".jsonl.gz": _read_gzipped_lines,
    ".ndjson": _read_lines,
    ".ndjson.gz": _read_gzipped_lines,
    ".parquet": read_parquet,
}
