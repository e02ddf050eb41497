"""Items as Parquet, for Scrapy's ``FEEDS``: what Spark, Dask, DuckDB and pandas read best.

::

    FEED_EXPORTERS = {"parquet": "scrapy_webtext.integrations.parquet_feed.ParquetItemExporter"}
    FEEDS = {"items.parquet": {"format": "parquet", "overwrite": True}}

With ``JOBDIR`` each run needs a file of its own: ``"items-%(batch_time)s.parquet"``. The add-on
checks this when the crawl starts (`check_feeds`).
"""

from __future__ import annotations

import atexit
import json
import logging
import os
import stat
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final

from scrapy.exporters import BaseItemExporter
from scrapy.utils.defer import deferred_from_coro
from scrapy.utils.python import global_object_name
from scrapy.utils.serialize import ScrapyJSONEncoder

from scrapy_webtext.errors import SettingsError
from scrapy_webtext.integrations.parquet_rows import ParquetRows
from scrapy_webtext.integrations.parquet_types import Value
from scrapy_webtext.log_text import describe, shown

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.settings import BaseSettings

logger = logging.getLogger("scrapy_webtext")

NAME_BY_TIME: Final = "name the files by time: items-%(batch_time)s.parquet"

#: Why a crawl ends whose Parquet feed cannot be written.
FEED_FAILED: Final = "webtext_feed_failed"

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
                f"A Parquet file cannot be appended to: {NAME_BY_TIME}, or overwrite it by "
                "'overwrite': True for this feed in FEEDS, or by -O"
            )
        self._file = file
        self._written = ParquetRows(file, rows, self._names())
        self._is_finished = False
        self._process = os.getpid()
        self._crawler: Crawler | None = None
        atexit.register(self._finish_at_exit)

    @classmethod
    def from_crawler(cls, crawler: Crawler, file: IO[bytes], **kwargs: Any) -> ParquetItemExporter:
        """Return the exporter of a crawl, which ends where the feed cannot be written."""
        try:
            exporter = cls(file, **kwargs)
        except Exception as error:
            _end(crawler, error)
            raise
        exporter._crawler = crawler
        return exporter

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
        try:
            self._written.add(row)
        except Exception as error:
            _end(self._crawler, error)
            raise

    def finish_exporting(self) -> None:
        """Write the file; a feed without items is a valid file too."""
        if self._is_finished:
            return
        self._is_finished = True
        atexit.unregister(self._finish_at_exit)
        try:
            self._written.close()
        except Exception as error:
            _end(self._crawler, error)
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


def check_feeds(settings: BaseSettings) -> None:
    """Raise SettingsError for a Parquet feed whose file an earlier run wrote, or will have written.

    Scrapy opens the file at the first item, when pages are marked as seen already.
    """
    job = settings.get("JOBDIR")
    is_resumed = bool(job) and (Path(job) / "requests.seen").is_file()
    for place, feed in settings.getdict("FEEDS").items():
        name = str(place)
        is_named_by_user = feed.get("uri_params") or settings.get("FEED_URI_PARAMS")
        if is_named_by_user or "time)s" in name or not _is_ours(feed.get("format"), settings):
            continue
        if job and "%(batch_id)" in name:
            fault = "with JOBDIR, each run counts %(batch_id)d from 1"
        elif _is_written(name) and not feed.get("overwrite"):
            fault = "it exists, and a Parquet file cannot be appended to"
        elif _is_written(name) and is_resumed:
            fault = "the run would erase the items of the run that it resumes"
        else:
            continue
        raise SettingsError(f"FEEDS has {name!r}: {fault}; {NAME_BY_TIME}")


def _is_ours(form: object, settings: BaseSettings) -> bool:
    exporter = settings.getdict("FEED_EXPORTERS").get(form)
    return exporter in (ParquetItemExporter, global_object_name(ParquetItemExporter))


def _is_written(name: str) -> bool:
    """Return whether a local file of this name, the first of its batches, has content."""
    with suppress(KeyError, ValueError, TypeError, OSError):  # of another scheme or placeholder
        path = Path((name % {"batch_id": 1}).removeprefix("file://"))
        return path.is_file() and path.stat().st_size > 0
    return False


def _end(crawler: Crawler | None, error: Exception) -> None:
    """Log that the feed failed, and end its crawl."""
    logger.error("webtext: the Parquet feed cannot be written: %s", describe(error))
    engine: Any = crawler.engine if crawler is not None else None
    if engine is None or engine.spider is None:
        return
    if hasattr(engine, "close_spider_async"):
        deferred_from_coro(engine.close_spider_async(reason=FEED_FAILED))
    else:  # Scrapy 2.13
        engine.close_spider(engine.spider, FEED_FAILED)


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
