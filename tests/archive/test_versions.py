"""The version of the extractor in archives."""

import json
from pathlib import Path

import pyarrow as pa

from scrapy_webtext import extract
from scrapy_webtext.archive import extract_batch
from scrapy_webtext.archive.parts import read_stamp
from scrapy_webtext.reader import PageReader
from tests.commands import webtext

HTML = "<p>One day it rained."


def test_a_row_has_the_version_of_extract() -> None:
    reader = PageReader.of(include="extractor_version")
    (row,) = extract_batch(pa.record_batch({"html": [HTML]}), reader).to_pylist()
    assert row["extractor_version"] == extract(HTML, include="extractor_version").extractor_version


def test_parts_of_an_archive_have_the_version_of_their_footer(tmp_path: Path) -> None:
    page = {"url": "https://example.com/", "html": HTML}
    (tmp_path / "pages.jsonl").write_text(json.dumps(page))
    versions = set()
    for extractor in ("bte", "ttr"):
        args = ["-o", tmp_path / extractor, "--extractor", extractor, "--workers", 1]
        assert webtext("archive", tmp_path / "pages.jsonl", *map(str, args)).returncode == 0
        stamp = read_stamp(tmp_path / extractor / "pages.jsonl.parquet")
        assert stamp is not None
        versions.add(stamp["made_with"]["extractor_version"])
    assert len(versions) == 2
    assert all("+" in version for version in versions)
