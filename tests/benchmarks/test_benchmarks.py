"""The benchmarks run on few pages and print the tables of docs/speed.md."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from scrapy_webtext.registry import EXTRACTORS
from tests.benchmarks.instructions import STAGES

ROOT = Path(__file__).parents[2]
PAGE = "<html><title>Boat {0}</title><body><article><p>{1}</p><a href='/{0}'>Next</a></article>"


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    path = tmp_path / "boats.jsonl"
    pages = [PAGE.format(n, "The harbour was quiet that morning. " * 20) for n in range(4)]
    path.write_text("".join(json.dumps({"html": html, "text": ""}) + "\n" for html in pages))
    return path


def run(tool: str, *arguments: object) -> tuple[list[list[str]], list[str]]:
    """Return the cells of the table that a tool prints, and its other lines."""
    done = subprocess.run(
        [sys.executable, "-m", f"tests.benchmarks.{tool}", *map(str, arguments)],
        cwd=ROOT,
        env={**os.environ, "WEBTEXT_CORPORA": "/nowhere"},
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    lines = list(filter(None, done.stdout.splitlines()))
    rows = [line for line in lines if line.startswith("|")]
    cells = [[cell.strip() for cell in row.split("|")[1:-1]] for row in rows]
    return cells, [line for line in lines if not line.startswith(("|", "Not installed"))]


def test_the_table_needs_only_a_checkout() -> None:
    cells, (summary,) = run(
        "table", "--every", 30, "--repeats", 1, "--systems", ",".join(EXTRACTORS)
    )
    assert set(EXTRACTORS) < set(cells[0])
    assert cells[-1][0] == "the example's site"
    assert summary.startswith("Ratios to resiliparse; best of 1. Python ")
    assert "libxml2 " in summary


@pytest.mark.skipif(shutil.which("valgrind") is None, reason="valgrind is not installed")
def test_instructions_of_pages_stages_and_crawls_are_counted(corpus: Path) -> None:
    cells, (summary,) = run("instructions", corpus, "--pages", 1, "--systems", "pvalue")
    counts = {row[0]: float(row[1]) for row in cells if row[1].replace(".", "").isdigit()}
    stages = [count for name, count in counts.items() if name in STAGES]
    assert len(stages) == len(STAGES)
    assert 0 < stages[0] < counts["pvalue, parsed"] < sum(stages)
    assert counts["lxml's parse"] > 0
    assert summary.startswith("1 pages of boats. Python ")
    crawls = ("--crawls", 2, 4, "--variants", "bare", "pvalue+pvalue", "--no-selectors")
    (_, _, bare, own), _ = run("instructions", corpus, *crawls)
    assert 0 < float(bare[1]) < float(own[1])
