"""``scrapy webtext archive`` and ``python -m scrapy_webtext.archive``: the run as a whole."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest

from scrapy_webtext.archive.batch import ExtractionSettings
from scrapy_webtext.archive.local import run_local
from scrapy_webtext.archive.plan import plan_parts
from tests.archive import html, job_at, members, url

PARTS = 4
PAGES = 6


@pytest.fixture
def inputs(tmp_path: Path) -> Path:
    folder = tmp_path / "in"
    folder.mkdir()
    for number in range(PARTS):
        (folder / f"{number}.warc.gz").write_bytes(b"".join(members(PAGES)) + b"garbage")
    return folder


def archive(
    *arguments: object, module: str = "scrapy_webtext.archive", **options: Any
) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", *module.split(), *map(str, arguments)]
    return subprocess.run(
        command, capture_output=True, text=True, timeout=300, check=False, **options
    )


def urls(output: Path) -> list[str | None]:
    found: list[str | None] = ds.dataset(output).to_table()["url"].to_pylist()
    return found


@pytest.mark.parametrize("module", ["scrapy_webtext.archive", "scrapy webtext archive"])
def test_a_run_makes_every_part_and_ends_with_a_line(
    inputs: Path, tmp_path: Path, module: str
) -> None:
    out = tmp_path / "out"
    done = archive(inputs, "-o", out, "--workers", 2, module=module)
    assert (done.returncode, done.stderr) == (0, "")
    line = r"archive: 28 pages, 24 with an article, 4 errors, [\d.]+ pages a second; "
    assert re.fullmatch(line + r"4 parts made in [\d.]+ s\n", done.stdout)
    names = [f"{n}.warc.gz.parquet" for n in range(PARTS)]
    assert sorted(p.name for p in out.iterdir()) == [".webtext", *names]
    assert [p.name for p in (out / ".webtext").iterdir()] == ["manifest.json"]
    assert urls(out).count(url(0)) == PARTS


def test_a_second_run_makes_only_what_is_missing(inputs: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    archive(inputs, "-o", out, "--workers", 1)
    (out / "2.warc.gz.parquet").unlink()
    before = {path.name: path.stat().st_mtime_ns for path in out.glob("*.parquet")}
    done = archive(inputs, "-o", out, "--workers", 1)
    assert done.stdout.startswith("archive: 7 pages, 6 with an article, 1 errors, ")
    assert done.stdout.endswith(" s, 3 with 21 pages were there\n")
    assert {name: (out / name).stat().st_mtime_ns for name in before} == before
    assert len(urls(out)) == PARTS * (PAGES + 1)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["no-such.warc", "-o", "out"], "No such file or folder: no-such.warc"),
        (["in", "-o", "out", "--extractor", "bta"], "Unknown extractor 'bta'"),
        (["in", "-o", "out", "--workers", "0"], "'0' is no whole number from 1 on"),
        (["in", "-o", "out", "--scheduler", "x"], "--scheduler needs --engine dask or spark"),
        (["in", "-o", "in/0.warc.gz"], "cannot be written to"),
        (["in"], "required: -o"),
        (["-o", "out"], "No archives found"),
        (
            ["in", "-o", "out", "--keep", "id", "P_Value"],
            "--keep P_Value: the output has a column p_",
        ),
    ],
)
@pytest.mark.parametrize("module", ["scrapy_webtext.archive", "scrapy webtext archive"])
def test_bad_input_is_refused_in_a_line_before_anything_is_written(
    inputs: Path, tmp_path: Path, module: str, arguments: list[str], message: str
) -> None:
    paths = {"PYTHONPATH": os.pathsep.join([os.getcwd(), os.environ.get("PYTHONPATH", "")])}
    done = archive(*arguments, module=module, cwd=tmp_path, env=os.environ | paths)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "out").exists()


def test_settings_of_a_project_hold(inputs: Path, tmp_path: Path) -> None:
    (tmp_path / "scrapy.cfg").write_text("[settings]\ndefault = archived_project\n")
    (tmp_path / "archived_project.py").write_text("WEBTEXT_THRESHOLD = 1\n")
    paths = os.pathsep.join([os.getcwd(), os.environ.get("PYTHONPATH", "")])
    done = archive(
        inputs,
        "-o",
        "out",
        module="scrapy webtext archive",
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": paths},
    )
    assert done.stdout.startswith("archive: 28 pages, 0 with an article, 4 errors, ")


def test_a_run_that_is_killed_leaves_no_half_part_and_goes_on_where_it_stopped(
    inputs: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    command = [sys.executable, "-m", "scrapy_webtext.archive", inputs, "-o", out, "--workers", "1"]
    run = subprocess.Popen(list(map(str, command)))
    deadline = time.monotonic() + 120
    while not list(out.glob("*.parquet")) and time.monotonic() < deadline:
        time.sleep(0.005)
    run.kill()
    run.wait()
    whole = list(out.glob("*.parquet"))
    assert whole
    assert all(pq.read_metadata(path).num_rows == PAGES + 1 for path in whole)
    done = archive(inputs, "-o", out, "--workers", 2)
    assert done.returncode == 0
    assert len(urls(out)) == PARTS * (PAGES + 1)
    assert [p.name for p in (out / ".webtext").iterdir()] == ["manifest.json"]


class Deadly:
    """An extractor that ends its process on some pages, once or every time."""

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


@pytest.mark.parametrize(("times", "parts_made"), [(1, PARTS), (2, PARTS), (99, PARTS - 1)])
def test_a_worker_that_dies_loses_nothing_unless_a_part_kills_it_every_time(
    inputs: Path, tmp_path: Path, times: int, parts_made: int
) -> None:
    (inputs / "1.warc.gz").write_bytes(b"".join(members(PAGES + 1)))  # has a page 6
    options = {"marker": str(tmp_path / "died"), "word": "Page 6", "times": times}
    settings = ExtractionSettings("tests.archive.test_main.Deadly", options)
    parts = plan_parts([str(inputs)], str(tmp_path / "out"))
    reports = list(run_local(parts, job_at(tmp_path / "out", settings), 2))
    assert len(reports) == PARTS
    failed = [report for report in reports if report.failure]
    assert len(reports) - len(failed) == parts_made
    for report in failed:
        assert report.source.endswith("1.warc.gz")
        assert report.failure == "its worker died 3 times, the last one with exit code -9"


class Slow:
    """An extractor that a part is never done with."""

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
        (signal.SIGINT, False, 130),
        (signal.SIGTERM, False, 143),
        (signal.SIGKILL, False, -9),
    ],
)
def test_a_run_that_is_ended_takes_its_workers_with_it(
    inputs: Path, tmp_path: Path, sent: signal.Signals, to_all: bool, status: int
) -> None:
    out = tmp_path / "out"
    command = [sys.executable, "-m", "scrapy_webtext.archive", inputs, "-o", out, "--workers", "2"]
    command += ["--extractor", "tests.archive.test_main.Slow"]
    run = subprocess.Popen(
        list(map(str, command)), start_new_session=True, stderr=subprocess.PIPE, text=True
    )
    deadline = time.monotonic() + 120
    while len(list(out.glob(".webtext/*/*.*"))) < 2 and time.monotonic() < deadline:
        time.sleep(0.05)
    (os.killpg if to_all else os.kill)(run.pid, sent)
    printed = run.communicate(timeout=60)[1]
    assert run.returncode == status
    if status > 0:
        assert printed == "archive: ended early; the same line goes on where it stopped\n"
    while processes(run.pid) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert processes(run.pid) == []
    done = archive(inputs, "-o", out, "--workers", 1, "--overwrite")
    assert (done.returncode, done.stderr) == (0, "")


def test_columns_are_kept_by_the_command(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text(json.dumps({"html": html(0), "id": 7, "day": "today"}))
    out = tmp_path / "out"
    done = archive(tmp_path / "a.jsonl", "-o", out, "--keep", "id", "day", "--keep", "id")
    assert (done.returncode, done.stderr) == (0, "")
    (row,) = ds.dataset(out).to_table().to_pylist()
    assert (row["id"], row["day"]) == ("7", "today")
    done = archive(tmp_path / "a.jsonl", "-o", out, "--keep", "id")
    assert 'made with another --keep (["id", "day"], now ["id"])' in done.stderr


def test_what_a_file_is_called_and_says_reaches_the_terminal_escaped(tmp_path: Path) -> None:
    source = tmp_path / "\x1b]0;owned\x07.parquet"
    pq.write_table(pa.table({"\x1b[2J": [1]}), source)
    done = archive(source, "-o", tmp_path / "out", "--workers", 1)
    assert done.returncode == 1
    assert done.stderr.rstrip("\n").isprintable()
    assert (
        r"\x1b]0;owned\x07.parquet: No column html or body; its columns are: \x1b[2J" in done.stderr
    )


@pytest.mark.parametrize("options", ["[1]", "no json", '{"whitespace": "no"}', '{"no": 1}'])
def test_options_that_make_no_sense_are_refused(inputs: Path, tmp_path: Path, options: str) -> None:
    done = archive(inputs, "-o", tmp_path / "out", "--extractor", "pvalue", "--options", options)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "out").exists()
