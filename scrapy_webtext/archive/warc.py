"""Reads WARC files: records, HTTP responses, bodies; continues after damage."""

from __future__ import annotations

import os
import re
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from io import BufferedReader, BytesIO, RawIOBase
from itertools import chain
from typing import Any, BinaryIO, Final, NamedTuple

from scrapy_webtext.archive import CHUNK, StoredPage
from scrapy_webtext.errors import MissingExtraError, shown
from scrapy_webtext.page.encoding import is_html

try:
    from fastwarc.stream_io import BrotliReader, ZstdReader
    from fastwarc.warc import HeaderMap
except ImportError:
    raise MissingExtraError("Reading archives", "pyarrow fastwarc", "archive") from None

NO_LIMIT: Final = 1 << 62

#: Maximum size of the headers of a record or of an HTTP response, in bytes, as in fastwarc.
HEADERS_SIZE: Final = 1 << 15
_LENGTH: Final = re.compile("[0-9]{1,18}")
VERSION_LINE: Final = re.compile(rb"WARC/\d\.\d{1,4}\r?\n")
EMPTY_LINES: Final = (b"\r\n", b"\n", b"")

GZIP: Final = zlib.MAX_WBITS | 16  #: zlib's ``wbits`` for gzip members
GZIP_MAGIC: Final = b"\x1f\x8b\x08"
MEMBER: Final = re.compile(re.escape(GZIP_MAGIC))
#: First bytes of a zstd file: a frame, or a dictionary for all frames.
ZSTD_MAGICS: Final = (b"\x28\xb5\x2f\xfd", b"\x5d\x2a\x4d\x18")

#: After damage, reading restarts at the next record. All restarts together may read `REREADS` times
#: the file's size, plus `REREAD_BYTES`.
REREADS: Final = 4
REREAD_BYTES: Final = 1 << 24

#: Number of bytes that are unpacked at a time. If a piece is damaged, the whole piece is lost.
PIECE: Final = 1 << 10

#: Maximum number of codings of a body, as in curl; no server applies more.
MAX_CODINGS: Final = 5

_CHUNK_SIZE: Final = re.compile(rb"[0-9a-fA-F]{1,8}")
#: The header of a zlib stream; some servers send a deflated body without it.
ZLIB_HEADER: Final = b"\x78\x9c"
UTF_16: Final = (b"\xff\xfe", b"\xfe\xff")

#: Control characters that text does not contain. NUL is not among them, because UTF-16 has it.
_BINARY: Final = re.compile(rb"[\x01-\x08\x0e-\x1a\x1c-\x1f]")


class _Record(NamedTuple):
    """A WARC record, or the damage at which reading stopped."""

    at: int  #: offset of the record, or of its gzip member or zstd frame
    headers: Any = None  #: headers as fastwarc parses them; None if there is no record
    block: bytes = b""  #: content, cut a little above the maximum size of a page
    size: int = 0  #: size of the whole content
    fault: str = ""


def read_warc(file: BinaryIO, max_body_size: int, keep: Sequence[str] = ()) -> Iterator[StoredPage]:
    """Yield the page of each HTML response or resource, or the error of a record that fails.

    Skip responses with a status other than 2xx, and records of other types. A body larger than
    ``max_body_size`` (bytes, 0 for no limit) is an error and is not kept in memory. ``keep`` names
    headers of the record, such as WARC-Date. After a damaged record, restart at the next gzip
    member; in an uncompressed file, at the next line that begins a record.
    """
    limit = max_body_size or NO_LIMIT
    magic = file.read(4)
    begins = MEMBER if magic.startswith(GZIP_MAGIC) else VERSION_LINE
    allowed = -1 if magic in ZSTD_MAGICS else REREADS * file.seek(0, os.SEEK_END) + REREAD_BYTES
    start: int | None = 0
    is_damaged = False  # whether the file is damaged after the last record
    while start is not None:
        record = _Record(start)
        for record in _records(file, start, limit, is_restart=is_damaged):
            if record.headers is not None or not is_damaged:
                yield from filter(None, [_page(record, limit, keep)])
            is_damaged = bool(record.fault)
        if not record.fault:
            return
        allowed -= file.tell() - start
        if allowed < 0:
            yield StoredPage(error=f"damage: the rest from byte {record.at} on is lost")
            return
        # A line that begins no record may extend into the next member, so that member is tried.
        is_passed = record.headers is not None or record.at == start
        start = _find(file, begins, record.at + is_passed)


def _records(
    file: BinaryIO, start: int, limit: int, *, is_restart: bool = False
) -> Iterator[_Record]:
    """Yield the records from an offset on; at damage, the last one has a ``fault``.

    The length in a record's header may be wrong, so an empty line or another record must follow.
    After damage, skip the rest of a record that extends over several gzip members, as bgzip writes
    them.
    """
    content, offset_of = _unpacked(file, start)
    at = headers = None
    blanks = 0  # a file of nothing but empty lines would take too long
    try:
        line = content.readline(HEADERS_SIZE)
        while line:
            if is_restart and not VERSION_LINE.match(line):
                line = content.readline(HEADERS_SIZE)
                continue
            is_restart = False
            if line not in EMPTY_LINES:
                at = offset_of(line)
                if not VERSION_LINE.match(line):
                    raise OSError("no WARC record begins here")
                headers = _headers(content, has_status_line=False)
                block, size = _block(content, headers.get("Content-Length") or "none", limit)
                line = content.readline(HEADERS_SIZE)
                if line in EMPTY_LINES:
                    line = content.readline(HEADERS_SIZE)
                if line not in EMPTY_LINES and not VERSION_LINE.match(line):
                    raise OSError("it does not end where its header says")
                yield _Record(at, headers, block, size)
                at, headers, blanks = None, None, 0
            if line in EMPTY_LINES:
                blanks += 1
                if blanks > HEADERS_SIZE:
                    raise OSError("only empty lines")
                line = content.readline(HEADERS_SIZE)
    except (OSError, EOFError, zlib.error) as error:
        yield _Record(offset_of(b"") if at is None else at, headers, fault=str(error))


def _block(content: Any, length: str, limit: int) -> tuple[bytes, int]:
    """Return a record's content, truncated a little above the limit, and its full size."""
    if not _LENGTH.fullmatch(length):
        raise OSError(f"its Content-Length is {shown(length)}")
    stated, size = int(length), 0
    pieces = []
    while size < stated and (piece := content.read(min(CHUNK, stated - size))):
        if size <= limit + HEADERS_SIZE:
            pieces.append(piece)
        size += len(piece)
    if size < stated:
        raise EOFError(f"cut off: {size} of {stated} bytes")
    return b"".join(pieces), size


def _headers(content: Any, *, has_status_line: bool) -> Any:
    """Read headers and the empty line after them; lines may end with CRLF or LF."""
    lines, size = [], 0
    while (line := content.readline(HEADERS_SIZE)) not in EMPTY_LINES and size <= HEADERS_SIZE:
        lines.append(line.rstrip(b"\r\n"))
        size += len(line)
    headers = HeaderMap("utf-8")
    headers.parse(BytesIO(b"\r\n".join([*lines, b"", b""])), has_status_line)
    return headers


def _unpacked(file: BinaryIO, start: int) -> tuple[Any, Callable[[bytes], int]]:
    """Return the unpacked content of a file from an offset on, and a function for offsets.

    The function takes the line that was read last, and returns the offset of this line. In a
    compressed file it returns the offset of the gzip member or zstd frame that contains the line.
    """
    file.seek(start)
    magic = file.read(4)
    file.seek(start)
    if magic in ZSTD_MAGICS:
        raw = _Unpacked(_frames(ZstdReader(file)))
    elif magic.startswith(GZIP_MAGIC):
        raw = _Unpacked(_members(file))
    else:
        return file, lambda line: file.tell() - len(line)
    return BufferedReader(raw, CHUNK), lambda _: raw.at


def _members(file: BinaryIO, wbits: int = GZIP, piece: int = CHUNK) -> Iterator[tuple[int, bytes]]:
    """Yield the offset of each gzip member with a piece of its content, of ``piece`` bytes at most.

    A member may be empty: bgzip writes an empty member at the end of a file. fastwarc's reader
    takes it for the end.
    """
    packed = b""
    while packed := packed or file.read(CHUNK):
        at, member = file.tell() - len(packed), zlib.decompressobj(wbits)
        while not member.eof:
            yield at, b""
            if not (packed := packed or file.read(CHUNK)):
                raise EOFError("its gzip member is cut off")
            yield at, member.decompress(packed, piece)
            packed = member.unconsumed_tail
        packed = member.unused_data


def _frames(reader: Any) -> Iterator[tuple[int, bytes]]:
    """Yield the offset of each frame of a fastwarc reader, with pieces of its content."""
    while piece := reader.read(PIECE):
        yield reader.frame_start_position(), piece


class _Unpacked(RawIOBase):
    """A file of pieces; ``at`` is the offset of the member or frame that was read last."""

    def __init__(self, pieces: Iterator[tuple[int, bytes]]) -> None:
        self._pieces, self.at, self._rest = pieces, 0, b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._rest and (found := next(self._pieces, None)):
            self.at, self._rest = found
        piece, self._rest = self._rest[: len(buffer)], self._rest[len(buffer) :]
        buffer[: len(piece)] = piece
        return len(piece)


def _find(file: BinaryIO, pattern: re.Pattern[bytes], start: int) -> int | None:
    """Return the offset of the next match; None if there is none. A match has at most 12 bytes."""
    file.seek(start)
    data = b""
    while chunk := file.read(CHUNK):
        data += chunk
        if found := pattern.search(data):
            return start + found.start()
        start += max(0, len(data) - 12)
        data = data[-12:]
    return None


def _page(record: _Record, limit: int, keep: Sequence[str]) -> StoredPage | None:
    """Return the page or the error of a record; None if the record has no page."""
    where, headers, block = f"record at byte {record.at}", record.headers, record.block
    if headers is None:
        return StoredPage(error=f"{where}: {record.fault}")
    url = (headers.get("WARC-Target-URI") or "").strip("<> \t")
    head = StoredPage(url or None, kept=tuple(map(headers.get, keep)))
    kind = (headers.get("WARC-Type") or "").lower()
    stated = (headers.get("Content-Type") or "").lower()
    is_http = stated.startswith("application/http") or (not stated and block.startswith(b"HTTP/"))
    try:
        if record.fault:
            raise OSError(record.fault)
        if not kind:
            raise ValueError("no WARC-Type")
        if not ((kind == "response" and is_http) or kind == "resource"):
            return None
        if headers.get("WARC-Segment-Number"):
            raise ValueError("a segment of a page; its other segments are other records")
        if kind == "response":
            content = BytesIO(block)
            headers, block = _headers(content, has_status_line=True), content.read()
            if headers.status_code is None:
                raise ValueError("no HTTP status line")
            if not 200 <= headers.status_code < 300:
                return None
        content_type = headers.get("Content-Type")
        if content_type and not is_html(b"", content_type):
            return None
        block = _decoded(headers, block, limit)
        if not is_html(block, content_type):
            return None
    except Exception as error:  # malformed headers or body
        return head._replace(error=f"{where}: {error}")
    if len(block) > limit or record.size > len(record.block):
        return head._replace(error=f"too large: over {limit} bytes")
    return head._replace(body=block, content_type=content_type)


def _decoded(headers: Any, body: bytes, limit: int) -> bytes:
    """Decode a body up to damage, or up to a little above the limit.

    Many archives store decoded bodies with the original headers. So a coding is skipped if the body
    is plain text and cannot be decoded. Raise ValueError if a binary body cannot be decoded.
    """
    named = map(headers.get_multiple, ("Content-Encoding", "Transfer-Encoding"))
    names = ",".join(chain.from_iterable(named)).lower().split(",")
    codings = [name.strip().removeprefix("x-") for name in names]
    applied = [name for name in codings if name in _DECODERS]
    if len(applied) > MAX_CODINGS:
        raise ValueError(f"{len(applied)} codings, at most {MAX_CODINGS} are read")
    for name in reversed(applied):
        kept = _DECODERS[name](body, limit)
        is_text = body.startswith(UTF_16) or not _BINARY.search(body, 0, 1024)
        if not kept and not is_text and name == "deflate":
            kept = _DECODERS[name](ZLIB_HEADER + body, limit)
        if not kept and not is_text and name != "chunked":
            raise ValueError(f"its content coding {name} cannot be decoded")
        body = kept or body
        if len(body) > limit:
            break
    return body


def _joined(pieces: Iterator[tuple[Any, bytes]], limit: int) -> bytes:
    """Join the pieces up to damage, or up to a little above the limit."""
    kept, size = [], 0
    with suppress(OSError, EOFError, zlib.error):
        while size <= limit and (found := next(pieces, None)):
            kept.append(found[1])
            size += len(found[1])
    return b"".join(kept)


def _without_chunks(body: bytes, limit: int) -> bytes:
    """Join the chunks of a body. Their sizes may have extensions, and lines may end with LF."""
    kept, at = [], 0
    while at <= limit and (begin := body.find(b"\n", at) + 1):
        stated = body[at:begin].partition(b";")[0].strip()
        if stated and not (_CHUNK_SIZE.fullmatch(stated) and int(stated, 16)):
            break
        at = begin + int(stated or b"0", 16)  # an empty line follows the chunk
        kept.append(body[begin:at])
    return b"".join(kept)


#: Coding -> function that decodes a body up to a limit or up to damage.
_DECODERS: Final[dict[str, Callable[[bytes, int], bytes]]] = {
    "chunked": _without_chunks,
    "gzip": lambda body, limit: _joined(_members(BytesIO(body), GZIP, PIECE), limit),
    "deflate": lambda body, limit: _joined(_members(BytesIO(body), zlib.MAX_WBITS, PIECE), limit),
    "br": lambda body, limit: _joined(_frames(BrotliReader(BytesIO(body))), limit),
    "zstd": lambda body, limit: _joined(_frames(ZstdReader(BytesIO(body))), limit),
}
