"""Pages of a Parquet file: a column ``html`` or ``body``, and ``url`` and ``content_type``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, BinaryIO, Final

from scrapy_webtext.archive.pages import BATCH_BYTES, BATCH_PAGES, StoredPage, batch_of
from scrapy_webtext.archive.parquet_pages import largest_page
from scrapy_webtext.errors import InputError, MissingExtraError
from scrapy_webtext.log_text import describe, shown

try:
    import pyarrow as pa
    import pyarrow.parquet as pq
except ImportError:
    raise MissingExtraError("Reading archives", "pyarrow", "archive") from None

SOURCES: Final = ("html", "body")
PAGE_COLUMNS: Final = ("url", *SOURCES, "content_type")

#: Of these is a column of HTML; views came with pyarrow 16.
TEXT_KINDS: Final = (
    pa.types.is_string,
    pa.types.is_large_string,
    pa.types.is_string_view,
    pa.types.is_binary,
    pa.types.is_large_binary,
    pa.types.is_binary_view,
    pa.types.is_fixed_size_binary,
)

#: A page of a column may unpack to so much; pyarrow takes some three times the memory. It writes
#: 1024 values into one, which are then HTML of half a megabyte each.
MAX_PAGE: Final = 512 << 20

#: Each row that is lost gives a row with the error, but for claims that no file of pages makes.
MAX_LOST: Final = 100_000

#: What pyarrow raises for files that are damaged or of a kind that it does not read.
FAULTS: Final = (pa.ArrowException, OSError, ValueError, OverflowError, MemoryError)


def read_parquet(
    file: BinaryIO,
    max_body_size: int,  # noqa: ARG001 (`extract_batch` looks at the size of each)
    keep: Sequence[str],
) -> Iterator[pa.RecordBatch]:
    """Yield the pages of a Parquet file; its columns in ``keep`` follow, of their own types.

    No more rows at once than fit a batch if each were as large as a row can be. A row group that
    does not read gives an error for each of its rows. InputError for a file without HTML, or
    without a column to be kept.
    """
    try:
        # Buffered, so that a column is read a page at a time.
        parquet = pq.ParquetFile(file, pre_buffer=False, buffer_size=1 << 16)
        schema = parquet.schema_arrow
        names = schema.names
    except FAULTS as error:
        yield batch_of([StoredPage(error=f"no Parquet file: {describe(error)}")], keep)
        return
    columns = _columns(names, keep)
    kept_types = [_kept_type(schema.field(name)) for name in keep]
    readable = [c for c in columns if c in keep or _is_readable(schema.field(c))]
    reader = _Reader(file, parquet, readable, keep, kept_types)
    if not set(SOURCES) & set(readable):
        kinds = {str(schema.field(name).type) for name in SOURCES if name in names}
        reader.fault = f"no text under html or body: {shown(', '.join(kinds))}"
    for group in range(parquet.num_row_groups):
        yield from reader.row_group(group)


def _columns(names: Sequence[str], keep: Sequence[str]) -> list[str]:
    """Return the columns to be read; InputError where they are not there."""
    if not set(SOURCES) & set(names):
        raise InputError(f"No column html or body; its columns are: {_listed(names)}")
    for name in keep:
        if name not in names:
            raise InputError(f"No column {shown(name)} to keep; its columns are: {_listed(names)}")
    wanted = dict.fromkeys([*PAGE_COLUMNS, *keep])
    for name in wanted:
        if names.count(name) > 1:
            raise InputError(f"{names.count(name)} columns {shown(name)}: rename all but one")
    return [name for name in wanted if name in names]


def _listed(names: Sequence[str], most: int = 20) -> str:
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(map(shown, names[:most])) + more


def _kept_type(column: Any) -> Any:
    """Return the type of a column to be kept; InputError for one whose rows have no bound."""
    if _is_nested(column.type):
        raise InputError(
            f"The column {shown(column.name)} is {shown(str(column.type))}: only columns of plain "
            f"values can be kept"
        )
    return column.type


def _is_nested(kind: Any) -> bool:
    kind = getattr(kind, "storage_type", kind)  # of an extension
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    return bool(pa.types.is_nested(kind))


def _is_readable(column: Any) -> bool:
    """Whether a column of pages can be read: HTML is text or bytes, addresses are anything."""
    if column.name not in SOURCES:
        return not _is_nested(column.type)
    kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
    return any(is_kind(kind) for is_kind in TEXT_KINDS)


class _Reader:
    """Reads the row groups of a file."""

    def __init__(
        self,
        file: BinaryIO,
        parquet: Any,
        columns: Sequence[str],
        keep: Sequence[str],
        kept_types: Sequence[Any],
    ) -> None:
        self._file = file
        self._parquet = parquet
        self._columns = columns
        self._keep = keep
        self._kept_types = kept_types
        paths = [parquet.schema.column(n).path for n in range(parquet.metadata.num_columns)]
        self._leaves = [paths.index(name) for name in columns]
        self.fault: str | None = None  #: for which no row can be read

    def row_group(self, group: int) -> Iterator[pa.RecordBatch]:
        """Yield the rows of a group; of those that are lost, the error."""
        metadata = self._parquet.metadata.row_group(group)
        rows, done, fault = metadata.num_rows, 0, self.fault
        try:
            if fault is None:
                size = self._rows_at_once(metadata)
                for batch in self._parquet.iter_batches(
                    size, row_groups=[group], columns=self._columns, use_threads=False
                ):
                    yield self._pages(batch)
                    done += len(batch)
        except FAULTS as error:
            fault = f"row group {group} is damaged: {describe(error)}"
        if done < rows:
            yield from self._lost(rows - done, fault or f"row group {group} has {done} rows only")

    def _rows_at_once(self, metadata: Any) -> int:
        """Return how many rows fit a batch even if each is as large as the pages allow."""
        sizes = []
        for leaf in self._leaves:
            chunk = metadata.column(leaf)
            start = chunk.data_page_offset
            if chunk.has_dictionary_page and 0 < chunk.dictionary_page_offset < start:
                start = chunk.dictionary_page_offset
            sizes.append(largest_page(self._file, start, start + chunk.total_compressed_size))
            if sizes[-1] > MAX_PAGE:
                raise ValueError(
                    f"a page of its column {shown(chunk.path_in_schema)} unpacks to {sizes[-1]} "
                    f"bytes, limit {MAX_PAGE}; write it with smaller pages"
                )
        return min(BATCH_PAGES, max(1, BATCH_BYTES // max(1, sum(sizes))))

    def _pages(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        pages = [name for name in PAGE_COLUMNS if name in self._columns]
        names = batch.schema.names
        arrays = [batch.column(names.index(name)) for name in [*pages, *self._keep]]
        return pa.RecordBatch.from_arrays(arrays, names=[*pages, *self._keep])

    def _lost(self, rows: int, fault: str) -> Iterator[pa.RecordBatch]:
        if rows > MAX_LOST:
            rows, fault = 1, f"{fault} (one row for {rows})"
        for start in range(0, rows, BATCH_PAGES):
            size = min(BATCH_PAGES, rows - start)
            lost = batch_of([StoredPage(error=fault)] * size, ())
            arrays = [*lost.columns, *(pa.nulls(size, kind) for kind in self._kept_types)]
            yield pa.RecordBatch.from_arrays(arrays, names=[*lost.schema.names, *self._keep])
