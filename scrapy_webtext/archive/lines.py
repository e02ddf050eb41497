"""Pages of JSON lines: an object a line, with ``html`` or ``body`` and where known ``url``."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator, Sequence
from typing import Any, Final, Protocol

from scrapy_webtext.archive.pages import StoredPage, clean
from scrapy_webtext.log_text import shown

CHUNK: Final = 1 << 16

UTF_8: Final = "text/html; charset=utf-8"

#: A JSON line is longer than its HTML: other keys, and six bytes for some characters.
JSON_FACTOR: Final = 6
JSON_OVERHEAD: Final = 1 << 20

#: Values of a line, beside the characters of its strings. Each takes Python some 100 bytes.
MAX_VALUES: Final = 1_000_000


class Lines(Protocol):
    """A binary file of lines."""

    def readline(self, size: int = ..., /) -> bytes:
        """Return a line, of a longer one so many bytes."""
        ...


def read_lines(file: Lines, max_body_size: int, keep: Sequence[str]) -> Iterator[StoredPage]:
    """Yield the pages of JSON lines; what is no page, with its error.

    Of a line that is much longer than ``max_body_size`` (bytes, 0 for no limit) only the error is
    kept. ``keep`` names keys whose values are passed on: strings as they are, others as JSON.
    """
    limit = JSON_FACTOR * max_body_size + JSON_OVERHEAD if max_body_size else -1
    number = 0
    try:
        while line := file.readline(limit):
            number += 1
            if not line.endswith(b"\n") and len(line) == limit:
                while line and not line.endswith(b"\n"):
                    line = file.readline(CHUNK)
                yield StoredPage(error=f"line {number}: too large: over {limit} bytes")
            elif line.strip():
                yield _page(line, number, keep)
    except (OSError, EOFError, zlib.error) as error:
        yield StoredPage(error=f"damaged after line {number}, the rest is lost: {error}")


def _page(line: bytes, number: int, keep: Sequence[str]) -> StoredPage:
    if has_more_values(line, MAX_VALUES):
        return StoredPage(error=f"line {number}: too large: over {MAX_VALUES} values")
    try:
        record = json.loads(line)
        if not isinstance(record, dict):
            return StoredPage(error=f"line {number}: no JSON object")
        kept = tuple(_text(record.get(name)) for name in keep)
        page = StoredPage(_text(record.get("url")), kept=kept)
    except (ValueError, RecursionError) as error:
        return StoredPage(error=f"line {number}: no JSON: {shown(str(error))}")
    html = record.get("html")
    if html is None:
        html = record.get("body")
    if not isinstance(html, str):
        return page._replace(error=f"line {number}: no text under html or body")
    return page._replace(body=html.encode("utf-8", "replace"), content_type=UTF_8)


def has_more_values(line: bytes, limit: int) -> bool:
    """Whether a JSON line has more values than this; strings are left out only if need be."""
    if _values(line) <= limit:
        return False
    line = line.replace(rb"\\", b"").replace(rb"\"", b"")
    if line.count(b'"') > 4 * limit:  # those of a key and of its value
        return True
    return _values(b"".join(line.split(b'"')[::2])) > limit


def _values(line: bytes) -> int:
    return line.count(b",") + line.count(b"[") + line.count(b"{")


def _text(value: Any) -> str | None:
    if value is None:
        return None
    return clean(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))
