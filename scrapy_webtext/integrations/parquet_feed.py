"""Writes items as Parquet, for Scrapy's ``FEEDS`` (Spark, Dask, DuckDB and pandas read it).

::

    FEEDS = {"items.parquet": {"format": "parquet", "overwrite": True}}

The add-on registers the exporter. For the options ``-o`` and ``-O``, the project must name it in
``FEED_EXPORTERS``, because Scrapy checks their formats before it loads add-ons. With ``JOBDIR``
each run needs its own file: ``"items-%(batch_time)s.parquet"``.
"""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Mapping
from typing import IO, Any

from itemadapter import ItemAdapter
from scrapy.crawler import Crawler
from scrapy.exporters import BaseItemExporter
from scrapy.utils.serialize import ScrapyJSONEncoder

from scrapy_webtext.arrow import RESULT_TYPES, encodable, pa
from scrapy_webtext.errors import SettingsError
from scrapy_webtext.results import DEFAULT_FIELDS
from scrapy_webtext.settings import given_value, read_fields

logger = logging.getLogger("scrapy_webtext")


class ParquetItemExporter(BaseItemExporter):
    """Writes items in row groups of ``rows`` items.

    The columns are ``FEED_EXPORT_FIELDS``, by default the fields of the first group's items; a
    warning names later fields. ``types`` maps a field to the Arrow type of its column; the fields
    of ``WEBTEXT_FIELDS`` have types already. All other columns are text: strings unchanged, other
    values as Scrapy's JSON. An item with a value that its column cannot hold is not in the feed:
    it raises an error, which Scrapy logs.
    """

    def __init__(self, file: IO[bytes], *, rows: int = 1000, types: Any = None, **kw: Any) -> None:
        super().__init__(**kw)
        path = getattr(getattr(file, "file", file), "name", None)  # Scrapy's compression has "file"
        if path is not None and os.path.getsize(path):
            raise SettingsError(
                "A Parquet file cannot be appended to: name the files by time, "
                "items-%(batch_time)s.parquet, or give 'overwrite': True in FEEDS, or -O"
            )
        self._file, self._group = file, rows
        self._types = {name: pa.field(name, kind).type for name, kind in (types or {}).items()}
        self._tables: list[pa.Table] = []  #: each has the row of an item
        self._writer: Any = None

    @classmethod
    def from_crawler(
        cls, crawler: Crawler, file: IO[bytes], *, types: Any = None, **kw: Any
    ) -> ParquetItemExporter:
        """Return the exporter of a crawl, with types for the fields of ``WEBTEXT_FIELDS``."""
        given = given_value(crawler.settings, "WEBTEXT_FIELDS")
        fields = DEFAULT_FIELDS if given is None else read_fields("WEBTEXT_FIELDS", given)
        shapes = getattr(fields, "shapes", {})
        known = {place: RESULT_TYPES[name] for name, place in fields.items() if name not in shapes}
        return cls(file, types={**known, **(types or {})}, **kw)

    def export_item(self, item: Any) -> None:
        """Export an item; raise an error that names the field if a value cannot be written."""
        self._tables.append(self._table_of(item))
        if len(self._tables) >= self._group:
            self._write()

    def finish_exporting(self) -> None:
        """Write the remaining items and close the file; it is valid even without items."""
        self._write()
        self._writer.close()

    def _table_of(self, item: Any) -> pa.Table:
        listed, adapter = self.fields_to_export, ItemAdapter(item)
        if not isinstance(listed, Mapping):
            listed = {name: name for name in (adapter if listed is None else listed)}
        columns: dict[str, pa.Array] = {}
        for name, column in listed.items():
            value, kind = adapter.get(name), self._types.get(name, pa.string())
            if name in adapter:
                value = self.serialize_field(adapter.get_field_meta(name), column, value)
            try:
                columns[encodable(column)] = _array_of(value, kind)
            except Exception as error:  # of pyarrow, of JSON
                raise TypeError(f"The field {name!r} cannot be written: {error}") from error
        return pa.table(columns)

    def _write(self) -> None:
        from pyarrow.parquet import ParquetWriter

        tables, self._tables = self._tables, []
        if self._writer is None:
            schema = pa.unify_schemas([t.schema for t in tables or [self._table_of({})]])
            # Unlike the file, PythonFile counts the written bytes from 0 and does not seek.
            sink = pa.PythonFile(self._file, "w")
            self._writer = ParquetWriter(sink, schema, compression="zstd")
        schema = self._writer.schema
        if others := {name for table in tables for name in table.schema.names} - {*schema.names}:
            words = "webtext: no column of the Parquet feed: %r; list it in FEED_EXPORT_FIELDS"
            logger.warning(words, min(others))
        whole = pa.concat_tables([schema.empty_table(), *tables], promote_options="default")
        self._writer.write_table(whole.select(schema.names))


def _array_of(value: Any, kind: pa.DataType) -> pa.Array:
    """Return an array of one value; a copy, because a spider may change the value later."""
    if value is not None and pa.types.is_string(kind) and not isinstance(value, str):
        value = json.dumps(value, cls=ScrapyJSONEncoder, ensure_ascii=False)
        value = json.loads(value) if value.startswith('"') else value  # a string, such as a date
    return pa.array([encodable(value) if isinstance(value, str) else value], kind)
