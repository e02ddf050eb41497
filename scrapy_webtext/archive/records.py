"""Where the records of a WARC file begin and end; what is damaged costs its own record, no more.

Common Crawl's files hold one gzip member per record (`members`). Other files, uncompressed or
compressed as a whole, are cut by the records' own lengths, and after a fault at the next line
that begins a record. A length is believed where a record or the end of the file stands behind it;
to see that takes time linear in the file, however many lengths are lies.
"""

from __future__ import annotations

import re
import zlib
from collections import deque
from collections.abc import Iterator
from math import inf
from typing import Final, NamedTuple, Protocol

CHUNK: Final = 1 << 16
VERSION: Final = b"WARC/"
END_OF_HEADER: Final = b"\r\n\r\n"
END_OF_RECORD: Final = b"\r\n\r\n"

#: WARC and HTTP headers may take this much beside the body.
HEADERS_SIZE: Final = 1 << 16

#: What is behind a record is looked at so far.
_BEHIND: Final = 64

#: Bytes passed over that a window keeps until it lets go of all of them.
_SLACK: Final = 1 << 20

#: How often a compressed stream is gone back in.
MAX_RETURNS: Final = 2

_NEXT_VERSION: Final = b"\r\nWARC/"
_VERSION_LINE: Final = re.compile(rb"WARC/\d\.\d{1,4}\r\n")
_LONGEST_VERSION_LINE: Final = len(b"WARC/1.0000\r\n")
_LENGTH: Final = re.compile(rb"\r\ncontent-length:[ \t]*(\d{1,18})[ \t]*(?=\r\n|$)", re.IGNORECASE)


class File(Protocol):
    """A binary file."""

    def read(self, size: int = ..., /) -> bytes:
        """Return so many bytes, fewer at the end."""
        ...

    def seek(self, offset: int, whence: int = ..., /) -> int:
        """Go there; return where that is."""
        ...


class Piece(NamedTuple):
    """The bytes of one record, or why there are none."""

    offset: int  #: in the file; in the uncompressed stream where it is compressed as a whole
    data: bytes  #: up to the limit that was given
    fault: str | None = None
    is_cut: bool = False  #: at the limit


def content_length(header: bytes) -> int | None:
    """Length that the header of a record states, or None where it is no such header."""
    found = _LENGTH.search(header) if header.startswith(VERSION) else None
    return int(found[1]) if found else None


def read_records(file: File, limit: int, size: int | None = None) -> Iterator[Piece]:
    """Yield the records of a stream that holds one behind the other.

    Of each at most ``limit`` bytes. ``size`` is that of the stream where it is known, and where
    the stream can be read from anywhere at no cost.
    """
    window = _Window(file, size)
    while True:
        window.pass_line_ends()
        if not window.fill(window.at + 1):
            break
        window.fill(window.at + len(VERSION))
        if window.between(window.at, window.at + len(VERSION)) == VERSION:
            yield _read_record(window, limit)
        else:
            yield Piece(window.at, b"", "no WARC header")
            window.pass_to_version(window.at)
    if window.fault:
        yield Piece(window.at, b"", window.fault)


def _read_record(window: _Window, limit: int) -> Piece:
    start = window.at
    header = window.header(start)
    if header is None:
        window.pass_to_version(start + len(VERSION))
        return Piece(start, b"", "no WARC header")
    end, length = header
    stated = end + len(END_OF_HEADER) + length
    data, is_whole = window.record(stated, limit)
    if is_whole:
        return Piece(start, data, is_cut=stated - start > len(data))
    # The length is wrong, so that other records may lie in what it spans.
    window.pass_to_version(end)
    fault = "no record behind this one"
    if window.size is not None and window.size < stated:
        fault = window.fault or f"cut off: {window.size - start} of {stated - start} bytes"
        window.fault = None
    return Piece(start, b"", fault)


class _Window:
    """What was read of a stream and not passed over yet. Offsets are those in the stream."""

    def __init__(self, file: File, size: int | None) -> None:
        self._file = file
        self._data = bytearray()
        self._start = 0  # of the data
        self._is_read = False  # to its end
        self._returns = MAX_RETURNS if size is None else inf
        self._header_end = self._parsed_end = self._last_version = -1
        self._no_header_end_before = 0
        self._lengths: deque[tuple[int, int]] = deque()  # where they stand, and what they state
        self.size = size  #: of the stream, None where it is not known yet
        self.at = 0  #: what is before is passed over
        self.fault: str | None = None  #: at which the stream ends too early

    @property
    def _have(self) -> int:
        return self._start + len(self._data)

    def fill(self, end: int) -> bool:
        """Read up to this offset; whether the stream goes so far."""
        while self._have < end and not self._is_read:
            try:
                chunk = self._file.read(CHUNK)
            except (OSError, EOFError, zlib.error) as error:
                self.fault = f"damaged gzip data, the rest of the file is lost ({error})"
                chunk = b""
            self._data += chunk
            self._is_read = not chunk
        if self._is_read:
            self.size = self._have
        return self._have >= end

    def between(self, start: int, end: int) -> bytes:
        """Return what stands between two offsets, as far as it was read."""
        with memoryview(self._data) as data:
            return bytes(data[start - self._start : max(0, end - self._start)])

    def pass_to(self, offset: int) -> None:
        """Let go of what is before this offset."""
        self.at = min(offset, self._have)
        if self.at - self._start > _SLACK:
            del self._data[: self.at - self._start]
            self._start = self.at

    def pass_line_ends(self) -> None:
        while self.fill(self.at + 1):
            rest = self.between(self.at, self.at + CHUNK)
            text = rest.lstrip(b"\r\n")
            self.pass_to(self.at + len(rest) - len(text))
            if text:
                return

    def pass_to_version(self, start: int) -> None:
        """Pass to the next line from ``start`` on that begins a record, wherever it stands."""
        self.pass_to(start)
        while not (found := _VERSION_LINE.search(self._data, self.at - self._start)):
            have = self._have
            self.pass_to(max(self.at, have - _LONGEST_VERSION_LINE))
            if not self.fill(have + 1):
                self.pass_to(have)
                return
        self.pass_to(self._start + found.start())

    def header(self, start: int) -> tuple[int, int] | None:
        """Where the header from ``start`` on ends and the length it states, None without one.

        Nothing is looked through twice, however many headers seem to end at the same place.
        """
        end = self._find_header_end(start)
        if end is None:
            return None
        if end != self._parsed_end:
            self._parsed_end = end
            first, last = start - self._start, end - self._start
            found = _LENGTH.finditer(self._data, first, last)
            self._lengths = deque((self._start + one.start(), int(one[1])) for one in found)
            self._last_version = self._start + self._data.rfind(_NEXT_VERSION, first, last)
        if self._last_version >= start:
            return None
        while self._lengths and self._lengths[0][0] < start:
            self._lengths.popleft()
        return (end, self._lengths[0][1]) if self._lengths else None

    def _find_header_end(self, start: int) -> int | None:
        last = start + HEADERS_SIZE
        at = max(start, self._no_header_end_before)
        while self._header_end < start:
            self.fill(min(at + CHUNK, last))
            until = min(self._have, last)
            found = self._data.find(END_OF_HEADER, at - self._start, until - self._start)
            if found >= 0:
                self._header_end = self._start + found
                break
            at = self._no_header_end_before = max(at, until - len(END_OF_HEADER) + 1)
            if until == last or self._is_read:
                return None
        return self._header_end if self._header_end < last else None

    def record(self, end: int, limit: int) -> tuple[bytes, bool]:
        """Take the record up to ``end``; return it up to the limit, and whether it ends there."""
        start = self.at
        if self.size is not None and end > self.size:
            return b"", False
        self.fill(min(end, start + limit))
        data = self.between(start, min(end, start + limit))
        if end - start > limit:
            return data, self._jump(end)
        self.fill(end + _BEHIND)
        is_whole = end <= self._have and _is_end(self.between(end, end + _BEHIND))
        if is_whole:
            self.pass_to(end)
        return data, is_whole

    def _jump(self, end: int) -> bool:
        """Go to this offset if a record ends there, without reading what is between.

        A compressed stream costs its length to go back in: after some lies long records are no
        longer believed.
        """
        if not self._returns:
            return False
        have, behind = self._have, None
        try:
            reached = self._file.seek(end)
            if reached == end:
                behind = self._file.read(_BEHIND)
            else:
                self.size = reached
        except (OSError, EOFError, zlib.error):
            pass
        if behind is None or not _is_end(behind):
            self._returns -= 1
            self._file.seek(have)
            return False
        self._data, self._start, self.at = bytearray(behind), end, end
        return True


def _is_end(behind: bytes) -> bool:
    """Whether a record ends before these bytes: another one or the end of the file follows."""
    text = behind.lstrip(b"\r\n")
    return not text or behind.startswith(END_OF_RECORD) or text.startswith(VERSION)
