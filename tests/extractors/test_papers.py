"""The pages of the papers in docs/algorithms: the tests and files that they name are there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from scrapy_webtext.lab.reproduce import PAPERS

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent


def items(paper: str) -> list[list[str]]:
    """The rows of the table "The paper, item by item", cell by cell."""
    text = (ROOT / "docs" / "algorithms" / f"{paper}.md").read_text("utf-8")
    part = text.split("## The paper, item by item", 1)[1].split("\n## ", 1)[0]
    lines = [line for line in part.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def names(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


@pytest.mark.parametrize("paper", PAPERS)
def test_the_tests_of_a_papers_items_exist(paper: str) -> None:
    rows = items(paper)
    assert len(rows) > 8
    named = [name for row in rows for name in names(row[-1])]
    files = [ROOT / name for name in named if "/" in name]
    files.append(HERE / f"test_{paper}.py")
    code = "\n".join(path.read_text("utf-8") for path in files)
    tests = " ".join(re.findall(r"^def (test_\w+)", code, re.MULTILINE))
    assert [name for name in named if "/" not in name and name not in tests] == []


@pytest.mark.parametrize("paper", PAPERS)
def test_the_places_of_a_papers_items_exist(paper: str) -> None:
    package = ROOT / "scrapy_webtext"
    code = (package / "extractors" / f"{paper}.py").read_text("utf-8")
    for name in (name for row in items(paper) for name in names(row[2])):
        if "/" in name:
            assert (package / name).exists(), name
            continue
        owner, _, defined = name.rpartition(".")
        assert re.search(rf"^ *(def |class )?{defined}\b", code, re.MULTILINE), name
        assert not owner or f"class {owner}" in code, name
