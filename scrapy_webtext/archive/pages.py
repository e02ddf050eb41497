"""Stored pages, gathered into batches that are bounded in number and in bytes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from scrapy_webtext.errors import MissingExtraError

try:
    import pyarrow as pa
except ImportError:
    raise MissingExtraError("Reading archives", "pyarrow", "archive") from None

#: A batch is full at so many pages or bytes, whichever comes first: memory stays bounded.
BATCH_PAGES: Final = 256
BATCH_BYTES: Final = 16 << 20

PAGE_SCHEMA: Final = pa.schema(
    [
        ("url", pa.string()),
        ("body", pa.large_binary()),
        ("content_type", pa.string()),
        ("error", pa.string()),
    ]
)


class StoredPage(NamedTuple):
    """One page of an archive, or why it could not be read."""

    url: str | None = None
    body: bytes | None = None
    content_type: str | None = None  #: of the HTTP header
    error: str | None = None
    kept: tuple[str | None, ...] = ()  #: what is passed on, in the order asked for

    @property
    def size(self) -> int:
        """About how much memory it takes, in bytes."""
        texts = (self.url, self.content_type, self.error, *self.kept)
        return len(self.body or b"") + sum(len(text) for text in texts if text)


def batches(pages: Iterable[StoredPage], keep: Sequence[str]) -> Iterator[pa.RecordBatch]:
    """Yield pages in batches: the columns `PAGE_SCHEMA` and behind them those of ``keep``."""
    rows: list[StoredPage] = []
    size = 0
    for page in pages:
        rows.append(page)
        size += page.size
        if len(rows) >= BATCH_PAGES or size >= BATCH_BYTES:
            yield batch_of(rows, keep)
            rows, size = [], 0
    if rows:
        yield batch_of(rows, keep)


def batch_of(rows: Sequence[StoredPage], keep: Sequence[str]) -> pa.RecordBatch:
    """Return pages as a batch; what they keep is text."""
    columns = [[row[number] for row in rows] for number in range(len(PAGE_SCHEMA))]
    arrays = [pa.array(c, f.type) for c, f in zip(columns, PAGE_SCHEMA, strict=True)]
    for number in range(len(keep)):
        kept = [row.kept[number] if row.kept else None for row in rows]
        arrays.append(pa.array(kept, pa.string()))
    return pa.RecordBatch.from_arrays(arrays, names=[*PAGE_SCHEMA.names, *keep])


def clean(text: str) -> str:
    """Return a text without halves of surrogate pairs, which UTF-8 has no place for."""
    return text.encode("utf-8", "replace").decode()
