"""Which inputs become which parts, whatever the files are called."""

import json
import os
from pathlib import Path

import pytest

from scrapy_webtext.archive.parts import run_part
from scrapy_webtext.archive.plan import MAX_NAME, part_name, plan_parts
from scrapy_webtext.errors import InputError
from tests.archive import html, job_at, url


def names(inputs: list[Path], output: Path) -> list[str]:
    planned = plan_parts([str(path) for path in inputs], str(output))
    return [os.path.relpath(part.target, output) for part in planned]


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


def write_lines(path: Path, count: int = 1) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [json.dumps({"url": url(n), "html": html(n)}) + "\n" for n in range(count)]
    path.write_text("".join(lines))
    return path


@pytest.mark.parametrize(
    "name",
    [
        "crawl[12].jsonl", "*.jsonl", "a\nb.jsonl", "-o.jsonl", "日本 é.jsonl",
        "x" * 215 + ".jsonl", "x" * 249 + ".jsonl",
        "日" * 83 + ".jsonl", os.fsdecode(b"caf\xe9.jsonl"),
    ],
)  # fmt: skip
def test_any_name_makes_a_part(tmp_path: Path, name: str) -> None:
    write_lines(tmp_path / "in" / name)
    (part,) = plan_parts([str(tmp_path / "in")], str(tmp_path / "out"))
    assert run_part(part, job_at(tmp_path / "out")).pages == 1
    (made,) = (tmp_path / "out").glob("[!.]*")
    assert made.name == (f"{name}.parquet" if len(os.fsencode(name)) <= 247 else part_name(name))


def test_long_names_are_cut_and_stay_different() -> None:
    cut = {part_name("x" * 249 + f"{n}.jsonl") for n in range(3)} | {
        part_name("日" * 83 + ".jsonl")
    }
    assert len(cut) == 4
    assert all(len(os.fsencode(name)) <= MAX_NAME for name in cut)
    assert all(name.endswith(".parquet") for name in cut)


@pytest.mark.parametrize("output", ["in", "in/texts", "."])
def test_what_a_run_wrote_is_no_input_of_the_next(tmp_path: Path, output: str) -> None:
    source = write_lines(tmp_path / "in" / "a.jsonl")
    out = tmp_path / output
    (part,) = plan_parts([str(source.parent)], str(out))
    run_part(part, job_at(out))
    assert plan_parts([str(source.parent)], str(out)) == [part]
    if output == "in/texts":
        assert names([source.parent], tmp_path / "other") == ["a.jsonl.parquet"]


def test_links_in_circles_and_what_is_no_file_are_passed_over(tmp_path: Path) -> None:
    folder = write_lines(tmp_path / "in" / "a.jsonl").parent
    (folder / "round").symlink_to(folder)
    (folder / "self.jsonl").symlink_to(folder / "self.jsonl")
    (folder / "gone.jsonl").symlink_to(folder / "nowhere")
    (folder / "folder.jsonl").mkdir()
    os.mkfifo(folder / "pipe.jsonl")
    assert names([folder], tmp_path / "out") == ["a.jsonl.parquet"]
    with pytest.raises(InputError, match=r"pipe\.jsonl is neither a file nor a folder"):
        names([folder / "pipe.jsonl"], tmp_path / "out")


def test_a_link_in_the_output_is_replaced_and_not_written_through(tmp_path: Path) -> None:
    source = write_lines(tmp_path / "in" / "a.jsonl")
    out = tmp_path / "out"
    out.mkdir()
    (out / "a.jsonl.parquet").symlink_to(tmp_path / "elsewhere.parquet")
    (part,) = plan_parts([str(source)], str(out))
    run_part(part, job_at(out))
    assert not (out / "a.jsonl.parquet").is_symlink()
    assert not (tmp_path / "elsewhere.parquet").exists()


def test_a_folder_that_cannot_be_read_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def scandir(path: object) -> None:
        raise PermissionError(13, "Permission denied", "locked\x1b")

    monkeypatch.setattr(os, "scandir", scandir)
    with pytest.raises(InputError, match=r"locked\\x1b cannot be read: Permission denied"):
        names([tmp_path], tmp_path / "out")
