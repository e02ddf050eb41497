"""The rows of ``scrapy webtext crawl``: each article once, and only what is stored counts."""

from __future__ import annotations

import os
import sys
from contextlib import ExitStack, suppress
from hashlib import blake2b
from io import BytesIO, FileIO
from pathlib import Path
from stat import S_ISREG
from typing import TYPE_CHECKING, Any, Final

from scrapy.exceptions import DropItem
from scrapy.exporters import CsvItemExporter, JsonItemExporter, JsonLinesItemExporter

from scrapy_webtext.cli.crawl import CrawlOrder
from scrapy_webtext.cli.crawl_job import CrawlJob
from scrapy_webtext.cli.output import STDOUT, whole_file
from scrapy_webtext.errors import InputError
from scrapy_webtext.log_text import describe

if TYPE_CHECKING:
    from scrapy import Spider
    from scrapy.crawler import Crawler
    from scrapy.exporters import BaseItemExporter

_EXPORTERS: Final = {
    "csv": CsvItemExporter,
    "json": JsonItemExporter,
    "jsonlines": JsonLinesItemExporter,
}


class _NothingWrittenError(Exception):
    """Leaves the file away, or as it was before."""


class RowStore:
    """Writes rows to the output of a crawl; InputError if it cannot be opened.

    The lines of a file are written one by one. What is written in one piece gets its name when
    `close` has written all of it. ``fault`` says why nothing is written any more.
    """

    def __init__(self, order: CrawlOrder, job: CrawlJob | None) -> None:
        self.fault: str | None = None
        self.rows = 0  #: that are stored
        self._order = order
        self._job = job
        self._digests = job.kept if job is not None else set()
        self._end = job.end if job is not None else 0
        self._stack = ExitStack()
        self._buffer = BytesIO()
        self._is_new = not Path(order.output).exists()
        if self._order.is_whole:
            self._exporter = _exporter(order, self._stack.enter_context(whole_file(order.output)))
        else:
            self._file = self._stack.enter_context(self._open())
            self._exporter = _exporter(order, self._buffer, has_header=not self._end)
        self._exporter.start_exporting()

    def keep(self, row: Any) -> bool:
        """Store a row and return True; False if its text was stored before. OSError on a fault."""
        if self.fault is not None:
            raise OSError(self.fault)
        text = row.get("main_text") or row["url"]
        digest = blake2b(text.encode("utf-8", "replace"), digest_size=16).digest()
        if digest in self._digests:
            return False
        try:
            self._exporter.export_item(row)
            if not self._order.is_whole:
                self._write_buffer()
        except Exception as error:
            self._fail(error)
            raise OSError(self.fault) from error
        self._digests.add(digest)
        self.rows += 1
        if self._job is not None:
            self._job.keep(digest, self._end)
        return True

    def close(self) -> None:
        """Write what is left; ``rows`` and ``fault`` are final then."""
        try:
            if self._order.is_whole:
                self._close_whole()
            else:
                self._close_lines()
        except Exception as error:
            self._fail(error)
        finally:
            if self._order.is_whole and self.fault is not None:
                self.rows = 0

    def _open(self) -> FileIO:
        if self._order.output == STDOUT:
            if sys.stdout is None:
                raise InputError("Standard output is closed: name a file with -o")
            return FileIO(os.dup(sys.stdout.fileno()), "wb")
        try:
            flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0)
            if not self._is_new and not Path(self._order.output).is_file():  # a device or a pipe
                flags = os.O_WRONLY
            file = FileIO(
                os.open(self._order.output, flags | getattr(os, "O_BINARY", 0), 0o666), "wb"
            )
            if self._end:
                file.truncate(self._end)
                file.seek(self._end)
        except OSError as error:
            raise InputError(
                f"Cannot write {self._order.output}: {error.strerror or error}"
            ) from None
        return file

    def _write_buffer(self) -> None:
        content = self._buffer.getvalue()
        self._buffer.seek(0)
        self._buffer.truncate()
        if not self.rows and not self._end and self._is_file():
            self._file.truncate(0)  # what is overwritten
        rest = content
        try:
            while rest:
                rest = rest[self._file.write(rest) :]
        except OSError:
            if self._is_file():
                with suppress(OSError):  # half a row
                    self._file.truncate(self._end)
            raise
        self._end += len(content)

    def _close_lines(self) -> None:
        with self._stack:
            if self._is_file():
                if self.rows:
                    os.fsync(self._file.fileno())
                elif self._is_new:
                    Path(self._order.output).unlink(missing_ok=True)

    def _close_whole(self) -> None:
        try:
            with self._stack:
                if not self.rows or self.fault is not None:
                    raise _NothingWrittenError
                self._exporter.finish_exporting()
        except _NothingWrittenError:
            pass
        if self._job is not None and self.fault is None:
            self._job.whole()

    def _is_file(self) -> bool:
        return S_ISREG(os.fstat(self._file.fileno()).st_mode)

    def _fail(self, error: Exception) -> None:
        if self.fault is None:
            name = "Standard output" if self._order.output == STDOUT else self._order.output
            reason = error.strerror if isinstance(error, OSError) else None
            self.fault = f"{name} cannot be written: {reason or describe(error)}"


class KeepRows:
    """The pipeline that stores items; it drops those without a text, and copies."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> KeepRows:
        """Return the pipeline of a crawl."""
        return cls(crawler)

    def process_item(self, item: Any, spider: Spider | None = None) -> Any:  # noqa: ARG002
        """Return the item once it is stored; DropItem for one that is left out."""
        running: Any = self._crawler.spider
        if not item.get("main_text") and not running.order.all_pages:
            self._drop("no_text")
        try:
            is_kept = running.store.keep(item)
        except OSError as error:
            raise DropItem(f"webtext: {error}", log_level="DEBUG") from error
        if not is_kept:
            self._drop("copies")
        return item

    def _drop(self, reason: str) -> None:
        assert self._crawler.stats is not None
        self._crawler.stats.inc_value(f"webtext/crawl/{reason}")
        raise DropItem(f"webtext: {reason}", log_level="DEBUG")


def _exporter(order: CrawlOrder, file: Any, has_header: bool = True) -> BaseItemExporter:
    """Return Scrapy's exporter of a format; MissingExtraError where pyarrow is not installed."""
    options: dict[str, Any] = {"fields_to_export": order.fields, "indent": 0}
    if order.output != STDOUT:
        options["encoding"] = "utf-8"
    if order.form == "csv":
        options["include_headers_line"] = has_header
    if order.form == "parquet":
        from scrapy_webtext.integrations.parquet_feed import (
            RESULT_TYPES,
            ParquetItemExporter,
        )

        return ParquetItemExporter(file, types=RESULT_TYPES, **options)
    exporter: BaseItemExporter = _EXPORTERS[str(order.form)](file, **options)
    return exporter
