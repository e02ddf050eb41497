"""Dask: the command on a real scheduler with workers over loopback."""

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pyarrow.dataset as ds
import pytest

from scrapy_webtext.archive.run import run_dask
from tests.archive import url, write_parts
from tests.archive.test_run import ARCHIVE, archive, failed_of_deadly_part, until

PARTS = 12
PAGES = 10


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
def inputs(tmp_path: Path) -> Path:
    """Write archives, one of them with a name that is no UTF-8."""
    folder = write_parts(tmp_path / "in", PARTS, PAGES)
    (folder / "00.warc.gz").rename(folder / os.fsdecode(b"caf\xe9.warc.gz"))
    return folder


def test_a_killed_worker_loses_no_page(inputs: Path, tmp_path: Path) -> None:
    out, file = tmp_path / "out", tmp_path / "scheduler.json"
    with start_dask("scheduler", "--port", "0", "--scheduler-file", str(file)):
        until(lambda: file.exists() and file.read_text())
        address = json.loads(file.read_text())["address"]
        worker = ("worker", address, "--nthreads", "1", "--no-nanny")
        command = [inputs, "-o", out, "--engine", "dask", "--scheduler", address]
        with start_dask(*worker) as first, start_dask(*worker):
            run = subprocess.Popen([*ARCHIVE, *map(str, command)])
            until(lambda: list(out.glob("*.parquet")))
            os.kill(first.pid, signal.SIGKILL)
            assert run.wait(120) == 0
    addresses = ds.dataset(out).to_table()["url"].to_pylist()
    assert sorted(addresses) == sorted(list(map(url, range(PAGES))) * PARTS)


def test_a_part_that_kills_its_workers_is_the_only_failure(tmp_path: Path) -> None:
    with socket.socket() as other:
        with suppress(OSError):  # another process has the port of Dask's dashboard already
            other.bind(("", 8787))
            other.listen()
        failed = failed_of_deadly_part(tmp_path, lambda parts, job: run_dask(parts, job, 2, None))
    assert failed == {"01.warc.gz": "its worker died 3 times"}


def test_a_local_cluster_is_started_without_a_scheduler(inputs: Path, tmp_path: Path) -> None:
    done = archive(inputs, "-o", tmp_path / "out", "--engine", "dask", "--workers", 2)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("archive: 120 pages, 120 with an article, 0 errors, ")


def test_a_scheduler_that_dies_is_named(inputs: Path, tmp_path: Path) -> None:
    out, file = tmp_path / "out", tmp_path / "scheduler.json"
    with start_dask("scheduler", "--port", "0", "--scheduler-file", str(file)) as scheduler:
        until(lambda: file.exists() and file.read_text())
        address = json.loads(file.read_text())["address"]
        with start_dask("worker", address, "--nthreads", "1", "--no-nanny"):
            command = [*ARCHIVE, inputs, "-o", out, "--engine", "dask", "--scheduler", address]
            run = subprocess.Popen([*map(str, command)], stderr=subprocess.PIPE, text=True)
            until(lambda: list(out.glob("*.parquet")))
            scheduler.kill()
            printed = run.communicate(timeout=120)[1]
    assert run.returncode == 2
    assert "archive: Dask is lost: " in printed
    assert printed.endswith("parts that are made stay, and the same command continues\n")


def test_a_missing_scheduler_is_named(inputs: Path, tmp_path: Path) -> None:
    done = archive(
        inputs, "-o", tmp_path / "out", "--engine", "dask", "--scheduler", "tcp://127.0.0.1:9",
        env=os.environ | {"DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT": "1s"},
    )  # fmt: skip
    assert done.returncode == 2
    assert "No Dask scheduler at tcp://127.0.0.1:9" in done.stderr
