"""The outputs of the command: standard output, files that appear whole or not at all, progress."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from secrets import token_hex
from time import monotonic
from typing import IO, Any, BinaryIO, Final

from scrapy_webtext.errors import CONTROLS, InputError, printable, without_controls

STDOUT: Final = "-"

PAUSE: Final = 30  #: seconds between two lines of progress

#: None on Windows, where no file is locked.
fcntl: Any = import_module("fcntl") if os.name == "posix" else None


class Output:
    """Writes text as UTF-8; on a terminal with control characters escaped."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._is_terminal = stream.isatty()

    def write(self, text: str) -> None:
        """Write a text; lone surrogates, which UTF-8 does not have, become question marks."""
        if self._is_terminal:
            text = without_controls(text)
        self._stream.write(text.encode("utf-8", "replace"))


def json_text(value: Any, indent: int | None = None) -> str:
    """Return a value as JSON; control characters are escaped."""
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    return CONTROLS.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


@contextmanager
def writing(path: str | None) -> Iterator[Output]:
    """Yield an output for a path, or for standard output if it is None or ``-``."""
    if path is None or path == STDOUT:
        if sys.stdout is None:
            raise InputError("Standard output is closed: name a file with -o")
        yield Output(sys.stdout.buffer)
        sys.stdout.buffer.flush()
        return
    with whole_file(path) as stream:
        yield Output(stream)


@contextmanager
def whole_file(path: str) -> Iterator[BinaryIO]:
    """Yield a file that gets its name when it is complete.

    It is written under another name in the same folder and renamed at the end: an error leaves the
    content that the file had before. Raise InputError if the path cannot be written. Links are not
    followed, because other users may have made them.
    """
    check_file(path)
    target = Path(path)
    if target.exists() and not target.is_file():
        with target.open("wb") as stream:  # a device or a pipe: nothing to rename
            yield stream
        return
    # Other users cannot guess this name, so they cannot put a link there.
    partial = target.with_name(f".webtext-{token_hex(8)}.partial")
    try:
        with partial.open("xb") as stream:
            yield stream
        if target.exists():
            shutil.copymode(target, partial)
        partial.replace(target)
    finally:
        partial.unlink(missing_ok=True)


def write_file(path: str | None, text: str) -> None:
    """Write a text to a file, whole or not at all, or to standard output."""
    with writing(path) as output:
        output.write(text)


def check_file(path: str | None) -> None:
    """Raise InputError if an output cannot be written, before any work is done for it."""
    if path is None or path == STDOUT:
        return
    if not path.strip():
        raise InputError(f"{path!r} is no name of a file")
    target = Path(path)
    parent = target.absolute().parent
    if target.is_dir():
        raise InputError(f"{path} is a folder: name a file in it")
    if target.exists() and not target.is_file():  # a device or a pipe
        return
    if target.is_symlink():
        raise InputError(f"{path} is a link: name the file that it leads to, {target.readlink()}")
    if not parent.is_dir():
        raise InputError(f"Cannot write {path}: there is no folder {parent}")
    if not os.access(parent, os.W_OK):
        raise InputError(f"Cannot write {path}: the folder {parent} may not be written to")


def check_folder(path: str) -> None:
    """Raise InputError unless a folder is empty, or can be made."""
    folder = Path(path)
    if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
        raise InputError(f"{path} is no folder: name a new one")
    if folder.is_dir() and any(folder.iterdir()):
        raise InputError(f"{path} is not empty: name a new folder")
    check_file(str(folder.absolute() / "index.html") if folder.is_dir() else path)


def write_folder(path: str, files: Iterable[tuple[str, str]]) -> None:
    """Write files, given by name and text, to a new folder."""
    check_folder(path)
    for name, text in files:
        Path(path, name).parent.mkdir(parents=True, exist_ok=True)
        Path(path, name).write_text(text, encoding="utf-8", errors="replace")


def lock_file(file: IO[Any], refusal: str) -> None:
    """Lock an open file until it is closed; raise InputError if another process has locked it."""
    try:
        if fcntl is not None:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        raise InputError(refusal) from None
    except OSError:  # the file system has no locks
        pass


class Progress:
    """A progress bar up to ``total`` pages (None if unknown).

    It is drawn only on a terminal, if tqdm is installed and ``total`` is not 1. Otherwise a line is
    printed every `PAUSE` seconds.
    """

    def __init__(self, total: int | None) -> None:
        self._bar: Any = None
        self._count, self._said = 0, monotonic()
        if sys.stderr.isatty() and total != 1:
            with suppress(ImportError):
                tqdm = import_module("tqdm").tqdm
                self._bar = tqdm(total=total, unit=" pages", leave=False, file=sys.stderr)

    def step(self, count: int = 1) -> None:
        """Add ``count`` pages to the progress."""
        if self._bar is not None:
            self._bar.update(count)
        self._count += count
        if self._bar is None and monotonic() - self._said > PAUSE:
            self._said = monotonic()
            self.say(f"{self._count:,} pages")

    def say(self, line: str) -> None:
        """Print a line above the bar, with unprintable characters escaped."""
        if self._bar is not None:
            self._bar.clear()
        print(printable(line), file=sys.stderr, flush=True)

    def close(self) -> None:
        """Remove the bar."""
        if self._bar is not None:
            self._bar.close()
