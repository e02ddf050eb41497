"""JSON lines, Parquet and hostile files: damage is a row with its error, memory is bounded."""

import datetime
import gzip
import json
import os
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

from scrapy_webtext.archive import RESULT_SCHEMA, extract_batch, readers
from scrapy_webtext.archive.readers import read_batches, read_warc
from scrapy_webtext.errors import InputError
from tests.archive import html, members, packed, record, url

LIMIT = 100_000


def rows(path: Path, *keep: str, limit: int = LIMIT) -> list[dict[str, Any]]:
    return [row for batch in read_batches(path, limit, keep) for row in batch.to_pylist()]


def kept(path: Path, *names: str) -> list[dict[str, Any]]:
    return [{name: row[name] for name in names} for row in rows(path, *names)]


def bodies(path: Path) -> list[str]:
    sources = [row.get("html") or row.get("body") or b"" for row in rows(path)]
    return [source.decode() if isinstance(source, bytes) else source for source in sources]


def line(number: int, **other: Any) -> bytes:
    return json.dumps({"url": url(number), "html": html(number), **other}).encode() + b"\n"


@pytest.fixture
def lines(tmp_path: Path) -> Path:
    path = tmp_path / "pages.jsonl"
    path.write_bytes(b"".join(map(line, range(4))))
    return path


def test_json_lines_are_read_plain_and_gzipped(lines: Path) -> None:
    packed_lines = lines.with_name("pages.jsonl.gz")
    packed_lines.write_bytes(gzip.compress(lines.read_bytes()))
    assert rows(packed_lines) == rows(lines)
    assert bodies(lines) == [html(number) for number in range(4)]
    assert rows(lines)[1]["url"] == url(1)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (b"no json", {"error": "line 1: no JSON"}),
        (b"[1]", {"error": "line 1: no JSON object"}),
        (b"{}", {"error": "line 1: no text under html or body"}),
        (b'{"url": "u", "html": 3}', {"error": "line 1: no text under html or body", "url": "u"}),
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


def test_gzipped_lines_are_read_up_to_their_damage(lines: Path) -> None:
    packed_lines = lines.with_name("pages.jsonl.gz")
    packed_lines.write_bytes(gzip.compress(lines.read_bytes())[:-8])
    *read, last = rows(packed_lines)
    assert [row["error"] for row in read] == [None] * 4
    assert "damaged after line 4, the rest is lost" in last["error"]


def test_keys_of_lines_are_kept_as_text(lines: Path) -> None:
    lines.write_bytes(
        line(0, id=7, tags=["a", "ä"], date="2024-01-01")
        + b"no json\n"
        + line(1, date="\ud800", tags=float("nan"))
    )
    assert kept(lines, "id", "tags", "date") == [
        {"id": "7", "tags": '["a", "ä"]', "date": "2024-01-01"},
        {"id": None, "tags": None, "date": None},
        {"id": None, "tags": "NaN", "date": "?"},
    ]


def test_batches_are_bounded_in_pages_and_in_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "pages.warc.gz"
    path.write_bytes(b"".join(members(10)))
    monkeypatch.setattr(readers, "BATCH_PAGES", 4)
    assert [len(batch) for batch in read_batches(path, LIMIT)] == [4, 4, 2]
    monkeypatch.setattr(readers, "BATCH_BYTES", 1)
    assert [len(batch) for batch in read_batches(path, LIMIT)] == [1] * 10


def test_files_that_cannot_be_read_are_refused_without_waiting(tmp_path: Path) -> None:
    pipe, device = tmp_path / "pipe.jsonl", tmp_path / "device.jsonl"
    os.mkfifo(pipe)
    device.symlink_to("/dev/zero")
    for path, message in (
        (tmp_path / "pages.csv", r"known endings: \.warc, \.warc\.gz, \.jsonl"),
        (tmp_path / "missing.warc", "cannot be read"),
        (pipe, "is no file that can be read"),
        (device, "is no file that can be read"),
    ):
        with pytest.raises(InputError, match=message):
            rows(path)


def write_parquet(path: Path, columns: dict[str, Any], **options: Any) -> Path:
    pq.write_table(pa.table(columns), path, **options)
    return path


def results(path: Path) -> list[dict[str, Any]]:
    found = [extract_batch(batch) for batch in read_batches(path, LIMIT)]
    assert all(batch.schema == RESULT_SCHEMA for batch in found)
    return [row for batch in found for row in batch.to_pylist()]


@pytest.mark.parametrize("column", ["html", "body"])
@pytest.mark.parametrize("kind", [pa.string(), pa.binary(), pa.large_string()])
def test_parquet_is_read_from_an_html_or_body_column(
    tmp_path: Path, column: str, kind: pa.DataType
) -> None:
    pages = pa.array([html(0), html(1)], pa.string()).cast(kind)
    columns = {"id": [7, 8], column: pages, "url": [url(0), url(1)]}
    path = write_parquet(tmp_path / "pages.parquet", columns)
    assert bodies(path) == [html(0), html(1)]
    assert [row["url"] for row in rows(path)] == [url(0), url(1)]
    assert "id" not in rows(path)[0]


def test_a_row_without_html_is_read_from_its_body(tmp_path: Path) -> None:
    columns = {"html": [None, html(1)], "body": [html(0).encode(), None]}
    path = write_parquet(tmp_path / "pages.parquet", columns)
    assert [row["error"] for row in results(path)] == [None, None]


def test_a_damaged_row_group_gives_an_error_for_each_of_its_rows(tmp_path: Path) -> None:
    columns = {"url": [url(n) for n in range(6)], "html": [html(n) for n in range(6)]}
    path = write_parquet(tmp_path / "pages.parquet", columns, row_group_size=2)
    data = bytearray(path.read_bytes())
    chunk = pq.read_metadata(path).row_group(1).column(1)
    start = chunk.dictionary_page_offset or chunk.data_page_offset
    data[start : start + chunk.total_compressed_size] = b"\xff" * chunk.total_compressed_size
    path.write_bytes(data)
    errors = [row.get("error") for row in rows(path)]
    assert [bool(error) for error in errors] == [False, False, True, True, False, False]


@pytest.mark.parametrize(
    ("addresses", "expected"),
    [
        (pa.array([1, None]), ["1", None]),
        (pa.array([b"http://a/\xff", b"http://b"]), ["http://a/\ufffd", "http://b"]),
        (pa.array([b"\xff", b"b"]).view(pa.string()), ["\ufffd", "b"]),
        (pa.array([datetime.date(2024, 1, 2)] * 2), ["2024-01-02"] * 2),
        (pa.array([2**62] * 2, pa.timestamp("us")), [None, None]),
        (pa.array([["a"], ["b"]]), ["['a']", "['b']"]),
        (pa.array(["a", "b"]).dictionary_encode(), ["a", "b"]),
    ],
)
def test_addresses_of_any_type_cost_no_page(
    tmp_path: Path, addresses: pa.Array, expected: list[str | None]
) -> None:
    path = write_parquet(tmp_path / "p.parquet", {"url": addresses, "html": [html(0), html(1)]})
    found = results(path)
    assert [row["url"] for row in found] == expected
    assert [row["error"] for row in found] == [None, None]


@pytest.mark.parametrize(
    ("column", "kind"),
    [
        (pa.array([1, 2]), "the cell holds int"),
        (pa.array([["a"], ["b"]]), "the cell holds list"),
        (pa.array([{"html": "a"}, {"html": "b"}]), "the cell holds dict"),
        (pa.array([None, None]), "the cell is empty"),
    ],
)
def test_a_column_of_pages_without_text_is_an_error_for_each_row(
    tmp_path: Path, column: pa.Array, kind: str
) -> None:
    path = write_parquet(tmp_path / "pages.parquet", {"html": column, "id": [7, 8]})
    errors = [row["error"] for row in results(path)]
    assert len(errors) == 2
    assert errors == [f"no HTML: {kind}"] * 2
    assert kept(path, "id") == [{"id": 7}, {"id": 8}]
    assert pa.types.is_int64(next(read_batches(path, LIMIT, ["id"])).schema.field("id").type)


def test_html_that_is_no_utf8_costs_no_page(tmp_path: Path) -> None:
    text = "<article><p>" + "Zwölf Boxkämpfer jagen Viktor quer über den Deich. " * 20
    column = pa.array([text.encode("cp1252"), text.encode()]).view(pa.string())
    one, other = results(write_parquet(tmp_path / "pages.parquet", {"html": column}))
    assert one["main_text"] == other["main_text"]


def test_columns_are_kept_with_their_types(tmp_path: Path) -> None:
    days = [[datetime.date(2024, 1, 1)], None]
    columns = {"html": [html(0), html(1)], "day": days, "id": [1, 2], "content_type": ["a", "b"]}
    path = write_parquet(tmp_path / "pages.parquet", columns)
    assert kept(path, "id", "day") == [{"id": 1, "day": days[0]}, {"id": 2, "day": None}]
    assert kept(path, "content_type") == [{"content_type": "a"}, {"content_type": "b"}]


@pytest.mark.parametrize(
    ("names", "arrays", "message"),
    [
        (["url", "text"], [["u"], ["t"]], "its columns are: url, text"),
        (["html"], [["a"]], "No column day to keep; its columns are: html"),
        (["html", "day", "html"], [["a"]] * 3, "2 columns html: rename all but one"),
        (["\x1b]0;owned", *map(str, range(99))], [["a"]] * 100, r"are: \\x1b\]"),
    ],
)
def test_parquet_without_the_columns_is_refused(
    tmp_path: Path, names: list[str], arrays: list[Any], message: str
) -> None:
    path = tmp_path / "pages.parquet"
    pq.write_table(pa.Table.from_arrays(list(map(pa.array, arrays)), names=names), path)
    with pytest.raises(InputError, match=message) as error:
        rows(path, "day")
    assert str(error.value).isprintable()


def test_what_is_no_parquet_at_all_is_one_error(tmp_path: Path) -> None:
    path = tmp_path / "pages.parquet"
    path.write_bytes(b"PAR1 not really")
    (row,) = rows(path)
    assert "no Parquet file" in row["error"]


MB: Final = 1 << 20

#: What a process with the reader may grow by; the bombs are of some hundred MB.
PIECES: Final = 260
GROWTH: Final = 230 * MB

READ = """
import json, sys
from pathlib import Path
from scrapy_webtext.archive.readers import read_batches

def used():
    status = Path("/proc/self/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) * 1024

before = used()
for path in sys.argv[1:]:
    errors = [row.get("error") for batch in read_batches(Path(path), 5_000_000)
              for row in batch.to_pylist()]
    print(json.dumps([used() - before, errors]))
"""


def zeros() -> list[bytes]:
    return [bytes(MB)] * PIECES


def coded(coding: str) -> Callable[[], bytes]:
    headers = b"Content-Type: text/html\r\nContent-Encoding: %s\r\n" % coding.encode()
    return lambda: record(1, packed(coding, zeros()), headers=headers)


def member() -> bytes:
    begun = record(1, b"<p>")[:-4]
    block = len(begun.partition(b"\r\n\r\n")[2])
    begun = re.sub(rb"Length: \d+", b"Length: %d" % (block + PIECES * MB), begun)
    return packed("gzip", [begun, *zeros(), b"\r\n\r\n"]) + gzip.compress(record(2))


def addresses() -> list[bytes]:
    return [b'{"url": "', *[b"x" * MB] * 5, b'", "html": ""}\n'] * (PIECES // 5)


def pages(kind: str, page: str, count: int) -> bytes:
    """A Parquet file of one page, many times."""
    file = BytesIO()
    if kind == "dictionary":
        column = pa.DictionaryArray.from_arrays(pa.array([0] * count, pa.int32()), pa.array([page]))
        pq.write_table(pa.table({"html": column}), file, compression="zstd", store_schema=False)
    else:
        pq.write_table(
            pa.table({"html": [page] * count}), file, use_dictionary=False, compression="zstd",
            column_encoding={"html": "DELTA_BYTE_ARRAY"},
        )  # fmt: skip
    return file.getvalue()


TOO_LARGE: Final = "too large: over 5000000 bytes"

#: Small files that stand for gigabytes, and a part of the error of a row.
BOMBS: dict[str, tuple[Callable[[], bytes], str]] = {
    "gzip.warc": (coded("gzip"), TOO_LARGE),
    "deflate.warc": (coded("deflate"), TOO_LARGE),
    "br.warc": (coded("br"), TOO_LARGE),
    "zstd.warc": (coded("zstd"), TOO_LARGE),
    "member.warc.gz": (member, TOO_LARGE),
    "whole.warc.gz": (lambda: packed("gzip", [record(1) + record(2), *zeros()]), "does not end"),
    "line.jsonl.gz": (
        lambda: packed("gzip", [b'{"html": "', *zeros()]),
        "line 1: too large: over 31048576 bytes",
    ),
    "addresses.jsonl.gz": (lambda: packed("gzip", addresses()), ""),
    "dictionary.parquet": (lambda: pages("dictionary", "x" * 8 * MB, 256), ""),
    "delta.parquet": (lambda: pages("delta", "x" * 6 * MB, 40), ""),
}


def test_memory_is_bounded_by_a_batch(tmp_path: Path) -> None:
    (tmp_path / "first.parquet").write_bytes(pages("delta", "<p>", 1))
    for name, (bomb, _) in BOMBS.items():
        (tmp_path / name).write_bytes(bomb())
    command = [sys.executable, "-c", READ, *(tmp_path / name for name in ["first.parquet", *BOMBS])]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    (start, _), *rest = map(json.loads, done.stdout.splitlines())
    found = dict(zip(BOMBS, rest, strict=True))
    assert {name: size for name, (size, _) in found.items() if size - start >= GROWTH} == {}
    assert [name for name in BOMBS if BOMBS[name][1] not in str(found[name][1])] == []
    assert found["member.warc.gz"][1] == [TOO_LARGE, None]


MEMBER: Final = gzip.compress(record(1))
HEADER: Final = b"WARC/1.0\r\ncontent-length: %d\r\n\r\n"

#: What could be gone through once for each of its parts. Each is made about so many bytes long.
TWISTED: dict[str, Callable[[int], bytes]] = {
    "lengths over the records behind": lambda size: HEADER % 4_900_000 * (size // 40),
    "lengths over the end": lambda size: HEADER % 10**15 * (size // 50),
    "the same, gzipped": lambda size: gzip.compress(HEADER % 4_900_000 * (size // 40)),
    "the same in members": lambda size: gzip.compress(HEADER % 10**15) * (size // 60),
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
        for _ in read_warc(file, 5_000_000):
            pass
        seconds.append(time.process_time() - began)
    assert seconds[1] < 48 * seconds[0] + 1
