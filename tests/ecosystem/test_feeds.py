"""Feeds as JSON lines, CSV and Parquet, and item loaders: the fields in order."""

import csv
import gzip
import io
from collections.abc import Callable
from datetime import date
from decimal import Decimal
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import scrapy
from scrapy.extensions.postprocessing import GzipPlugin, PostProcessingManager
from scrapy.settings import Settings

from scrapy_webtext import Addon
from scrapy_webtext.errors import SettingsError
from scrapy_webtext.integrations.parquet_feed import ParquetItemExporter
from tests.ecosystem.recipes import TEXT, Recipe

EXPORTER = "scrapy_webtext.integrations.parquet_feed.ParquetItemExporter"
FIELDS = ["url", "main_text", "has_article", "p_value", "main_text_score"]


def test_the_recipe_writes_three_feeds_with_the_fields_in_order(
    recipe: Callable[[str], Recipe], site: str
) -> None:
    followed = recipe("Feeds")
    followed.follow()
    stories = followed.items("stories.jsonl")
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
    (story,) = followed.items("loaded.jsonl")
    assert story["headline"] == "Boat"
    assert story["summary"] == TEXT
    assert story["article_probability"] >= 0.5
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


def test_columns_without_a_type_are_text() -> None:
    types = {"a": "int64", "b": "double", "c": "bool", "f": pa.list_(pa.string())}
    items = [
        {"a": 1, "b": 1, "c": True, "d": 7, "e": "y", "f": ["ä"], "g": [1, {"k": None}]},
        {"a": None, "b": 1.5, "c": None, "d": "x", "e": True, "f": (), "g": date(2024, 1, 2)},
    ]
    for rows in (1, 1000):  # no type depends on later items
        table = export(items, rows=rows, types=types)
        assert [str(kind) for kind in table.schema.types] == [
            "int64", "double", "bool", "string", "string", "list<element: string>", "string",
        ]  # fmt: skip
        assert table.to_pylist() == [
            {"a": 1, "b": 1.0, "c": True, "d": "7", "e": "y", "f": ["ä"],
             "g": '[1, {"k": null}]'},
            {"a": None, "b": 1.5, "c": None, "d": "x", "e": "true", "f": [], "g": "2024-01-02"},
        ]  # fmt: skip


def test_fields_of_results_have_the_types_of_results() -> None:
    settings = Settings({"WEBTEXT_FIELDS": {"authors": "by", "breadcrumbs": "path"}})
    crawler: Any = SimpleNamespace(settings=settings, engine=None)
    exporter = ParquetItemExporter.from_crawler(crawler, file := io.BytesIO())
    item = {"p_value": 1, "has_article": False, "by": ["Ann"], "authors": ["Bob"]}
    exporter.export_item(item | {"path": [{"name": "News", "url": None}]})
    with pytest.raises(TypeError, match="The field 'p_value' cannot be written"):
        exporter.export_item({"p_value": "much"})  # Scrapy logs it
    exporter.finish_exporting()
    assert pq.read_table(io.BytesIO(file.getvalue())).to_pylist() == [
        {"p_value": 1.0, "has_article": False, "by": ["Ann"], "authors": '["Bob"]',
         "path": [{"name": "News", "url": None}]}
    ]  # fmt: skip


def test_a_renamed_column_has_the_type_of_its_field_and_values_are_as_they_were_exported() -> None:
    names = {"price": "Price", "path": "path"}
    types = {"price": "double", "path": pa.list_(pa.string())}
    path: list[str] = []
    exporter = ParquetItemExporter(file := io.BytesIO(), types=types, fields_to_export=names)
    for name in ("News", "Sport"):
        path.append(name)
        exporter.export_item({"price": 3, "path": path})
    exporter.finish_exporting()
    assert pq.read_table(io.BytesIO(file.getvalue())).to_pylist() == [
        {"Price": 3.0, "path": ["News"]},
        {"Price": 3.0, "path": ["News", "Sport"]},
    ]


@pytest.mark.parametrize("rows", [1, 2, 1000])
def test_an_item_that_json_cannot_hold_is_the_only_one_lost(rows: int) -> None:
    exporter = ParquetItemExporter(file := io.BytesIO(), rows=rows)
    circular: list[Any] = []
    circular.append(circular)
    for number, wrong in enumerate([object(), 10**5000, circular, [b"bytes"]]):
        exporter.export_item({"number": str(number), "value": "right"})
        with pytest.raises(TypeError, match="The field 'value' cannot be written: "):
            exporter.export_item({"number": -1, "value": wrong})
    exporter.finish_exporting()
    table = pq.read_table(io.BytesIO(file.getvalue()))
    assert table["number"].to_pylist() == ["0", "1", "2", "3"]
    assert set(table["value"].to_pylist()) == {"right"}


def test_values_are_written_as_in_json() -> None:
    class Part(scrapy.Item):
        name = scrapy.Field()

    values: list[Any] = [
        date(2024, 1, 2), Decimal("1.10"), {1}, Part(name="ä"), (1, None), {"a": [True]},
        scrapy.Request("https://example.com"), "\ud800", {"\ud800": 1},
    ]  # fmt: skip
    table = export([{"value": value} for value in values])
    assert table["value"].to_pylist() == [
        "2024-01-02", "1.10", "[1]", '{"name": "ä"}', "[1, null]", '{"a": [true]}',
        "<Request GET https://example.com>", "?", '{"?": 1}',
    ]  # fmt: skip


def test_fields_after_the_first_group_are_left_out_with_a_warning(
    caplog: pytest.LogCaptureFixture,
) -> None:
    table = export([{"a": "1"}, {"b": "2"}, {"c\x1b": "3"}, {"a": "4", "d": "5"}], rows=2)
    assert table.to_pylist() == [
        {"a": "1", "b": None}, {"a": None, "b": "2"}, {"a": None, "b": None}, {"a": "4", "b": None},
    ]  # fmt: skip
    assert "no column of the Parquet feed: 'c\\x1b'; list it" in caplog.text


def test_a_feed_without_items_is_a_valid_file() -> None:
    assert export([], fields_to_export=["url", "main_text"]).schema.names == ["url", "main_text"]
    assert export([]).num_rows == 0


def test_a_file_with_content_is_refused(tmp_path: Path) -> None:
    (tmp_path / "old").write_bytes(b"there already")
    with (tmp_path / "old").open("ab") as old:
        for file in (old, PostProcessingManager([GzipPlugin], old, {})):
            with pytest.raises(SettingsError, match="'overwrite': True"):
                ParquetItemExporter(file)


@pytest.mark.parametrize(
    ("feeds", "is_parquet"),
    [
        ({"items": {"format": "parquet"}}, True),
        ({"items.parquet": {"overwrite": True}}, True),
        ({Path("items.parquet"): {}}, True),
        ({"items": {"format": "csv"}}, False),
        ({"items.parquet": {"format": "csv"}}, False),
    ],
)
def test_the_exporter_is_registered_for_a_feed_in_parquet(feeds: Any, is_parquet: bool) -> None:
    settings = Settings({"FEEDS": feeds})
    Addon().update_settings(settings)
    assert settings.getdict("FEED_EXPORTERS") == ({"parquet": EXPORTER} if is_parquet else {})


def test_a_feed_can_be_compressed(tmp_path: Path) -> None:
    with (tmp_path / "items.parquet.gz").open("ab") as file:
        compressing = PostProcessingManager([GzipPlugin], file, {})
        exporter = ParquetItemExporter(compressing, rows=1)
        for number in range(3):
            exporter.export_item({"a": str(number)})
        exporter.finish_exporting()
        compressing.close()
    content = gzip.decompress((tmp_path / "items.parquet.gz").read_bytes())
    assert pq.read_table(io.BytesIO(content))["a"].to_pylist() == ["0", "1", "2"]


@pytest.mark.parametrize("name", ["", "a.b", "a b", "ä\n", "\ud800", "a\0b", "x" * 10_000])
def test_any_name_of_a_field_is_a_column(name: str) -> None:
    expected = {name.encode("utf-8", "replace").decode(): "1", "other": "x"}
    assert export([{name: "1", "other": "x"}]).to_pylist() == [expected]
