"""Mark the blocks that sites repeat, in the output of a run: one pass counts, one marks."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

from scrapy_webtext.provenance import FOOTER_KEY
from scrapy_webtext.repeats import Repeats, host_of

#: Sites and hashes that are remembered: some 200 MB.
MAX_SITES: Final = 50_000
MAX_HASHES: Final = 2_000_000
#: Rows that are read at once.
ROWS: Final = 256


def mark_repeats(parts: Iterable[str], workspace: str) -> None:
    """Set ``is_repeated`` in the blocks of these output parts; the same again changes nothing.

    A part is replaced when its copy in the workspace is whole. Parts without blocks stay.
    """
    paths = [path for path in map(Path, parts) if "blocks" in pq.read_schema(path).names]
    repeats = Repeats(MAX_SITES, MAX_HASHES)
    for path in paths:
        for batch in _batches(path, ["url", "main_text", "blocks"]):
            for url, text, blocks in zip(*map(pa.Array.to_pylist, batch.columns), strict=True):
                repeats.count(host_of(url), text or "", _texts(blocks))
    for path in paths:
        _mark(path, Path(workspace, "marked"), repeats)


def _mark(path: Path, copy: Path, repeats: Repeats) -> None:
    schema = pq.read_schema(path)
    place, column = schema.names.index("blocks"), schema.field("blocks")
    with pq.ParquetWriter(copy, schema, compression="zstd") as writer:
        for batch in _batches(path, schema.names):
            urls, rows = batch["url"].to_pylist(), batch["blocks"].to_pylist()
            for url, blocks in zip(urls, rows, strict=True):
                found = repeats.repeated(host_of(url), _texts(blocks))
                for block, is_found in zip(blocks or (), found, strict=True):
                    block["is_repeated"] = is_found
            writer.write_batch(batch.set_column(place, column, pa.array(rows, column.type)))
        writer.add_key_value_metadata({FOOTER_KEY: pq.read_metadata(path).metadata[FOOTER_KEY]})
    os.replace(copy, path)


def _batches(path: Path, columns: list[str]) -> Iterator[pa.RecordBatch]:
    with pq.ParquetFile(path) as file:
        for batch in file.iter_batches(ROWS, columns=columns):
            yield batch.select(columns)


def _texts(blocks: list[dict[str, Any]] | None) -> list[str]:
    return [block["text"] for block in blocks or ()]
