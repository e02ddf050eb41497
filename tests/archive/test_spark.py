"""Spark: the command in a Spark of its own; frames of one's own, through ``mapInArrow``."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pyarrow.dataset as ds
import pytest
from pyspark.sql import SparkSession

from scrapy_webtext import extract
from scrapy_webtext.archive import ExtractionSettings, extract_batches
from scrapy_webtext.archive.engines import run_spark
from scrapy_webtext.archive.parts import plan_parts
from tests.archive import html, job_at, members, url, write_parts
from tests.archive.test_main import archive

PARTS = 6
PAGES = 10


@pytest.fixture
def inputs(tmp_path: Path) -> Path:
    return write_parts(tmp_path / "in", PARTS, PAGES)


@pytest.fixture(scope="module")
def spark() -> Iterator[SparkSession]:
    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.master("local[2,4]").config("spark.ui.enabled", "false")
    builder = builder.config("spark.driver.host", "127.0.0.1")
    session = builder.config("spark.driver.bindAddress", "127.0.0.1").getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()


def test_the_command_makes_all_parts(inputs: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = archive(inputs, "-o", out, "--engine", "spark", "--workers", 2)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("archive: 60 pages, 60 with an article, 0 errors, ")
    assert len(ds.dataset(out).to_table()) == PARTS * PAGES


def test_a_master_that_is_not_there_is_named(inputs: Path, tmp_path: Path) -> None:
    done = archive(inputs, "-o", tmp_path / "out", "--engine", "spark", "--scheduler", "nonsense")
    assert done.returncode == 2
    assert "Spark does not start" in done.stderr


def test_a_worker_that_is_killed_loses_nothing(
    spark: SparkSession, inputs: Path, tmp_path: Path
) -> None:
    (inputs / "01.warc.gz").write_bytes(b"".join(members(PAGES + 1)))  # has a page 10
    options = {"marker": str(tmp_path / "died"), "word": "Page 10", "times": 1}
    job = job_at(tmp_path / "out", ExtractionSettings("tests.archive.test_main.Deadly", options))
    reports = list(run_spark(plan_parts([str(inputs)], str(tmp_path / "out")), job, 2, None))
    assert [report.failure for report in reports] == [None] * PARTS
    assert sum(report.pages for report in reports) == PARTS * PAGES + 1
    assert (tmp_path / "died").read_text() == "x"


def test_a_part_that_kills_its_worker_every_time_takes_no_other_with_it(
    spark: SparkSession, inputs: Path, tmp_path: Path
) -> None:
    (inputs / "01.warc.gz").write_bytes(b"".join(members(PAGES + 1)))  # has a page 10
    options = {"marker": str(tmp_path / "died"), "word": "Page 10", "times": 99}
    job = job_at(tmp_path / "out", ExtractionSettings("tests.archive.test_main.Deadly", options))
    reports = list(run_spark(plan_parts([str(inputs)], str(tmp_path / "out")), job, 2, None))
    assert len(reports) == PARTS
    (failed,) = [report for report in reports if report.failure]
    assert failed.source.endswith("01.warc.gz")
    assert failed.failure == "its worker died 3 times"


def test_small_parts_share_tasks(spark: SparkSession, tmp_path: Path) -> None:
    many = write_parts(tmp_path / "many", 60, 1)
    parts = plan_parts([str(many)], str(tmp_path / "out"))
    tracker = spark.sparkContext.statusTracker()
    before = set(tracker.getJobIdsForGroup())
    assert len(list(run_spark(parts, job_at(tmp_path / "out"), 2, None))) == 60
    (made,) = set(tracker.getJobIdsForGroup()) - before
    info = tracker.getJobInfo(made)
    assert info is not None
    stages = [tracker.getStageInfo(stage) for stage in info.stageIds]
    assert sum(stage.numTasks for stage in stages if stage is not None) == 16


def test_a_part_that_fails_every_time_is_reported_with_the_others_made(
    spark: SparkSession, inputs: Path, tmp_path: Path
) -> None:
    parts = plan_parts([str(inputs)], str(tmp_path / "out"))
    (inputs / "03.warc.gz").unlink()
    reports = list(run_spark(parts, job_at(tmp_path / "out"), 2, None))
    (failed,) = [report for report in reports if report.failure]
    assert failed.source.endswith("03.warc.gz")
    assert len(reports) == PARTS


def test_a_frame_of_pages_is_mapped_in_arrow(spark: SparkSession) -> None:
    rows = [(url(n), html(n)) for n in range(8)]
    pages = spark.createDataFrame(rows, "url string, html string").repartition(3)
    schema = (
        "url string, main_text string, has_article boolean, p_value double, "
        "main_text_score double, article_probability double, error string"
    )
    texts = pages.mapInArrow(extract_batches, schema).collect()
    found = {row["url"]: row["main_text"] for row in texts}
    assert found == {url(n): extract(html(n)).main_text for n in range(8)}
