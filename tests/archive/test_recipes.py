"""The recipes of ``docs/archives.md``, run as they are written."""

import re
from pathlib import Path

import pyarrow.dataset as ds
import pytest

from scrapy_webtext import extract
from tests.archive import SENTENCE, html, line, parquet, url, write, write_parts
from tests.ecosystem.recipes import ROOT, run, take_blocks

PAGES = 8
DOCS = ROOT / "docs" / "archives.md"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write the files of the docs and pages to a folder."""
    folder = tmp_path_factory.mktemp("recipes")
    take_blocks(DOCS.read_text("utf-8"), folder, {})
    pages = {"url": list(map(url, range(PAGES))), "html": list(map(html, range(PAGES)))}
    write(folder / "pages.parquet", parquet(pages, row_group_size=3))
    write_parts(folder / "pages", 4, 6, b"damaged")
    return folder


def commands() -> list[str]:
    return take_blocks(DOCS.read_text("utf-8"), None, {})


def test_the_command_ends_with_the_line_that_the_page_shows(folder: Path) -> None:
    printed = run(commands()[0], folder).splitlines()[-1]
    (shown,) = re.findall(r"^    (archive: .*)$", DOCS.read_text("utf-8"), re.MULTILINE)
    assert re.sub(r"\d+\.\d", "N", printed) == re.sub(r"\d+\.\d", "N", shown)
    assert len(ds.dataset(folder / "texts").to_table()) == 28


def test_blocks_that_a_site_repeats_are_found(tmp_path: Path) -> None:
    take_blocks(DOCS.read_text("utf-8"), tmp_path, {})
    box = "Join our readers and get the letter of the week, each Monday, free of charge."
    for number in range(4):
        own = "".join(f"<p>Part {number}-{k}. {SENTENCE * 3}</p>" for k in range(4))
        write(tmp_path / "in" / f"{number}.jsonl", line(number, html=f"{own}<p>{box}</p>"))
    run("scrapy webtext archive in -o texts --include blocks", tmp_path)
    found = run("python repeated_blocks.py", tmp_path).splitlines()[1:]
    assert [row.split() for row in found] == [["example.com", *box.split(), "4"]]


@pytest.mark.parametrize("command", commands()[1:])
def test_frames_are_mapped(folder: Path, command: str) -> None:
    run(command, folder)
    engine = command.split()[1].partition("_")[0]
    rows = ds.dataset(folder / f"texts-{engine}").to_table().to_pylist()
    found = {row["url"]: row["main_text"] for row in rows}
    assert found == {url(n): extract(html(n)).main_text for n in range(PAGES)}
