"""Rows to one Parquet file, though later rows may change the types of its columns.

A Parquet file has one schema, at its end, and every row group keeps to it. So rows are first
written in parts, each a Parquet of its own with the types known by then, one behind the other in a
temporary file without a name. In the end a single part is copied; several are read again, row
group by row group, and written with the types that hold all their values.

Memory holds one row group, and of those written about 1 KB per column and group. Time: copying
costs a few percent of writing; a column that changed its type costs writing once more. Disk: the
temporary file has the size of the result. A process that is killed leaves no temporary file and
no rows, as Parquet without its end cannot be read anyway.
"""

from __future__ import annotations

import io
import logging
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Final

from scrapy_webtext.errors import MissingExtraError
from scrapy_webtext.log_text import shown

try:
    import pyarrow.parquet as pq
except ImportError:
    raise MissingExtraError("The exporter of Parquet", "pyarrow", "archive") from None

from scrapy_webtext.integrations.parquet_types import (
    Kind,
    Value,
    batch,
    converted,
    kind_of,
    schema,
    wider,
)

logger = logging.getLogger("scrapy_webtext")

#: Columns that rows may bring along; more may be named from the start.
MAX_COLUMNS: Final = 1000

#: Bytes of rows in memory, from which on they are written though they are not so many yet.
MAX_WAITING_BYTES: Final = 32 * 2**20


@dataclass(slots=True)
class Column:
    """What is known of a column so far."""

    kind: Kind = Kind.EMPTY
    is_warned_of: bool = False


@dataclass(frozen=True, slots=True)
class Part:
    """Rows that are written: where in the temporary file, and the kinds of their columns."""

    start: int
    end: int
    kinds: Mapping[str, Kind]


class ParquetRows:
    """Takes rows and writes them to ``file`` when closed, in row groups of ``rows`` at most.

    ``columns`` come first, in this order; others follow as rows bring them. Strings must be free
    of lone surrogates. Nothing is asked of the file but ``write``.
    """

    def __init__(self, file: IO[bytes], rows: int, columns: Iterable[str] = ()) -> None:
        self._file = file
        self._rows = rows
        self._columns = {name: Column() for name in columns}
        self._max_columns = max(MAX_COLUMNS, len(self._columns))
        self._is_warned_of_columns = False
        self._waiting: list[Mapping[str, Value]] = []
        self._waiting_bytes = 0
        self._without_fields = 0  #: rows that came before any column was known
        self._temporary: IO[bytes] | None = None
        self._writer: Any = None  #: of the last part, while its schema lasts
        self._parts: list[Part] = []
        self._fault: BaseException | None = None

    def add(self, row: Mapping[str, Value]) -> None:
        """Take a row; OSError where the temporary file cannot be written, now or before."""
        self._check()
        for name, value in row.items():
            column = self._columns.get(name)
            if column is None:
                if len(self._columns) >= self._max_columns:
                    self._warn_of_columns(name)
                    continue
                column = self._columns[name] = Column()
            self._widen(name, column, kind_of(value))
        self._waiting.append(row)
        self._waiting_bytes += sys.getsizeof(row) + sum(map(sys.getsizeof, row.values()))
        if len(self._waiting) >= self._rows or self._waiting_bytes >= MAX_WAITING_BYTES:
            self._write_part()

    def close(self) -> None:
        """Write the file; OSError where that is not possible."""
        try:
            self._check()
            if self._parts and self._waiting:
                self._write_part()
            if self._parts:
                self._end_part()
            if len(self._parts) == 1 and not self._without_fields:
                self._copy()
            else:
                self._merge()
        finally:
            if self._temporary is not None:
                with suppress(OSError):  # what is still to be written to a full disk
                    self._temporary.close()

    def _check(self) -> None:
        if self._fault is not None:
            raise OSError(f"The rows cannot be kept: {self._fault}") from self._fault

    def _widen(self, name: str, column: Column, kind: Kind) -> None:
        before, column.kind = column.kind, wider(column.kind, kind)
        is_mixed = Kind.EMPTY not in (before, kind) and before is not kind
        if is_mixed and column.kind is Kind.TEXT and not column.is_warned_of:
            column.is_warned_of = True
            logger.warning(
                "webtext: the column '%s' of the Parquet feed becomes strings: it holds %s and %s",
                shown(name),
                before.value,
                kind.value,
            )

    def _warn_of_columns(self, name: str) -> None:
        if not self._is_warned_of_columns:
            self._is_warned_of_columns = True
            logger.warning(
                "webtext: the Parquet feed has %d columns and takes no more, such as '%s': list "
                "the fields that you want in FEED_EXPORT_FIELDS",
                len(self._columns),
                shown(name),
            )

    def _kinds(self) -> dict[str, Kind]:
        return {name: column.kind for name, column in self._columns.items()}

    def _write_part(self) -> None:
        """Write the rows in memory behind the others."""
        rows, self._waiting, self._waiting_bytes = self._waiting, [], 0
        kinds = self._kinds()
        if not kinds:  # Parquet counts no rows without columns
            self._without_fields += len(rows)
            return
        try:
            if not self._parts or self._parts[-1].kinds != kinds:
                self._begin_part(kinds)
            self._writer.write_batch(batch(rows, kinds))
        except BaseException as error:  # the part is torn
            self._fault = error
            raise

    def _begin_part(self, kinds: dict[str, Kind]) -> None:
        if self._parts:
            self._end_part()
        else:
            self._temporary = _temporary_file(self._file)
        assert self._temporary is not None
        start = self._temporary.tell()
        self._parts.append(Part(start, start, kinds))
        self._writer = _writer(self._temporary, kinds)

    def _end_part(self) -> None:
        assert self._temporary is not None
        self._writer.close()
        part = self._parts[-1]
        self._parts[-1] = Part(part.start, self._temporary.tell(), part.kinds)

    def _copy(self) -> None:
        assert self._temporary is not None
        self._temporary.seek(0)
        shutil.copyfileobj(self._temporary, self._file, 2**20)

    def _merge(self) -> None:
        kinds = self._kinds()
        with _writer(self._file, kinds) as writer:
            if self._without_fields:
                writer.write_batch(batch([{}] * self._without_fields, kinds))
            for rows in self._written(kinds):
                writer.write_batch(rows)
            if self._waiting or not self._parts:
                writer.write_batch(batch(self._waiting, kinds))

    def _written(self, kinds: Mapping[str, Kind]) -> Iterator[Any]:
        """Yield the row groups of all parts with columns of these kinds."""
        if self._temporary is None:
            return
        for part in self._parts:
            with pq.ParquetFile(_FilePart(self._temporary, part.start, part.end)) as file:
                for number in range(file.num_row_groups):
                    yield converted(file.read_row_group(number), part.kinds, kinds)


class _FilePart(io.RawIOBase):
    """Reads a part of a file as if it were a file of its own."""

    def __init__(self, file: IO[bytes], start: int, end: int) -> None:
        self._file = file
        self._start = start
        self._size = end - start
        self._at = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._at

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        self._at = offset + {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: self._size}[whence]
        return self._at

    def readinto(self, buffer: Any) -> int:
        self._file.seek(self._start + self._at)
        found = self._file.read(min(len(buffer), self._size - self._at))
        buffer[: len(found)] = found
        self._at += len(found)
        return len(found)


class _Sink(io.RawIOBase):
    """Counts for pyarrow, from 0, what is written to a file."""

    def __init__(self, file: IO[bytes]) -> None:
        self._to = file
        self._count = 0

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self._to.write(data)
        self._count += len(data)
        return len(data)

    def tell(self) -> int:
        return self._count


def _writer(file: IO[bytes], kinds: Mapping[str, Kind]) -> Any:
    return pq.ParquetWriter(_Sink(file), schema(kinds), compression="zstd")


def _temporary_file(beside: IO[bytes]) -> IO[bytes]:
    """Return a file without a name, in the folder of another one if that may be written to."""
    name = getattr(beside, "name", None)
    if isinstance(name, (str, Path)) and Path(name).is_file():
        with suppress(OSError):
            return tempfile.TemporaryFile(dir=Path(name).parent)
    return tempfile.TemporaryFile()
