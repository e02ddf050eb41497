"""Parts of inputs: each is complete or missing, and extracted once."""

import datetime
import json
import os
import shutil
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from scrapy_webtext import __version__
from scrapy_webtext.archive import RESULT_SCHEMA, parts
from scrapy_webtext.archive.parts import (
    Job,
    Part,
    PartReport,
    attempt_part,
    find_finished,
    partials,
    plan_parts,
    run_part,
)
from scrapy_webtext.errors import InputError, MissingExtraError
from tests.archive import html, job_at, line, members, parquet, part_of, url, write
from tests.kits.data import read_json

CASES = read_json(__file__, "refusals.json")


def plan(inputs: list[Path], output: Path) -> list[str]:
    """Return the names of the parts in the output folder."""
    planned = plan_parts(list(map(str, inputs)), str(output))
    return [os.path.relpath(part.target, output) for part in planned]


def test_a_folder_means_its_archives_and_the_output_has_its_layout(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    for name in ("a.warc.gz", "b/a.jsonl", "b/c.parquet", "b/notes.txt", ".d/e.warc", "_f.jsonl"):
        write(folder / name, line(0))
    (folder / "round").symlink_to(folder)
    (folder / "self.jsonl").symlink_to(folder / "self.jsonl")
    (folder / "gone.jsonl").symlink_to(folder / "nowhere")
    (folder / "folder.jsonl").mkdir()
    os.mkfifo(folder / "pipe.jsonl")
    names = ["a.warc.gz.parquet", "b/a.jsonl.parquet", "b/c.parquet"]
    assert plan([folder], tmp_path / "out") == names
    assert plan([folder / "a.warc.gz", folder], tmp_path / "out") == names


@pytest.mark.parametrize(("inputs", "message"), CASES["parts"])
def test_wrong_inputs_are_refused(tmp_path: Path, inputs: list[str], message: str) -> None:
    for name in ("notes.txt", "a.parquet", "b/a.parquet", "out/a.parquet"):
        write(tmp_path / name, line(0))
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError) as error:
        plan([tmp_path / name for name in inputs], tmp_path / "out")
    assert message in str(error.value)


def test_any_name_makes_a_part(tmp_path: Path) -> None:
    names = ["*.jsonl", "a\nb.jsonl", "-o.jsonl", "日本 é.jsonl", os.fsdecode(b"caf\xe9.jsonl")]
    for name in names:
        write(tmp_path / "in" / name, line(0))
    job = job_at(tmp_path / "out")
    for part in plan_parts([str(tmp_path / "in")], str(tmp_path / "out")):
        assert attempt_part(part, job).pages == 1
        assert find_finished(part, job) is not None
    made = (tmp_path / "out").glob("[!.]*")
    assert sorted(path.name for path in made) == sorted(f"{name}.parquet" for name in names)


@pytest.mark.parametrize("output", ["in", "in/texts", "."])
def test_the_output_of_a_run_is_no_input_of_the_next(tmp_path: Path, output: str) -> None:
    source = write(tmp_path / "in" / "a.jsonl", line(0))
    out = tmp_path / output
    part = part_of(source.parent, out)
    run_part(part, job_at(out))
    assert part_of(source.parent, out) == part
    if output == "in/texts":
        assert plan([source.parent], tmp_path / "other") == ["a.jsonl.parquet"]


def test_a_folder_that_cannot_be_read_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def scandir(path: object) -> None:
        raise PermissionError(13, "Permission denied", "locked\x1b")

    monkeypatch.setattr(os, "scandir", scandir)
    with pytest.raises(InputError, match=r"locked\\x1b cannot be read: Permission denied"):
        plan([tmp_path], tmp_path / "out")


LONG_AGO = 1_000_000_000


def old(path: Path, content: bytes, mtime: int = LONG_AGO) -> Path:
    os.utime(write(path, content), (mtime, mtime))
    return path


@pytest.fixture
def part(tmp_path: Path) -> Part:
    source = old(tmp_path / "in" / "pages.warc.gz", b"".join(members(5)) + b"garbage")
    return part_of(source, tmp_path / "out")


@pytest.fixture
def job(tmp_path: Path) -> Job:
    return job_at(tmp_path / "out")


def visible(part: Part) -> list[str]:
    return [name for name in os.listdir(Path(part.target).parent) if not name.startswith(".")]


def counts(report: PartReport | None) -> tuple[int, int, int]:
    assert report is not None
    return report.pages, report.articles, report.errors


def test_a_part_has_a_row_for_each_page_and_each_error_and_a_stamp(part: Part, job: Job) -> None:
    report = run_part(part, job)
    assert counts(report) == (6, 5, 1)
    assert report.is_new
    table = pq.read_table(part.target)
    assert table.schema.remove_metadata() == RESULT_SCHEMA
    assert table["url"].to_pylist() == [*map(url, range(5)), None]
    assert table["error"].null_count == 5
    stamp = json.loads(pq.read_metadata(part.target).metadata[b"scrapy_webtext"])
    stat = os.stat(part.source)
    assert (stamp["source"], stamp["size"]) == (part.source, stat.st_size)
    assert (stamp["mtime_ns"], stamp["pages"]) == (stat.st_mtime_ns, 6)
    assert stamp["made_with"]["extractor"] == job.reader.extractor.name


def test_a_complete_part_is_not_extracted_again(part: Part, job: Job) -> None:
    assert find_finished(part, job) is None
    report = run_part(part, job)
    before = os.stat(part.target).st_mtime_ns
    assert find_finished(part, job) == attempt_part(part, job) == report
    assert os.stat(part.target).st_mtime_ns == before
    later = find_finished(part, job_at(Path(part.target).parent, run="later"))
    assert later is not None
    assert not later.is_new


@pytest.mark.parametrize(
    ("content", "mtime"), [(members(2)[0], LONG_AGO), (b"".join(members(5))[::-1], LONG_AGO + 1)]
)
def test_a_changed_input_is_read_again(part: Part, job: Job, content: bytes, mtime: int) -> None:
    run_part(part, job)
    old(Path(part.source), content, mtime)
    assert find_finished(part, job) is None


@pytest.mark.parametrize("scheme", ["", "file://"])
def test_the_part_of_another_input_of_this_name_is_not_replaced(
    part: Part, job: Job, tmp_path: Path, scheme: str
) -> None:
    pytest.importorskip("fsspec")
    (tmp_path / "feb").mkdir()
    other = old(tmp_path / "feb" / Path(part.source).name, members(2)[0])
    one, two = (
        plan_parts([f"{scheme}{path}"], str(Path(part.target).parent))[0]
        for path in (part.source, other)
    )
    assert attempt_part(one, job).failure is None
    reason = f"{part.target} has the texts of {scheme}{part.source}: give {scheme}{other} its own"
    assert reason in str(attempt_part(two, job).failure)
    assert counts(find_finished(one, job)) == (6, 5, 1)


def before_extraction(monkeypatch: pytest.MonkeyPatch, act: Callable[[], object]) -> None:
    """Call ``act`` once, during the extraction of a part."""
    inner = parts.extract_batch

    def slow(*given: Any) -> Any:
        monkeypatch.setattr(parts, "extract_batch", inner)
        act()
        return inner(*given)

    monkeypatch.setattr(parts, "extract_batch", slow)


def test_an_input_that_grows_while_it_is_read_makes_no_part(
    part: Part, job: Job, monkeypatch: pytest.MonkeyPatch
) -> None:
    before_extraction(monkeypatch, lambda: old(Path(part.source), b"more"))
    failure = attempt_part(part, job).failure
    assert failure == "it was written to while it was read: start the run again"
    assert visible(part) == []


def test_an_input_that_is_replaced_while_it_is_read_is_read_again(
    part: Part, job: Job, monkeypatch: pytest.MonkeyPatch
) -> None:
    new = old(Path(part.source).with_name("new"), b"".join(members(2)))
    before_extraction(monkeypatch, lambda: new.replace(part.source))
    assert counts(attempt_part(part, job)) == (6, 5, 1)
    assert find_finished(part, job) is None
    assert counts(attempt_part(part, job)) == (2, 2, 0)


def test_two_workers_on_a_part_give_one_part(
    part: Part, job: Job, monkeypatch: pytest.MonkeyPatch
) -> None:
    before_extraction(monkeypatch, lambda: run_part(part, job))
    report = run_part(part, job)
    assert counts(find_finished(part, job)) == counts(report)
    assert visible(part) == [Path(part.target).name]
    assert partials(part, job) == []


@pytest.mark.parametrize("content", ["text", "", None])
def test_a_file_of_another_program_is_refused(part: Part, job: Job, content: str | None) -> None:
    if content is None:
        pq.write_table(pa.table({"a": [1]}), part.target)
    else:
        Path(part.target).write_text(content)
    with pytest.raises(InputError, match="was not written by this command"):
        find_finished(part, job)


def fail(*_: Any, **__: Any) -> Any:
    raise OSError(28, "No space left on device")


@pytest.mark.parametrize("place", ["extract_batch", "os.fsync", "pq.ParquetWriter.write_table"])
def test_a_failure_is_reported_and_leaves_no_file(
    part: Part, job: Job, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    monkeypatch.setattr(f"scrapy_webtext.archive.parts.{place}", fail)
    report = attempt_part(part, job)
    assert report.failure == "OSError: [Errno 28] No space left on device"
    assert visible(part) == partials(part, job) == []


def test_missing_files_are_failures(part: Part, job: Job) -> None:
    out = Path(part.target).parent
    Path(part.source).rename(out / "moved")
    assert "No such file" in str(attempt_part(part, job).failure)
    shutil.rmtree(out)
    assert "No such file" in str(attempt_part(part, job).failure)
    assert not out.exists()


def test_a_worker_of_another_release_makes_no_part(part: Part, job: Job) -> None:
    other = replace(job, made_with={**job.made_with, "version": "9.9"})
    failure = attempt_part(part, other).failure
    assert failure == f"its worker has scrapy_webtext {__version__}: install the same"


@pytest.mark.parametrize(
    ("bound", "value", "groups"), [("GROUP_ROWS", 4, [4, 2]), ("GROUP_BYTES", 100, [2, 2, 2])]
)
def test_row_groups_are_bounded_in_rows_and_bytes(
    part: Part, job: Job, monkeypatch: pytest.MonkeyPatch, bound: str, value: int, groups: list[int]
) -> None:
    monkeypatch.setattr(parts, bound, value)
    monkeypatch.setattr("scrapy_webtext.archive.readers.BATCH_PAGES", 2)
    run_part(part, job)
    metadata = pq.read_metadata(part.target)
    found = [metadata.row_group(n).num_rows for n in range(metadata.num_row_groups)]
    assert found == groups


def test_a_remote_input_is_copied_and_read_once(part: Part, tmp_path: Path) -> None:
    pytest.importorskip("fsspec")
    (remote,) = plan_parts([f"file://{part.source}?version=1"], str(tmp_path / "out"))
    assert remote.target == part.target
    os.rename(part.source, f"{part.source}?version=1")
    job = job_at(tmp_path / "out")
    assert counts(attempt_part(remote, job)) == (6, 5, 1)
    os.remove(f"{part.source}?version=1")
    assert counts(find_finished(remote, job)) == (6, 5, 1)
    assert partials(part, job) == []


@pytest.mark.parametrize(
    ("address", "module", "error", "message"),
    [
        ("s3://bucket/a.warc.gz", "fsspec", MissingExtraError, r"'\.\[remote\]'"),
        ("s3://bucket/a.warc.gz", "s3fs", InputError, "s3://bucket/a.* cannot be read: .*s3fs"),
        ("s4://bucket/a.warc.gz", None, InputError, "cannot be read: Protocol not known: s4"),
        ("file:///a/folder/", None, InputError, "of no known kind"),
    ],
)
def test_remote_inputs_that_cannot_be_read_are_named(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    address: str,
    module: str | None,
    error: type[Exception],
    message: str,
) -> None:
    pytest.importorskip("fsspec")
    if module is not None:
        monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(error, match=message):
        plan_parts([address], str(tmp_path))


DAYS = [datetime.date(2024, 1, 1), None]
TYPES = ["text/html", None]
DATED = parquet({"day": DAYS, "html": [html(0), html(1)], "content_type": TYPES})


@pytest.mark.parametrize(
    ("name", "content", "kept"),
    [
        (
            "a.warc.gz", b"".join(members(2)) + b"garbage",
            {"WARC-Record-ID": ["<urn:uuid:0>", "<urn:uuid:1>", None]},
        ),
        ("b.jsonl", b'{"html": "", "id": 7}\nno json\n', {"id": ["7", None]}),
        ("c.jsonl", b"", {"id": []}),
        ("d.parquet", DATED, {"day": DAYS, "content_type": TYPES}),
    ],
)  # fmt: skip
def test_kept_columns_follow_the_results_with_their_types(
    tmp_path: Path, name: str, content: bytes, kept: dict[str, list[Any]]
) -> None:
    part = part_of(write(tmp_path / "in" / name, content), tmp_path / "out")
    assert attempt_part(part, job_at(tmp_path / "out", keep=tuple(kept))).failure is None
    table = pq.read_table(part.target)
    assert table.schema.names == [*RESULT_SCHEMA.names, *kept]
    assert table.select(list(kept)).to_pydict() == kept
