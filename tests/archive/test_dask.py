"""Dask: the command on a real scheduler with workers over loopback; frames of one's own."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TypeVar

import dask.dataframe as dd
import pandas as pd
import pyarrow as pa
import pyarrow.dataset as ds
import pytest
from distributed import Client

from scrapy_webtext import extract
from scrapy_webtext.archive import RESULT_SCHEMA, ExtractionSettings, extract_table
from scrapy_webtext.archive.engines import run_dask
from scrapy_webtext.archive.parts import plan_parts
from tests.archive import html, job_at, members, url, write_parts
from tests.archive.test_main import archive

PARTS = 12
PAGES = 10

T = TypeVar("T")


@contextmanager
def start_dask(*command: str) -> Iterator[subprocess.Popen[bytes]]:
    running = subprocess.Popen(
        [sys.executable, "-m", "dask", *command, "--host", "127.0.0.1", "--no-dashboard"],
        stderr=subprocess.DEVNULL,
    )
    try:
        yield running
    finally:
        running.kill()
        running.wait()


@pytest.fixture
def scheduler(tmp_path: Path) -> Iterator[str]:
    """Address of a scheduler on a free loopback port."""
    file = tmp_path / "scheduler.json"
    with start_dask("scheduler", "--port", "0", "--scheduler-file", str(file)):
        yield wait_for(lambda: json.loads(file.read_text())["address"])


def wait_for(get: Callable[[], T | None], seconds: float = 120) -> T:
    """Return the first thing that comes without an error."""
    deadline = time.monotonic() + seconds
    while True:
        try:
            found = get()
        except (OSError, ValueError, LookupError):
            found = None
        if found:
            return found
        assert time.monotonic() < deadline, "nothing came"
        time.sleep(0.05)


def worker(scheduler: str) -> AbstractContextManager[subprocess.Popen[bytes]]:
    return start_dask("worker", scheduler, "--nthreads", "1", "--no-nanny")


@pytest.fixture
def inputs(tmp_path: Path) -> Path:
    return write_parts(tmp_path / "in", PARTS, PAGES)


def run_on(scheduler: str, inputs: Path, out: Path) -> subprocess.CompletedProcess[str]:
    return archive(inputs, "-o", out, "--engine", "dask", "--scheduler", scheduler)


def test_two_workers_make_all_parts(scheduler: str, inputs: Path, tmp_path: Path) -> None:
    with worker(scheduler), worker(scheduler):
        done = run_on(scheduler, inputs, tmp_path / "out")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("archive: 120 pages, 120 with an article, 0 errors, ")
    assert len(ds.dataset(tmp_path / "out").to_table()) == PARTS * PAGES


def test_a_worker_that_is_killed_loses_nothing(
    scheduler: str, inputs: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    command = [inputs, "-o", out, "--engine", "dask", "--scheduler", scheduler]
    with worker(scheduler) as first, worker(scheduler):
        run = subprocess.Popen([sys.executable, "-m", "scrapy_webtext.archive", *map(str, command)])
        wait_for(lambda: list(out.glob("*.parquet")))
        os.kill(first.pid, signal.SIGKILL)
        assert run.wait(120) == 0
    addresses = ds.dataset(out).to_table()["url"].to_pylist()
    assert sorted(addresses) == sorted(list(map(url, range(PAGES))) * PARTS)


def test_a_part_that_kills_its_worker_every_time_takes_no_other_with_it(
    inputs: Path, tmp_path: Path
) -> None:
    (inputs / "01.warc.gz").write_bytes(b"".join(members(PAGES + 1)))  # has a page 10
    options = {"marker": str(tmp_path / "died"), "word": "Page 10", "times": 99}
    job = job_at(tmp_path / "out", ExtractionSettings("tests.archive.test_main.Deadly", options))
    reports = list(run_dask(plan_parts([str(inputs)], str(tmp_path / "out")), job, 2, None))
    assert len(reports) == PARTS
    (failed,) = [report for report in reports if report.failure]
    assert failed.source.endswith("01.warc.gz")
    assert failed.failure == "its worker died 3 times"


def test_names_that_are_no_utf8_are_no_obstacle(scheduler: str, tmp_path: Path) -> None:
    inputs = write_parts(tmp_path / "in", 1, PAGES)
    (inputs / "00.warc.gz").rename(inputs / os.fsdecode(b"caf\xe9.warc.gz"))
    with worker(scheduler):
        done = run_on(scheduler, inputs, tmp_path / "out")
    assert done.returncode == 0, done.stderr


def test_without_a_scheduler_it_starts_one_here(inputs: Path, tmp_path: Path) -> None:
    done = archive(inputs, "-o", tmp_path / "out", "--engine", "dask", "--workers", 2)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("archive: 120 pages, ")


def test_a_scheduler_that_is_not_there_is_named(inputs: Path, tmp_path: Path) -> None:
    done = archive(
        inputs, "-o", tmp_path / "out", "--engine", "dask", "--scheduler", "tcp://127.0.0.1:9",
        env=os.environ | {"DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT": "1s"},
    )  # fmt: skip
    assert done.returncode == 2
    assert "No Dask scheduler at tcp://127.0.0.1:9" in done.stderr


def test_the_partitions_of_a_frame_are_mapped(scheduler: str) -> None:
    def extract_frame(frame: pd.DataFrame) -> pd.DataFrame:
        return extract_table(pa.Table.from_pandas(frame)).to_pandas()

    pages = pd.DataFrame({"url": list(map(url, range(8))), "html": list(map(html, range(8)))})
    empty = RESULT_SCHEMA.empty_table().to_pandas()
    with worker(scheduler), Client(scheduler):
        frame = dd.from_pandas(pages, npartitions=4).map_partitions(extract_frame, meta=empty)
        texts = frame.compute()
    assert texts["main_text"].tolist() == [extract(html(n)).main_text for n in range(8)]
