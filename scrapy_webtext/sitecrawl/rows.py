"""The options of ``scrapy webtext crawl``, and its output: one row per article or chunk."""

from __future__ import annotations

import os
import re
import sys
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import IO, Any, Final, get_type_hints

from scrapy.settings.default_settings import FEED_EXPORTERS_BASE
from scrapy.utils.misc import load_object

from scrapy_webtext.addon import PARQUET_EXPORTER
from scrapy_webtext.chunks import Chunk, chunks_of
from scrapy_webtext.errors import InputError, describe, without_credentials
from scrapy_webtext.files import STDOUT, lock_file, whole_file
from scrapy_webtext.metadata.dates import read_date
from scrapy_webtext.sitecrawl.job_queue import Journal, line_of

#: Suffixes of the output's name.
FORMATS: Final = (".jsonl", ".jl", ".ndjson", ".json", ".csv", ".parquet")


@dataclass(frozen=True)
class CrawlOrder:
    """The options of a crawl; a field has the name of its option."""

    sources: list[str]  #: addresses of sites, sitemaps and feeds
    output: str
    fields: list[str]
    pages: int  #: maximum number of pages; 0 for no limit
    depth: int  #: maximum number of links from a source to a page; 0 for no limit
    include: list[re.Pattern[str]]  #: addresses that match one of them are followed
    exclude: list[re.Pattern[str]]  #: addresses that match one of them are not followed
    job: str | None  #: folder with the journal, from which a later run continues
    overwrite: bool
    all_pages: bool  #: pages without an article are kept, too
    chunks: int  #: maximum length of a row's text in characters; 0 for one row per page

    @property
    def form(self) -> str:
        """The format of the output, the ending of its name."""
        return ".jsonl" if self.output == STDOUT else Path(self.output).suffix.lower()

    @property
    def columns(self) -> list[str]:
        """The columns of the output."""
        if not self.chunks:
            return self.fields
        return [*(name for name in self.fields if name != "main_text"), *Chunk._fields]

    @property
    def is_whole(self) -> bool:
        """Whether the output is written in one piece; no later run can append to such a file."""
        return self.form in (".json", ".parquet")

    @property
    def purpose(self) -> dict[str, Any]:
        """The options that must be the same in each run of a job."""
        return {
            "sources": list(map(without_credentials, self.sources)),
            "include": [expression.pattern for expression in self.include],
            "exclude": [expression.pattern for expression in self.exclude],
            "all_pages": self.all_pages,
            "chunks": self.chunks,
        }


def check_new(output: str) -> None:
    """Raise InputError if the output exists and is not empty."""
    path = Path(output)
    if output != STDOUT and path.is_file() and path.stat().st_size:
        repair = "give --overwrite, or go on with the crawl that wrote it by its --job"
        raise InputError(f"{output} is there already: name another file, {repair}")


class CrawlJournal(Journal):
    """The journal of a crawl's requests and rows.

    ::

        {"run": {...}, "output": PATH, "fields": [...]}
        {"keep": DIGEST, "end": OFFSET}                 a row is in the output, up to this offset
        {"stop": OFFSET}                                the run ended by itself

    If the output is written in one piece, "keep" and "done" lines are written after the output is
    complete. Raise InputError as `Journal`, or if the output cannot be continued.
    """

    def __init__(self, order: CrawlOrder, folder: str) -> None:
        self.kept: set[str] = set()  #: digests of the rows that were kept
        self.end = 0  #: offset in the output at which the next row begins
        self._order = order
        self._is_stopped = False  #: whether the previous run ended by itself
        #: Lines that are written when the output is complete.
        self._waiting: list[bytes] = []
        super().__init__("--job", folder, order.purpose)

    def done(self, number: int) -> None:
        """Write that a request is answered."""
        self._write_stored({"done": number})

    def keep(self, digest: str, end: int) -> None:
        """Write that a row is in the output; ``end`` is the length of the output now."""
        self.end = end
        self._write_stored({"keep": digest, "end": end})

    def stored(self) -> None:
        """Write the waiting lines and the "stop" line; call it when the output is complete."""
        self.write(b"".join([*self._waiting, line_of({"stop": self.end})]))

    def _take(self, entry: dict[str, Any]) -> None:
        if "run" in entry and (self.last is None or entry["output"] != self.last["output"]):
            self.end = 0
        if "keep" in entry:
            self.kept.add(entry["keep"])
            self.end = entry["end"]
        elif "stop" not in entry:
            super()._take(entry)
        self._is_stopped = "stop" in entry

    def _run(self) -> dict[str, Any]:
        """Check the output, and cut off the incomplete row of a killed run."""
        order = self._order
        output = order.output if order.output == STDOUT else str(Path(order.output).resolve())
        if self.last is None or self.last["output"] != output or order.is_whole:
            self.end = 0
            check_new(order.output)
        elif output != STDOUT:
            if self.last["fields"] != order.columns:
                columns = ",".join(self.last["fields"])
                words = f"{columns}: repeat them with --fields, or name another file"
                raise InputError(f"{order.output} has the columns {words}")
            size = os.path.getsize(output) if os.path.isfile(output) else 0
            if size < self.end or (size > self.end and self._is_stopped):
                repair = "put the file back" if size < self.end else "take out what was added"
                words = f"{size} bytes, and the job wrote {self.end}: {repair}"
                raise InputError(f"{order.output} has {words}, or name another file")
            if size > self.end:  # half a row of a run that was killed
                os.truncate(output, self.end)
        return {"output": output, "fields": order.columns}

    def _write_stored(self, entry: dict[str, Any]) -> None:
        if self._order.is_whole:
            self._waiting.append(line_of(entry))
        else:
            self.write(line_of(entry))


class RowStore:
    """Writes rows to the output of a crawl.

    The output is locked at once, and opened for writing at the first row. Each line is flushed
    immediately. A file that is written in one piece gets its name when `close` has written all
    rows. Raise InputError or MissingExtraError if no row can be written, or if the job cannot
    continue.
    """

    def __init__(self, order: CrawlOrder) -> None:
        self.order = order
        self.rows = 0  #: number of stored rows
        self._fault: str | None = None
        self._stack = ExitStack()
        self._file: Any = None
        self._exporter: Any = None
        self._options: dict[str, Any] = {"fields_to_export": order.columns, "indent": 0}
        if order.output != STDOUT:
            self._options["encoding"] = "utf-8"
        elif sys.stdout is None:
            raise InputError("Standard output is closed: name a file with -o")
        jsonl = FEED_EXPORTERS_BASE["jsonl"]
        exporters = {**FEED_EXPORTERS_BASE, "ndjson": jsonl, "parquet": PARQUET_EXPORTER}
        self._class = load_object(exporters[order.form[1:]])
        if order.form == ".parquet":
            from scrapy_webtext.arrow import RESULT_TYPES, arrow_type

            chunk = {name: arrow_type(t) for name, t in get_type_hints(Chunk).items()}
            self._options["types"] = RESULT_TYPES | chunk
        self.job = CrawlJournal(order, order.job) if order.job is not None else None
        self._digests = self.job.kept if self.job is not None else set()
        self._end = self.job.end if self.job is not None else 0
        self._lock = None if order.output == STDOUT else lock_output(order.output)
        if order.form == ".csv":
            self._options["include_headers_line"] = not self._end

    @property
    def fault(self) -> str | None:
        """Return why no row can be stored any more; None if there is no fault."""
        return self._fault or (self.job.fault if self.job is not None else None)

    def keep(self, row: dict[str, Any]) -> str | None:
        """Store an item and return None, or return why not ("no_text", "copies").

        Raise OSError if the output or the job cannot be written.
        """
        for name, date in row.pop("listed", {}).items():
            moment = read_date(date) if name in row and not row[name] else None
            if moment is not None:  # the page itself declares no date
                row[name] = str(moment)
        if not row.get("main_text") and (self.order.chunks or not self.order.all_pages):
            return "no_text"  # a text that is empty has no chunks
        text = row.get("main_text") or row["url"]
        digest = blake2b(text.encode("utf-8", "replace"), digest_size=16).hexdigest()
        if digest in self._digests:
            return "copies"
        try:
            if self.fault is not None:
                raise OSError(self.fault)
            if self._exporter is None:
                self._open()
            rows = [row]
            if most := self.order.chunks:
                chunks = chunks_of(text, row["blocks"] or [], most)
                rows = [{**row, **chunk._asdict()} for chunk in chunks]
            for one in rows:
                self._exporter.export_item(one)
            if not self.order.is_whole:
                self._file.flush()
                self._end = self._file.tell() if self._file.seekable() else 0
        except Exception as error:
            self._fail(error)
            raise OSError(self.fault) from error
        self._digests.add(digest)
        self.rows += 1
        if self.job is not None:
            self.job.keep(digest, self._end)
        return None

    def close(self) -> None:
        """Finish the output and close the job; after this ``rows`` and ``fault`` do not change."""
        try:
            with self._stack:
                if self.fault is not None:
                    raise OSError(self.fault)  # an incomplete file must not get its name
                if self._exporter is not None:
                    self._exporter.finish_exporting()
        except Exception as error:
            self._fail(error)
        if self.fault is not None and self.order.is_whole:
            self.rows = 0
        elif self.fault is not None and self.order.output != STDOUT:
            with suppress(OSError):  # remove an incomplete row; a device cannot be cut
                os.truncate(self.order.output, self._end)
        if self.job is not None:
            if self.fault is None:
                self.job.stored()
            self.job.close()
        if self._lock is not None:
            with suppress(OSError):  # remove an output without rows
                if not os.path.getsize(self.order.output):
                    os.unlink(self.order.output)
            self._lock.close()

    def _open(self) -> None:
        output = self.order.output
        if self.order.is_whole:
            self._file = self._stack.enter_context(whole_file(output))
        else:
            place: Any = os.dup(sys.stdout.fileno()) if output == STDOUT else output
            mode = "ab" if self._end else "wb"
            self._file = self._stack.enter_context(open(place, mode))  # noqa: SIM115
        self._exporter = self._class(self._file, **self._options)
        self._exporter.start_exporting()

    def _fail(self, error: Exception) -> None:
        if self.fault is None:
            name = "Standard output" if self.order.output == STDOUT else self.order.output
            reason = error.strerror if isinstance(error, OSError) else None
            self._fault = f"{name} cannot be written: {reason or describe(error)}"


def lock_output(output: str) -> IO[bytes] | None:
    """Open and lock an output, which is created if missing; return the open file.

    Return None for a device or a pipe, and on Windows, which has no such locks. Raise InputError if
    another crawl has locked the output.
    """
    if os.name != "posix" or (os.path.exists(output) and not os.path.isfile(output)):
        return None
    try:
        file = open(output, "ab")  # noqa: SIM115
    except OSError as error:
        raise InputError(f"{output} cannot be written: {error.strerror or error}") from None
    lock_file(file, f"{output} is written by another crawl: wait for its end, or name another file")
    return file
