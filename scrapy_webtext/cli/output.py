"""Where results go: standard output, or a file that appears whole or not at all."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Final

from scrapy_webtext.errors import InputError

STDOUT: Final = "-"


class Output:
    """Takes text, writes UTF-8."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def write(self, text: str) -> None:
        """Write this text; what no encoding has (lone surrogates) becomes a question mark."""
        self._stream.write(text.encode("utf-8", "replace"))


@contextmanager
def writing(path: str | None) -> Iterator[Output]:
    """Give an output for this path, or for standard output where it is None or ``-``.

    A file is written under another name beside it and renamed at the end: an error leaves
    whatever was there before. InputError where the path cannot be written.
    """
    if path is None or path == STDOUT:
        yield Output(sys.stdout.buffer)
        sys.stdout.buffer.flush()
        return
    target = Path(path).resolve()
    if target.exists() and not target.is_file():
        if target.is_dir():
            raise InputError(f"{path} is a folder: name a file in it")
        with target.open("wb") as stream:  # a device or a pipe: nothing to rename
            yield Output(stream)
        return
    partial = target.with_name(f".{target.name}.{os.getpid()}.partial")
    try:
        stream = partial.open("wb")
    except OSError as error:
        raise InputError(f"Cannot write {path}: {error.strerror or error}") from None
    try:
        with stream:
            yield Output(stream)
        if target.exists():
            shutil.copymode(target, partial)
        partial.replace(target)
    finally:
        partial.unlink(missing_ok=True)


def write_file(path: str, text: str) -> None:
    """Write a whole file at once, as `writing` does."""
    with writing(path) as output:
        output.write(text)
