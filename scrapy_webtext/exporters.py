"""Items as Parquet, for Scrapy's ``FEEDS``: what Spark, Dask, DuckDB and pandas read best.

::

    FEED_EXPORTERS = {"parquet": "scrapy_webtext.exporters.ParquetItemExporter"}
    FEEDS = {"items.parquet": {"format": "parquet", "overwrite": True}}
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Mapping
from typing import IO, Any, Final

from scrapy.exporters import BaseItemExporter
from scrapy.utils.serialize import ScrapyJSONEncoder

from scrapy_webtext.errors import MissingExtraError, SettingsError

try:
    import pyarrow as pa
    import pyarrow.parquet as pq
except ImportError:
    raise MissingExtraError("The exporter of Parquet", "pyarrow", "archive") from None

logger = logging.getLogger("scrapy_webtext")

#: Kinds of value that have a column type of their own; everything else becomes text.
KINDS: Final[Mapping[frozenset[type], pa.DataType]] = {
    frozenset({bool}): pa.bool_(),
    frozenset({int}): pa.int64(),
    frozenset({float}): pa.float64(),
    frozenset({int, float}): pa.float64(),
    frozenset({bytes}): pa.binary(),
}

INT64: Final = range(-(2**63), 2**63)


class ParquetItemExporter(BaseItemExporter):
    """Writes items in row groups, the fields in the order of ``FEED_EXPORT_FIELDS``.

    Without that setting, in the order in which the first ``rows`` items have them. The first
    ``rows`` items also decide the type of each column: bool, int64, double, binary or string.
    Lists, dicts, dates and mixed kinds become JSON text. A later value that does not fit raises
    TypeError: its item is not in the feed, and Scrapy logs it.
    """

    def __init__(self, file: IO[bytes], *, rows: int = 1000, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        if file.seekable() and file.tell():
            raise SettingsError(
                "A Parquet file cannot be appended to: set 'overwrite': True for this feed in "
                "FEEDS, or use -O"
            )
        self._file = file
        self._rows = rows
        self._waiting: list[dict[str, Any]] = []
        self._columns: dict[str, pa.DataType] = {}
        self._writer: Any = None
        self._left_out: set[str] = set()

    def export_item(self, item: Any) -> None:
        """Take an item; row groups are written as they fill."""
        values = dict(self._serialized(item))
        if self._writer is not None:
            values = self._as_row(values)
        self._waiting.append(values)
        if len(self._waiting) >= self._rows:
            self._write()

    def finish_exporting(self) -> None:
        """Write what is left and the footer; a feed without items is a valid file too."""
        if self._waiting or self._writer is None:
            self._write()
        self._writer.close()

    def _serialized(self, item: Any) -> Iterable[tuple[str, Any]]:
        # Scrapy had it under another name before 2.19.
        names = ("get_serialized_fields", "_get_serialized_fields")
        read: Any = next(getattr(self, name) for name in names if hasattr(self, name))
        fields: Iterable[tuple[str, Any]] = read(item, default_value=None, include_empty=True)
        return fields

    def _write(self) -> None:
        if self._writer is None:
            self._columns = {name: self._type_of(name) for name in self._names()}
            self._waiting = [self._as_row(values) for values in self._waiting]
            schema = pa.schema(list(self._columns.items()))
            self._writer = pq.ParquetWriter(self._file, schema, compression="zstd")
        arrays = [
            pa.array([row[name] for row in self._waiting], kind)
            for name, kind in self._columns.items()
        ]
        names = list(self._columns)
        self._writer.write_batch(pa.RecordBatch.from_arrays(arrays, names=names))
        self._waiting = []

    def _names(self) -> list[str]:
        if isinstance(self.fields_to_export, Mapping):
            return list(self.fields_to_export.values())
        if self.fields_to_export is not None:
            return list(self.fields_to_export)
        return list(dict.fromkeys(name for values in self._waiting for name in values))

    def _type_of(self, name: str) -> pa.DataType:
        values = [values[name] for values in self._waiting if values.get(name) is not None]
        if any(type(value) is int and value not in INT64 for value in values):
            return pa.string()
        return KINDS.get(frozenset(map(type, values)), pa.string())

    def _as_row(self, values: Mapping[str, Any]) -> dict[str, Any]:
        left_out = set(values) - set(self._columns) - self._left_out
        if left_out:
            self._left_out |= left_out
            logger.warning(
                "webtext: the Parquet feed has no column for %s, which the first items did not "
                "have: list all fields in FEED_EXPORT_FIELDS",
                ", ".join(sorted(left_out)),
            )
        return {
            name: self._fitted(name, values.get(name), kind) for name, kind in self._columns.items()
        }

    def _fitted(self, name: str, value: Any, kind: pa.DataType) -> Any:
        if value is None:
            return None
        if kind == pa.string():
            return _as_text(value)
        if kind == pa.float64() and type(value) is int:
            return float(value)
        if KINDS.get(frozenset({type(value)})) != kind or (
            type(value) is int and value not in INT64
        ):
            raise TypeError(
                f"The field {name!r} of this item is {value!r}; the Parquet feed's column is "
                f"{kind}, as in its first items"
            )
        return value


def _as_text(value: Any) -> str:
    if not isinstance(value, str):
        value = json.dumps(value, cls=ScrapyJSONEncoder, ensure_ascii=False)
    text: str = value.encode("utf-8", "replace").decode()
    return text
