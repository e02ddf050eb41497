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
import json
import logging
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import IO, Any, Final, TypeAlias

from scrapy_webtext.errors import MissingExtraError
from scrapy_webtext.log_text import shown

try:
    import pyarrow as pa
    import pyarrow.parquet as pq
except ImportError:
    raise MissingExtraError("The exporter of Parquet", "pyarrow", "archive") from None

logger = logging.getLogger("scrapy_webtext")

Value: TypeAlias = bool | int | float | bytes | str | None

#: Whole numbers that a double holds exactly.
EXACT_AS_FLOAT: Final = range(-(2**53), 2**53 + 1)
INT64: Final = range(-(2**63), 2**63)

#: Columns that rows may bring along; more may be named from the start.
MAX_COLUMNS: Final = 1000

#: Bytes of rows in memory, from which on they are written though they are not so many yet.
MAX_WAITING_BYTES: Final = 32 * 2**20


class Kind(Enum):
    """What the values of a column are; the values are the names in warnings."""

    EMPTY = "nothing"
    BOOL = "bool"
    INT = "int"
    LONG = "int beyond 2**53"
    HUGE = "int beyond 64 bits"
    FLOAT = "float"
    BYTES = "bytes"
    TEXT = "text"


TYPES: Final[Mapping[Kind, Any]] = {
    Kind.BOOL: pa.bool_(),
    Kind.INT: pa.int64(),
    Kind.LONG: pa.int64(),
    Kind.FLOAT: pa.float64(),
    Kind.BYTES: pa.binary(),
}


def kind_of(value: Value) -> Kind:
    """Return the narrowest kind that holds a value."""
    if value is None:
        return Kind.EMPTY
    if isinstance(value, bool):
        return Kind.BOOL
    if isinstance(value, int):
        if value in EXACT_AS_FLOAT:
            return Kind.INT
        return Kind.LONG if value in INT64 else Kind.HUGE
    if isinstance(value, float):
        return Kind.FLOAT
    return Kind.BYTES if isinstance(value, bytes) else Kind.TEXT


def wider(one: Kind, other: Kind) -> Kind:
    """Return the narrowest kind that holds the values of both, none of them changed."""
    if one is other or other is Kind.EMPTY:
        return one
    if one is Kind.EMPTY:
        return other
    if {one, other} == {Kind.INT, Kind.LONG}:
        return Kind.LONG
    return Kind.FLOAT if {one, other} == {Kind.INT, Kind.FLOAT} else Kind.TEXT


def as_text(value: Value) -> str | None:
    """Return a value in a column of text: JSON, but for strings and bytes, which are read."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bytes):
        return value.decode("utf-8", "backslashreplace")
    return json.dumps(value)


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
            self._writer.write_batch(_batch(rows, kinds))
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
                writer.write_batch(_batch([{}] * self._without_fields, kinds))
            for batch in self._written(kinds):
                writer.write_batch(batch)
            if self._waiting or not self._parts:
                writer.write_batch(_batch(self._waiting, kinds))

    def _written(self, kinds: Mapping[str, Kind]) -> Iterator[Any]:
        """Yield the row groups of all parts with columns of these kinds."""
        if self._temporary is None:
            return
        for part in self._parts:
            with pq.ParquetFile(_Stretch(self._temporary, part.start, part.end)) as file:
                for number in range(file.num_row_groups):
                    yield _converted(file.read_row_group(number), part.kinds, kinds)


class _Stretch(io.RawIOBase):
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
    return pq.ParquetWriter(_Sink(file), _schema(kinds), compression="zstd")


def _schema(kinds: Mapping[str, Kind]) -> Any:
    return pa.schema([(name, TYPES.get(kind, pa.string())) for name, kind in kinds.items()])


def _batch(rows: list[Mapping[str, Value]], kinds: Mapping[str, Kind]) -> Any:
    arrays = [_array([row.get(name) for row in rows], kind) for name, kind in kinds.items()]
    return pa.RecordBatch.from_arrays(arrays, schema=_schema(kinds))


def _array(values: list[Value], kind: Kind) -> Any:
    if kind in TYPES:
        return pa.array(values, TYPES[kind])
    return pa.array([as_text(value) for value in values], pa.string())


def _converted(table: Any, before: Mapping[str, Kind], kinds: Mapping[str, Kind]) -> Any:
    """Return the rows of a table of the kinds ``before`` as a batch of these, wider kinds."""
    arrays = []
    for name, kind in kinds.items():
        then = before.get(name, Kind.EMPTY)
        if then is Kind.EMPTY:
            arrays.append(pa.nulls(len(table), TYPES.get(kind, pa.string())))
        elif TYPES.get(then) == TYPES.get(kind):
            arrays.append(table[name].combine_chunks())
        else:
            arrays.append(_array(table[name].to_pylist(), kind))
    return pa.RecordBatch.from_arrays(arrays, schema=_schema(kinds))


def _temporary_file(beside: IO[bytes]) -> IO[bytes]:
    """Return a file without a name, in the folder of another one if that may be written to."""
    name = getattr(beside, "name", None)
    if isinstance(name, (str, Path)) and Path(name).is_file():
        with suppress(OSError):
            return tempfile.TemporaryFile(dir=Path(name).parent)
    return tempfile.TemporaryFile()
