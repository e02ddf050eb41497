"""Feeds as JSON lines, CSV and Parquet, and item loaders: the fields in order."""

import csv
import io
import json
import logging
from collections.abc import Callable
from datetime import date
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from scrapy_webtext.errors import SettingsError
from scrapy_webtext.exporters import ParquetItemExporter
from tests.crawls.site import SENTENCE
from tests.ecosystem.recipes import Recipe

TEXT = (SENTENCE * 20).strip()
FIELDS = ["url", "main_text", "has_article", "p_value", "main_text_score"]


def test_the_recipe_writes_three_feeds_with_the_fields_in_order(
    recipe: Callable[[str], Recipe], site: str
) -> None:
    followed = recipe("Feeds")
    followed.follow()
    lines = (followed.folder / "stories.jsonl").read_text("utf-8").splitlines()
    stories = [json.loads(line) for line in lines]
    table = pq.read_table(followed.folder / "stories.parquet")
    with (followed.folder / "stories.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [list(story) for story in stories] == [FIELDS, FIELDS]
    assert list(rows[0]) == table.schema.names == FIELDS
    assert table.to_pylist() == stories
    assert [row["main_text"] for row in rows] == [story["main_text"] for story in stories]
    (article,) = [story for story in stories if story["has_article"]]
    assert (article["url"], article["main_text"]) == (f"{site}/article", TEXT)
    kinds = [str(field.type) for field in table.schema]
    assert kinds == ["string", "string", "bool", "double", "double"]


def test_the_recipe_of_item_loaders_cleans_html_and_takes_the_result(
    recipe: Callable[[str], Recipe],
) -> None:
    followed = recipe("Item loaders")
    followed.follow()
    (story,) = map(json.loads, (followed.folder / "loaded.jsonl").read_text().splitlines())
    assert story["headline"] == "Boat"
    assert story["summary"] == TEXT
    assert story["probability"] >= 0.5
    assert story["main_text"] == TEXT


def export(items: list[Any], **options: Any) -> pa.Table:
    file = io.BytesIO()
    exporter = ParquetItemExporter(file, **options)
    exporter.start_exporting()
    for item in items:
        exporter.export_item(item)
    exporter.finish_exporting()
    assert not file.closed
    return pq.read_table(io.BytesIO(file.getvalue()))


def test_columns_have_the_type_of_their_first_values() -> None:
    items = [
        {"a": 1, "b": 1, "c": True, "d": "x", "e": b"y", "f": [1, "ö"], "g": None, "h": 2**70},
        {"a": 2, "b": 1.5, "c": None, "d": 7, "e": b"", "f": {"k": date(2024, 1, 2)}, "h": 1},
    ]
    table = export(items)
    assert [str(kind) for kind in table.schema.types] == [
        "int64", "double", "bool", "string", "binary", "string", "string", "string",
    ]  # fmt: skip
    assert table.to_pylist() == [
        {"a": 1, "b": 1.0, "c": True, "d": "x", "e": b"y", "f": '[1, "ö"]', "g": None,
         "h": "1180591620717411303424"},
        {"a": 2, "b": 1.5, "c": None, "d": "7", "e": b"", "f": '{"k": "2024-01-02"}', "g": None,
         "h": "1"},
    ]  # fmt: skip


def test_row_groups_are_written_as_they_fill() -> None:
    items = [{"a": number} for number in range(5)]
    assert export(items, rows=2)["a"].to_pylist() == list(range(5))


def test_a_later_value_that_does_not_fit_is_named_and_costs_its_own_item() -> None:
    exporter = ParquetItemExporter(file := io.BytesIO(), rows=1)
    exporter.export_item({"price": 1})
    for wrong in ("free", True, 2**70):
        with pytest.raises(TypeError, match="The field 'price' of this item is"):
            exporter.export_item({"price": wrong})
    exporter.export_item({"price": None})
    exporter.finish_exporting()
    assert pq.read_table(io.BytesIO(file.getvalue()))["price"].to_pylist() == [1, None]


def test_fields_are_exported_as_they_are_listed_and_renamed() -> None:
    items = [{"a": 1, "b": 2, "c": 3}]
    assert export(items, fields_to_export=["c", "a", "d"]).to_pylist() == [
        {"c": 3, "a": 1, "d": None}
    ]
    assert export(items, fields_to_export={"b": "bee"}).to_pylist() == [{"bee": 2}]


def test_a_field_that_the_first_items_did_not_have_is_warned_of_once(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.WARNING):
        table = export([{"a": 1}, {"a": 2, "b": 3}, {"a": 4, "b": 5}], rows=1)
    assert table.to_pylist() == [{"a": 1}, {"a": 2}, {"a": 4}]
    (record,) = caplog.records
    assert "no column for b" in record.getMessage()


def test_a_feed_without_items_is_a_valid_file() -> None:
    assert export([], fields_to_export=["url", "main_text"]).schema.names == ["url", "main_text"]
    assert export([]).num_rows == 0


def test_what_cannot_be_appended_to_is_refused() -> None:
    file = io.BytesIO(b"there already")
    file.seek(0, io.SEEK_END)
    with pytest.raises(SettingsError, match="'overwrite': True"):
        ParquetItemExporter(file)


def test_lone_surrogates_do_no_harm() -> None:
    assert export([{"a": "\ud800"}]).to_pylist() == [{"a": "?"}]
