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

    ``option`` names the folder in errors; ``purpose`` must be the same in each run. With the
    ``order`` of a crawl it has the rows of the output, too. InputError if the folder is no job, if
    its crawl is another or is running, or if the output cannot be continued.
    """

    def __init__(
        self, option: str, folder: str, purpose: dict[str, Any], order: CrawlOrder | None = None
    ) -> None:
        self.fault: str | None = None  #: the error of a write, after which nothing is written
        self.count = 0  #: number of the last request
        self.kept: set[str] = set()  #: digests of the rows that were kept
        self.end = 0  #: offset in the output, where the next row goes
        self._name = f"{option} {folder}"
        self._path = Path(folder, JOURNAL)
        self._last: dict[str, Any] | None = None  #: the first entry of the run before
        self._done: set[int] = set()
        #: Lines that wait until the output is whole; None if it is written row by row.
        self._waiting: list[bytes] | None = [] if order is not None and order.is_whole else None
        self._file = self._open()
        try:
            self._begin(purpose, order)
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
        self._write_stored({"done": number})

    def keep(self, digest: str, end: int) -> None:
        """Write that a row is in the output, which ends at this offset now."""
        self._write_stored({"keep": digest, "end": end})

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
                raise InputError(f"{self._name} is a file: name a folder")
            if folder.is_dir() and not self._path.is_file() and any(folder.iterdir()):
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

    def _begin(self, purpose: dict[str, Any], order: CrawlOrder | None) -> None:
        """Read the steps of earlier runs, and write the first entry of this run."""
        try:
            for entry in self._entries():
                self._take(entry)
        except (KeyError, TypeError):  # of another program
            raise self._no_job() from None
        if self._last is None and self._path.stat().st_size:
            raise self._no_job()
        if self._last is not None and self._last["run"] != purpose:
            raise InputError(
                f"{self._name} is of another crawl, {shown(json.dumps(self._last['run']))}: "
                "repeat its addresses and options, or name another folder"
            )

        run: dict[str, Any] = {"run": purpose}
        if order is not None:
            run.update(output=self._continue(order), fields=order.fields)
        self._write(b"\n" + _line(run))  # the last line may be half a line

    def _take(self, entry: dict[str, Any]) -> None:
        if "run" in entry:
            if self._last is None or entry.get("output") != self._last.get("output"):
                self.end = 0
            self._last = entry
        elif "ask" in entry:
            self.count = entry["ask"]
        elif "keep" in entry:
            self.kept.add(entry["keep"])
            self.end = entry["end"]
        else:
            self._done.add(entry["done"])

    def _continue(self, order: CrawlOrder) -> str:
        """Check the output, and remove half a row from it; return its path."""
        output = order.output if order.output == STDOUT else str(Path(order.output).resolve())
        if self._last is None or self._last["output"] != output or order.is_whole:
            self.end = 0
            check_new(order.output)
        elif output != STDOUT:
            if self._last["fields"] != order.fields:
                columns = ",".join(self._last["fields"])
                raise InputError(
                    f"{order.output} has the columns {columns}: repeat them with --fields, or name "
                    "another file"
                )
            size = os.path.getsize(output) if os.path.isfile(output) else 0
            if size < self.end:
                raise InputError(
                    f"{order.output} has {size} bytes, and the job wrote {self.end}: put the file "
                    "back, or name another file"
                )
            if size > self.end:
                os.truncate(output, self.end)
        return output

    def _write_stored(self, entry: dict[str, Any]) -> None:
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
