"""Writes items as Parquet, for Scrapy's ``FEEDS`` (Spark, Dask, DuckDB and pandas read it).

::

    FEEDS = {"items.parquet": {"format": "parquet", "overwrite": True}}

The add-on registers the exporter. For the options ``-o`` and ``-O``, the project must name it in
``FEED_EXPORTERS``, because Scrapy checks their formats before it loads add-ons. With ``JOBDIR``
each run needs its own file: ``"items-%(batch_time)s.parquet"``.
"""

from __future__ import annotations

import atexit
import json
import logging
import os
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import IO, Any, Final

from scrapy.crawler import Crawler
from scrapy.exporters import BaseItemExporter
from scrapy.utils.defer import deferred_from_coro
from scrapy.utils.serialize import ScrapyJSONEncoder

from scrapy_webtext.errors import MissingExtraError, SettingsError, describe, shown
from scrapy_webtext.results import DEFAULT_FIELDS
from scrapy_webtext.settings import given_value, read_fields

try:
    import pyarrow as pa
    import pyarrow.parquet as pq
except ImportError:
    raise MissingExtraError("The exporter of Parquet", "pyarrow", "archive") from None

from scrapy_webtext.archive.batch import RESULT_TYPES, encodable

logger = logging.getLogger("scrapy_webtext")

#: Finish reason of a crawl whose Parquet feed cannot be written.
FEED_FAILED: Final = "webtext_feed_failed"

#: Items in memory are written when they have this many bytes, whatever their number.
MAX_WAITING_BYTES: Final = 32 * 2**20


class ParquetItemExporter(BaseItemExporter):
    """Writes items in row groups of ``rows`` items or 32 MB, whichever comes first.

    The columns are ``FEED_EXPORT_FIELDS``, by default the fields of the first group's
    items. ``types`` maps a field to the Arrow type of its column ("int64", "double",
    ``pyarrow.list_(pyarrow.string())``); the fields of ``WEBTEXT_FIELDS`` have types already. All
    other columns are text: strings unchanged, other values as Scrapy's JSON. An item with a value
    that its column cannot hold raises TypeError and is not in the feed.
    """

    def __init__(
        self,
        file: IO[bytes],
        *,
        rows: int = 1000,
        types: Mapping[str, Any] | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        if type(rows) is not int or rows < 1:
            raise SettingsError(
                f"'item_export_kwargs': {{'rows': {rows!r}}} is not allowed: give the number of "
                "items in a row group, from 1 on"
            )
        if _has_content(file):
            raise SettingsError(
                "A Parquet file cannot be appended to: name the files by time, "
                "items-%(batch_time)s.parquet, or overwrite it by 'overwrite': True for this feed "
                "in FEEDS, or by -O"
            )
        self._file = file
        self._group = rows
        try:
            columns = [pa.field(name, value) for name, value in (types or {}).items()]
        except (TypeError, ValueError) as error:
            raise SettingsError(
                f"'item_export_kwargs': {{'types': {types!r}}} is not allowed ({error}): give each "
                "a type of pyarrow, such as pyarrow.list_(pyarrow.string()), or its name, as int64"
            ) from None
        listed = self.fields_to_export
        renamed = listed if isinstance(listed, Mapping) else {}
        self._types = {renamed.get(column.name, column.name): column.type for column in columns}
        names = renamed.values() if renamed else listed or ()
        self._columns = dict.fromkeys(encodable(str(name)) for name in names)
        self._rows: list[dict[str, pa.Array]] = []  #: each array has one value
        self._bytes = 0
        self._writer: Any = None
        self._fault: Exception | None = None
        self._is_finished = False
        self._is_warned = False
        self._process = os.getpid()
        self._crawler: Crawler | None = None

    @classmethod
    def from_crawler(
        cls, crawler: Crawler, file: IO[bytes], *, types: Any = None, **kwargs: Any
    ) -> ParquetItemExporter:
        """Return the exporter of a crawl; if the feed cannot be written, the crawl ends."""
        given = given_value(crawler.settings, "WEBTEXT_FIELDS")
        fields = DEFAULT_FIELDS if given is None else read_fields("WEBTEXT_FIELDS", given)
        shapes = getattr(fields, "shapes", {})
        known = {
            place: RESULT_TYPES[name]
            for name, place in fields.items()
            if name in RESULT_TYPES and name not in shapes
        }
        try:
            exporter = cls(file, types={**known, **(types or {})}, **kwargs)
        except Exception as error:
            _end(crawler, error)
            raise
        exporter._crawler = crawler
        atexit.register(exporter._finish_at_exit)
        return exporter

    def export_item(self, item: Any) -> None:
        """Export an item; raise TypeError with the name of a field that cannot be written.

        In a crawl's feed, an error is logged and not raised, because otherwise other feeds would
        miss the item, too.
        """
        try:
            self._export(item)
        except Exception as error:
            if self._crawler is None:
                raise
            if self._fault is None:  # a fault of the whole feed is logged elsewhere
                logger.error("webtext: the Parquet feed leaves out an item: %s", describe(error))

    def _export(self, item: Any) -> None:
        row = {}
        # Before Scrapy 2.19 the name of the method began with "_".
        names = ("get_serialized_fields", "_get_serialized_fields")
        serialized: Any = next(getattr(self, name) for name in names if hasattr(self, name))
        for name, value in serialized(item, default_value=None, include_empty=True):
            try:
                row[encodable(str(name))] = self._value(str(name), value)
            except Exception as error:  # classes of the project may raise anything
                raise TypeError(
                    f"The field '{shown(str(name))}' cannot be written: {describe(error)}"
                ) from error
        self._check()
        self._take_columns(row)
        self._rows.append(row)
        self._bytes += sum(value.nbytes for value in row.values())
        if self._columns and (len(self._rows) >= self._group or self._bytes >= MAX_WAITING_BYTES):
            self._write()

    def finish_exporting(self) -> None:
        """Write the remaining items and close the file; it is valid even without items."""
        if self._is_finished:
            return
        self._is_finished = True
        atexit.unregister(self._finish_at_exit)
        self._check()
        if self._rows or self._writer is None:
            self._write()
        with self._ending_on_fault():
            self._writer.close()

    def _check(self) -> None:
        if self._fault is not None:
            raise OSError(f"The rows cannot be kept: {self._fault}") from self._fault

    def _value(self, name: str, value: Any) -> pa.Array:
        """Return an array of one value, of its column's type; raise if the column cannot hold it.

        The array is a copy: a spider may change the value later.
        """
        kind = self._types.get(name, pa.string())
        if value is None or not pa.types.is_string(kind):
            return pa.array([value], kind)
        if isinstance(value, bytes):
            value = value.decode("utf-8", "backslashreplace")
        elif not isinstance(value, str):
            value = json.dumps(value, cls=ScrapyJSONEncoder, ensure_ascii=False)
            if value.startswith('"'):  # a string, such as a date
                value = json.loads(value)
        return pa.array([encodable(value)], kind)

    def _take_columns(self, row: Mapping[str, Any]) -> None:
        """Add an item's fields to the columns; after the first group, warn of a new field once."""
        others = row.keys() - self._columns.keys()
        if self._writer is None:
            self._columns.update(dict.fromkeys(row))
        elif others and not self._is_warned:
            self._is_warned = True
            logger.warning(
                "webtext: the Parquet feed has the columns of its first %d items and leaves out "
                "others, such as '%s': list the fields that you want in FEED_EXPORT_FIELDS",
                self._group,
                shown(min(others)),
            )

    def _write(self) -> None:
        """Write the items in memory as a row group."""
        rows, self._rows, self._bytes = self._rows, [], 0
        kinds = {name: self._types.get(name, pa.string()) for name in self._columns}
        schema = pa.schema(list(kinds.items()))

        with self._ending_on_fault():
            if self._writer is None:
                # Unlike the file, PythonFile counts the written bytes from 0 and does not seek.
                sink = pa.PythonFile(self._file, "w")
                self._writer = pq.ParquetWriter(sink, schema, compression="zstd")
            arrays = [
                pa.concat_arrays(
                    [pa.array([], kind), *(row.get(name, pa.nulls(1, kind)) for row in rows)]
                )
                for name, kind in kinds.items()
            ]
            self._writer.write_batch(pa.RecordBatch.from_arrays(arrays, schema=schema))

    @contextmanager
    def _ending_on_fault(self) -> Iterator[None]:
        try:
            yield
        except Exception as error:
            self._fault = error
            _end(self._crawler, error)
            raise

    def _finish_at_exit(self) -> None:
        """Write the remaining items if Scrapy did not close the feed, as after a second Ctrl-C."""
        if os.getpid() == self._process and not self._is_finished:
            with suppress(Exception):  # the error is logged already
                self.finish_exporting()
                self._file.flush()


def _end(crawler: Crawler | None, error: Exception) -> None:
    """Log that the feed failed, and end the crawl."""
    logger.error("webtext: the Parquet feed cannot be written: %s", describe(error))
    engine: Any = crawler.engine if crawler is not None else None
    if engine is None or engine.spider is None:
        return
    if hasattr(engine, "close_spider_async"):
        deferred_from_coro(engine.close_spider_async(reason=FEED_FAILED))
    else:  # for Scrapy 2.13
        engine.close_spider(engine.spider, FEED_FAILED)


def _has_content(file: Any) -> bool:
    """Return whether a file has content; a plugin for compression may wrap the file."""
    with suppress(OSError, AttributeError):
        status = os.fstat(getattr(file, "file", file).fileno())
        return stat.S_ISREG(status.st_mode) and status.st_size > 0
    return bool(file.seekable() and file.tell())
