"""The HTML pages of a WARC file. fastwarc parses each record."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any, Final, NamedTuple

from scrapy_webtext.archive.records import CHUNK, HEADERS_SIZE, File, Piece, read_records
from scrapy_webtext.errors import MissingExtraError
from scrapy_webtext.page import is_html

try:
    from fastwarc.warc import WarcRecord, WarcRecordType
except ImportError:
    raise MissingExtraError("Reading WARC files", "fastwarc", "archive") from None

NO_LIMIT: Final = 1 << 62


class StoredPage(NamedTuple):
    """One page of an archive, or why it could not be read."""

    url: str | None = None
    body: bytes | None = None
    content_type: str | None = None  #: of the HTTP header
    error: str | None = None


def read_warc(file: File, max_body_size: int) -> Iterator[StoredPage]:
    """Yield the HTML responses of a WARC file; what cannot be read, with its error.

    Answers with another status than 2xx, other types, requests and metadata are passed over. A
    body larger than ``max_body_size`` (bytes, 0 for no limit) is an error and not kept in memory.
    """
    limit = max_body_size or NO_LIMIT
    for piece in read_records(file, limit + HEADERS_SIZE):
        if piece.fault:
            yield _damaged(piece, piece.fault)
            continue
        try:
            page = _page(piece, limit)
        except (OSError, ValueError) as error:
            page = _damaged(piece, str(error))
        if page is not None:
            yield page


def _page(piece: Piece, limit: int) -> StoredPage | None:
    record = WarcRecord.from_bytes(piece.data)
    url = _url(record)
    if record.record_type == WarcRecordType.resource:
        content_type = record.headers.get("Content-Type")
        body = _read(record.reader, limit)
    elif record.record_type == WarcRecordType.response and record.is_http:
        record, body = _parse_http(record, piece, limit)
        status = record.http_headers.status_code
        if status is None:
            return StoredPage(url, error=f"record at byte {piece.offset}: no HTTP status line")
        if not 200 <= status < 300:
            return None
        content_type = record.http_headers.get("Content-Type")
    else:
        return None
    if not is_html(body, content_type):
        return None
    if len(body) > limit:
        return StoredPage(url, error=f"too large: over {limit} bytes")
    return StoredPage(url, body, content_type)


def _parse_http(record: Any, piece: Piece, limit: int) -> tuple[Any, bytes]:
    """Return the record with its HTTP headers, and the body without transfer encodings.

    Many archives store the body decoded and its headers as they came.
    """
    try:
        record.parse_http(auto_decode="all")
        return record, _read(record.reader, limit)
    except OSError:
        record = WarcRecord.from_bytes(piece.data)
        record.parse_http(auto_decode="none")
        return record, _read(record.reader, limit)


def _read(reader: Any, limit: int) -> bytes:
    """Return what the reader has; of more than the limit, a little more than the limit."""
    kept: list[bytes] = []
    size = 0
    # Never more at once: fastwarc sets aside the memory for as much as it is asked for.
    while size <= limit and (data := reader.read(CHUNK)):
        kept.append(data)
        size += len(data)
    return b"".join(kept)


def _damaged(piece: Piece, fault: str) -> StoredPage:
    url = None
    if piece.data:
        with suppress(OSError, ValueError):
            url = _url(WarcRecord.from_bytes(piece.data))
    return StoredPage(url, error=f"record at byte {piece.offset}: {fault}")


def _url(record: Any) -> str | None:
    url: str | None = record.headers.get("WARC-Target-URI")
    return url.strip().removeprefix("<").removesuffix(">") if url else None
