"""Bad input is refused in one line, before anything is fetched or written."""

from pathlib import Path
from typing import Any

import pytest

from tests.commands import refused, webtext
from tests.commands.conftest import ARTICLE, PAGE, write_lines
from tests.kits.data import read_json

FAILING = ["--extractor", "tests.crawls.faulty.Failing"]
#: Arguments, in a folder with the files below, and a part of the line.
REFUSALS = [
    *read_json(__file__, "refusals.json"),
    (["extract", "page.html", "--options", "[" * 50_000], "no JSON"),
    (["extract", "x" * 5000], "No such file"),
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "page.html").write_text(PAGE, encoding="utf-8")
    (tmp_path / "out.txt").write_text("precious")
    (tmp_path / "empty.txt").write_text("# nothing\n")
    (tmp_path / "broken.jsonl").write_text('{"html": "", "text": "x"}\n{"html\n')
    (tmp_path / "damaged.jsonl.gz").write_text("damaged")
    write_lines(tmp_path / "pages.jsonl", ARTICLE)
    write_lines(tmp_path / "unlabelled.jsonl", {"html": "<p>x", "text": "", "type": "article"})
    write_lines(tmp_path / "untyped.jsonl", {"html": "<p>x", "text": "x"})
    return tmp_path


@pytest.mark.parametrize(("args", "message"), REFUSALS)
def test_bad_input_is_refused_in_one_line(folder: Path, args: list[str], message: str) -> None:
    before = sorted(folder.iterdir())
    outputs = {"extract": ["-o", "out.txt"], "evaluate": ["--report", "scores"]}
    output = outputs.get(args[0], [])
    line = refused(*args, *([] if output[:1] and output[0] in args else output), cwd=folder)
    assert message in line
    assert line.startswith(f"scrapy webtext {args[0]}: ")
    assert sorted(folder.iterdir()) == before
    assert (folder / "out.txt").read_text() == "precious"


@pytest.mark.parametrize("line", ["/etc/passwd", "file:///etc/passwd", "data:,x", "-", "ftp://a/"])
def test_a_list_names_no_files_and_no_other_schemes(tmp_path: Path, line: str) -> None:
    (tmp_path / "pages.txt").write_text(f"http://127.0.0.1:1/\n{line}\n")
    refusal = refused("extract", "--urls", tmp_path / "pages.txt")
    assert f"Line 2 of {tmp_path}/pages.txt is no http or https address: {line}; name" in refusal


@pytest.mark.parametrize("target", ["there", "nowhere"])
def test_a_link_is_not_written_through(page: Path, target: str) -> None:
    page.with_name("there").write_text("precious")
    link = page.with_name("link")
    link.symlink_to(target)
    line = refused("extract", page, "-o", link)
    assert f"is a link: name the file that it leads to, {target}" in line
    assert page.with_name("there").read_text() == "precious"
    assert not page.with_name("nowhere").exists()


def test_a_project_with_a_broken_middleware_is_refused(tmp_path: Path, site: str) -> None:
    (tmp_path / "scrapy.cfg").write_text("[settings]\ndefault = broken\n")
    (tmp_path / "broken.py").write_text(
        "DOWNLOADER_MIDDLEWARES = {'broken.Middleware': 1}\n"
        "class Middleware:\n"
        "    def __init__(self):\n"
        "        raise RuntimeError('no proxy')\n"
    )
    assert "RuntimeError: no proxy" in refused("extract", f"{site}/article", cwd=tmp_path)


def test_a_fault_of_an_own_extractor_is_one_line_or_all_of_the_log(page: Path) -> None:
    line = refused("report", page, *FAILING, cwd=page.parent)
    assert "ZeroDivisionError: always (at " in line
    assert "faulty.py:" in line
    assert "-L DEBUG shows more" in line
    done = webtext("report", page, *FAILING, "-L", "DEBUG", cwd=page.parent)
    assert "Traceback" in done.stderr


@pytest.mark.parametrize("packages", ["plotly", "jinja2", "jinja2, plotly"])
def test_missing_packages_are_named_with_their_extra(
    page: Path, packages: str, without: Any
) -> None:
    for package in packages.split(", "):
        without(package)
    line = refused("report", page, cwd=page.parent)
    named = packages.replace(", ", "', '")
    assert f" '{named}', of the extra 'lab'" in line
    assert line.endswith(f"or: pip install {packages.replace(',', '')}")
    assert not page.with_name("report.html").exists()


def test_a_package_for_the_reports_is_missed_before_pages_are_scored(
    corpus: Path, without: Any
) -> None:
    without("plotly")
    line = refused("evaluate", corpus, "--report", corpus.with_name("scores"))
    assert "The report needs the package 'plotly'" in line
