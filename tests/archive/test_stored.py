"""Files of stored pages as batches: WARC, JSON lines, Parquet; damage is a row with its error."""

import gzip
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from scrapy_webtext.archive import stored
from scrapy_webtext.archive.stored import read_batches
from scrapy_webtext.errors import InputError
from tests.archive import html, members, url

LIMIT = 100_000


def rows(path: Path, limit: int = LIMIT) -> list[dict[str, Any]]:
    return [row for batch in read_batches(path, limit) for row in batch.to_pylist()]


def bodies(path: Path) -> list[str]:
    found = []
    for row in rows(path):
        source = row.get("html") or row.get("body") or b""
        found.append(source.decode() if isinstance(source, bytes) else source)
    return found


def line(number: int, **other: Any) -> bytes:
    return json.dumps({"url": url(number), "html": html(number), **other}).encode() + b"\n"


@pytest.fixture
def lines(tmp_path: Path) -> Path:
    path = tmp_path / "pages.jsonl"
    path.write_bytes(b"".join(map(line, range(4))))
    return path


def test_json_lines_are_read_plain_and_gzipped(lines: Path) -> None:
    packed = lines.with_name("pages.jsonl.gz")
    packed.write_bytes(gzip.compress(lines.read_bytes()))
    assert rows(packed) == rows(lines)
    assert bodies(lines) == [html(number) for number in range(4)]
    assert rows(lines)[1]["url"] == url(1)


def test_a_line_that_is_no_page_gives_its_error(lines: Path) -> None:
    with lines.open("ab") as file:
        file.write(b"no json\n\n[1]\n{}\n" + b'{"url": "u", "html": 3}\n' + b'{"html": "\xff"}\n')
        file.write(b"[" * 100_000 + b"\n")
        file.write(line(9))
    read = rows(lines)
    errors = [row["error"] for row in read[4:]]
    assert [error and error.partition(":")[0] for error in errors] == [
        "line 5", "line 7", "line 8", "line 9", "line 10", "line 11", None,
    ]  # fmt: skip
    assert read[7]["url"] == "u"
    assert bodies(lines)[-1] == html(9)


def test_a_line_over_the_limit_is_an_error_and_no_other_page(lines: Path) -> None:
    with lines.open("ab") as file:
        file.write(line(5, padding="x" * 3_000_000) + line(6))
    read = rows(lines)
    assert "line 5: too large" in read[4]["error"]
    assert bodies(lines)[-1] == html(6)
    assert len(rows(lines, limit=0)) == 6


def test_gzipped_lines_are_read_up_to_their_damage(lines: Path) -> None:
    packed = lines.with_name("pages.jsonl.gz")
    data = gzip.compress(lines.read_bytes())
    packed.write_bytes(data[:-8])
    read = rows(packed)
    assert [row["error"] for row in read[:4]] == [None] * 4
    assert "damaged after line 4, the rest is lost" in read[4]["error"]


def test_lone_surrogates_do_no_harm(lines: Path) -> None:
    lines.write_bytes(b'{"url": "\\ud800", "html": "<p>\\ud800 text"}\n')
    assert rows(lines)[0]["url"] == "?"
    assert bodies(lines) == ["<p>? text"]


def write_parquet(path: Path, columns: dict[str, Any], **options: Any) -> Path:
    pq.write_table(pa.table(columns), path, **options)
    return path


@pytest.mark.parametrize("column", ["html", "body"])
@pytest.mark.parametrize("kind", [pa.string(), pa.binary(), pa.large_string()])
def test_parquet_is_read_with_an_html_or_body_column(
    tmp_path: Path, column: str, kind: pa.DataType
) -> None:
    pages = pa.array([html(0), html(1)], pa.string()).cast(kind)
    addresses = [url(0), url(1)]
    columns = {"id": [7, 8], column: pages, "url": addresses}
    path = write_parquet(tmp_path / "pages.parquet", columns)
    assert bodies(path) == [html(0), html(1)]
    assert [row["url"] for row in rows(path)] == addresses
    assert "id" not in rows(path)[0]


def test_parquet_without_such_a_column_is_refused_with_the_columns_it_has(tmp_path: Path) -> None:
    path = write_parquet(tmp_path / "pages.parquet", {"url": ["u"], "text": ["t"]})
    with pytest.raises(InputError, match="its columns are: url, text"):
        rows(path)


def test_a_damaged_row_group_gives_an_error_for_each_of_its_rows(tmp_path: Path) -> None:
    columns = {"url": [url(n) for n in range(6)], "html": [html(n) for n in range(6)]}
    path = write_parquet(tmp_path / "pages.parquet", columns, row_group_size=2)
    data = bytearray(path.read_bytes())
    chunk = pq.read_metadata(path).row_group(1).column(1)
    start = chunk.dictionary_page_offset or chunk.data_page_offset
    data[start : start + chunk.total_compressed_size] = b"\xff" * chunk.total_compressed_size
    path.write_bytes(data)
    read = rows(path)
    assert len(read) == 6
    assert [bool(row.get("error")) for row in read] == [False, False, True, True, False, False]


def test_what_is_no_parquet_at_all_is_one_error(tmp_path: Path) -> None:
    path = tmp_path / "pages.parquet"
    path.write_bytes(b"PAR1 not really")
    assert "no Parquet file" in rows(path)[0]["error"]


def test_batches_are_bounded_in_pages_and_in_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "pages.warc.gz"
    path.write_bytes(b"".join(members(10)))
    monkeypatch.setattr(stored, "BATCH_PAGES", 4)
    assert [len(batch) for batch in read_batches(path, LIMIT)] == [4, 4, 2]
    monkeypatch.setattr(stored, "BATCH_BYTES", 1)
    assert [len(batch) for batch in read_batches(path, LIMIT)] == [1] * 10


def test_files_of_unknown_kind_and_missing_ones_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"known endings: \.warc, \.warc\.gz, \.jsonl"):
        rows(tmp_path / "pages.csv")
    with pytest.raises(InputError, match="cannot be read"):
        rows(tmp_path / "missing.warc")
