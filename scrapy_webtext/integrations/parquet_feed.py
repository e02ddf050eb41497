"""Items as Parquet, for Scrapy's ``FEEDS``: what Spark, Dask, DuckDB and pandas read best.

::

    FEED_EXPORTERS = {"parquet": "scrapy_webtext.integrations.parquet_feed.ParquetItemExporter"}
    FEEDS = {"items.parquet": {"format": "parquet", "overwrite": True}}
"""

from __future__ import annotations

import atexit
import json
import logging
import os
import stat
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import IO, Any, Final

from scrapy.exporters import BaseItemExporter
from scrapy.utils.serialize import ScrapyJSONEncoder

from scrapy_webtext.errors import SettingsError
from scrapy_webtext.integrations.parquet_rows import ParquetRows
from scrapy_webtext.integrations.parquet_types import Value
from scrapy_webtext.log_text import describe, shown

logger = logging.getLogger("scrapy_webtext")

#: Characters of one value: four bytes each are still a page of a Parquet file.
MAX_CHARS: Final = 2**28


class ParquetItemExporter(BaseItemExporter):
    """Writes items when the feed ends, the fields in the order of ``FEED_EXPORT_FIELDS``.

    Without that setting, in the order in which items bring them. A column is of bool, int64,
    double or binary if all its values are, and else of strings: text as it is, whatever else as
    Scrapy writes it in JSON. Columns of several types become strings, with a warning. An item that
    Scrapy could not write as JSON raises TypeError and is not in the feed.
    """

    def __init__(self, file: IO[bytes], *, rows: int = 1000, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        if type(rows) is not int or rows < 1:
            raise SettingsError(
                f"'item_export_kwargs': {{'rows': {rows!r}}} is not allowed: give the number of "
                "items in a row group, from 1 on"
            )
        if _has_content(file):
            raise SettingsError(
                "A Parquet file cannot be appended to: set 'overwrite': True for this feed in "
                "FEEDS, or use -O"
            )
        self._file = file
        self._written = ParquetRows(file, rows, self._names())
        self._is_finished = False
        self._process = os.getpid()
        atexit.register(self._finish_at_exit)

    def export_item(self, item: Any) -> None:
        """Take an item; TypeError that names the field which cannot be written."""
        if self._is_finished:
            raise ValueError("The feed is finished")
        row = {}
        for name, value in self._serialized(item):
            try:
                row[_encodable(str(name))] = as_value(value)
            except Exception as error:  # of an item's own classes, too
                raise TypeError(
                    f"The field '{shown(str(name))}' cannot be written: {describe(error)}"
                ) from error
        self._written.add(row)

    def finish_exporting(self) -> None:
        """Write the file; a feed without items is a valid file too."""
        if self._is_finished:
            return
        self._is_finished = True
        atexit.unregister(self._finish_at_exit)
        try:
            self._written.close()
        except Exception as error:
            logger.error("webtext: the Parquet feed cannot be written: %s", describe(error))
            raise

    def _finish_at_exit(self) -> None:
        """Save the rows where Scrapy closes no feed: after a second Ctrl-C, say."""
        if os.getpid() == self._process and not self._is_finished:
            with suppress(Exception):  # it is logged
                self.finish_exporting()
                self._file.flush()

    def _serialized(self, item: Any) -> Iterable[tuple[Any, Any]]:
        # Scrapy had it under another name before 2.19.
        names = ("get_serialized_fields", "_get_serialized_fields")
        read: Any = next(getattr(self, name) for name in names if hasattr(self, name))
        fields: Iterable[tuple[Any, Any]] = read(item, default_value=None, include_empty=True)
        return fields

    def _names(self) -> list[str]:
        listed = self.fields_to_export
        names = listed.values() if isinstance(listed, Mapping) else listed or ()
        return [_encodable(str(name)) for name in names]


def as_value(value: Any) -> Value:
    """Return a value of an item as a column takes it; what JSON has no word for raises."""
    if value is None or isinstance(value, (bool, float)):
        return value
    if isinstance(value, int):
        str(value)  # Python refuses what has too many digits
        return int(value)
    if not isinstance(value, (str, bytes)):
        value = json.dumps(value, cls=ScrapyJSONEncoder, ensure_ascii=False)
        if value.startswith('"'):  # a date, say
            value = json.loads(value)
    if len(value) > MAX_CHARS:
        raise ValueError(f"its length is {len(value)}, at most {MAX_CHARS} fit")
    return bytes(value) if isinstance(value, bytes) else _encodable(value)


def _encodable(text: str) -> str:
    """Return a text as a plain string, with question marks for lone surrogates."""
    try:
        str.encode(text)
    except UnicodeEncodeError:
        return str.encode(text, "utf-8", "replace").decode()
    return str.__str__(text)


def _has_content(file: Any) -> bool:
    """Whether something is in a file already, or in the one behind what compresses it."""
    with suppress(OSError, AttributeError):
        status = os.fstat(getattr(file, "file", file).fileno())
        return stat.S_ISREG(status.st_mode) and status.st_size > 0
    return bool(file.seekable() and file.tell())
