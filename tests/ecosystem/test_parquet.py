"""Rows to Parquet: types that later rows change, bounded memory, faults of the disk."""

import io
import json
import logging
import random
import tracemalloc
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrapy_webtext.integrations import parquet_rows as parquet
from scrapy_webtext.integrations.parquet_rows import ParquetRows
from scrapy_webtext.integrations.parquet_types import Kind, kind_of, wider

ENCODABLE = st.text(st.characters(codec="utf-8"), max_size=5)
NUMBERS = st.integers() | st.sampled_from([2**53, 2**53 + 1, 2**63, -(2**63), 10**400])
VALUES = st.none() | st.booleans() | NUMBERS | st.floats() | st.binary(max_size=4) | ENCODABLE
ROWS = st.lists(st.dictionaries(st.sampled_from("abc"), VALUES))


def written(rows: list[dict[str, Any]], group: int = 1000) -> Any:
    taken = ParquetRows(file := io.BytesIO(), group)
    for row in rows:
        taken.add(row)
    taken.close()
    return pq.read_table(io.BytesIO(file.getvalue()))


def as_text(value: Any) -> Any:
    """A value as a column of strings has it."""
    if isinstance(value, bytes):
        return value.decode("utf-8", "backslashreplace")
    return value if value is None or isinstance(value, str) else json.dumps(value)


@given(ROWS, st.integers(1, 4))
@settings(max_examples=300, deadline=None)
def test_no_row_and_no_value_is_lost_whenever_types_change(
    rows: list[dict[str, Any]], group: int
) -> None:
    table = written(rows, group)
    assert table.schema.names == list(dict.fromkeys(name for row in rows for name in row))
    assert str(table.schema) == str(written(rows).schema)
    if not table.schema.names:  # Parquet counts no rows without columns
        return
    found = table.to_pylist()
    assert len(found) == len(rows)
    for name in table.schema.names:
        values = [row.get(name) for row in rows]
        column = [row[name] for row in found]
        is_text = str(table.schema.field(name).type) == "string"
        for value, cell in zip(values, column, strict=True):
            assert is_same(value, cell, is_text)


def is_same(value: Any, cell: Any, is_text: bool) -> bool:
    """Whether a cell has a value, a NaN being the same as a NaN."""
    if is_text and cell == as_text(value):
        return True
    if is_text:  # "1.0" for 1 where an earlier row group was one of doubles
        return type(value) is int and json.loads(cell) == value
    return bool(value == cell or (value != value and cell != cell))


@given(st.lists(VALUES))
def test_the_kind_of_a_column_does_not_depend_on_the_order_of_its_values(
    values: list[Any],
) -> None:
    def kind(values: list[Any]) -> Kind:
        found = Kind.EMPTY
        for value in values:
            found = wider(found, kind_of(value))
        return found

    assert kind(values) is kind(values[::-1]) is kind(sorted(values, key=repr))


@pytest.mark.parametrize(
    ("values", "kind", "expected"),
    [
        ([None, 1, 0.5], "double", [None, 1.0, 0.5]),
        ([1, None, "free"], "string", ["1", None, "free"]),
        ([1, True], "string", ["1", "true"]),
        ([0.5, 2**53 + 1], "string", ["0.5", "9007199254740993"]),
        ([1, 2**63], "string", ["1", "9223372036854775808"]),
        ([2**53 + 1, 1], "int64", [2**53 + 1, 1]),
        ([b"a\xff", "b"], "string", [r"a\xff", "b"]),
        ([None, None], "string", [None, None]),
    ],
)
@pytest.mark.parametrize("group", [1, 1000])
def test_a_column_has_the_type_that_holds_all_its_values(
    values: list[Any], kind: str, expected: list[Any], group: int
) -> None:
    table = written([{"a": value} for value in values], group)
    assert (str(table.schema.field("a").type), table["a"].to_pylist()) == (kind, expected)


def test_a_column_of_several_types_is_warned_of_once(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        written([{"price\x1b[2J": value, "b": 1} for value in [1, 2.5, "free", b"x", True]], 1)
    (record,) = caplog.records
    assert record.getMessage() == (
        r"webtext: the column 'price\x1b[2J' of the Parquet feed becomes strings: it holds "
        "float and text"
    )


def test_columns_that_a_page_invents_are_bounded(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parquet, "MAX_COLUMNS", 3)
    with caplog.at_level(logging.WARNING):
        table = written([{"a": n, f"b{n}": n} for n in range(20)], 4)
    assert table.schema.names == ["a", "b0", "b1"]
    assert table["a"].to_pylist() == list(range(20))
    (record,) = caplog.records
    assert "takes no more, such as 'b2': list the fields" in record.getMessage()


def test_row_groups_end_where_memory_would_grow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet, "MAX_WAITING_BYTES", 1_000_000)
    taken = ParquetRows(file := io.BytesIO(), 1000)
    tracemalloc.start()
    for n in range(300):
        taken.add({"text": f"{n:0100000}"})
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    taken.close()
    assert peak < 5_000_000  # of 30 MB
    found = pq.ParquetFile(io.BytesIO(file.getvalue()))
    assert found.metadata.num_rows == 300
    assert found.num_row_groups > 20


def test_a_thousand_columns_are_written() -> None:
    rows: list[dict[str, Any]] = [{f"c{n}": n for n in range(1000)} for _ in range(3)]
    rows += [{f"c{n}": str(n) for n in range(1000)}]
    assert written(rows, 2).to_pylist() == [{f"c{n}": str(n) for n in range(1000)}] * 4


class FullDisk(io.BytesIO):
    """Takes so many bytes and no more."""

    room = 10_000

    def write(self, data: Any) -> int:
        if self.tell() + len(data) > self.room:
            raise OSError(28, "No space left on device")
        return super().write(data)


def test_a_full_disk_is_said_with_every_row_and_keeps_none_in_memory(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(parquet.tempfile, "TemporaryFile", FullDisk)
    taken = ParquetRows(io.BytesIO(), 10)

    def add_many() -> None:
        for n in range(1000):
            taken.add({"text": random.randbytes(1000).hex(), "n": n})

    with pytest.raises(OSError, match="No space left"):
        add_many()
    for _ in range(20):
        with pytest.raises(OSError, match=r"The rows cannot be kept: .*No space left"):
            taken.add({"text": "x"})
    assert taken._waiting == []
    with pytest.raises(OSError, match="The rows cannot be kept"):
        taken.close()


def test_the_temporary_file_lies_beside_the_feed_and_leaves_nothing(tmp_path: Path) -> None:
    with (tmp_path / "items.parquet").open("wb") as file:
        taken = ParquetRows(file, 1)
        for value in (1, "free", None):
            taken.add({"price": value})
        assert taken._temporary is not None
        inside = Path(f"/proc/self/fd/{taken._temporary.fileno()}")
        if inside.exists():  # Linux tells where a file without a name is
            assert inside.readlink().parent == tmp_path
        taken.close()
    assert [file.name for file in tmp_path.iterdir()] == ["items.parquet"]
    prices = pq.read_table(tmp_path / "items.parquet")["price"].to_pylist()
    assert prices == ["1", "free", None]
