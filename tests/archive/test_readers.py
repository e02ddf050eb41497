"""JSON lines, Parquet and hostile files: damage is a row with its error, memory is bounded."""

import gzip
import json
import re
import subprocess
import sys
import time
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from scrapy_webtext.archive import readers
from scrapy_webtext.archive.readers import read_warc
from scrapy_webtext.errors import InputError
from tests.archive import batches, html, line, members, packed, parquet, record, rows, url, write

LINES: Final = b"".join(map(line, range(4)))


@pytest.fixture
def lines(tmp_path: Path) -> Path:
    return tmp_path / "pages.jsonl"


@pytest.mark.parametrize("name", ["a.jsonl", "a.JSONL.gz", "a.ndjson", "a.ndjson.gz"])
def test_json_lines_are_read_plain_and_gzipped(tmp_path: Path, name: str) -> None:
    path = write(tmp_path / name, gzip.compress(LINES) if name.endswith("gz") else LINES)
    found = [(row["url"], row["body"].decode()) for row in rows(path)]
    assert found == [(url(number), html(number)) for number in range(4)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (b"no json", {"error": "line 1: no JSON"}),
        (b"[1]", {"error": "line 1: no JSON object: write one page a line"}),
        (b"{}", {"error": "line 1: no text under html or body, only: "}),
        (
            b'{"url": "u", "html": 3}',
            {"error": "line 1: no text under html or body, only: url, html", "url": "u"},
        ),
        (b'{"html": "\xff"}', {"error": "line 1: no JSON"}),
        (b"[" * 100_000, {"error": "line 1: no JSON"}),
        (b'{"html": "", "a": "' + b"x" * 3_000_000 + b'"}', {"error": "line 1: too large: over "}),
        (b'{"url": 7, "html": null, "body": "<p>text"}', {"url": "7", "body": b"<p>text"}),
        (b'{"url": "\\ud800", "html": "<p>\\ud800"}', {"url": "?", "body": b"<p>?"}),
    ],
)
def test_each_line_is_a_page_or_an_error(
    lines: Path, text: bytes, expected: dict[str, Any]
) -> None:
    lines.write_bytes(text + b"\n\n" + line(9))
    first, second = rows(lines)
    error = expected.pop("error", "")
    assert (first["error"] or "").startswith(error)
    assert bool(first["error"]) == bool(error)
    assert {name: first[name] for name in expected} == expected
    assert (second["url"], second["error"]) == (url(9), None)


def test_lines_have_no_limit_if_pages_have_none(lines: Path) -> None:
    lines.write_bytes(line(5, padding="x" * 3_000_000))
    assert rows(lines, limit=0)[0]["error"] is None


def test_gzipped_lines_are_read_up_to_their_damage(tmp_path: Path) -> None:
    *read, last = rows(write(tmp_path / "a.jsonl.gz", gzip.compress(LINES)[:-8]))
    assert [row["error"] for row in read] == [None] * 4
    assert "damaged after line 4, the rest is lost" in last["error"]


def test_keys_of_lines_are_kept_as_text(lines: Path) -> None:
    lines.write_bytes(line(0, id=7, tags=["a", "ä"]) + b"no json\n" + line(1, tags="\ud800"))
    found = [(row["id"], row["tags"]) for row in rows(lines, "id", "tags")]
    assert found == [("7", '["a", "ä"]'), (None, None), (None, "?")]


def test_batches_are_bounded_in_pages_and_in_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(tmp_path / "pages.warc.gz", b"".join(members(10)))
    monkeypatch.setattr(readers, "BATCH_PAGES", 4)
    assert [len(batch) for batch in batches(path)] == [4, 4, 2]
    monkeypatch.setattr(readers, "BATCH_BYTES", 1)
    assert [len(batch) for batch in batches(path)] == [1] * 10


@pytest.mark.parametrize("column", ["html", "body"])
@pytest.mark.parametrize("kind", [pa.string(), pa.binary(), pa.large_string()])
def test_parquet_is_read_from_an_html_or_body_column(
    tmp_path: Path, column: str, kind: pa.DataType
) -> None:
    pages = pa.array([html(0), html(1)]).cast(kind)
    table = pa.table({"id": [7, 8], column: pages, "url": [url(0), url(1)]})
    path = write(tmp_path / "pages.parquet", parquet(table))
    assert rows(path) == table.select(["url", column]).to_pylist()
    assert rows(path, "id") == table.select(["url", column, "id"]).to_pylist()


def test_a_damaged_row_group_gives_an_error_for_each_of_its_rows(tmp_path: Path) -> None:
    columns = {"url": list(map(url, range(6))), "html": list(map(html, range(6)))}
    data = bytearray(parquet(columns, row_group_size=2))
    chunk = pq.read_metadata(BytesIO(data)).row_group(1).column(1)
    start = chunk.dictionary_page_offset or chunk.data_page_offset
    data[start : start + chunk.total_compressed_size] = b"\xff" * chunk.total_compressed_size
    errors = [row.get("error") for row in rows(write(tmp_path / "pages.parquet", data))]
    assert [bool(error) for error in errors] == [False, False, True, True, False, False]


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["url", "text"], "No column html or body; its columns are: url, text"),
        (["html"], "No column day to keep; its columns are: html"),
        (["\x1b]0;owned", *map(str, range(99))], r"are: \\x1b\]"),
    ],
)
def test_parquet_without_the_columns_is_refused(
    tmp_path: Path, names: list[str], message: str
) -> None:
    path = write(tmp_path / "pages.parquet", parquet({name: ["a"] for name in names}))
    with pytest.raises(InputError, match=message) as error:
        rows(path, "day")
    assert str(error.value).isprintable()


def test_a_file_that_is_no_parquet_is_one_error(tmp_path: Path) -> None:
    (row,) = rows(write(tmp_path / "pages.parquet", b"PAR1 not really"))
    assert "no Parquet file" in row["error"]


MB: Final = 1 << 20

#: The reader's process may grow by this many bytes. The bombs have some hundred MB.
PIECES: Final = 260
GROWTH: Final = 230 * MB
ZEROS: Final = [bytes(MB)] * PIECES

READ = """
import json, sys
from pathlib import Path
from tests.archive import batches

def used():
    status = Path("/proc/self/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) * 1024

before = used()
for path in sys.argv[1:]:
    errors = [row.get("error") for batch in batches(Path(path), 5_000_000)
              for row in batch.to_pylist()]
    print(json.dumps([used() - before, errors]))
"""


def coded(coding: str) -> bytes:
    headers = b"Content-Type: text/html\r\nContent-Encoding: %s\r\n" % coding.encode()
    return record(1, packed(coding, ZEROS), headers=headers)


def member() -> bytes:
    begun = record(1, b"<p>")[:-4]
    block = len(begun.partition(b"\r\n\r\n")[2])
    begun = re.sub(rb"Length: \d+", b"Length: %d" % (block + PIECES * MB), begun)
    return packed("gzip", [begun, *ZEROS, b"\r\n\r\n"]) + gzip.compress(record(2))


def addresses() -> bytes:
    line = [b'{"url": "', *[b"x" * MB] * 5, b'", "html": ""}\n']
    return packed("gzip", line * (PIECES // 5))


def with_dictionary(page: str, count: int) -> bytes:
    """Return a Parquet file of a page, many times."""
    column = pa.DictionaryArray.from_arrays(pa.array([0] * count, pa.int32()), pa.array([page]))
    return parquet({"html": column}, compression="zstd", store_schema=False)


def with_prefixes(page: str, count: int) -> bytes:
    """Return the same file, with each page stored as a difference from the page before."""
    encoding = {"html": "DELTA_BYTE_ARRAY"}
    return parquet(
        {"html": [page] * count}, use_dictionary=False, compression="zstd", column_encoding=encoding
    )


TOO_LARGE: Final = "too large: over 5000000 bytes"

#: Small files with gigabytes of content, and a part of the error of a row.
BOMBS: dict[str, tuple[Callable[[], bytes], str]] = {
    "gzip.warc": (lambda: coded("gzip"), TOO_LARGE),
    "deflate.warc": (lambda: coded("deflate"), TOO_LARGE),
    "br.warc": (lambda: coded("br"), TOO_LARGE),
    "zstd.warc": (lambda: coded("zstd"), TOO_LARGE),
    "member.warc.gz": (member, TOO_LARGE),
    "whole.warc.gz": (lambda: packed("gzip", [record(1) + record(2), *ZEROS]), "no WARC record"),
    "line.jsonl.gz": (
        lambda: packed("gzip", [b'{"html": "', *ZEROS]), "line 1: too large: over 31048576 bytes",
    ),
    "addresses.jsonl.gz": (addresses, ""),
    "dictionary.parquet": (lambda: with_dictionary("x" * 8 * MB, 256), ""),
    "delta.parquet": (lambda: with_prefixes("x" * 6 * MB, 40), ""),
}  # fmt: skip


def test_memory_is_bounded_by_a_batch(tmp_path: Path) -> None:
    write(tmp_path / "first.parquet", with_prefixes("<p>", 1))
    for name, (bomb, _) in BOMBS.items():
        write(tmp_path / name, bomb())
    command = [sys.executable, "-c", READ, *(tmp_path / name for name in ["first.parquet", *BOMBS])]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    (start, _), *rest = map(json.loads, done.stdout.splitlines())
    found = dict(zip(BOMBS, rest, strict=True))
    assert {name: size for name, (size, _) in found.items() if size - start >= GROWTH} == {}
    assert [name for name in BOMBS if BOMBS[name][1] not in str(found[name][1])] == []
    assert found["member.warc.gz"][1] == [TOO_LARGE, None]


MEMBER: Final = gzip.compress(record(1))
HEADER: Final = b"WARC/1.0\r\ncontent-length: %d\r\n\r\n"

#: Files of about this many bytes, which a bad reader would read again for each of their parts.
TWISTED: dict[str, Callable[[int], bytes]] = {
    "lengths over the records behind": lambda size: HEADER % 4_900_000 * (size // 40),
    "lengths over the end": lambda size: HEADER % 10**15 * (size // 50),
    "the same, gzipped": lambda size: gzip.compress(HEADER % 4_900_000 * (size // 40)),
    "the same in members": lambda size: gzip.compress(HEADER % 10**15) * (size // 60),
    "headers without an end": lambda size: b"WARC/1.0\r\n" * (size // 10),
    "beginnings in a header": lambda size: b"WARC/1.0\r\n" + b"X: WARC/1.0\r\n" * (size // 13),
    "ends of lines": lambda size: HEADER % 1 + b"x" + b"\n" * size,
    "empty lines, gzipped": lambda size: gzip.compress(b"\n" * size * 50),
    "lines in members after damage": lambda size: (
        MEMBER[:-9] + b"".join(gzip.compress(b"no record\n" * 99) for _ in range(size // 45))
    ),
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
        for _ in read_warc(file, 5_000_000):
            pass
        seconds.append(time.process_time() - began)
    assert seconds[1] < 48 * seconds[0] + 1
