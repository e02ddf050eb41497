"""Files of stored pages as batches: WARC, JSON lines, Parquet; damage is a row with its error."""

import gzip
import json
import os
from pathlib import Path
from typing import Any

import pytest

from scrapy_webtext.archive import pages
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


def test_batches_are_bounded_in_pages_and_in_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "pages.warc.gz"
    path.write_bytes(b"".join(members(10)))
    monkeypatch.setattr(pages, "BATCH_PAGES", 4)
    assert [len(batch) for batch in read_batches(path, LIMIT)] == [4, 4, 2]
    monkeypatch.setattr(pages, "BATCH_BYTES", 1)
    assert [len(batch) for batch in read_batches(path, LIMIT)] == [1] * 10


def test_files_of_unknown_kind_and_missing_ones_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"known endings: \.warc, \.warc\.gz, \.jsonl"):
        rows(tmp_path / "pages.csv")
    with pytest.raises(InputError, match="cannot be read"):
        rows(tmp_path / "missing.warc")


def test_lines_have_their_page_under_html_or_body(lines: Path) -> None:
    lines.write_bytes(b'{"url": 7, "html": null, "body": "<p>text"}\n')
    assert bodies(lines) == ["<p>text"]
    assert rows(lines)[0]["url"] == "7"


def kept(path: Path, *names: str) -> list[dict[str, Any]]:
    found = [batch.to_pylist() for batch in read_batches(path, LIMIT, names)]
    return [{name: row[name] for name in names} for batch in found for row in batch]


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


def test_a_value_nested_too_deep_costs_its_own_line(lines: Path) -> None:
    lines.write_bytes(b'{"html": "", "id": ' + b"[" * 3_000 + b"]" * 3_000 + b"}\n" + line(1))
    read = [row for batch in read_batches(lines, LIMIT, ["id"]) for row in batch.to_pylist()]
    assert len(read) == 2
    assert read[1]["error"] is None


def test_pipes_and_devices_are_refused_without_waiting_for_them(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.jsonl"
    os.mkfifo(pipe)
    device = tmp_path / "device.jsonl"
    device.symlink_to("/dev/zero")
    for path in (pipe, device):
        with pytest.raises(InputError, match="is no file that can be read"):
            rows(path)
