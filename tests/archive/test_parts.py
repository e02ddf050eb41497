"""One input, one output part: whole or not at all, and never made twice."""

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from scrapy_webtext.archive import RESULT_SCHEMA, ExtractionSettings, parts
from scrapy_webtext.archive.parts import (
    Part,
    PartReport,
    attempt_part,
    finished,
    plan_parts,
    run_part,
)
from scrapy_webtext.errors import InputError
from tests.archive import html, members, url

SETTINGS = ExtractionSettings()


@pytest.fixture
def part(tmp_path: Path) -> Part:
    source = tmp_path / "in" / "pages.warc.gz"
    source.parent.mkdir()
    source.write_bytes(b"".join(members(5)) + b"garbage")
    (planned,) = plan_parts([str(source)], str(tmp_path / "out"))
    return planned


def test_a_part_has_a_row_for_each_page_and_each_error(part: Part) -> None:
    report = run_part(part, SETTINGS)
    assert report == PartReport(part.source, pages=6, articles=5, errors=1)
    table = pq.read_table(part.target)
    assert table.schema.remove_metadata() == RESULT_SCHEMA
    assert table["url"].to_pylist() == [*map(url, range(5)), None]
    assert table["error"].null_count == 5


def test_a_part_knows_what_it_was_made_of(part: Part) -> None:
    run_part(part, SETTINGS)
    stamp = json.loads(pq.read_metadata(part.target).metadata[b"scrapy_webtext"])
    assert stamp["source"] == "pages.warc.gz"
    assert stamp["settings"]["extractor"] == SETTINGS.extractor
    assert stamp["pages"] == 6


def test_what_is_whole_is_not_made_again(part: Part) -> None:
    assert finished(part, SETTINGS) is None
    report = run_part(part, SETTINGS)
    assert finished(part, SETTINGS) == report


def test_a_changed_input_is_read_again(part: Part) -> None:
    run_part(part, SETTINGS)
    Path(part.source).write_bytes(b"".join(members(2)))
    assert finished(part, SETTINGS) is None


def test_results_of_different_settings_are_not_mixed(part: Part) -> None:
    run_part(part, SETTINGS)
    with pytest.raises(InputError, match="made with another judge, threshold: use the same"):
        finished(part, ExtractionSettings(judge="other", threshold=0.7))


@pytest.mark.parametrize("content", [b"not parquet", b""])
def test_what_somebody_else_wrote_is_left_alone(part: Part, content: bytes) -> None:
    Path(part.target).parent.mkdir()
    Path(part.target).write_bytes(content)
    with pytest.raises(InputError, match="was not written by this command"):
        finished(part, SETTINGS)


def test_parquet_of_somebody_else_is_left_alone_too(part: Part) -> None:
    Path(part.target).parent.mkdir()
    pq.write_table(pa.table({"a": [1]}), part.target)
    with pytest.raises(InputError, match="was not written by this command"):
        finished(part, SETTINGS)


def fail(*_: Any, **__: Any) -> Any:
    raise OSError(28, "No space left on device")


def test_a_failure_leaves_nothing_behind_and_is_reported(
    part: Part, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parts, "extract_batch", fail)
    report = attempt_part(part, SETTINGS)
    assert report.failure == "OSError: [Errno 28] No space left on device"
    assert list(Path(part.target).parent.iterdir()) == []


def test_a_partial_file_is_never_taken_for_a_part_and_goes_with_the_next_attempt(
    part: Part,
) -> None:
    out = Path(part.target).parent
    out.mkdir()
    left = out / f".{Path(part.target).name}.0123.partial"
    left.write_bytes(b"PAR1 half")
    assert finished(part, SETTINGS) is None
    run_part(part, SETTINGS)
    assert list(out.iterdir()) == [Path(part.target)]


def test_two_that_make_the_same_part_at_once_do_no_harm(
    part: Part, monkeypatch: pytest.MonkeyPatch
) -> None:
    inner = parts.extract_batch

    def slow(*given: Any) -> Any:
        monkeypatch.setattr(parts, "extract_batch", inner)
        run_part(part, SETTINGS)  # the other is done in the meantime
        return inner(*given)

    monkeypatch.setattr(parts, "extract_batch", slow)
    report = run_part(part, SETTINGS)
    assert finished(part, SETTINGS) == report
    assert list(Path(part.target).parent.iterdir()) == [Path(part.target)]


def test_row_groups_are_gathered(part: Part, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "GROUP_ROWS", 4)
    monkeypatch.setattr("scrapy_webtext.archive.pages.BATCH_PAGES", 2)
    run_part(part, SETTINGS)
    metadata = pq.read_metadata(part.target)
    assert [metadata.row_group(n).num_rows for n in range(metadata.num_row_groups)] == [4, 2]


def test_a_folder_stands_for_the_archives_in_it_and_keeps_its_layout(tmp_path: Path) -> None:
    for name in ("a.warc.gz", "b/a.jsonl", "b/c.parquet", "b/notes.txt", ".d/e.warc", "_f.jsonl"):
        path = tmp_path / "in" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"")
    planned = plan_parts([str(tmp_path / "in")], str(tmp_path / "out"))
    assert [str(Path(part.target).relative_to(tmp_path / "out")) for part in planned] == [
        "a.warc.gz.parquet",
        "b/a.jsonl.parquet",
        "b/c.parquet",
    ]


def test_an_input_named_twice_is_one_part(tmp_path: Path) -> None:
    source = tmp_path / "a.jsonl"
    source.write_text(json.dumps({"html": html(1)}))
    assert len(plan_parts([str(source), str(tmp_path)], str(tmp_path / "out"))) == 1


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        (["missing.warc"], "No such file or folder: "),
        (["notes.txt"], "is of no known kind; known endings: "),
        (["a.parquet", "b/a.parquet"], "would both become "),
        (["empty"], "No archives found; known endings: "),
        ([], "No archives found; known endings: "),
        (["out/a.parquet"], "would be overwritten: choose another output folder"),
    ],
)
def test_inputs_that_make_no_sense_are_refused(
    tmp_path: Path, inputs: list[str], message: str
) -> None:
    for name in ("notes.txt", "a.parquet", "b/a.parquet", "out/a.parquet"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(b"")
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError) as error:
        plan_parts([str(tmp_path / name) for name in inputs], str(tmp_path / "out"))
    assert message in str(error.value)
