"""The journal in the folder of a job, to which each run appends its steps.

``requests.jsonl`` has one JSON object per line, known by its first key::

    {"run": {...}}                                    a run begins
    {"ask": NUMBER, "url": ..., ...}                  a request is in the queue
    {"done": NUMBER}                                  a request is answered, its items are stored

``scrapy webtext crawl`` adds ``"output"`` and ``"fields"`` to the run, and for each row

    {"keep": DIGEST, "end": OFFSET}                   it is in the output, up to this offset

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

JOURNAL: Final = "requests.jsonl"


class Journal:
    """The journal of a job, open and locked for one run.

    ``option`` names the folder in errors; ``purpose`` must be the same in each run. InputError if
    the folder is no job, or if its crawl is another or is running.
    """

    def __init__(self, option: str, folder: str, purpose: dict[str, Any]) -> None:
        self.fault: str | None = None  #: the error of a write, after which nothing is written
        self.count = 0  #: number of the last request
        self._name = f"{option} {folder}"
        self._path = Path(folder, JOURNAL)
        self._run: dict[str, Any] = {"run": purpose}
        self._last: dict[str, Any] | None = None  #: the same of the run before
        self._done: set[int] = set()
        self._file = self._open()
        try:
            self._read()
            self._begin()
        except BaseException:
            self._file.close()
            raise

    @property
    def is_resumed(self) -> bool:
        """Whether the run continues an earlier one."""
        return self._last is not None

    def ask(self, entry: dict[str, Any]) -> int:
        """Write a request and return its number."""
        self.count += 1
        self._write(_line({"ask": self.count, **entry}))
        return self.count

    def done(self, number: int) -> None:
        """Write that a request is answered."""
        self._write_step({"done": number})

    def asked(self) -> Iterator[tuple[dict[str, Any], bool]]:
        """Yield each request of earlier runs, and whether it must be asked again."""
        for entry in self._entries():
            if "ask" in entry:
                yield entry, entry["ask"] not in self._done

    def close(self) -> None:
        """Close the journal and unlock it."""
        self._file.close()

    def _open(self) -> Any:
        folder = self._path.parent
        try:
            if folder.exists() and not folder.is_dir():
                raise InputError(f"{self._name} is a file: name a folder")
            is_job = self._path.is_file()
            if folder.is_dir() and not is_job and any(folder.iterdir()):
                raise self._no_job()
            folder.mkdir(parents=True, exist_ok=True)
            file = self._path.open("ab", buffering=0)
        except OSError as error:
            reason = error.strerror or error
            raise InputError(f"{self._name} cannot be used: {reason}") from None
        lock_file(
            file,
            f"{self._name} is in use: wait until the other run ends, or name another folder",
        )
        return file

    def _no_job(self) -> InputError:
        return InputError(f"{self._name} is not empty and no job of a crawl: name a new folder")

    def _entries(self) -> Iterator[dict[str, Any]]:
        with self._path.open("rb") as file:
            for line in file:
                try:
                    yield json.loads(line)
                except ValueError:
                    continue

    def _read(self) -> None:
        """Read the steps of earlier runs; InputError if they are of another crawl."""
        try:
            for entry in self._entries():
                self._take(entry)
        except (KeyError, TypeError):  # of another program
            raise self._no_job() from None
        if self._last is None and self._path.stat().st_size:
            raise self._no_job()
        if self._last is not None and self._last["run"] != self._run["run"]:
            raise InputError(
                f"{self._name} is of another crawl, {shown(json.dumps(self._last['run']))}: "
                "repeat its addresses and options, or name another folder"
            )

    def _take(self, entry: dict[str, Any]) -> None:
        if "run" in entry:
            self._last = entry
        elif "ask" in entry:
            self.count = entry["ask"]
        else:
            self._done.add(entry["done"])

    def _begin(self) -> None:
        """Write the first entry of this run."""
        self._write(b"\n" * self.is_resumed)  # the last line may be half a line
        self._write(_line(self._run))
        if self.fault is not None:
            raise InputError(self.fault)

    def _write_step(self, entry: dict[str, Any]) -> None:
        self._write(_line(entry))

    def _write(self, content: bytes) -> None:
        try:
            while content and self.fault is None:
                content = content[self._file.write(content) :]
        except OSError as error:
            self.fault = f"{self._name} cannot be written: {error.strerror or describe(error)}"


class CrawlJob(Journal):
    """The journal of a crawl with its output; InputError if the output cannot be continued."""

    def __init__(self, order: CrawlOrder) -> None:
        assert order.job is not None
        self.kept: set[str] = set()  #: digests of the rows that were kept
        self.end = 0  #: offset in the output, where the next row goes
        self._order = order
        #: Lines that wait until the output is whole; None if it is written row by row.
        self._waiting: list[bytes] | None = [] if order.is_whole else None
        super().__init__("--job", order.job, order.purpose)

    def keep(self, digest: str, end: int) -> None:
        """Write that a row is in the output, which ends at this offset now."""
        self._write_step({"keep": digest, "end": end})

    def close(self, is_stored: bool = True) -> None:
        """Close the journal and unlock it; ``is_stored`` is whether the output is complete."""
        if self._waiting and is_stored:
            self._write(b"".join(self._waiting))
        super().close()

    def _take(self, entry: dict[str, Any]) -> None:
        if "keep" in entry:
            self.kept.add(entry["keep"])
            self.end = entry["end"]
            return
        if "run" in entry and (self._last is None or entry["output"] != self._last["output"]):
            self.end = 0
        super()._take(entry)

    def _begin(self) -> None:
        order, last = self._order, self._last
        output = order.output if order.output == STDOUT else str(Path(order.output).resolve())
        if last is None or last["output"] != output or order.is_whole:
            self.end = 0
            check_new(order.output)
        elif output != STDOUT:
            self._cut(order, last["fields"])
        self._run.update(output=output, fields=order.fields)
        super()._begin()

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

    def _write_step(self, entry: dict[str, Any]) -> None:
        if self._waiting is None:
            super()._write_step(entry)
        else:
            self._waiting.append(_line(entry))


def _line(entry: dict[str, Any]) -> bytes:
    return json.dumps(entry, separators=(",", ":")).encode() + b"\n"
