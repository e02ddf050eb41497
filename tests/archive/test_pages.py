"""Archives of HTML files: folders, ZIP archives, single files; runs in which no page is read."""

import io
import json
import os
import re
import zipfile
from pathlib import Path
from typing import Any

import pyarrow.dataset as ds
import pytest

from scrapy_webtext import extract
from scrapy_webtext.archive.run import run_archive
from scrapy_webtext.reader import PageReader
from tests.archive import html, rows, write


def zipped(names: list[str], **changes: Any) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for number, name in enumerate(names):
            archive.writestr(name, html(number))
    return file.getvalue()


def run(*inputs: Path, output: Path) -> int:
    return run_archive(list(map(str, inputs)), str(output), PageReader.of("bte"))


def texts(output: Path) -> dict[str, str]:
    table = ds.dataset(output).to_table().to_pylist()
    return {row["url"]: row["main_text"] for row in table}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for number, name in enumerate(["a.html", "sub/b.HTM", "sub/c.xhtml", ".hidden/d.html"]):
        write(tmp_path / "pages" / name, html(number).encode())
    write(tmp_path / "pages" / "style.css", b"p {}")
    return tmp_path / "pages"


def expected(number: int) -> str:
    return extract(html(number), extractor="bte").main_text


def test_a_folder_of_pages_is_one_part_and_other_files_are_named(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(folder, output=tmp_path / "out") == 0
    assert texts(tmp_path / "out") == {
        name: expected(n) for n, name in enumerate(["a.html", "sub/b.HTM", "sub/c.xhtml"])
    }
    assert [path.name for path in (tmp_path / "out").glob("*.parquet")] == ["pages.html.parquet"]
    assert f"{folder}: files of other kinds are ignored: 1 .css\n" in capsys.readouterr().err


def test_a_folder_is_read_again_if_a_page_was_added_or_changed(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    seen = []
    for change in (None, None, "sub/b.HTM", "sub/new.html"):
        if change:
            path = write(folder / change, html(7).encode())
            os.utime(path, ns=(1, path.stat().st_mtime_ns + 1))
        run(folder, output=tmp_path / "out")
        seen.append(capsys.readouterr().out.partition(" pages")[0])
    assert seen == ["archive: 3", "archive: 0", "archive: 3", "archive: 4"]


def test_pages_in_a_zip_archive_and_single_pages_have_their_names_as_url(
    folder: Path, tmp_path: Path
) -> None:
    write(tmp_path / "more.zip", zipped(["x/1.html", "2.htm", "readme.txt"]))
    assert run(tmp_path / "more.zip", folder / "a.html", output=tmp_path / "out") == 0
    assert texts(tmp_path / "out") == {
        "x/1.html": expected(0),
        "2.htm": expected(1),
        "a.html": expected(0),
    }


def test_a_member_that_is_damaged_or_too_large_costs_its_own_row(tmp_path: Path) -> None:
    content = bytearray(zipped(["1.html", "2.html", "3.html"]))
    content[60] ^= 255  # in the first member
    path = write(tmp_path / "pages.zip", bytes(content))
    first, *others = rows(path)
    assert "cannot be read: " in first["error"]
    assert [row["error"] for row in others] == [None, None]
    assert {len(row["body"]) for row in rows(path, limit=100) if row["body"]} == {101}


def test_the_recipe_writes_articles_as_json_lines(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(folder / "menu.html", b"<ul>" + b"<li><a href='/'>Home</a></li>" * 20)
    run(folder, output=tmp_path / "texts")
    monkeypatch.chdir(tmp_path)
    page = (Path(__file__).parents[2] / "docs" / "archives.md").read_text("utf-8")
    (block,) = re.findall(r"^# articles.py\n(.*?)^```$", page, re.M | re.S)
    exec(block, {})
    lines = Path("articles.jsonl").read_text("utf-8").splitlines()
    assert [json.loads(line)["url"] for line in lines] == ["a.html", "sub/b.HTM", "sub/c.xhtml"]


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("a.jsonl", b'[{"html": "<p>x"}]', "no JSON object: write one page a line"),
        ("a.jsonl", b'{"page": "<p>x"}\n{"page": "<p>x"}', "under html or body, only: page"),
        ("a.warc", b"nothing", "no WARC record begins here"),
        ("a.zip", b"nothing", "File is not a zip file"),
    ],
)
def test_if_no_page_is_read_the_status_is_1_and_the_reason_is_printed(
    name: str, content: bytes, reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path / name, content)
    for _ in range(2):  # also if the part was made by an earlier run
        assert run(path, output=tmp_path / "out") == 1
        printed = capsys.readouterr()
        assert reason in printed.err
        assert ", 1 FAILED" in printed.out
