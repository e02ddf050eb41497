"""``scrapy webtext archive``: the run from its command to its last line."""

import json
import os
import re
import signal
import subprocess
import time
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest

from scrapy_webtext import __version__
from scrapy_webtext import files as output
from scrapy_webtext.archive.parts import plan_parts
from scrapy_webtext.archive.run import DIED, _watched, claim, run_archive, run_local
from scrapy_webtext.errors import InputError
from scrapy_webtext.reader import PageReader
from tests.archive import job_at, members, parquet, url, write, write_parts
from tests.commands import COMMAND, refused, webtext
from tests.kits.data import read_json

CASES = read_json(__file__, "refusals.json")


PARTS = 4
PAGES = 6


@pytest.fixture
def inputs(tmp_path: Path) -> Path:
    return write_parts(tmp_path / "in", PARTS, PAGES, b"garbage")


@pytest.fixture
def few(tmp_path: Path) -> Path:
    return write_parts(tmp_path / "few", 2, 2)


ARCHIVE = [*COMMAND, "archive"]


def archive(*arguments: object, **options: Any) -> subprocess.CompletedProcess[str]:
    command = [*ARCHIVE, *map(str, arguments)]
    return subprocess.run(
        command, capture_output=True, text=True, timeout=300, check=False, **options
    )


def run(inputs: Path, output: Path, extractor: str = "bte", **options: Any) -> int:
    given = {"options": options.pop("options", {}), "judge": options.pop("judge", "pvalue")}
    return run_archive([str(inputs)], str(output), PageReader.of(extractor, **given), **options)


def urls(output: Path) -> list[str | None]:
    found: list[str | None] = ds.dataset(output).to_table()["url"].to_pylist()
    return found


def state(output: Path) -> list[str]:
    return sorted(os.listdir(output / ".webtext"))


def until(is_so: Callable[[], object]) -> None:
    deadline = time.monotonic() + 120
    while not is_so() and time.monotonic() < deadline:
        time.sleep(0.02)


def test_a_run_extracts_missing_parts_and_prints_a_line(inputs: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    command = [inputs, "-o", out, "--workers", 2, "--keep", "WARC-Date", "--keep", "WARC-Date"]
    done = archive(*command)
    assert (done.returncode, done.stderr) == (0, "")
    line = r"archive: 28 pages, 24 with an article, 4 errors, [\d.]+ pages a second; "
    assert re.fullmatch(line + r"4 parts made in [\d.]+ s\n", done.stdout)
    names = [f"{n:02}.warc.gz.parquet" for n in range(PARTS)]
    assert sorted(p.name for p in out.iterdir()) == [".webtext", *names]
    assert state(out) == ["lock"]
    assert pq.read_table(out).schema.names[-2:] == ["error", "WARC-Date"]
    (out / names[2]).unlink()
    before = {path: path.stat().st_mtime_ns for path in out.glob("*.parquet")}
    done = archive(*command)
    assert done.stdout.startswith("archive: 7 pages, 6 with an article, 1 errors, ")
    assert done.stdout.endswith(" s, 3 with 21 pages were there\n")
    assert {path: path.stat().st_mtime_ns for path in before} == before
    assert urls(out).count(url(0)) == PARTS
    assert len(urls(out)) == PARTS * (PAGES + 1)


def test_a_kept_name_that_no_page_has_is_said_once(few: Path, tmp_path: Path) -> None:
    done = archive(few, "-o", tmp_path / "out", "--keep", "WARC-Date", "X-None")
    assert (done.returncode, done.stderr) == (0, "--keep X-None: no page has it\n")


def test_pages_are_counted_before_the_end_of_a_part(tmp_path: Path) -> None:
    counts: list[int] = []
    with _watched(tmp_path / "read", SimpleNamespace(step=counts.append)):  # type: ignore[arg-type]
        (tmp_path / "read").write_bytes(b"123")
        until(lambda: sum(counts) == 3)
        (tmp_path / "read").write_bytes(b"12345")
        until(lambda: sum(counts) == 5)
    assert sum(counts) == 5


@pytest.mark.parametrize(("arguments", "message"), CASES["run"])
def test_wrong_input_is_refused_before_a_file_is_written(
    inputs: Path, tmp_path: Path, arguments: str, message: str
) -> None:
    assert message in refused("archive", *arguments.split(), cwd=tmp_path)
    assert not (tmp_path / "out").exists()


def test_settings_of_a_project_apply(inputs: Path, tmp_path: Path) -> None:
    (tmp_path / "scrapy.cfg").write_text("[settings]\ndefault = archived_project\n")
    (tmp_path / "archived_project.py").write_text("WEBTEXT_THRESHOLD = 1\n")
    done = webtext("archive", "in", "-o", "out", "--workers", "1", cwd=tmp_path)
    assert done.stdout.startswith("archive: 28 pages, 0 with an article, 4 errors, ")


def test_a_killed_run_leaves_no_half_part_and_continues(inputs: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    command = [*ARCHIVE, inputs, "-o", out, "--workers", "1"]
    killed = subprocess.Popen(list(map(str, command)))
    until(lambda: list(out.glob("*.parquet")))
    killed.kill()
    killed.wait()
    whole = list(out.glob("*.parquet"))
    assert whole
    assert all(pq.read_metadata(path).num_rows == PAGES + 1 for path in whole)
    assert run(inputs, out, "fusion", judge="learned") == 0
    assert len(urls(out)) == PARTS * (PAGES + 1)
    assert state(out) == ["lock"]


class Deadly:
    """An extractor that kills its process on some pages at the first attempts."""

    name = "deadly"

    def __init__(self, marker: str, word: str, times: int = 1) -> None:
        self.marker, self.word, self.times = Path(marker), word, times

    def extract(self, page: Any) -> Any:
        from scrapy_webtext.results import Extraction

        if self.word in page.source:
            died = self.marker.read_text() if self.marker.exists() else ""
            if len(died) < self.times:
                self.marker.write_text(died + "x")
                os.kill(os.getpid(), signal.SIGKILL)
        return Extraction("text", 1.0, self.name)


def failed_of_deadly_part(folder: Path, engine: Callable[..., Any], times: int = 99) -> Any:
    """Return the failures of a run in which one of four parts kills its workers several times."""
    inputs = write_parts(folder / "deadly", PARTS, PAGES)
    write(inputs / "01.warc.gz", b"".join(members(PAGES + 1)))  # has a page 6
    options = {"marker": str(folder / "died"), "word": f"Page {PAGES}", "times": times}
    reader = PageReader.of("tests.archive.test_run.Deadly", options=options)
    parts = plan_parts([str(inputs)], str(folder / "made"))
    reports = list(engine(parts, job_at(folder / "made", reader)))
    assert len(reports) == PARTS
    return {Path(r.source).name: r.failure for r in reports if r.failure}


def test_a_part_whose_worker_dies_is_the_only_failure_and_made_by_the_next_run(
    tmp_path: Path,
) -> None:
    for failed in ({"01.warc.gz": DIED}, {}):
        found = failed_of_deadly_part(tmp_path, lambda parts, job: run_local(parts, job, 2), 1)
        assert found == failed


class Greedy:
    """An extractor that needs more memory than any machine has."""

    name = "greedy"

    def extract(self, page: Any) -> Any:
        from scrapy_webtext.results import Extraction

        return Extraction(str(len(bytearray(1 << 45))), 1.0, self.name)


class Slow:
    """An extractor that does not end."""

    name = "slow"

    def extract(self, page: Any) -> Any:
        time.sleep(600)


def processes(group: int) -> list[int]:
    found = subprocess.run(["ps", "-A", "-o", "pid=,pgid=,stat="], capture_output=True, text=True)
    rows = [line.split() for line in found.stdout.splitlines()]
    return [int(pid) for pid, pgid, stat in rows if int(pgid) == group and stat[0] != "Z"]


@pytest.mark.parametrize(
    ("sent", "to_all", "status"),
    [
        (signal.SIGINT, True, 130),  # as a terminal does
        (signal.SIGTERM, False, 130),
        (signal.SIGKILL, False, -9),
    ],
)
def test_workers_end_with_a_run_that_is_ended(
    inputs: Path, tmp_path: Path, sent: signal.Signals, to_all: bool, status: int
) -> None:
    out = tmp_path / "out"
    command = [*ARCHIVE, inputs, "-o", out, "--workers", "2"]
    command += ["--extractor", "tests.archive.test_run.Slow"]
    ended = subprocess.Popen(
        list(map(str, command)), start_new_session=True, stderr=subprocess.PIPE, text=True
    )
    until(lambda: len(list(out.glob(".webtext/*/*.*"))) >= 2)
    (os.killpg if to_all else os.kill)(ended.pid, sent)
    printed = ended.communicate(timeout=60)[1]
    assert ended.returncode == status
    if status > 0:
        assert printed == "archive: ended early; the same command continues from here\n"
    until(lambda: not processes(ended.pid))
    assert processes(ended.pid) == []
    assert run(inputs, out, overwrite=True) == 0


def test_names_and_columns_are_escaped_on_the_terminal(tmp_path: Path) -> None:
    source = write(tmp_path / "\x1b]0;owned\x07.parquet", parquet({"\x1b[2J": [1]}))
    done = archive(source, "-o", tmp_path / "out", "--workers", 1)
    assert done.returncode == 1
    assert done.stderr.rstrip("\n").isprintable()
    assert (
        r"\x1b]0;owned\x07.parquet: No column html or body; its columns are: \x1b[2J" in done.stderr
    )


def test_other_settings_than_those_of_the_parts_are_refused(
    few: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    run(few, out)
    (few / "01.warc.gz").rename(few / "02.warc.gz")
    monkeypatch.setattr("scrapy_webtext.archive.parts.__version__", "9.9")
    with pytest.raises(InputError) as error:
        run(few, out, "ttr", keep=["id"])
    assert sorted(path.name for path in out.glob("*.parquet"))[-1] == "01.warc.gz.parquet"
    assert str(error.value) == (
        f"{out} was made with --keep [], extractor 'bte', "
        f"extractor_options {{'reading': 'modern'}}, version '{__version__}': "
        f"use the same, or another output folder, or --overwrite to discard its parts"
    )


def test_an_edited_model_is_refused(few: Path, tmp_path: Path) -> None:
    edited = tmp_path / "model.json"
    edited.write_bytes((files("scrapy_webtext.models") / "naive_bayes.json").read_bytes())
    options = {"model": str(edited)}
    assert run(few, tmp_path / "out", "naive_bayes", options=options) == 0
    edited.write_text(edited.read_text() + "\n")
    with pytest.raises(InputError, match=r"extractor_options .*'model': '"):
        run(few, tmp_path / "out", "naive_bayes", options=options)


def test_overwriting_discards_only_parts(few: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    run(few, out)
    (few / "01.warc.gz").unlink()
    (out / "notes.txt").write_text("mine")
    (out / "mine.parquet").write_text("mine")
    run(few, out / "kept")  # an output of its own
    assert run(few, out, "ttr", overwrite=True) == 0
    assert [path.name for path in (out / "kept").glob("*.parquet")] == ["00.warc.gz.parquet"]
    names = sorted(path.name for path in out.iterdir())
    assert names == [".webtext", "00.warc.gz.parquet", "kept", "mine.parquet", "notes.txt"]
    stamp = json.loads(pq.read_metadata(out / "00.warc.gz.parquet").metadata[b"scrapy_webtext"])
    assert stamp["made_with"]["extractor"] == "ttr"


def test_a_second_run_on_a_folder_is_refused(few: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (tmp_path / "other").symlink_to(out)
    for name in (out, tmp_path / "other"):
        with claim(str(out)), pytest.raises(InputError, match="wait for its end, or choose "):
            run(few, name)
    assert run(few, out) == 0


def refuse(*_: object, **__: object) -> None:
    raise OSError(95, "Operation not supported")


def test_a_file_system_needs_no_locks(
    few: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(output.fcntl, "flock", refuse)
    assert run(few, tmp_path / "out") == 0


def test_an_output_folder_that_cannot_be_written_is_refused(
    few: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(InputError, match="out cannot be written to: Operation not supported"):
        run(few, tmp_path / "out")


def test_an_output_named_like_a_file_is_refused(few: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="name a folder; it gets a Parquet file per input"):
        run(few, tmp_path / "texts.jsonl", "bte")


def test_a_page_that_needs_too_much_memory_is_an_error(few: Path, tmp_path: Path) -> None:
    assert run(few, tmp_path / "out", "tests.archive.test_run.Greedy") == 1  # no page was read
    errors = ds.dataset(tmp_path / "out").to_table()["error"].to_pylist()
    assert errors == ["MemoryError"] * 4
