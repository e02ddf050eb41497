"""``scrapy webtext evaluate``: tables, JSON, reports of the worst pages; refusals."""

import gzip
import json
import os
from pathlib import Path
from typing import Any

import pytest

from scrapy_webtext.registry import EXTRACTORS
from tests.cli import ENVIRONMENT, refused, webtext

STORY = "The harbour was quiet that morning, and nobody saw the boat leave. "
MENU = "<ul>" + "<li><a href='/'>Home</a></li>" * 20 + "</ul>"


def html(text: str) -> str:
    return f"<html><title>Boat</title><body>{MENU}<article><p>{text}</p></article></body></html>"


ARTICLE = {
    "id": "boat",
    "type": "article",
    "html": html(STORY * 5),
    "text": STORY * 5,
    "with": ["nobody saw"],
    "without": ["Home", "boat leave"],
}
MISLABELLED = {"id": "wrong", "type": "product", "html": html(STORY * 3), "text": "A cup, £4."}
MENU_ONLY = {"id": "menu", "type": "listing", "html": f"<body>{MENU}</body>", "text": ""}
PAGES = (ARTICLE, MISLABELLED, MENU_ONLY)


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    path = tmp_path / "pages.jsonl"
    path.write_text("".join(json.dumps(page) + "\n" for page in PAGES), encoding="utf-8")
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "boat.html").write_text(html(STORY), encoding="utf-8")
    (folder / "boat.txt").write_text(STORY, encoding="utf-8")
    return folder


def rows(table: str, name: str) -> list[list[str]]:
    """Cells of the rows of this name in all tables."""
    lines = [line.strip("| \n").split("|") for line in table.splitlines() if line.startswith("| ")]
    cells = [[cell.strip() for cell in line] for line in lines]
    return [row for row in cells if row[0] == name]


def test_extractors_are_scored_in_one_table_per_corpus(corpus: Path, folder: Path) -> None:
    done = webtext("evaluate", corpus, folder, "--extractor", "bte,pvalue")
    assert (done.returncode, done.stderr) == (0, "")
    assert f"# {corpus}: 2 pages" in done.stdout
    assert f"# {folder}: 1 pages" in done.stdout
    first, papers, by_type, second, *_ = rows(done.stdout, "pvalue")
    assert first[1] == "0.5000"  # one page right, one wrong
    assert second[1] == "1.0000"
    assert by_type[1:] == ["1.000", "0.000"]
    assert float(papers[1]) > 0.5  # the longest common subsequence
    assert len(rows(done.stdout, "bte")) == 6


def test_judges_are_scored_on_pages_whose_type_is_known(corpus: Path) -> None:
    done = webtext("evaluate", corpus, "--judge", "pvalue", "--threshold", "0.6")
    assert "# Judges, threshold 0.6" in done.stdout
    (row,) = rows(done.stdout, "pvalue")
    assert row[1:5] == ["3", "1", "1.000", "0.500"]


def test_json_has_every_page_and_is_the_same_from_two_processes(corpus: Path) -> None:
    found: list[Any] = []
    for processes in ("1", "2"):
        options = ("--extractor", "bte", "--judge", "pvalue", "--processes", processes, "--json")
        done = webtext("evaluate", corpus, *options)
        assert done.stderr == ""
        found.append(json.loads(done.stdout))
    for evaluation in found:
        (extractor,) = evaluation["corpora"][0]["extractors"]
        assert [page["id"] for page in extractor["pages"]] == ["boat", "wrong"]
        assert extractor["segments"] == {"kept": 1.0, "left": 0.5}
        assert 0 < extractor.pop("ms_mean") < 1e3
        assert 0 < extractor.pop("ms_median") < 1e3
        assert all(page.pop("seconds") > 0 for page in extractor["pages"])
        evaluation["judges"][0].pop("ms_median")
    assert found[0] == found[1]
    assert found[0]["judges"][0]["true_positives"] == 1


def test_the_report_links_the_worst_pages_to_their_reports(corpus: Path) -> None:
    folder = corpus.with_name("scores")
    options = ("--extractor", "pvalue,tests.crawls.faulty.Failing", "--judge", "pvalue")
    done = webtext("evaluate", corpus, *options, "--report", folder, "--worst", "1")
    assert done.returncode == 0, done.stderr
    assert "tests.crawls.faulty.Failing on boat: ZeroDivisionError: always" in done.stdout
    names = sorted(str(p.relative_to(folder)) for p in folder.rglob("*.html"))
    assert names == ["index.html", "pages/1-2.html"]
    index = (folder / "index.html").read_text("utf-8")
    assert 'href="pages/1-2.html">wrong</a>' in index
    assert "Judges, threshold 0.5" in index
    page = (folder / "pages" / "1-2.html").read_text("utf-8")
    for name in ("gold text", "pvalue", "tests.crawls.faulty.Failing"):
        assert f'data-name="{name}"' in page
    assert sorted(f.name for f in corpus.parent.iterdir()) == ["pages.jsonl", "scores"]


def test_a_corpus_goes_by_its_name_and_each_second_page_is_scored(
    corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    named = corpus.with_name("named.jsonl.gz")
    named.write_bytes(gzip.compress(corpus.read_bytes()))
    monkeypatch.setitem(ENVIRONMENT, "WEBTEXT_CORPORA", str(corpus.parent))
    options = ("--extractor", "pvalue", "--every", "2", "--judge", "pvalue")
    done = webtext("evaluate", "named", *options, "--report", corpus.with_name("scores"))
    assert (done.returncode, done.stderr) == (0, "")
    assert "# named: 1 pages" in done.stdout
    assert rows(done.stdout, "pvalue")[-1][1] == "2"  # boat and menu
    assert corpus.with_name("scores").joinpath("pages", "1-1.html").exists()


def test_all_built_in_extractors_are_scored_where_none_is_named(folder: Path) -> None:
    done = webtext("evaluate", folder, "--measures", "overlap")
    for name in EXTRACTORS:
        assert len(rows(done.stdout, name)) == 1


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ([], "the following arguments are required: CORPUS"),
        (["{folder}/broken.jsonl"], "broken.jsonl, line 2: no JSON"),
        (["{folder}/unlabelled.jsonl"], "has a gold text to compare with"),
        (["{corpus}", "--extractor", "bta"], "Unknown extractor 'bta'"),
        (["{corpus}", "--judge", "jury"], "Unknown judge 'jury'"),
        (["{folder}/untyped.jsonl", "--judge", "pvalue"], "No page has a type"),
        (["{corpus}", "--threshold", "2"], "WEBTEXT_THRESHOLD = '2' is not allowed"),
        (["{corpus}", "--processes", "0"], "'0' is no whole number from 1 on"),
        (["{corpus}", "--report", "{folder}"], "is not empty: name a new folder"),
        (["{corpus}", "--report", "{corpus}"], "is a file: name a new folder"),
    ],
)
def test_bad_input_is_refused_in_one_line(corpus: Path, args: list[str], message: str) -> None:
    folder = corpus.parent
    (folder / "broken.jsonl").write_text('{"html": "", "text": "x"}\n{"html\n')
    (folder / "unlabelled.jsonl").write_text('{"html": "<p>x", "text": "", "type": "article"}\n')
    (folder / "untyped.jsonl").write_text('{"html": "<p>x", "text": "x"}\n')
    before = sorted(folder.iterdir())
    ready = [arg.format(corpus=corpus, folder=folder) for arg in args]
    report = () if "--report" in args else ("--report", folder / "scores")
    assert message in refused("evaluate", *ready, *report)
    assert sorted(folder.iterdir()) == before


def test_a_package_missing_for_the_reports_is_said_before_the_pages_are_scored(
    corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (corpus.parent / "plotly").mkdir()
    (corpus.parent / "plotly" / "__init__.py").write_text("raise ImportError('not installed')")
    path = os.pathsep.join([str(corpus.parent), ENVIRONMENT["PYTHONPATH"]])
    monkeypatch.setitem(ENVIRONMENT, "PYTHONPATH", path)
    line = refused("evaluate", corpus, "--report", corpus.parent / "scores")
    assert "The report needs the package 'plotly'" in line
