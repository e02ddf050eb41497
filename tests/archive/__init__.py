"""WARC files made by hand, whole and damaged."""

import gzip
import io
import zlib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

SENTENCE = "The harbour was quiet that morning, and nobody saw the boat leave. "


def html(number: int) -> str:
    text = SENTENCE * (10 + number)
    return f"<html><body><article><h1>Page {number}</h1><p>{text}</p></article></body></html>"


def record(
    number: int = 0,
    body: bytes | None = None,
    *,
    headers: bytes = b"Content-Type: text/html; charset=utf-8\r\n",
    status: bytes = b"200 OK",
    kind: bytes = b"response",
    content_type: bytes = b"application/http; msgtype=response",
) -> bytes:
    """One WARC record of an answer."""
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


def url(number: int) -> str:
    return f"https://example.com/{number}"


def warcinfo() -> bytes:
    return (
        b"WARC/1.0\r\nWARC-Type: warcinfo\r\nWARC-Date: 2024-01-01T00:00:00Z\r\n"
        b"WARC-Record-ID: <urn:uuid:info>\r\nContent-Type: application/warc-fields\r\n"
        b"Content-Length: 14\r\n\r\nsoftware: hand\r\n\r\n"
    )


def members(count: int) -> list[bytes]:
    """As Common Crawl writes it: one gzip member per record."""
    return [gzip.compress(record(number)) for number in range(count)]


def write_parts(folder: Path, parts: int, pages: int) -> Path:
    """A new folder with as many archives, whose names sort as they are numbered."""
    folder.mkdir()
    for number in range(parts):
        (folder / f"{number:02}.warc.gz").write_bytes(b"".join(members(pages)))
    return folder


def chunked(data: bytes) -> bytes:
    return b"%x\r\n%s\r\n0\r\n\r\n" % (len(data), data)


def packed(coding: str, pieces: Iterable[bytes]) -> bytes:
    """Pieces behind each other in a content coding; as many as one likes."""
    from fastwarc.stream_io import BrotliWriter, ZstdWriter

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


def job_at(output: Path, settings: Any = None, keep: tuple[str, ...] = (), run: str = "run") -> Any:
    """What the parts of a run share, with its workspace made."""
    from scrapy_webtext.archive import ExtractionSettings
    from scrapy_webtext.archive.parts import Job, made_with

    settings = settings or ExtractionSettings()
    settings.parts()
    workspace = output / ".webtext" / run
    workspace.mkdir(parents=True, exist_ok=True)
    return Job(settings, keep, made_with(settings, keep), run, str(workspace))
