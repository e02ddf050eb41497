"""Read files of stored pages (WARC, JSON lines, Parquet) in batches.

Memory is bounded by a batch. A damaged or too large record, line or row is a row with its error.
"""

from __future__ import annotations

import gzip
import json
import os
import re
import zlib
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from io import BytesIO
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO, Final, NamedTuple, TypeAlias

from scrapy_webtext.archive.batch import encodable
from scrapy_webtext.errors import InputError, MissingExtraError
from scrapy_webtext.log_text import describe, shown
from scrapy_webtext.page import is_html

try:
    import pyarrow as pa
    import pyarrow.parquet as pq
    from fastwarc.stream_io import BrotliReader, ChunkedReader, GzipReader, ZstdReader
    from fastwarc.warc import ArchiveIterator, WarcRecordType
except ImportError:
    raise MissingExtraError("Reading archives", "pyarrow and fastwarc", "archive") from None

#: A batch is full at this number of pages or bytes, whichever comes first.
BATCH_PAGES: Final = 256
BATCH_BYTES: Final = 16 << 20

CHUNK: Final = 1 << 16
NO_LIMIT: Final = 1 << 62

PAGE_FIELDS: Final = (
    pa.field("url", pa.string()),
    pa.field("body", pa.large_binary()),
    pa.field("content_type", pa.string()),
    pa.field("error", pa.string()),
)


class StoredPage(NamedTuple):
    """A page of an archive, or the reason why it could not be read."""

    url: str | None = None
    body: bytes | None = None
    content_type: str | None = None  #: of the HTTP header
    error: str | None = None
    kept: tuple[str | None, ...] = ()  #: values of the kept columns


#: Takes a file, the limit of a page (bytes, 0 for no limit) and the names of columns to keep.
#: Yields batches for `extract_batch`, to which the kept columns are appended.
Reader: TypeAlias = Callable[[BinaryIO, int, Sequence[str]], Iterator[pa.RecordBatch]]


def reader_of(path: Path) -> Reader:
    """Return the reader for the ending of a file name; InputError for an unknown ending."""
    for ending, reader in READERS.items():
        if path.name.lower().endswith(ending):
            return reader
    raise InputError(f"{shown(str(path))} is of no known kind; known endings: {', '.join(READERS)}")


def batches(pages: Iterable[StoredPage], keep: Sequence[str]) -> Iterator[pa.RecordBatch]:
    """Yield pages in batches that are bounded in number and in bytes."""
    kept = [pa.field(name, pa.string()) for name in keep]
    rows: list[StoredPage] = []
    size = 0
    for page in pages:
        rows.append(page)
        size += len(page.body or "") + sum(len(text) for text in (page.url, *page.kept) if text)
        if len(rows) >= BATCH_PAGES or size >= BATCH_BYTES:
            yield _batch(rows, kept)
            rows, size = [], 0
    if rows:
        yield _batch(rows, kept)


def _batch(pages: Sequence[StoredPage], kept: Sequence[pa.Field]) -> pa.RecordBatch:
    missing = (None,) * len(kept)
    columns = zip(*((*page[:4], *(page.kept or missing)) for page in pages), strict=True)
    fields = [*PAGE_FIELDS, *kept]
    arrays = [pa.array(column, f.type) for column, f in zip(columns, fields, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, schema=pa.schema(fields))


# WARC

#: WARC and HTTP headers may take this much in addition to the body.
HEADERS_SIZE: Final = 1 << 16

END_OF_HEADER: Final = b"\r\n\r\n"
END_OF_RECORD: Final = b"\r\n\r\n"
GZIP_MAGIC: Final = b"\x1f\x8b\x08"
MEMBER: Final = re.compile(re.escape(GZIP_MAGIC))
GZIP: Final = zlib.MAX_WBITS | 16  #: zlib's ``wbits`` for gzip members
VERSION_LINE: Final = re.compile(rb"WARC/\d\.\d{1,4}\r\n")

#: Bytes of a gzip member that show how its content begins.
PROBE: Final = 512

#: After damage, reading restarts at the next record. It may read this number of times the file's
#: size, and these bytes.
REREADS: Final = 4
REREAD_BYTES: Final = 1 << 24

#: More codings than this no server means (curl's bound).
MAX_CODINGS: Final = 5

_DECODERS: Final[dict[str, Callable[[BinaryIO], Any]]] = {
    "chunked": ChunkedReader,
    "gzip": GzipReader,
    "deflate": partial(GzipReader, zlib=True),
    "br": BrotliReader,
    "zstd": ZstdReader,
}
#: Some servers send a deflated body without it.
ZLIB_HEADER: Final = b"\x78\x9c"
UTF_16: Final = (b"\xff\xfe", b"\xfe\xff")

#: Control characters that no text has; NUL is left out because UTF-16 has it.
_BINARY: Final = re.compile(rb"[\x01-\x08\x0e-\x1a\x1c-\x1f]")


def read_warc(file: BinaryIO, max_body_size: int, keep: Sequence[str] = ()) -> Iterator[StoredPage]:
    """Yield the HTML responses and resources of a WARC file; a record that fails with its error.

    Skip responses with another status than 2xx, and other types. A body larger than
    ``max_body_size`` (bytes, 0 for no limit) is an error and not kept in memory. ``keep`` names
    headers of the record, such as WARC-Date. After a damaged record, restart at the next gzip
    member, in an uncompressed file at the next line that begins a record.
    """
    limit = max_body_size or NO_LIMIT
    is_gzipped = file.read(len(GZIP_MAGIC)) == GZIP_MAGIC
    allowed = REREADS * file.seek(0, os.SEEK_END) + REREAD_BYTES
    start: int | None = 0
    while start is not None:
        found = yield from _read_to_damage(file, start, is_gzipped, limit, keep)
        if found is None:
            return
        rest, fault = found
        allowed -= file.tell() - start
        start = _next_record(file, rest, is_gzipped)
        if fault and start != rest:
            yield StoredPage(error=f"record at byte {rest}: {fault}")
        if allowed < 0 and start is not None:
            yield StoredPage(error=f"too much damage, the rest from byte {start} on is lost")
            return


def _read_to_damage(
    file: BinaryIO, start: int, is_gzipped: bool, limit: int, keep: Sequence[str]
) -> Generator[StoredPage, None, tuple[int, str] | None]:
    """Yield pages from this offset on; return None at the end of the file.

    At damage, return the offset at which to search for the next record, and the fault if no yielded
    record has it. A record's length is the sender's: trust it if another record follows, or if the
    record ends as records do.
    """
    file.seek(start)
    at, stated, is_read = start, 0, False
    head, page = StoredPage(), None
    try:
        for record in ArchiveIterator(file, parse_http=False, max_header_len=HEADERS_SIZE):
            yield from filter(None, [page])
            at, stated, is_read, page = record.stream_pos, record.content_length, False, None
            url = (record.headers.get("WARC-Target-URI") or "").strip("<> \t")
            head = StoredPage(url or None, kept=tuple(map(record.headers.get, keep)))
            block = b"".join(_pieces(record.reader, limit + HEADERS_SIZE))
            size = len(block) + record.consume()
            if size < stated or "Content-Length" not in record.headers:
                raise OSError(f"cut off: {size} of {stated} bytes")
            page, is_read = _page(record, block, size, limit, head), True
    except (OSError, EOFError, zlib.error) as error:
        end = _end_of_record(file, at, stated, is_gzipped) if is_read else None
        if end is None:
            fault = "it does not end where its header says" if is_read else error
            yield head._replace(error=f"record at byte {at}: {fault}")
            return at + 1, ""
        yield from filter(None, [page])
        return end, str(error)
    yield from filter(None, [page])
    return None


def _pieces(reader: Any, limit: int, piece_size: int = CHUNK) -> Iterator[bytes]:
    """Yield the content of a reader in pieces, up to some bytes over the limit."""
    size = 0
    # fastwarc allocates all bytes that one call asks for.
    while size <= limit and (piece := reader.read(piece_size)):
        yield piece
        size += len(piece)


def _page(record: Any, block: bytes, size: int, limit: int, head: StoredPage) -> StoredPage | None:
    """Return the page in the content of a record, None if it has no page."""
    is_response = record.record_type == WarcRecordType.response and record.is_http
    if not is_response and record.record_type != WarcRecordType.resource:
        return None
    headers, body = record.headers, block
    try:
        if is_response:
            record.set_bytes_content(block)
            record.parse_http(auto_decode="none", max_header_len=HEADERS_SIZE)
            headers, body = record.http_headers, record.reader.read()
            if headers.status_code is None:
                raise ValueError("no HTTP status line")
            if not 200 <= headers.status_code < 300:
                return None
        content_type = headers.get("Content-Type")
        if content_type and not is_html(b"", content_type):
            return None
        if is_response:
            body = _decoded(headers, body, limit)
        if not is_html(body, content_type):
            return None
    except Exception as error:  # malformed headers or body
        return head._replace(error=f"record at byte {record.stream_pos}: {error}")
    if len(body) > limit or size > len(block):
        return head._replace(error=f"too large: over {limit} bytes")
    return head._replace(body=body, content_type=content_type)


def _decoded(headers: Any, body: bytes, limit: int) -> bytes:
    """Return a decoded body up to its damage, or up to some bytes over the limit.

    Many archives store decoded bodies with their original headers: skip a coding that a text does
    not have. ValueError if no byte of a body can be decoded.
    """
    named = map(headers.get_multiple, ("Content-Encoding", "Transfer-Encoding"))
    names = ",".join(chain.from_iterable(named)).lower().split(",")
    codings = [name.strip().removeprefix("x-") for name in names]
    applied = [name for name in codings if name in _DECODERS]
    if len(applied) > MAX_CODINGS:
        raise ValueError(f"{len(applied)} codings, at most {MAX_CODINGS} are read")
    for name in reversed(applied):
        kept = _up_to_damage(name, body, limit)
        is_text = body.startswith(UTF_16) or not _BINARY.search(body, 0, 1024)
        if not kept and not is_text and name == "deflate":
            kept = _up_to_damage(name, ZLIB_HEADER + body, limit)
        if not kept and not is_text and name != "chunked":
            raise ValueError(f"its content coding {name} cannot be decoded")
        body = kept or body
        if len(body) > limit:
            break
    return body


def _up_to_damage(coding: str, body: bytes, limit: int) -> bytes:
    kept: list[bytes] = []
    with suppress(OSError):
        for piece in _pieces(_DECODERS[coding](BytesIO(body)), limit, 1 << 10):
            kept.append(piece)
    return b"".join(kept)


def _end_of_record(file: BinaryIO, at: int, stated: int, is_gzipped: bool) -> int | None:
    """Return the offset of a record's end, None if it does not end where its header says."""
    file.seek(at)
    if not is_gzipped:
        header = file.read(HEADERS_SIZE).find(END_OF_HEADER)
        end = file.seek(at + header + len(END_OF_HEADER) + stated)
        is_end = file.read(len(END_OF_RECORD)) == END_OF_RECORD
        return end + len(END_OF_RECORD) if header >= 0 and is_end else None
    member = zlib.decompressobj(GZIP)
    begun, size = b"", 0
    with suppress(zlib.error):
        while not member.eof and (chunk := member.unconsumed_tail or file.read(CHUNK)):
            piece = member.decompress(chunk, CHUNK)
            size += len(piece)
            if END_OF_HEADER not in begun:
                begun += piece
    header = begun.find(END_OF_HEADER) + len(END_OF_HEADER)
    is_end = member.eof and size == header + stated + len(END_OF_RECORD)
    return file.tell() - len(member.unused_data) if is_end else None


def _next_record(file: BinaryIO, start: int, is_gzipped: bool) -> int | None:
    """Return the offset of the next gzip member or line that begins a record, None if missing."""
    begin = MEMBER if is_gzipped else VERSION_LINE
    file.seek(start)
    data = b""
    while chunk := file.read(CHUNK):
        data += chunk
        for found in begin.finditer(data):
            at = found.start()
            if not is_gzipped or _begins_record(data[at : at + PROBE]):
                return start + at
        start += max(0, len(data) - PROBE)
        data = data[-PROBE:]
    return None


def _begins_record(member: bytes) -> bool:
    try:
        return zlib.decompressobj(GZIP).decompress(member, 5) == b"WARC/"
    except zlib.error:
        return False


# JSON lines

UTF_8: Final = "text/html; charset=utf-8"

#: A JSON line is longer than its HTML: it has other keys, and six bytes for some characters.
JSON_FACTOR: Final = 6
JSON_OVERHEAD: Final = 1 << 20


def read_lines(
    file: BinaryIO, max_body_size: int, keep: Sequence[str] = ()
) -> Iterator[StoredPage]:
    """Yield the pages of JSON lines; a line that is no page with its error.

    A line that is much longer than ``max_body_size`` (bytes, 0 for no limit) is an error and not
    kept in memory. ``keep`` names keys whose values are kept: strings unchanged, others as JSON.
    """
    limit = JSON_FACTOR * max_body_size + JSON_OVERHEAD if max_body_size else -1
    number = 0
    try:
        while line := file.readline(limit):
            number += 1
            if len(line) == limit and not line.endswith(b"\n"):
                while line and not line.endswith(b"\n"):
                    line = file.readline(CHUNK)
                yield StoredPage(error=f"line {number}: too large: over {limit} bytes")
            elif line.strip():
                yield _page_of_line(line, number, keep)
    except (OSError, EOFError, zlib.error) as error:
        yield StoredPage(error=f"damaged after line {number}, the rest is lost: {error}")


def _page_of_line(line: bytes, number: int, keep: Sequence[str]) -> StoredPage:
    try:
        record = json.loads(line)
        if not isinstance(record, dict):
            return StoredPage(error=f"line {number}: no JSON object")
        page = StoredPage(_text(record.get("url")), kept=tuple(_text(record.get(k)) for k in keep))
    except (ValueError, RecursionError, MemoryError) as error:
        return StoredPage(error=f"line {number}: no JSON: {shown(str(error))}")
    html = record.get("html")
    if html is None:
        html = record.get("body")
    if not isinstance(html, str):
        return page._replace(error=f"line {number}: no text under html or body")
    return page._replace(body=html.encode("utf-8", "replace"), content_type=UTF_8)


def _text(value: Any) -> str | None:
    """Return a value as text that UTF-8 can hold, None as None."""
    if value is None:
        return None
    return encodable(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))


# Parquet

SOURCES: Final = ("html", "body")
PAGE_COLUMNS: Final = ("url", *SOURCES, "content_type")

#: Errors of pyarrow for files that are damaged or of an unknown kind.
FAULTS: Final = (ValueError, OSError, MemoryError, pa.ArrowException)


def read_parquet(
    file: BinaryIO,
    max_body_size: int,  # noqa: ARG001
    keep: Sequence[str] = (),
) -> Iterator[pa.RecordBatch]:
    """Yield the pages of a Parquet file, then its columns in ``keep`` with their own types.

    A damaged row group is an error for each of its rows. `extract_batch` checks the size of each
    page. InputError for a file without HTML, or without a column to keep.
    """
    try:
        # With a buffer, pyarrow reads a column page by page.
        parquet = pq.ParquetFile(file, pre_buffer=False, buffer_size=CHUNK)
        schema = parquet.schema_arrow
    except FAULTS as error:
        yield from batches([StoredPage(error=f"no Parquet file: {describe(error)}")], keep)
        return
    columns = _columns(schema.names, keep)
    kept = [schema.field(name).remove_metadata() for name in keep]
    pages = [name for name in PAGE_COLUMNS if name in columns]
    for number in range(parquet.num_row_groups):
        group = parquet.metadata.row_group(number)
        done, fault = 0, "its rows are missing"
        try:
            for batch in parquet.iter_batches(
                _rows_at_once(group, columns),
                row_groups=[number],
                columns=columns,
                use_threads=False,
            ):
                yield batch.select([*pages, *keep])
                done += len(batch)
        except FAULTS as error:
            fault = describe(error)
        lost = StoredPage(error=f"row group {number} is damaged: {fault}")
        for start in range(done, group.num_rows, BATCH_PAGES):
            yield _batch([lost] * min(BATCH_PAGES, group.num_rows - start), kept)


def _rows_at_once(group: Any, columns: Sequence[str]) -> int:
    """Return a number of rows that fit a batch even if each is as large as its unpacked columns.

    A few bytes of a dictionary, or of a shared prefix, can be a large value in each row.
    """
    chunks = [group.column(leaf) for leaf in range(group.num_columns)]
    size: int = sum(
        c.total_uncompressed_size for c in chunks if c.path_in_schema.split(".")[0] in columns
    )
    return min(BATCH_PAGES, max(1, BATCH_BYTES // max(1, size)))


def _columns(names: Sequence[str], keep: Sequence[str]) -> list[str]:
    """Return the columns to read; InputError if one is missing."""
    listed = shown(", ".join(names))
    if not set(SOURCES) & set(names):
        raise InputError(f"No column html or body; its columns are: {listed}")
    if missing := [name for name in keep if name not in names]:
        raise InputError(f"No column {shown(missing[0])} to keep; its columns are: {listed}")
    return [name for name in dict.fromkeys([*PAGE_COLUMNS, *keep]) if name in names]


def _in_batches(
    read: Callable[[BinaryIO, int, Sequence[str]], Iterator[StoredPage]],
    unpack: Callable[[BinaryIO], Any] = lambda file: file,
) -> Reader:
    """Return a reader that yields the pages of ``read`` in batches."""
    return lambda file, limit, keep: batches(read(unpack(file), limit, keep), keep)


READERS: Final[dict[str, Reader]] = {
    ".warc": _in_batches(read_warc),
    ".warc.gz": _in_batches(read_warc),
    ".jsonl": _in_batches(read_lines),
    ".jsonl.gz": _in_batches(read_lines, gzip.open),
    ".ndjson": _in_batches(read_lines),
    ".ndjson.gz": _in_batches(read_lines, gzip.open),
    ".parquet": read_parquet,
}
