"""Parquet of any making: columns of any type, damage, sizes and counts that are lies."""

import datetime
from io import BytesIO
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from scrapy_webtext.archive import RESULT_SCHEMA, extract_batch
from scrapy_webtext.archive.parquet import MAX_LOST
from scrapy_webtext.archive.parquet_pages import largest_page
from scrapy_webtext.archive.stored import read_batches
from scrapy_webtext.errors import InputError
from tests.archive import html, url
from tests.archive.test_stored import LIMIT, bodies, kept, rows


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


def results(path: Path) -> list[dict[str, Any]]:
    found = [extract_batch(batch) for batch in read_batches(path, LIMIT)]
    assert all(batch.schema == RESULT_SCHEMA for batch in found)
    return [row for batch in found for row in batch.to_pylist()]


@pytest.mark.parametrize(
    ("addresses", "expected"),
    [
        (pa.array([1, None]), ["1", None]),
        (pa.array([b"http://a/\xff", b"http://b"]), ["http://a/\ufffd", "http://b"]),
        (pa.array([b"\xff", b"b"]).view(pa.string()), ["\ufffd", "b"]),
        (pa.array([datetime.date(2024, 1, 2)] * 2), ["2024-01-02"] * 2),
        (pa.array([2**62] * 2, pa.timestamp("us")), [None, None]),
        (pa.array([["a"], ["b"]]), [None, None]),
        (pa.array([{"a": 1}, {"a": 2}]), [None, None]),
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
        (pa.array([1, 2]), "int64"),
        (pa.array([["a"], ["b"]]), "list<"),
        (pa.array([{"html": "a"}, {"html": "b"}]), "struct<"),
        (pa.array([None, None]), "null"),
    ],
)
def test_a_column_of_pages_that_is_no_text_is_an_error_for_each_row(
    tmp_path: Path, column: pa.Array, kind: str
) -> None:
    path = write_parquet(tmp_path / "pages.parquet", {"html": column, "id": [7, 8]})
    errors = [row["error"] for row in results(path)]
    assert len(errors) == 2
    assert all(f"no text under html or body: {kind}" in error for error in errors)
    assert kept(path, "id") == [{"id": None}, {"id": None}]
    assert pa.types.is_int64(next(read_batches(path, LIMIT, ["id"])).schema.field("id").type)


def test_html_that_is_no_utf8_costs_no_page(tmp_path: Path) -> None:
    text = "<article><p>" + "Zwölf Boxkämpfer jagen Viktor quer über den Deich. " * 20
    column = pa.array([text.encode("cp1252"), text.encode()]).view(pa.string())
    path = write_parquet(tmp_path / "pages.parquet", {"html": column})
    one, other = results(path)
    assert one["main_text"] == other["main_text"]


def test_a_row_without_html_is_read_from_its_body(tmp_path: Path) -> None:
    columns = {"html": [None, html(1)], "body": [html(0).encode(), None]}
    path = write_parquet(tmp_path / "pages.parquet", columns)
    assert [row["error"] for row in results(path)] == [None, None]


def test_columns_are_kept_with_their_types(tmp_path: Path) -> None:
    days = [datetime.date(2024, 1, 1), None]
    columns = {"html": [html(0), html(1)], "day": days, "id": [1, 2], "content_type": ["a", "b"]}
    path = write_parquet(tmp_path / "pages.parquet", columns)
    assert kept(path, "id", "day") == [{"id": 1, "day": days[0]}, {"id": 2, "day": None}]
    assert kept(path, "content_type") == [{"content_type": "a"}, {"content_type": "b"}]


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"html": ["a"]}, r"No column day to keep; its columns are: html"),
        ({"html": ["a"], "day": [["a"]]}, "The column day is list.*only columns of plain values"),
    ],
)
def test_columns_that_cannot_be_kept_are_refused(
    tmp_path: Path, columns: dict[str, Any], message: str
) -> None:
    path = write_parquet(tmp_path / "pages.parquet", columns)
    with pytest.raises(InputError, match=message):
        kept(path, "day")


def test_two_columns_of_one_name_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "pages.parquet"
    table = pa.Table.from_arrays([pa.array(["a"]), pa.array(["b"])], names=["html", "html"])
    pq.write_table(table, path)
    with pytest.raises(InputError, match="2 columns html: rename all but one"):
        rows(path)


def test_names_of_columns_reach_no_terminal_unescaped_or_without_end(tmp_path: Path) -> None:
    path = write_parquet(
        tmp_path / "pages.parquet", {"\x1b]0;owned\x07": ["a"]} | {f"c{n}": [n] for n in range(99)}
    )
    with pytest.raises(InputError) as error:
        rows(path)
    assert str(error.value).isprintable()
    assert str(error.value).endswith("and 80 more")


def patched(path: Path, old: bytes, new: bytes) -> None:
    """Replace the last occurrence: the footer stands at the end."""
    data = path.read_bytes()
    before, found, after = data.rpartition(old)
    assert found
    assert len(old) == len(new)
    path.write_bytes(before + new + after)


def varint(value: int) -> bytes:
    value = 2 * value
    pieces = []
    while value > 127:
        pieces.append(value & 127 | 128)
        value >>= 7
    return bytes([*pieces, value])


def test_rows_that_are_stated_and_missing_are_one_row(tmp_path: Path) -> None:
    count = 20_000
    path = write_parquet(tmp_path / "pages.parquet", {"html": ["<p>"] * count})
    # The row group's number of rows, behind its size: field 3, 64 bits.
    patched(path, b"\x16" + varint(count), b"\x16" + varint(1_000_000))
    found = rows(path)
    assert len(found) <= count + 1
    assert "row group 0" in str(found[-1].get("error"))
    assert len(found) < MAX_LOST


def test_the_largest_page_is_found_by_the_headers() -> None:
    values = [str(n) * 1000 for n in range(50)]
    for version in ("1.0", "2.0"):
        file = BytesIO()
        pq.write_table(
            pa.table({"html": values}), file, use_dictionary=False, compression="gzip",
            data_page_size=10_000, data_page_version=version, write_batch_size=1,
        )  # fmt: skip
        chunk = pq.read_metadata(file).row_group(0).column(0)
        start = chunk.data_page_offset
        size = largest_page(file, start, start + chunk.total_compressed_size)
        assert 10_000 < size < 16_000
        with pytest.raises(ValueError, match="page header"):
            largest_page(file, start + 3, start + chunk.total_compressed_size)


def test_a_page_header_may_hold_long_statistics() -> None:
    file = BytesIO()
    values = ["a" * 3_000, "b" * 3_000]
    pq.write_table(pa.table({"html": values}), file, use_dictionary=False, compression="none")
    chunk = pq.read_metadata(file).row_group(0).column(0)
    start = chunk.data_page_offset
    assert 6_000 < largest_page(file, start, start + chunk.total_compressed_size) < 7_000


@pytest.mark.parametrize(
    "header", [b"\x1c" * 5_000, b"\x19\xfc\xff\xff\xff\xff\x0f", b"\xff" * 300]
)
def test_headers_that_are_none_are_refused(header: bytes) -> None:
    with pytest.raises(ValueError, match="page header"):
        largest_page(BytesIO(header), 0, len(header))
