"""The version of the extractor in archives, and ``scrapy webtext diff`` of Parquet."""

import json
from pathlib import Path

import pyarrow as pa
from pyarrow import parquet

from scrapy_webtext import extract
from scrapy_webtext.archive import ExtractionSettings, extract_batch
from tests.cli import webtext
from tests.cli.test_diff import NEW, OLD, rows_of, write

HTML = "<p>One day it rained."


def test_a_row_has_the_version_of_extract() -> None:
    settings = ExtractionSettings(formats=["extractor_version"])
    (row,) = extract_batch(pa.record_batch({"html": [HTML]}), settings).to_pylist()
    assert row["extractor_version"] == extract(HTML, include="extractor_version").extractor_version


def test_parquet_is_compared_like_json_lines(tmp_path: Path) -> None:
    old, new = write(tmp_path / "old.jsonl", OLD), write(tmp_path / "new.jsonl", NEW)
    parquet.write_table(pa.Table.from_pylist(rows_of(NEW)), tmp_path / "new.parquet")
    reports = [webtext("diff", old, path).stdout for path in (new, tmp_path / "new.parquet")]
    of_lines, of_parquet = (report.split("\n\n", 1)[1] for report in reports)
    assert of_lines == of_parquet


def test_a_damaged_parquet_file_is_refused_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "damaged.parquet").write_text("damaged")
    done = webtext("diff", tmp_path / "damaged.parquet", tmp_path / "damaged.parquet")
    assert done.returncode == 2
    assert "damaged.parquet cannot be read: ArrowInvalid" in done.stderr.splitlines()[-1]


def test_parts_of_an_archive_have_the_version_of_their_footer(tmp_path: Path) -> None:
    page = {"url": "https://example.com/", "html": HTML}
    (tmp_path / "pages.jsonl").write_text(json.dumps(page))
    for extractor in ("bte", "ttr"):
        args = ["-o", tmp_path / extractor, "--extractor", extractor, "--workers", 1]
        assert webtext("archive", tmp_path / "pages.jsonl", *map(str, args)).returncode == 0
    lines = webtext("diff", tmp_path / "bte", tmp_path / "ttr").stdout.splitlines()
    versions = [line.split(": ")[1] for line in lines[:2]]
    assert all("+" in version for version in versions)
    assert len(set(versions)) == 2
