"""The HTML pages of a WARC file. fastwarc parses each record."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from io import BytesIO
from typing import Any, Final

from scrapy_webtext.archive.codings import listed, undo_codings
from scrapy_webtext.archive.members import MAGIC, read_gzipped
from scrapy_webtext.archive.pages import StoredPage
from scrapy_webtext.archive.records import CHUNK, HEADERS_SIZE, File, Piece, read_records
from scrapy_webtext.errors import MissingExtraError
from scrapy_webtext.page import is_html

try:
    from fastwarc.warc import WarcRecord, WarcRecordType
except ImportError:
    raise MissingExtraError("Reading WARC files", "fastwarc", "archive") from None

NO_LIMIT: Final = 1 << 62


def read_warc(file: File, max_body_size: int, keep: Sequence[str] = ()) -> Iterator[StoredPage]:
    """Yield the HTML responses of a WARC file; what cannot be read, with its error.

    Answers with another status than 2xx, other types, requests and metadata are passed over. A
    body larger than ``max_body_size`` (bytes, 0 for no limit) is an error and not kept in memory,
    nor is what it inflates to. ``keep`` names headers of the record, such as WARC-Date.
    """
    limit = max_body_size or NO_LIMIT
    for piece in _pieces(file, limit + HEADERS_SIZE):
        record = None
        try:
            if piece.data:
                # Not from_bytes: it sets aside as much memory as the header states, and aborts.
                record = WarcRecord.from_reader(BytesIO(piece.data))
            page = _page(record, piece, limit)
        except Exception as error:  # of headers or a body as no server means them
            page = _failed(piece, error)
        if page is not None and record is not None:
            kept = tuple(record.headers.get(name) for name in keep)
            page = page._replace(url=_url(record), kept=kept)
        if page is not None:
            yield page


def _pieces(file: File, limit: int) -> Iterator[Piece]:
    is_gzipped = file.read(len(MAGIC)) == MAGIC
    size = file.seek(0, os.SEEK_END)
    file.seek(0)
    return read_gzipped(file, limit) if is_gzipped else read_records(file, limit, size)


def _page(record: Any, piece: Piece, limit: int) -> StoredPage | None:
    """Return the page of a record, None where it holds none."""
    if piece.fault:
        return _failed(piece, piece.fault)
    if record.record_type == WarcRecordType.resource:
        headers, codings = record.headers, []
    elif record.record_type == WarcRecordType.response and record.is_http:
        record.parse_http(auto_decode="none", max_header_len=HEADERS_SIZE)
        headers = record.http_headers
        codings = listed(headers.get_multiple("Content-Encoding"))
        codings += listed(headers.get_multiple("Transfer-Encoding"))
        if headers.status_code is None:
            return _failed(piece, "no HTTP status line")
        if not 200 <= headers.status_code < 300:
            return None
    else:
        return None
    content_type = headers.get("Content-Type")
    if content_type and not is_html(b"", content_type):
        return None
    body = undo_codings(_read(record.reader, limit + HEADERS_SIZE), codings, limit)
    if not is_html(body, content_type):
        return None
    if len(body) > limit or piece.is_cut:
        return StoredPage(error=f"too large: over {limit} bytes")
    return StoredPage(None, body, content_type)


def _failed(piece: Piece, fault: object) -> StoredPage:
    return StoredPage(error=f"record at byte {piece.offset}: {fault}")


def _read(reader: Any, limit: int) -> bytes:
    """Return what the reader has; of more than the limit, a little more than the limit."""
    kept: list[bytes] = []
    size = 0
    # Never more at once: fastwarc sets aside the memory for as much as it is asked for.
    while size <= limit and (data := reader.read(CHUNK)):
        kept.append(data)
        size += len(data)
    return b"".join(kept)


def _url(record: Any) -> str | None:
    url: str | None = record.headers.get("WARC-Target-URI")
    return url.strip().removeprefix("<").removesuffix(">") if url else None
