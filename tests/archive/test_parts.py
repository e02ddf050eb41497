"""One input, one output part: whole or not at all, and never made twice."""

import datetime
import hashlib
import json
import os
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from scrapy_webtext.archive import RESULT_SCHEMA, ExtractionSettings, parts
from scrapy_webtext.archive.parts import Job, PartReport, attempt_part, finished, run_part
from scrapy_webtext.archive.plan import Part, plan_parts
from scrapy_webtext.errors import InputError
from tests.archive import html, job_at, members, url

LONG_AGO = 1_000_000_000


def old(path: Path, content: bytes, mtime: int = LONG_AGO) -> Path:
    """Write a file that was not changed just now."""
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(content)
    os.utime(path, (mtime, mtime))
    return path


@pytest.fixture
def part(tmp_path: Path) -> Part:
    source = old(tmp_path / "in" / "pages.warc.gz", b"".join(members(5)) + b"garbage")
    (planned,) = plan_parts([str(source)], str(tmp_path / "out"))
    return planned


@pytest.fixture
def job(tmp_path: Path) -> Job:
    made: Job = job_at(tmp_path / "out")
    return made


def visible(folder: Path) -> list[Path]:
    return [path for path in folder.iterdir() if not path.name.startswith(".")]


def in_the_making(job: Job) -> list[Path]:
    return list(Path(job.workspace).iterdir())


def counts(report: PartReport | None) -> tuple[int, int, int]:
    assert report is not None
    return report.pages, report.articles, report.errors


def test_a_part_has_a_row_for_each_page_and_each_error(part: Part, job: Job) -> None:
    report = run_part(part, job)
    assert counts(report) == (6, 5, 1)
    assert report.is_new
    table = pq.read_table(part.target)
    assert table.schema.remove_metadata() == RESULT_SCHEMA
    assert table["url"].to_pylist() == [*map(url, range(5)), None]
    assert table["error"].null_count == 5


def test_a_part_knows_what_it_was_made_of(part: Part, job: Job) -> None:
    run_part(part, job)
    stamp = json.loads(pq.read_metadata(part.target).metadata[b"scrapy_webtext"])
    source = Path(part.source)
    assert stamp["source"] == "pages.warc.gz"
    assert stamp["size"] == source.stat().st_size
    assert stamp["mtime_ns"] == source.stat().st_mtime_ns
    assert stamp["sha256"] == hashlib.sha256(source.read_bytes()).hexdigest()
    assert stamp["made_with"]["settings"]["extractor"] == job.settings.extractor
    assert stamp["pages"] == 6


def test_an_input_without_pages_makes_a_part_without_rows(tmp_path: Path) -> None:
    source = old(tmp_path / "in" / "empty.jsonl", b"")
    (part,) = plan_parts([str(source)], str(tmp_path / "out"))
    assert counts(run_part(part, job_at(tmp_path / "out", keep=("id",)))) == (0, 0, 0)
    assert pq.read_schema(part.target).names == [*RESULT_SCHEMA.names, "id"]


def test_what_is_whole_is_not_made_again(part: Part, job: Job) -> None:
    assert finished(part, job) is None
    report = run_part(part, job)
    assert finished(part, job) == report
    later = finished(part, job_at(Path(part.target).parent, run="later"))
    assert later is not None
    assert not later.is_new


def test_a_changed_input_is_read_again(part: Part, job: Job) -> None:
    run_part(part, job)
    old(Path(part.source), b"".join(members(2)))
    assert finished(part, job) is None


def test_an_input_that_changed_at_equal_size_is_read_again(part: Part, job: Job) -> None:
    run_part(part, job)
    content = Path(part.source).read_bytes()
    old(Path(part.source), content[::-1], LONG_AGO + 1)
    assert finished(part, job, by_digest=True) is None


def test_an_input_that_was_touched_alone_is_known_by_its_digest(part: Part, job: Job) -> None:
    report = run_part(part, job)
    os.utime(part.source)
    assert finished(part, job) is None
    assert finished(part, job, by_digest=True) == report
    before = Path(part.target).stat().st_mtime_ns
    assert attempt_part(part, job) == report
    assert Path(part.target).stat().st_mtime_ns == before


def test_an_input_that_changed_just_now_is_not_known_by_its_time(part: Part, job: Job) -> None:
    os.utime(part.source)
    then = Path(part.source).stat().st_mtime_ns
    run_part(part, job)
    content = Path(part.source).read_bytes()
    Path(part.source).write_bytes(content[::-1])
    os.utime(part.source, ns=(then, then))
    assert finished(part, job, by_digest=True) is None


def test_an_input_that_is_written_to_while_it_is_read_makes_no_part(
    part: Part, job: Job, monkeypatch: pytest.MonkeyPatch
) -> None:
    inner = parts.extract_batch

    def slow(*given: Any) -> Any:
        with Path(part.source).open("ab") as file:
            file.write(b"more")
        return inner(*given)

    monkeypatch.setattr(parts, "extract_batch", slow)
    report = attempt_part(part, job)
    assert report.failure == "it was written to while it was read; begin the run again"
    assert visible(Path(part.target).parent) == []


def test_an_input_that_is_replaced_while_it_is_read_is_read_as_it_was(
    part: Part, job: Job, monkeypatch: pytest.MonkeyPatch
) -> None:
    inner = parts.extract_batch

    def slow(*given: Any) -> Any:
        old(Path(part.source).with_name("new"), b"".join(members(2))).replace(part.source)
        return inner(*given)

    monkeypatch.setattr(parts, "extract_batch", slow)
    assert counts(attempt_part(part, job)) == (6, 5, 1)
    assert finished(part, job) is None  # and again as it is now
    monkeypatch.undo()
    assert counts(attempt_part(part, job)) == (2, 2, 0)


def test_results_of_different_settings_are_not_mixed(part: Part, job: Job) -> None:
    run_part(part, job)
    other = job_at(Path(part.target).parent, ExtractionSettings("bte", threshold=0.7))
    message = (
        r'made with another extractor \("fusion", now "bte"\), another threshold \(0.5, now 0.7\)'
    )
    with pytest.raises(InputError, match=message):
        finished(part, other)


@pytest.mark.parametrize("content", [b"not parquet", b""])
def test_what_somebody_else_wrote_is_left_alone(part: Part, job: Job, content: bytes) -> None:
    Path(part.target).write_bytes(content)
    with pytest.raises(InputError, match="was not written by this command"):
        finished(part, job)


@pytest.mark.parametrize("stamp", [None, b"{}", b"[]", b'{"pages": 1, "made_with": {}}'])
def test_parquet_of_somebody_else_is_left_alone_too(
    part: Part, job: Job, stamp: bytes | None
) -> None:
    metadata = {b"scrapy_webtext": stamp} if stamp else None
    pq.write_table(pa.table({"a": [1]}).replace_schema_metadata(metadata), part.target)
    with pytest.raises(InputError, match="was not written by this command"):
        finished(part, job)


def fail(*_: Any, **__: Any) -> Any:
    raise OSError(28, "No space left on device")


@pytest.mark.parametrize("place", ["extract_batch", "os.fsync", "pq.ParquetWriter.write_table"])
def test_a_failure_leaves_nothing_behind_and_is_reported(
    part: Part, job: Job, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    monkeypatch.setattr(f"scrapy_webtext.archive.parts.{place}", fail)
    report = attempt_part(part, job)
    assert report.failure == "OSError: [Errno 28] No space left on device"
    assert visible(Path(part.target).parent) == in_the_making(job) == []


def test_partial_files_of_workers_that_died_go_with_the_next_attempt(part: Part, job: Job) -> None:
    left = Path(job.workspace, f"{parts._mark(part)}.0123")
    left.write_bytes(b"PAR1 half")
    assert finished(part, job) is None
    run_part(part, job)
    assert in_the_making(job) == []


def test_a_part_that_took_many_workers_with_it_is_not_begun_again(part: Part, job: Job) -> None:
    for number in range(parts.ATTEMPTS):
        Path(job.workspace, f"{parts._mark(part)}.{number}").write_bytes(b"PAR1 half")
    assert attempt_part(part, job).failure == "its worker died 3 times"


def test_an_output_folder_that_was_taken_away_is_not_made_again(part: Part, job: Job) -> None:
    shutil.rmtree(Path(part.target).parent)
    report = attempt_part(part, job)
    assert report.failure is not None
    assert "the output folder was taken away while the run was on" in report.failure
    assert not Path(part.target).parent.exists()


def test_a_worker_of_another_release_makes_no_part(part: Part, job: Job) -> None:
    other = replace(job, made_with={**job.made_with, "version": "9.9"})
    failure = attempt_part(part, other).failure
    assert failure == ('the worker that was to make it has another version ("0.1.0", now "9.9")')


def test_two_that_make_the_same_part_at_once_do_no_harm(
    part: Part, job: Job, monkeypatch: pytest.MonkeyPatch
) -> None:
    inner = parts.extract_batch

    def slow(*given: Any) -> Any:
        monkeypatch.setattr(parts, "extract_batch", inner)
        run_part(part, job)  # the other is done in the meantime
        return inner(*given)

    monkeypatch.setattr(parts, "extract_batch", slow)
    report = run_part(part, job)
    assert counts(finished(part, job)) == counts(report)
    assert visible(Path(part.target).parent) == [Path(part.target)]
    assert in_the_making(job) == []


def test_row_groups_are_gathered(part: Part, job: Job, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "GROUP_ROWS", 4)
    monkeypatch.setattr("scrapy_webtext.archive.readers.BATCH_PAGES", 2)
    run_part(part, job)
    metadata = pq.read_metadata(part.target)
    assert [metadata.row_group(n).num_rows for n in range(metadata.num_row_groups)] == [4, 2]


def test_row_groups_are_bounded_in_bytes(
    part: Part, job: Job, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parts, "GROUP_BYTES", 100)
    monkeypatch.setattr("scrapy_webtext.archive.readers.BATCH_PAGES", 2)
    run_part(part, job)
    assert pq.read_metadata(part.target).num_row_groups == 3


def made(folder: Path, name: str, content: bytes, *keep: str) -> pa.Table:
    source = old(folder / "in" / name, content)
    (part,) = plan_parts([str(source)], str(folder / "out"))
    report = attempt_part(part, job_at(folder / "out", keep=keep))
    assert report.failure is None
    return pq.read_table(part.target)


def test_columns_are_passed_on_behind_the_results(tmp_path: Path) -> None:
    table = made(tmp_path, "a.warc.gz", b"".join(members(2)) + b"garbage", "WARC-Record-ID")
    assert table.schema.names == [*RESULT_SCHEMA.names, "WARC-Record-ID"]
    assert table["WARC-Record-ID"].to_pylist() == ["<urn:uuid:0>", "<urn:uuid:1>", None]
    lines = json.dumps({"html": html(0), "id": 7}).encode() + b"\nno json\n"
    assert made(tmp_path, "b.jsonl", lines, "id")["id"].to_pylist() == ["7", None]


def test_columns_of_parquet_keep_their_types_and_no_value_breaks_the_part(tmp_path: Path) -> None:
    columns = {
        "day": [datetime.date(2024, 1, 1), None],
        "name": pa.array([b"\xff", b"good"]).view(pa.string()),
        "html": [html(0), html(1)],
    }
    pq.write_table(pa.table(columns), tmp_path / "made.parquet")
    content = (tmp_path / "made.parquet").read_bytes()
    table = made(tmp_path, "c.parquet", content, "name", "day")
    assert table["day"].to_pylist() == columns["day"]
    assert table["name"].to_pylist() == [None, "good"]
    assert table["error"].to_pylist() == [None, None]
