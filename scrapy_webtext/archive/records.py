"""Where the records of a WARC file begin and end; what is damaged costs its own record, no more.

Common Crawl's files hold one gzip member per record: after a damaged member the next one is found
by its magic number. Other files, uncompressed or compressed as a whole, are cut by the records'
own lengths, and after a fault at the next line that begins a record.
"""

from __future__ import annotations

import gzip
import re
import zlib
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple, Protocol

CHUNK: Final = 1 << 16
MAGIC: Final = b"\x1f\x8b\x08"
VERSION: Final = b"WARC/"
END_OF_HEADER: Final = b"\r\n\r\n"
END_OF_RECORD: Final = b"\r\n\r\n"
GZIP: Final = 31  #: zlib's ``wbits`` for gzip members

#: WARC and HTTP headers may take this much beside the body.
HEADERS_SIZE: Final = 1 << 16

_VERSION_LINE: Final = re.compile(rb"WARC/\d\.\d+\r\n")
_LENGTH: Final = re.compile(rb"\r\ncontent-length:[ \t]*(\d{1,18})[ \t]*(?=\r\n|$)", re.IGNORECASE)


class File(Protocol):
    """A binary file."""

    def read(self, size: int = ..., /) -> bytes:
        """Return so many bytes, fewer at the end."""
        ...

    def seek(self, offset: int, /) -> int:
        """Go there."""
        ...


class Piece(NamedTuple):
    """The bytes of one record, or why there are none."""

    offset: int  #: in the file; in the uncompressed stream where it is compressed as a whole
    data: bytes  #: up to the limit that was given
    fault: str | None = None


def read_records(file: File, limit: int) -> Iterator[Piece]:
    """Yield the records of a WARC file, of each at most about ``limit`` bytes."""
    start = file.read(len(MAGIC))
    file.seek(0)
    if start != MAGIC:
        return _cut(_Stream(file.read), limit)
    if _is_one_member(file):
        # read1: what could be inflated before a fault is not lost with it.
        return _cut(_Stream(gzip.GzipFile(fileobj=file, mode="rb").read1), limit)
    return _members(file, limit)


def content_length(header: bytes) -> int | None:
    """Length that the header of a record states, or None where it is no such header."""
    found = _LENGTH.search(header) if header.startswith(VERSION) else None
    return int(found[1]) if found else None


def _is_one_member(file: File) -> bool:
    """Whether the first gzip member goes on behind the first record."""
    try:
        begun = zlib.decompressobj(GZIP).decompress(file.read(CHUNK), 4 * CHUNK)
    except zlib.error:
        return False
    finally:
        file.seek(0)
    end = begun.find(END_OF_HEADER)
    length = content_length(begun[:end]) if end >= 0 else None
    if length is None:
        return False
    return begun[end + 4 + length :].lstrip(b"\r\n").startswith(VERSION)


def _members(file: File, limit: int) -> Iterator[Piece]:
    """Yield one piece per gzip member."""
    offset: int | None = 0
    while offset is not None:
        file.seek(offset)
        data, size, consumed, fault = _inflate(file, limit)
        if not consumed:
            return
        yield Piece(offset, data, fault or _misfit(data, size))
        offset = _next_member(file, offset + 1) if fault else offset + consumed


def _inflate(file: File, limit: int) -> tuple[bytes, int, int, str | None]:
    """Return one member's data up to the limit, its size, the bytes it took, and its fault."""
    inflate = zlib.decompressobj(GZIP)
    kept: list[bytes] = []
    size = consumed = 0
    try:
        while not inflate.eof:
            chunk = inflate.unconsumed_tail
            if not chunk:
                chunk = file.read(CHUNK)
                consumed += len(chunk)
                if not chunk:
                    return b"", size, consumed, f"the file ends {consumed} bytes into this record"
            data = inflate.decompress(chunk, 16 * CHUNK)
            if size < limit:
                kept.append(data)
            size += len(data)
    except zlib.error as error:
        return b"", size, consumed, f"damaged gzip data ({error})"
    return b"".join(kept), size, consumed - len(inflate.unused_data), None


def _next_member(file: File, offset: int) -> int | None:
    """Offset of the next gzip member that begins a record, or None."""
    enough = 512  # bytes of a member that show how it begins
    file.seek(offset)
    window = b""
    while True:
        chunk = file.read(CHUNK)
        window += chunk
        at = window.find(MAGIC)
        while at >= 0 and (len(window) - at >= enough or not chunk):
            if _begins_record(window[at : at + enough]):
                return offset + at
            at = window.find(MAGIC, at + 1)
        if not chunk:
            return None
        passed = at if at >= 0 else max(0, len(window) - len(MAGIC) + 1)
        window = window[passed:]
        offset += passed


def _begins_record(data: bytes) -> bool:
    try:
        return zlib.decompressobj(GZIP).decompress(data, len(VERSION)) == VERSION
    except zlib.error:
        return False


def _misfit(data: bytes, size: int) -> str | None:
    """Why these bytes are not one whole record, or None; ``size`` is their number uncut."""
    end = data.find(END_OF_HEADER)
    length = content_length(data[:end]) if end >= 0 else None
    if length is None:
        return "no WARC header"
    stated = end + 4 + length
    if size < stated:
        return f"cut off: {size} of {stated} bytes"
    if size - stated > 4 and data[stated:].strip(b"\r\n"):
        return f"too long: {size} bytes where the header states {stated}"
    return None


class _Stream:
    """A stream that can be looked at before it is taken."""

    def __init__(self, read: Callable[[int], bytes]) -> None:
        self._read = read
        self.window = b""
        self.offset = 0  #: of the window in the stream

    def find(self, mark: bytes, within: int) -> int:
        """Place of the mark in the window, -1 if it is not within so many bytes."""
        at = self.window.find(mark)
        while at < 0 and len(self.window) < within and self.more():
            at = self.window.find(mark)
        return at

    def more(self) -> bool:
        """Read on; False at the end."""
        chunk = self._read(CHUNK)
        self.window += chunk
        return bool(chunk)

    def take(self, size: int, limit: int) -> tuple[bytes, int]:
        """Take so many bytes; return them up to the limit, and how many there were."""
        kept: list[bytes] = []
        taken = 0
        while taken < size and (self.window or self.more()):
            piece = self.window[: size - taken]
            self.window = self.window[len(piece) :]
            if taken < limit:
                kept.append(piece)
            taken += len(piece)
        self.offset += taken
        return b"".join(kept), taken

    def put_back(self, data: bytes) -> None:
        """Undo the taking of the last bytes."""
        self.window = data + self.window
        self.offset -= len(data)

    def at_record(self) -> bool:
        """Pass over ends of lines; whether a record begins here, or the stream is at its end."""
        while True:
            blank = len(self.window) - len(self.window.lstrip(b"\r\n"))
            self.take(blank, 0)
            if len(self.window) >= len(VERSION) or not self.more():
                return not self.window or self.window.startswith(VERSION)

    def to_record(self) -> None:
        """Pass over everything before the next line that begins a record, wherever it stands."""
        while not (found := _VERSION_LINE.search(self.window)):
            self.take(max(0, len(self.window) - len(VERSION) - 5), 0)
            if not self.more():
                self.take(len(self.window), 0)
                return
        self.take(found.start(), 0)


def _cut(stream: _Stream, limit: int) -> Iterator[Piece]:
    """Yield the records of a stream."""
    try:
        while True:
            if not stream.at_record():
                yield Piece(stream.offset, b"", "no WARC header")
                stream.to_record()
            if not stream.window:
                return
            yield _one_record(stream, limit)
    except (OSError, EOFError, zlib.error) as error:
        fault = f"damaged gzip data, the rest of the file is lost ({error})"
        yield Piece(stream.offset, b"", fault)


def _one_record(stream: _Stream, limit: int) -> Piece:
    start = stream.offset
    end = stream.find(END_OF_HEADER, HEADERS_SIZE)
    length = content_length(stream.window[:end]) if end >= 0 else None
    if length is None:
        stream.take(len(VERSION), 0)
        stream.to_record()
        return Piece(start, b"", "no WARC header")
    stated = end + 4 + length
    data, size = stream.take(stated, limit)
    if size == stated and (stream.find(END_OF_RECORD, 4) == 0 or stream.at_record()):
        return Piece(start, data)
    # The length is wrong, so that other records may lie in what was taken.
    fault = f"cut off: {size} of {stated} bytes" if size < stated else "no record behind this one"
    if len(data) == size:
        stream.put_back(data[end:])
    stream.to_record()
    return Piece(start, b"", fault)
