"""The records of a gzipped WARC file: one member each, as Common Crawl has it, or several.

After a damaged member the next one is found by its magic number. Memory is bounded by the limit
of a record. Time is linear in what the file inflates to: a file full of beginnings of members is
not gone through once for each.
"""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Iterator
from contextlib import suppress
from typing import Final, NamedTuple

from scrapy_webtext.archive.records import (
    CHUNK,
    END_OF_HEADER,
    END_OF_RECORD,
    HEADERS_SIZE,
    VERSION,
    File,
    Piece,
    content_length,
    read_records,
)

MAGIC: Final = b"\x1f\x8b\x08"
GZIP: Final = 31  #: zlib's ``wbits`` for gzip members

#: What is read of a member first; each further piece is twice as long, up to a chunk.
FIRST: Final = 1 << 11

#: A first record longer than this is not inflated to see what is behind it.
FIRST_RECORD: Final = 1 << 28

#: What is read for nothing, in members that prove damaged, may be so many times what was passed.
WASTE: Final = 4
WASTE_BYTES: Final = 1 << 24  #: and these, in any file


class Member(NamedTuple):
    """What a gzip member inflates to."""

    data: bytes  #: up to the limit
    size: int  #: of all of it
    consumed: int  #: bytes of the file, as far as they were inflated
    fault: str | None = None


def read_gzipped(file: File, limit: int) -> Iterator[Piece]:
    """Yield the records of a gzipped WARC file, of each at most ``limit`` bytes."""
    if _goes_on_behind_first_record(file):
        file.seek(0)
        yield from read_records(_Inflated(fileobj=file), limit)
        return
    offset: int | None = 0
    wasted = 0
    while offset is not None:
        file.seek(offset)
        member = _inflate(file, limit)
        if not member.consumed:
            return
        yield from _records(file, offset, member, limit)
        if member.fault is None:
            offset += member.consumed
            continue
        wasted += member.consumed
        is_waste = wasted > WASTE * (offset + WASTE_BYTES)
        offset = _next_member(file, offset + (member.consumed if is_waste else 1))


def _records(file: File, offset: int, member: Member, limit: int) -> Iterator[Piece]:
    """Yield the record of a member, or its records."""
    stated = _stated_size(member.data)
    fault = member.fault or _misfit(member, stated)
    if member.fault is None and fault is not None and _holds_more(file, offset, member, stated):
        part = _Slice(file, offset, offset + member.consumed)
        yield from read_records(_Inflated(fileobj=part), limit)
        return
    yield Piece(offset, member.data, fault, stated is not None and stated > len(member.data))


def _holds_more(file: File, offset: int, member: Member, stated: int | None) -> bool:
    """Whether a member, which is not one record, is several.

    If it is the whole file, or if another record begins where its first one says that it ends.
    """
    if offset == 0 and member.consumed == file.seek(0, io.SEEK_END):
        return member.data.startswith(VERSION)
    if stated is None or stated > member.size:
        return False
    if stated > len(member.data):  # beyond the limit, so that what is behind is not known
        return True
    return member.data[stated:].lstrip(b"\r\n").startswith(VERSION)


class _Inflated(gzip.GzipFile):
    """Gzip members as one stream. What came before a fault is not lost with it."""

    def read(self, size: int | None = -1) -> bytes:
        return self.read1(size or -1)


class _Slice:
    """A part of a file, as a file."""

    def __init__(self, file: File, start: int, end: int) -> None:
        self._file, self._start, self._end, self._at = file, start, end, start

    def read(self, size: int = -1) -> bytes:
        left = self._end - self._at
        self._file.seek(self._at)
        data = self._file.read(left if size < 0 else min(size, left))
        self._at += len(data)
        return data

    def seek(self, offset: int) -> int:
        self._at = self._start + offset
        return offset


def _goes_on_behind_first_record(file: File) -> bool:
    """Whether the first gzip member holds another record behind the first."""
    file.seek(0)
    pieces = _pieces(file)
    begun = b""
    while END_OF_HEADER not in begun and len(begun) <= HEADERS_SIZE:
        piece = next(pieces, b"")
        if not piece:
            return False
        begun += piece
    stated = _stated_size(begun)
    if stated is None or stated > FIRST_RECORD:
        return False
    behind, missing = begun[stated:], stated - len(begun)
    while len(behind) < len(END_OF_RECORD + VERSION) and (piece := next(pieces, b"")):
        behind += piece[max(0, missing) :]
        missing -= len(piece)
    return behind.lstrip(b"\r\n").startswith(VERSION)


def _pieces(file: File) -> Iterator[bytes]:
    """Yield what the member that begins here inflates to, up to its end or fault."""
    inflate = zlib.decompressobj(GZIP)
    with suppress(zlib.error):
        while not inflate.eof and (chunk := inflate.unconsumed_tail or file.read(CHUNK)):
            if data := inflate.decompress(chunk, CHUNK):
                yield data


def _inflate(file: File, limit: int) -> Member:
    """Return the member that begins here."""
    inflate = zlib.decompressobj(GZIP)
    kept: list[bytes] = []
    size = consumed = 0
    ask = FIRST
    try:
        while not inflate.eof:
            chunk = inflate.unconsumed_tail
            if not chunk:
                chunk = file.read(ask)
                ask = min(2 * ask, CHUNK)
                consumed += len(chunk)
                if not chunk:
                    fault = f"the file ends {consumed} bytes into this record"
                    return Member(b"", size, consumed, fault)
            data = inflate.decompress(chunk, 16 * CHUNK)
            if size < limit:
                kept.append(data)
            size += len(data)
    except zlib.error as error:
        return Member(b"", size, consumed, f"damaged gzip data ({error})")
    return Member(b"".join(kept), size, consumed - len(inflate.unused_data))


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


def _stated_size(data: bytes) -> int | None:
    """Bytes of a record by its header, or None where it has no header."""
    end = data.find(END_OF_HEADER)
    length = content_length(data[:end]) if end >= 0 else None
    return None if length is None else end + len(END_OF_HEADER) + length


def _misfit(member: Member, stated: int | None) -> str | None:
    """Why a member is not one whole record of the size that its header states, or None."""
    data, size = member.data, member.size
    if stated is None:
        return "no WARC header"
    if size < stated:
        return f"cut off: {size} of {stated} bytes"
    is_seen = stated <= len(data)
    if size - stated > len(END_OF_RECORD) and not (is_seen and not data[stated:].strip(b"\r\n")):
        return f"too long: {size} bytes where the header states {stated}"
    return None
