"""Archives for tests: WARC records, whole and damaged, and files of pages."""

import gzip
import io
import json
import zlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from fastwarc.stream_io import BrotliWriter, ZstdWriter

from scrapy_webtext.archive.parts import Job, Part, describe_settings, plan_parts
from scrapy_webtext.archive.readers import file_reader
from scrapy_webtext.reader import PageReader

SENTENCE = "The harbour was quiet that morning, and nobody saw the boat leave. "


def html(number: int) -> str:
    text = SENTENCE * (10 + number)
    return f"<html><body><article><h1>Page {number}</h1><p>{text}</p></article></body></html>"


def url(number: int) -> str:
    return f"https://example.com/{number}"


def record(
    number: int = 0,
    body: bytes | None = None,
    *,
    headers: bytes = b"Content-Type: text/html; charset=utf-8\r\n",
    status: bytes = b"200 OK",
    kind: bytes = b"response",
    content_type: bytes = b"application/http; msgtype=response",
) -> bytes:
    """Return a WARC record of an HTTP response, or of another kind."""
    if body is None:
        body = html(number).encode()
    block = b"HTTP/1.1 " + status + b"\r\n" + headers + b"\r\n" + body
    if kind == b"resource":
        block = body
    header = (
        b"WARC/1.0\r\nWARC-Type: %s\r\nWARC-Target-URI: %s\r\nWARC-Date: 2024-01-01T00:00:00Z\r\n"
        b"WARC-Record-ID: <urn:uuid:%d>\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n"
        % (kind, url(number).encode(), number, content_type, len(block))
    )
    return header + block + b"\r\n\r\n"


def members(count: int) -> list[bytes]:
    """Return records as Common Crawl writes them: a gzip member for each."""
    return [gzip.compress(record(number)) for number in range(count)]


def line(number: int, **other: Any) -> bytes:
    return json.dumps({"url": url(number), "html": html(number), **other}).encode() + b"\n"


def parquet(columns: Any, **options: Any) -> bytes:
    """Return a Parquet file with these columns."""
    pq.write_table(pa.table(columns), file := io.BytesIO(), **options)
    return file.getvalue()


def write(path: Path, content: bytes) -> Path:
    """Write a file, also its folder; return its path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


def write_parts(folder: Path, parts: int, pages: int, end: bytes = b"") -> Path:
    """Write numbered archives, each of some pages and this end, to a folder; return it."""
    for number in range(parts):
        write(folder / f"{number:02}.warc.gz", b"".join(members(pages)) + end)
    return folder


def batches(path: Path, limit: int = 100_000, keep: tuple[str, ...] = ()) -> Iterator[Any]:
    """Yield the batches of a file of pages, each at most ``limit`` bytes."""
    with path.open("rb") as file:
        yield from file_reader(path)(file, limit, keep)


def rows(path: Path, *keep: str, limit: int = 100_000) -> list[dict[str, Any]]:
    return [row for batch in batches(path, limit, keep) for row in batch.to_pylist()]


def chunked(data: bytes) -> bytes:
    return b"%x\r\n%s\r\n0\r\n\r\n" % (len(data), data)


def packed(coding: str, pieces: Iterable[bytes]) -> bytes:
    """Return pieces in a content coding."""
    if coding in ("gzip", "deflate"):
        deflate = zlib.compressobj(1, wbits=31 if coding == "gzip" else 15)
        return b"".join(map(deflate.compress, pieces)) + deflate.flush()
    writers: dict[str, Callable[[Any], Any]] = {"br": BrotliWriter, "zstd": ZstdWriter}
    file = io.BytesIO()
    writer = writers[coding](file)
    for piece in pieces:
        writer.write(piece)
    writer.close()
    return file.getvalue()


def part_of(source: Path, output: Path) -> Part:
    (part,) = plan_parts([str(source)], str(output))
    return part


def job_at(output: Path, reader: Any = None, keep: tuple[str, ...] = (), run: str = "run") -> Job:
    """Return the job of a run, whose workspace exists."""
    reader = reader or PageReader.of()
    workspace = output / ".webtext" / run
    workspace.mkdir(parents=True, exist_ok=True)
    return Job(reader, keep, describe_settings(reader, keep), run, str(workspace))
