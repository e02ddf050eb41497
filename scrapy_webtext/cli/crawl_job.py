"""The job folder of ``scrapy webtext crawl``: one file, to which each run appends what it does.

``crawl.jsonl`` has one JSON object per line, known by its first key::

    {"run": {...}, "output": FILE, "fields": [...]}   a run begins
    {"ask": NUMBER, "url": ..., ...}                  a request is in the queue
    {"keep": DIGEST, "end": OFFSET}                   a row is in the output, up to this offset
    {"done": NUMBER}                                  a request is answered, its row is kept
    {"whole": true}                                   an output that is written in one piece exists

A line is written after what it reports. So a run that was killed leaves requests that are asked and
not done, and the next run asks for them again.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from scrapy_webtext.cli.crawl import CrawlOrder, check_new, is_whole
from scrapy_webtext.cli.output import STDOUT
from scrapy_webtext.errors import InputError
from scrapy_webtext.log_text import describe, shown

JOURNAL: Final = "crawl.jsonl"

# There are locks of files on POSIX only.
_fcntl: Any = import_module("fcntl") if os.name == "posix" else None


class CrawlJob:
    """The journal of a job, open and locked for one run.

    InputError if the folder is no job, is that of another crawl or of one that runs, or if its
    output cannot be continued.
    """

    def __init__(self, order: CrawlOrder) -> None:
        assert order.job is not None
        self.fault: str | None = None  #: why the journal cannot be written any more
        self.kept: set[bytes] = set()  #: digests of the rows that were kept
        self.end = 0  #: offset in the output, where the next row goes
        self._name = order.job
        self._path = Path(order.job, JOURNAL)
        self._done: set[int] = set()
        self._count = 0
        self._ends: dict[str, int] = {}  #: output -> offset behind its last row
        self._fields: dict[str, list[str]] = {}
        self._file = self._open()
        try:
            self._read(order)
            self.is_resumed = bool(self._fields)
            self._check_output(order)
            self._begin(order)
        except BaseException:
            self._file.close()
            raise

    def ask(self, entry: dict[str, Any]) -> int:
        """Note a request and return its number."""
        self._count += 1
        self._append({"ask": self._count, **entry})
        return self._count

    def keep(self, digest: bytes, end: int) -> None:
        """Note that a row is in the output, which ends at this offset now."""
        self._append({"keep": digest.hex(), "end": end})

    def done(self, number: int) -> None:
        """Note that a request is answered."""
        self._append({"done": number})

    def whole(self) -> None:
        """Note that the output, which is written in one piece, exists."""
        self._append({"whole": True})

    def asked(self) -> Iterator[tuple[dict[str, Any], bool]]:
        """Yield each request of earlier runs, and whether it is to be asked again."""
        for entry in self._lines():
            if "ask" in entry:
                yield entry, entry["ask"] not in self._done

    def close(self) -> None:
        """Close the journal, which also unlocks it."""
        self._file.close()

    def _open(self) -> Any:
        folder = self._path.parent
        try:
            if folder.exists() and not folder.is_dir():
                raise InputError(f"--job {self._name} is a file: name a folder")
            if folder.is_dir() and not self._path.is_file() and any(folder.iterdir()):
                raise InputError(
                    f"--job {self._name} is not empty and no job of a crawl: name a new folder"
                )
            folder.mkdir(parents=True, exist_ok=True)
            file = self._path.open("ab+", buffering=0)
        except OSError as error:
            reason = error.strerror or error
            raise InputError(f"--job {self._name} cannot be used: {reason}") from None
        if _fcntl is not None:
            try:
                _fcntl.flock(file, _fcntl.LOCK_EX | _fcntl.LOCK_NB)
            except BlockingIOError:
                file.close()
                raise InputError(
                    f"--job {self._name} is in use: wait until the other run ends, or name "
                    "another folder"
                ) from None
            except OSError:  # a file system without locks
                pass
        return file

    def _lines(self) -> Iterator[dict[str, Any]]:
        """Yield the whole lines; InputError for one that is damaged."""
        with self._path.open("rb") as file:
            for number, line in enumerate(file, 1):
                if not line.endswith(b"\n"):  # of a run that was killed
                    return
                try:
                    entry = json.loads(line)
                except ValueError:
                    raise InputError(
                        f"Line {number} of {self._path} is damaged: name a new folder with --job"
                    ) from None
                yield entry

    def _read(self, order: CrawlOrder) -> None:
        """Learn what earlier runs did; what they did not write in one piece was not kept."""
        output, waiting = STDOUT, False
        done: set[int] = set()
        kept: set[bytes] = set()
        for entry in self._lines():
            if "run" in entry:
                if entry["run"] != order.purpose:
                    raise InputError(
                        f"--job {self._name} is of another crawl, "
                        f"{shown(json.dumps(entry['run']))}: repeat its addresses and options, or "
                        "name another folder"
                    )
                output = entry["output"]
                waiting = is_whole(output)
                self._fields[output] = entry["fields"]
                self._ends.setdefault(output, 0)
                done, kept = (set(), set()) if waiting else (self._done, self.kept)
            elif "ask" in entry:
                self._count = entry["ask"]
            elif "done" in entry:
                done.add(entry["done"])
            elif "keep" in entry:
                kept.add(bytes.fromhex(entry["keep"]))
                self._ends[output] = entry["end"]
            elif waiting:
                self._done |= done
                self.kept |= kept

    def _check_output(self, order: CrawlOrder) -> None:
        output = _absolute(order.output)
        if output == STDOUT:
            return
        if output not in self._fields:
            check_new(order.output)
            return
        there = self._fields[output]
        if order.is_whole:
            if Path(output).exists():
                raise InputError(
                    f"{order.output} is written in one piece: name another file for what comes now"
                )
            return
        if there != order.fields:
            raise InputError(
                f"{order.output} has the columns {','.join(there)}: repeat them with --fields, or "
                "name another file"
            )
        self.end = self._ends[output]
        if not self.end:
            check_new(order.output)
        path = Path(output)
        size = path.stat().st_size if path.is_file() else 0
        if size < self.end:
            raise InputError(
                f"{order.output} has {size} bytes, and the job wrote {self.end}: put the file "
                "back, or name another one for what comes now"
            )

    def _begin(self, order: CrawlOrder) -> None:
        content = self._path.read_bytes()
        if not content.endswith(b"\n"):  # what a killed run left of its last line
            self._file.truncate(content.rfind(b"\n") + 1)
        self._append(
            {
                "run": order.purpose,
                "output": _absolute(order.output),
                "fields": order.fields,
            }
        )
        if self.fault is not None:
            raise InputError(f"--job {self.fault}")

    def _append(self, entry: dict[str, Any]) -> None:
        if self.fault is not None:
            return
        line = json.dumps(entry, separators=(",", ":")).encode() + b"\n"
        try:
            while line:
                line = line[self._file.write(line) :]
        except OSError as error:
            self.fault = f"{self._name} cannot be written: {error.strerror or describe(error)}"


def _absolute(output: str) -> str:
    return output if output == STDOUT else str(Path(output).resolve())
