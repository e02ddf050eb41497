"""``scrapy webtext report``, ``evaluate`` and ``train``."""

import gzip
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from scrapy_webtext.lab.commands import KNOWN
from scrapy_webtext.registry import EXTRACTORS
from tests.commands import ENVIRONMENT, ROOT, process, webtext
from tests.commands.conftest import STORY, html
from tests.crawls.site import SENTENCE

LABELLED = ROOT / "example_project" / "news" / "site" / "labelled"
FAILING = "tests.crawls.faulty.Failing"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "boat.html").write_text(html(STORY), encoding="utf-8")
    (folder / "boat.txt").write_text(STORY, encoding="utf-8")
    return folder


def rows(table: str, name: str) -> list[list[str]]:
    """Return the cells of the rows of this name in all tables."""
    lines = [line.strip("| \n").split("|") for line in table.splitlines() if line.startswith("| ")]
    cells = [[cell.strip() for cell in line] for line in lines]
    return [row for row in cells if row[0] == name]


def test_a_report_of_a_file_has_every_built_in_extractor(page: Path) -> None:
    target = page.with_name("r.html")
    done = webtext("report", page, "-o", target)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{target}\n", "")
    html = target.read_text("utf-8")
    assert "The harbour was quiet" in html
    for name in EXTRACTORS:
        assert f'data-name="{name}"' in html


def test_a_report_of_an_address_has_the_named_extractors(page: Path, site: str) -> None:
    own = "tests.crawls.faulty.Shout"
    done = webtext("report", f"{site}/article", "--extractor", f"bte,{own}", cwd=page.parent)
    assert (done.stdout, done.stderr) == ("report.html\n", "")
    html = page.with_name("report.html").read_text("utf-8")
    assert SENTENCE.strip() in html
    assert f'href="{site}/article"' in html
    assert 'data-name="shout"' in html
    assert 'data-name="wffte"' not in html


def test_a_page_over_the_limits_of_a_crawl_has_no_report(page: Path) -> None:
    limit = ("-s", "WEBTEXT_MAX_ELEMENTS=3")
    done = process(["report", str(page), *limit], cwd=page.parent)
    assert done.returncode == 2
    assert "is larger than WEBTEXT_MAX_ELEMENTS allows: raise it with -s" in done.stderr
    assert not (page.parent / "report.html").exists()


def test_open_shows_the_report_in_the_browser(page: Path) -> None:
    seen, program = page.with_name("seen"), page.with_name("browser.py")
    program.write_text("import sys, pathlib; pathlib.Path('seen').write_text(sys.argv[1])")
    # The standard library starts the browser that this variable names.
    environment = {**ENVIRONMENT, "BROWSER": f"{sys.executable} {program} %s"}
    process(["report", page, "--open"], cwd=page.parent, env=environment)
    assert seen.read_text() == page.with_name("report.html").as_uri()


def test_extractors_are_scored_in_one_table_per_corpus(corpus: Path, folder: Path) -> None:
    done = webtext("evaluate", corpus, folder, "--extractor", "bte,pvalue")
    assert (done.returncode, done.stderr) == (0, f"{KNOWN}\n")
    assert f"# {corpus}: 2 pages" in done.stdout
    assert f"# {folder}: 1 pages" in done.stdout
    first, papers, by_type, second, *_ = rows(done.stdout, "pvalue")
    assert first[1] == "0.5000"  # one page right, one wrong
    assert second[1] == "1.0000"
    assert by_type[1:] == ["1.000", "0.000"]
    assert float(papers[1]) > 0.5  # the longest common subsequence
    assert len(rows(done.stdout, "bte")) == 6


def test_judges_are_scored_on_pages_with_a_type(corpus: Path) -> None:
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
    options = ("--extractor", f"pvalue,{FAILING}", "--judge", "pvalue")
    done = webtext("evaluate", corpus, *options, "--report", folder, "--worst", "1")
    assert done.returncode == 0, done.stderr
    assert f"{FAILING} on boat: ZeroDivisionError: always" in done.stdout
    names = sorted(str(p.relative_to(folder)) for p in folder.rglob("*.html"))
    assert names == ["index.html", "pages/1-2.html"]
    index = (folder / "index.html").read_text("utf-8")
    assert 'href="pages/1-2.html">wrong</a>' in index
    assert "Judges, threshold 0.5" in index
    page = (folder / "pages" / "1-2.html").read_text("utf-8")
    for name in ("gold text", "pvalue", FAILING):
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
    assert (done.returncode, done.stderr) == (0, f"{KNOWN}\n")
    assert "# named: 1 pages" in done.stdout
    assert rows(done.stdout, "pvalue")[-1][1] == "2"  # boat and menu
    assert corpus.with_name("scores").joinpath("pages", "1-1.html").exists()


def test_naive_bayes_trained_on_the_example_site_is_named_by_options(tmp_path: Path) -> None:
    model = tmp_path / "model.json"
    done = webtext("train", "naive_bayes", LABELLED, "-o", model)
    assert (done.returncode, "began from nothing" in done.stderr) == (0, True)
    assert done.stdout == (
        f'{model}: use it with WEBTEXT_EXTRACTOR = "naive_bayes" and '
        f'WEBTEXT_EXTRACTOR_OPTIONS = {{"model": "{model}"}}\n'
    )
    options = json.dumps({"model": str(model)})
    texts = [
        webtext("extract", LABELLED / "bakery-fire.html", "--extractor", "naive_bayes", *how).stdout
        for how in (("-s", f"WEBTEXT_EXTRACTOR_OPTIONS={options}"), ("--options", options), ())
    ]
    assert texts[0] == texts[1] != texts[2]
