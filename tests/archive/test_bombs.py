"""Small files that stand for gigabytes: memory is bounded by a batch, time by what is read."""

import gzip
import json
import re
import subprocess
import sys
import time
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Final

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from scrapy_webtext.archive.stored import read_batches
from scrapy_webtext.archive.warc import read_warc
from tests.archive import html, packed, record, url

LIMIT: Final = 5_000_000
MB: Final = 1 << 20

#: What a process with the reader may grow by; the bombs are of some hundred MB.
PIECES: Final = 260
GROWTH: Final = 230 * MB

READ = """
import json, sys
from pathlib import Path
from scrapy_webtext.archive.stored import read_batches

def used():
    status = Path("/proc/self/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) * 1024

before = used()
for path in sys.argv[1:]:
    errors = [row.get("error") for batch in read_batches(Path(path), 5_000_000)
              for row in batch.to_pylist()]
    print(json.dumps([used() - before, errors]))
"""


def coded(coding: str) -> Callable[[], bytes]:
    headers = b"Content-Type: text/html\r\nContent-Encoding: %s\r\n" % coding.encode()
    return lambda: record(1, packed(coding, zeros()), headers=headers)


def member() -> bytes:
    begun = record(1, b"<p>")[:-4]
    block = len(begun.partition(b"\r\n\r\n")[2])
    begun = re.sub(rb"Length: \d+", b"Length: %d" % (block + PIECES * MB), begun)
    return packed("gzip", [begun, *zeros()]) + gzip.compress(record(2))


def zeros() -> list[bytes]:
    return [bytes(MB)] * PIECES


def addresses() -> list[bytes]:
    return [b'{"url": "', *[b"x" * MB] * 5, b'", "html": ""}\n'] * (PIECES // 5)


def pages(kind: str, page: str, rows: int) -> bytes:
    """A Parquet file of one page, many times."""
    file = BytesIO()
    if kind == "dictionary":
        column = pa.DictionaryArray.from_arrays(pa.array([0] * rows, pa.int32()), pa.array([page]))
        pq.write_table(pa.table({"html": column}), file, compression="zstd", store_schema=False)
    else:
        column = pa.array([page] * rows)
        pq.write_table(
            pa.table({"html": column}), file, use_dictionary=False, compression="zstd",
            column_encoding={"html": "DELTA_BYTE_ARRAY"},
        )  # fmt: skip
    return file.getvalue()


BOMBS: dict[str, Callable[[], bytes]] = {
    "gzip.warc": coded("gzip"),
    "deflate.warc": coded("deflate"),
    "br.warc": coded("br"),
    "zstd.warc": coded("zstd"),
    "member.warc.gz": member,
    "whole.warc.gz": lambda: packed("gzip", [record(1) + record(2), *zeros()]),
    "line.jsonl.gz": lambda: packed("gzip", [b'{"html": "', *zeros()]),
    "values.jsonl": lambda: b'{"html": "", "a": [' + b"[]," * 9_000_000 + b"0]}",
    "strings.jsonl": lambda: b'{"html": "", "a": [' + b'"",' * 9_000_000 + b"0]}",
    "addresses.jsonl.gz": lambda: packed("gzip", addresses()),
    "dictionary.parquet": lambda: pages("dictionary", "x" * 8 * MB, 256),
    "delta.parquet": lambda: pages("delta", "x" * 6 * MB, 40),
}


ERRORS: Final = {
    "member.warc.gz": "too large: over 5000000 bytes",
    "whole.warc.gz": "no WARC header",
    "line.jsonl.gz": "line 1: too large: over 31048576 bytes",
    "values.jsonl": "line 1: too large: over 1000000 values",
    "strings.jsonl": "line 1: too large: over 1000000 values",
}


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[int, list[str | None]]]:
    """Bytes that a process grew by up to the end of each file, and the errors of its rows."""
    folder = tmp_path_factory.mktemp("bombs")
    (folder / "first.parquet").write_bytes(pages("delta", "<p>", 1))
    for name, bomb in BOMBS.items():
        (folder / name).write_bytes(bomb())
    command = [sys.executable, "-c", READ, *(folder / name for name in ["first.parquet", *BOMBS])]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    sizes = [json.loads(line) for line in done.stdout.splitlines()]
    (start, _), *rest = sizes
    return {name: (size - start, errors) for name, (size, errors) in zip(BOMBS, rest, strict=True)}


@pytest.mark.parametrize("name", BOMBS)
def test_memory_is_bounded_by_a_batch(
    found: dict[str, tuple[int, list[str | None]]], name: str
) -> None:
    growth, errors = found[name]
    assert growth < GROWTH
    if name.endswith(".warc"):
        assert errors == ["too large: over 5000000 bytes"]
    elif name in ERRORS:
        assert ERRORS[name] in str(errors)


def test_the_page_behind_a_bomb_is_read(found: dict[str, tuple[int, list[str | None]]]) -> None:
    assert found["member.warc.gz"][1] == ["too large: over 5000000 bytes", None]


def test_parquet_whose_pages_take_more_memory_than_there_may_be_is_refused_by_its_headers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "pages.parquet"
    path.write_bytes(pages("dictionary", "x" * 8 * MB, 3))
    monkeypatch.setattr("scrapy_webtext.archive.parquet.MAX_PAGE", 4 * MB)
    rows = [row for batch in read_batches(path, LIMIT) for row in batch.to_pylist()]
    assert len(rows) == 3
    assert (
        "its column html unpacks to 8388612 bytes, limit 4194304; write it with" in rows[0]["error"]
    )


MEMBER: Final = gzip.compress(record(1))
HEADER: Final = b"WARC/1.0\r\ncontent-length: %d\r\n\r\n"

#: What could be gone through once for each of its parts. Each is made about so many bytes long.
TWISTED: dict[str, Callable[[int], bytes]] = {
    "lengths over the records behind": lambda size: HEADER % 4_900_000 * (size // 40),
    "lengths over the end": lambda size: HEADER % 10**15 * (size // 50),
    "the same, gzipped": lambda size: gzip.compress(HEADER % 4_900_000 * (size // 40)),
    "lengths over the limit, gzipped": lambda size: gzip.compress(HEADER % 10**7 * (size // 40)),
    "headers without an end": lambda size: b"WARC/1.0\r\n" * (size // 10),
    "beginnings in a header": lambda size: b"WARC/1.0\r\n" + b"X: WARC/1.0\r\n" * (size // 13),
    "ends of lines": lambda size: HEADER % 1 + b"x" + b"\n" * size,
    "beginnings of members": lambda size: MEMBER[:-9] + b"\x1f\x8b\x08" * (size // 3),
    "members in members": lambda size: (
        b"\x1f\x8b\x08" + bytes(6) + b"\xff" + b"\0\x0f\0\xf0\xff" + b"WARC/"
    ) * (size // 20),
    "members of nothing": lambda size: gzip.compress(b"") * (size // 20),
}  # fmt: skip


@pytest.mark.parametrize("name", TWISTED)
def test_time_is_linear_in_the_file(name: str) -> None:
    seconds = []
    for size in (40_000, 640_000):
        file = BytesIO(TWISTED[name](size))
        began = time.process_time()
        for _ in read_warc(file, LIMIT):
            pass
        seconds.append(time.process_time() - began)
    assert seconds[1] < 48 * seconds[0] + 1


def test_a_stated_length_sets_no_memory_aside() -> None:
    lie = re.sub(rb"Length: \d+", b"Length: %d" % 10**15, record(1))
    pages = list(read_warc(BytesIO(gzip.compress(lie) + gzip.compress(record(2))), LIMIT))
    assert [(page.url, page.body) for page in pages] == [(url(1), None), (url(2), html(2).encode())]
