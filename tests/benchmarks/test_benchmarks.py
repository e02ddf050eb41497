"""The measuring tools run on few pages and print what the documents say they print."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from scrapy_webtext.registry import EXTRACTORS
from tests.benchmarks import crawl, table
from tests.benchmarks.spider import Measured

ROOT = Path(__file__).parents[2]
PAGE = "<html><title>Boat {0}</title><body><article><p>{1}</p><a href='/{0}'>Next</a></article>"


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    path = tmp_path / "boats.jsonl"
    pages = [PAGE.format(n, "The harbour was quiet that morning. " * 20) for n in range(4)]
    path.write_text("".join(json.dumps({"html": html, "text": ""}) + "\n" for html in pages))
    return path


def output_of(tool: str, *arguments: object) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-m", f"tests.benchmarks.{tool}", *map(str, arguments)],
        cwd=ROOT,
        env={**os.environ, "WEBTEXT_CORPORA": "/nowhere"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def first_cells(lines: list[str]) -> list[str]:
    return [line.split("|")[1].strip() for line in lines if line.startswith("|")]


def test_the_table_needs_nothing_but_a_checkout() -> None:
    lines = output_of("table", "--every", 30, "--repeats", 1, "--systems", ",".join(EXTRACTORS))
    assert all(name in lines[0] for name in EXTRACTORS)
    assert first_cells(lines)[-1] == "the example's site"
    (summary,) = [line for line in lines if line.startswith("Ratios to resiliparse")]
    assert all(name in summary for name in ("best of 1", "Python ", "libxml2 ", "lxml "))


def test_ratios_are_of_sums_over_the_pages_on_which_nothing_raised() -> None:
    times = {
        ("ours", "cold"): [0.001, 0.002, 0.009],
        ("ours", "parsed"): [0.0005, 0.001, 0.003],
        ("resiliparse", "cold"): [0.001, None, 0.004],
    }
    assert table.head(times) == [
        "Kind of page",
        "pages",
        "resiliparse, ms",
        "ours",
        "ours, parsed",
        "resiliparse",
    ]
    assert table.row("news", times) == ["news", "3", "2.50", "2.00", "0.70", "1.00"]
    assert table.faults(times) == ["resiliparse raised on 1 pages."]


def test_crawls_are_compared_with_the_bare_one(corpus: Path) -> None:
    lines = output_of(
        "crawl", corpus, "--pages", 8, "--warm-up", 2, "--repeats", 1, "--variants", "fusion"
    )
    head, _, bare, fusion = [line.split("|")[1:-1] for line in lines if line.startswith("|")]
    assert [cells[0].strip() for cells in (bare, fusion)] == ["bare", "fusion"]
    assert float(bare[2]) == 0 < float(fusion[1])
    assert [cell.strip() for cell in head][4:] == [
        "pages a second",
        "p99 lag above bare, ms",
        "end, MB",
    ]
    below = [line for line in lines if line and not line.startswith(("|", "Not installed"))]
    assert [line.partition(",")[0] for line in below] == ["8 pages of boats"]  # none about faults


def test_a_crawl_is_compared_with_those_of_its_own_round() -> None:
    def crawls(*cpu: float) -> list[Measured]:
        return [Measured(1, seconds, 1, 1, 1, [], {}) for seconds in cpu]

    found = {
        "bare": crawls(0.010, 0.020, 0.012),
        "pvalue": crawls(0.011, 0.023, 0.013),
        "resiliparse": crawls(0.012, 0.026, 0.014),
    }
    bare, ours, other = crawl.rows(found)
    assert bare[1:4] == ["12.00", "0.00", ""]
    assert ours[1:4] == ["13.00", "1.00", "0.50"]
    assert other[1:4] == ["14.00", "2.00", "1.00"]


def test_memory_is_shown_along_the_crawl_and_as_growth(corpus: Path) -> None:
    lines = output_of(
        "memory", corpus, "--pages", 40, "--first", 20, "--sample", 10, "--variants", "pvalue"
    )
    assert first_cells(lines)[2:] == ["20", "30", "40", "growth"]
    assert any(line.startswith("4 pages of boats, repeated.") for line in lines)
