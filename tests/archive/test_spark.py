"""Spark: the command in a local Spark."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pyarrow.dataset as ds
import pytest
from pyspark.sql import SparkSession

from scrapy_webtext.archive.parts import plan_parts
from scrapy_webtext.archive.run import run_spark
from scrapy_webtext.errors import InputError
from tests.archive import job_at, write_parts
from tests.archive.test_run import archive, failed_of_deadly_part

PARTS = 6
PAGES = 10


@pytest.fixture(scope="module")
def spark() -> Iterator[SparkSession]:
    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.master("local[2,4]").config("spark.ui.enabled", "false")
    builder = builder.config("spark.driver.host", "127.0.0.1")
    session = builder.config("spark.driver.bindAddress", "127.0.0.1").getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()


def test_the_command_extracts_all_parts_or_names_a_wrong_master(tmp_path: Path) -> None:
    command = [write_parts(tmp_path / "in", PARTS, PAGES), "-o", tmp_path / "out"]
    done = archive(*command, "--engine", "spark", "--workers", 2)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("archive: 60 pages, 60 with an article, 0 errors, ")
    assert len(ds.dataset(tmp_path / "out").to_table()) == PARTS * PAGES
    done = archive(*command, "--overwrite", "--engine", "spark", "--scheduler", "nonsense")
    assert done.returncode == 2
    assert "Spark does not start" in done.stderr


@pytest.mark.parametrize("times", [1, 99])
def test_a_part_that_kills_its_workers_is_the_only_failure(
    spark: SparkSession, tmp_path: Path, times: int
) -> None:
    failed = failed_of_deadly_part(
        tmp_path, lambda parts, job: run_spark(parts, job, 2, None), times
    )
    assert failed == ({"01.warc.gz": "its worker died 3 times"} if times > 3 else {})


def test_spark_that_dies_is_named(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def collect(_: object) -> None:
        raise ConnectionRefusedError("gone")

    monkeypatch.setattr("pyspark.RDD.collect", collect)
    parts = plan_parts([str(write_parts(tmp_path / "in", 2, 1))], str(tmp_path / "out"))
    with pytest.raises(InputError, match="Spark ended: ConnectionRefusedError: gone; parts that"):
        list(run_spark(parts, job_at(tmp_path / "out"), 2, None))


def test_small_parts_share_tasks(spark: SparkSession, tmp_path: Path) -> None:
    many = write_parts(tmp_path / "many", 60, 1)
    parts = plan_parts([str(many)], str(tmp_path / "out"))
    (many / "03.warc.gz").unlink()
    tracker = spark.sparkContext.statusTracker()
    before = set(tracker.getJobIdsForGroup())
    reports = list(run_spark(parts, job_at(tmp_path / "out"), 2, None))
    assert [Path(r.source).name for r in reports if r.failure] == ["03.warc.gz"]
    assert len(reports) == 60
    (made,) = set(tracker.getJobIdsForGroup()) - before
    info = tracker.getJobInfo(made)
    assert info is not None
    stages = [tracker.getStageInfo(stage) for stage in info.stageIds]
    assert sum(stage.numTasks for stage in stages if stage is not None) == 16
