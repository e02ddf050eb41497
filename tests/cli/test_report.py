"""``scrapy webtext report``: a file that holds the page as the extractors saw it; refusals."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from scrapy_webtext.registry import EXTRACTORS
from tests.cli import ENVIRONMENT, refused, webtext
from tests.crawls.site import SENTENCE
from tests.lab import HTML


@pytest.fixture
def page(tmp_path: Path) -> Path:
    path = tmp_path / "page.html"
    path.write_text(HTML, encoding="utf-8")
    return path


def test_a_report_of_a_file_has_every_built_in_extractor(page: Path) -> None:
    target = page.with_name("r.html")
    done = webtext("report", page, "-o", target)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{target}\n", "")
    html = target.read_text("utf-8")
    assert "The harbour was quiet" in html
    for name in EXTRACTORS:
        assert f'data-name="{name}"' in html


def test_a_report_of_an_address_has_its_text(page: Path, site: str) -> None:
    done = webtext("report", f"{site}/article", "--extractor", "bte,pvalue", cwd=page.parent)
    assert done.stdout == "report.html\n"
    html = page.with_name("report.html").read_text("utf-8")
    assert SENTENCE.strip() in html
    assert f'href="{site}/article"' in html
    assert 'data-name="wffte"' not in html


def test_an_extractor_of_ones_own_is_drawn_without_pictures(page: Path) -> None:
    target = page.with_name("r.html")
    own = "tests.crawls.faulty.Shout"
    done = webtext("report", page, "--extractor", own, "-o", target)
    assert (done.returncode, done.stderr) == (0, "")
    assert 'data-name="shout"' in target.read_text("utf-8")


def test_open_shows_the_report_in_the_browser(page: Path) -> None:
    seen, program = page.with_name("seen"), page.with_name("browser.py")
    program.write_text("import sys, pathlib; pathlib.Path('seen').write_text(sys.argv[1])")
    # How the standard library is told which browser to start.
    environment = {**ENVIRONMENT, "BROWSER": f"{sys.executable} {program} %s"}
    command = [sys.executable, "-m", "scrapy", "webtext", "report", page, "--open"]
    subprocess.run(command, cwd=page.parent, env=environment, check=True, capture_output=True)
    assert seen.read_text() == page.with_name("report.html").as_uri()


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ([], "the following arguments are required: URL|FILE|-"),
        (["{page}", "{page}"], "unrecognized arguments"),
        (["{page}", "--json"], "unrecognized arguments: --json"),
        (["{folder}/none.html"], "No such file"),
        (["http://127.0.0.1:1/"], "cannot be reached"),
        (["{page}", "--extractor", "bte,bte"], "each once"),
        (["{page}", "--extractor", "bte,bta"], "Unknown extractor 'bta'"),
        (["{page}", "-o", "{folder}/none/r.html"], "Cannot write"),
    ],
)
def test_bad_input_is_refused_in_one_line(page: Path, args: list[str], message: str) -> None:
    ready = [arg.format(page=page, folder=page.parent) for arg in args]
    assert message in refused("report", *ready, cwd=page.parent)
    assert [f.name for f in page.parent.iterdir()] == ["page.html"]


def test_a_fault_of_an_extractor_of_ones_own_is_one_line_or_all_of_the_log(page: Path) -> None:
    failing = ("report", page, "--extractor", "tests.crawls.faulty.Failing")
    line = refused(*failing, cwd=page.parent)
    assert "ZeroDivisionError: always (at " in line
    assert "faulty.py:" in line
    assert "-L DEBUG shows more" in line
    assert "Traceback" in webtext(*failing, "-L", "DEBUG", cwd=page.parent).stderr


@pytest.mark.parametrize("package", ["plotly", "jinja2"])
def test_a_missing_package_is_named_with_the_extra_that_brings_it(
    page: Path, package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (page.parent / package).mkdir()
    (page.parent / package / "__init__.py").write_text("raise ImportError('not installed')")
    path = os.pathsep.join([str(page.parent), ENVIRONMENT["PYTHONPATH"]])
    monkeypatch.setitem(ENVIRONMENT, "PYTHONPATH", path)
    line = refused("report", page, cwd=page.parent)
    assert f"The report needs the package '{package}'" in line
    assert "pip install '.[lab]'" in line
    assert not page.with_name("report.html").exists()
