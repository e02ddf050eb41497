"""The job folder of ``scrapy webtext crawl``: a journal to which each run appends its steps.

``crawl.jsonl`` has one JSON object per line, known by its first key::

    {"run": {...}, "output": FILE, "fields": [...]}   a run begins
    {"ask": NUMBER, "url": ..., ...}                  a request is in the queue
    {"keep": DIGEST, "end": OFFSET}                   a row is in the output, up to this offset
    {"done": NUMBER}                                  a request is answered, its row is kept

A line is written after the step that it reports. So a run that was killed leaves requests that are
asked and not done, and the next run asks for them again. If the output is written in one piece, the
last two kinds of line are written after it. A line that is no JSON is half a line of a killed run.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from scrapy_webtext.cli.crawl import CrawlOrder, check_new
from scrapy_webtext.cli.output import STDOUT, lock_file
from scrapy_webtext.errors import InputError
from scrapy_webtext.log_text import describe, shown

JOURNAL: Final = "crawl.jsonl"


class CrawlJob:
    """The journal of a job, open and locked for one run.

    InputError if the folder is no job, if its crawl is another or is running, or if its output
    cannot be continued.
    """

    def __init__(self, order: CrawlOrder) -> None:
        assert order.job is not None
        self.fault: str | None = None  #: the error of a write, after which nothing is written
        self.kept: set[str] = set()  #: digests of the rows that were kept
        self.end = 0  #: offset in the output, where the next row goes
        self.is_resumed = False
        self._name = order.job
        self._path = Path(order.job, JOURNAL)
        self._done: set[int] = set()
        self._count = 0
        #: Lines that wait until the output is whole; None if it is written row by row.
        self._waiting: list[bytes] | None = [] if order.is_whole else None
        self._file = self._open()
        try:
            self._begin(order, self._read(order))
        except BaseException:
            self._file.close()
            raise

    def ask(self, entry: dict[str, Any]) -> int:
        """Write a request and return its number."""
        self._count += 1
        self._write(_line({"ask": self._count, **entry}))
        return self._count

    def keep(self, digest: str, end: int) -> None:
        """Write that a row is in the output, which ends at this offset now."""
        self._write_with_output({"keep": digest, "end": end})

    def done(self, number: int) -> None:
        """Write that a request is answered."""
        self._write_with_output({"done": number})

    def asked(self) -> Iterator[tuple[dict[str, Any], bool]]:
        """Yield each request of earlier runs, and whether it must be asked again."""
        for entry in self._entries():
            if "ask" in entry:
                yield entry, entry["ask"] not in self._done

    def close(self, is_stored: bool = True) -> None:
        """Close the journal and unlock it; ``is_stored`` is whether the output is complete."""
        if self._waiting and is_stored:
            self._write(b"".join(self._waiting))
        self._file.close()

    def _open(self) -> Any:
        folder = self._path.parent
        try:
            if folder.exists() and not folder.is_dir():
                raise InputError(f"--job {self._name} is a file: name a folder")
            is_job = self._path.is_file()
            if folder.is_dir() and not is_job and any(folder.iterdir()):
                raise self._no_job()
            folder.mkdir(parents=True, exist_ok=True)
            file = self._path.open("ab", buffering=0)
        except OSError as error:
            reason = error.strerror or error
            raise InputError(f"--job {self._name} cannot be used: {reason}") from None
        lock_file(
            file,
            f"--job {self._name} is in use: wait until the other run ends, or name another folder",
        )
        return file

    def _no_job(self) -> InputError:
        return InputError(
            f"--job {self._name} is not empty and no job of a crawl: name a new folder"
        )

    def _entries(self) -> Iterator[dict[str, Any]]:
        with self._path.open("rb") as file:
            for line in file:
                try:
                    yield json.loads(line)
                except ValueError:
                    continue

    def _read(self, order: CrawlOrder) -> dict[str, Any] | None:
        """Read the steps of earlier runs; return the entry of the last run."""
        last = None
        try:
            for entry in self._entries():
                if "run" in entry:
                    if last is None or entry["output"] != last["output"]:
                        self.end = 0
                    last = entry
                elif "ask" in entry:
                    self._count = entry["ask"]
                elif "done" in entry:
                    self._done.add(entry["done"])
                else:
                    self.kept.add(entry["keep"])
                    self.end = entry["end"]
        except (KeyError, TypeError):  # of another program
            raise self._no_job() from None
        if last is None and self._path.stat().st_size:
            raise self._no_job()
        if last is not None and last["run"] != order.purpose:
            raise InputError(
                f"--job {self._name} is of another crawl, {shown(json.dumps(last['run']))}: "
                "repeat its addresses and options, or name another folder"
            )
        return last

    def _begin(self, order: CrawlOrder, last: dict[str, Any] | None) -> None:
        output = order.output if order.output == STDOUT else str(Path(order.output).resolve())
        if last is None or last["output"] != output or order.is_whole:
            self.end = 0
            check_new(order.output)
        elif output != STDOUT:
            self._cut(order, last["fields"])
        self.is_resumed = last is not None
        self._write(b"\n" * self.is_resumed)  # the last line may be half a line
        self._write(_line({"run": order.purpose, "output": output, "fields": order.fields}))
        if self.fault is not None:
            raise InputError(f"--job {self.fault}")

    def _cut(self, order: CrawlOrder, columns: list[str]) -> None:
        """Remove half a row from the output; InputError if the job did not write this output."""
        if columns != order.fields:
            raise InputError(
                f"{order.output} has the columns {','.join(columns)}: repeat them with --fields, "
                "or name another file"
            )
        is_there = Path(order.output).is_file()
        size = Path(order.output).stat().st_size if is_there else 0
        if size < self.end:
            raise InputError(
                f"{order.output} has {size} bytes, and the job wrote {self.end}: put the file "
                "back, or name another file"
            )
        if is_there:
            os.truncate(order.output, self.end)

    def _write_with_output(self, entry: dict[str, Any]) -> None:
        if self._waiting is None:
            self._write(_line(entry))
        else:
            self._waiting.append(_line(entry))

    def _write(self, content: bytes) -> None:
        try:
            while content and self.fault is None:
                content = content[self._file.write(content) :]
        except OSError as error:
            self.fault = f"{self._name} cannot be written: {error.strerror or describe(error)}"


def _line(entry: dict[str, Any]) -> bytes:
    return json.dumps(entry, separators=(",", ":")).encode() + b"\n"
