"""HTTP bodies without their content and transfer codings; never much larger than asked for.

A few hundred bytes can stand for gigabytes, and codings can be stacked. Each is undone as a
stream up to the limit, so that memory and time are bounded by it. Many archives store bodies
decoded and headers as they came: a coding that a body does not have is passed over.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from io import BytesIO
from typing import Any, Final

from scrapy_webtext.errors import MissingExtraError

try:
    from fastwarc.stream_io import BrotliReader, ZstdReader
except ImportError:
    raise MissingExtraError("Reading WARC files", "fastwarc", "archive") from None

#: More codings than this are nothing that a server meant (curl's bound).
MAX_CODINGS: Final = 5

#: Members of a gzip body that are read: each costs a copy of what is behind it.
MAX_MEMBERS: Final = 64

#: Bytes of the line before a chunk: its length, and extensions that nobody reads.
MAX_CHUNK_HEAD: Final = 1 << 10

#: What is asked of a stream at once; what came before a fault is kept in such pieces.
PIECE: Final = 1 << 13

GZIP_MAGIC: Final = b"\x1f\x8b"
ZSTD_MAGIC: Final = b"\x28\xb5\x2f\xfd"

GZIP: Final = 31  #: zlib's ``wbits`` for gzip members
ZLIB: Final = 15
DEFLATE: Final = -15  #: without a header

_CHUNK_SIZE: Final = re.compile(rb"[0-9a-fA-F]{1,16}")
_LINE_END: Final = re.compile(rb"\r?\n")

#: Control characters that no text has; NUL is left out for the sake of UTF-16.
_BINARY: Final = re.compile(rb"[\x01-\x08\x0e-\x1a\x1c-\x1f]")


def undo_codings(body: bytes, codings: Iterable[str], limit: int) -> bytes:
    """Return a body without its codings, named in the order in which they were applied.

    Of more than ``limit`` bytes, at any stage, some bytes more than the limit. A body that is cut
    off or damaged is taken as far as it reads, as browsers do. ValueError where nothing of it
    reads, or for more codings than a server means.
    """
    applied = [name for name in map(_normal, codings) if name in _DECODERS]
    if len(applied) > MAX_CODINGS:
        raise ValueError(f"{len(applied)} codings, one on top of the other")
    for name in reversed(applied):
        body = _DECODERS[name](body, limit)
        if len(body) > limit:
            break
    return body


def listed(headers: Iterable[str]) -> list[str]:
    """Return the codings in the values of headers: ``gzip, br`` are two."""
    return [name for header in headers for name in header.split(",")]


def _normal(name: str) -> str:
    return name.strip().lower().removeprefix("x-")


def _undo_chunks(body: bytes, limit: int) -> bytes:
    kept: list[bytes] = []
    size = at = 0
    while size <= limit and (head := _chunk_head(body, at)):
        length, start = head
        chunk = body[start : start + min(length, limit + 1)]
        if not chunk:
            return b"".join(kept)
        kept.append(chunk)
        size += len(chunk)
        at = min(start + length, len(body))
        end = _LINE_END.match(body, at)
        at = end.end() if end else at
    return b"".join(kept) if kept else body


def _chunk_head(body: bytes, at: int) -> tuple[int, int] | None:
    """Return a chunk's length and where it starts, from the line that is before it, if any is."""
    end = body.find(b"\n", at, at + MAX_CHUNK_HEAD)
    size = body[at : max(end, at)].partition(b";")[0].strip()
    return (int(size, 16), end + 1) if _CHUNK_SIZE.fullmatch(size) else None


def _gunzip(body: bytes, limit: int) -> bytes:
    if not body.startswith(GZIP_MAGIC):
        return body
    return _readable("gzip", *_inflate(body, GZIP, limit))


def _undo_deflate(body: bytes, limit: int) -> bytes:
    """What is called deflate has zlib's header, but for some servers, who leave it out."""
    if len(body) > 1 and body[0] & 15 == 8 and int.from_bytes(body[:2], "big") % 31 == 0:
        return _readable("deflate", *_inflate(body, ZLIB, limit))
    data, is_whole = _inflate(body, DEFLATE, limit)
    return data if is_whole or len(data) > limit else _as_stored("deflate", body)


def _undo_brotli(body: bytes, limit: int) -> bytes:
    data, is_whole = _read(BrotliReader(BytesIO(body)), limit)
    return data if data or is_whole else _as_stored("br", body)


def _undo_zstd(body: bytes, limit: int) -> bytes:
    if not body.startswith(ZSTD_MAGIC):
        return body
    return _readable("zstd", *_read(ZstdReader(BytesIO(body)), limit))


def _inflate(body: bytes, wbits: int, limit: int) -> tuple[bytes, bool]:
    """Return what a body inflates to, and whether it came to its end."""
    kept: list[bytes] = []
    size = 0
    for _ in range(MAX_MEMBERS):
        data, rest = _inflate_member(body, wbits, limit + 1 - size)
        kept.append(data)
        size += len(data)
        if rest is None:
            return b"".join(kept), False
        if size > limit or not rest.startswith(GZIP_MAGIC):
            break
        body = rest
    return b"".join(kept), True


def _inflate_member(body: bytes, wbits: int, limit: int) -> tuple[bytes, bytes | None]:
    """Return what a member inflates to and what is behind it; None where it does not end."""
    inflate = zlib.decompressobj(wbits)
    try:
        data = inflate.decompress(body, limit)
    except zlib.error:
        return _inflate_to_fault(body, wbits, limit), None
    return data, inflate.unused_data if inflate.eof else None


def _inflate_to_fault(body: bytes, wbits: int, limit: int) -> bytes:
    inflate = zlib.decompressobj(wbits)
    kept: list[bytes] = []
    size = 0
    for at in range(0, len(body), PIECE):
        before = inflate.copy()
        piece = body[at : at + PIECE]
        try:
            kept.append(inflate.decompress(piece, limit - size))
        except zlib.error:
            kept += _inflate_bytes(before, piece, limit - size)
            break
        size += len(kept[-1])
        if size >= limit:
            break
    return b"".join(kept)


def _inflate_bytes(inflate: Any, piece: bytes, limit: int) -> Iterator[bytes]:
    """Yield what single bytes inflate to, up to the one at which they no longer do."""
    with suppress(zlib.error):
        for at in range(len(piece)):
            data = inflate.decompress(piece[at : at + 1], limit)
            yield data
            limit -= len(data)
            if limit <= 0:
                return


def _read(reader: Any, limit: int) -> tuple[bytes, bool]:
    """Return what a reader gives, and whether it came to its end or to the limit."""
    kept: list[bytes] = []
    size = 0
    try:
        while size <= limit and (data := reader.read(PIECE)):
            kept.append(data)
            size += len(data)
    except OSError:
        return b"".join(kept), False
    return b"".join(kept), True


def _readable(coding: str, data: bytes, is_whole: bool) -> bytes:
    if not data and not is_whole:
        raise ValueError(f"its content coding {coding} does not read")
    return data


def _as_stored(coding: str, body: bytes) -> bytes:
    """Return a body that does not read, as one that was stored decoded, if it can be text."""
    is_text = body.startswith((b"\xff\xfe", b"\xfe\xff")) or not _BINARY.search(body, 0, 1024)
    return body if is_text else _readable(coding, b"", False)


_DECODERS: Final[Mapping[str, Callable[[bytes, int], bytes]]] = {
    "chunked": _undo_chunks,
    "gzip": _gunzip,
    "deflate": _undo_deflate,
    "br": _undo_brotli,
    "zstd": _undo_zstd,
}
