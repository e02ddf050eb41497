"""``scrapy webtext extract`` with bad input and failing output."""

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from scrapy_webtext.cli.extract import ExtractJob, PageReader, printer
from scrapy_webtext.cli.output import Output
from scrapy_webtext.cli.progress import Progress
from scrapy_webtext.page import parse
from scrapy_webtext.registry import make_extractor, make_judge
from tests.cli import ENVIRONMENT, refused, webtext
from tests.cli.extract_pages import STORY


def test_pages_that_all_fail_are_said_line_by_line_and_leave_the_output(page: Path) -> None:
    target = page.with_name("out.txt")
    target.write_text("precious")
    done = webtext("extract", "http://127.0.0.1:1/a", "http://[", "-o", target)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 3
    assert "None of 2 pages could be read" in done.stderr
    assert target.read_text() == "precious"


def test_the_output_file_is_written_whole_with_nothing_beside_it(page: Path) -> None:
    target = page.with_name("texts.jsonl")
    done = webtext("extract", page, "--json", "-o", target)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert json.loads(target.read_text("utf-8"))["main_text"] == STORY
    assert sorted(f.name for f in page.parent.iterdir()) == ["page.html", "texts.jsonl"]


def test_a_page_that_fails_does_not_keep_back_the_others(page: Path, site: str) -> None:
    done = webtext("extract", f"{site}/missing", page, f"{site}/paper.pdf", "--json")
    assert [json.loads(line)["source"] for line in done.stdout.splitlines()] == [str(page)]
    # Failures are said as they come: the second may come first.
    assert sorted(done.stderr.splitlines()) == [
        f"scrapy webtext extract: {site}/missing answered with status 404",
        f"scrapy webtext extract: {site}/paper.pdf is no HTML page (application/pdf)",
    ]
    assert done.returncode == 2


def test_a_page_without_text_is_said_to_have_none(tmp_path: Path) -> None:
    (tmp_path / "empty.html").write_text("")
    done = webtext("extract", tmp_path / "empty.html")
    assert (done.returncode, done.stdout) == (0, "\n")
    assert "no main text found" in done.stderr


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["{page}", "--fast"], "unrecognized arguments: --fast"),
        ([], "name an address, a file, or - for standard input"),
        ([""], "'' is no address and no file"),
        (["{page}", "-o", ""], "'' is no name of a file"),
        (["{page}", "-L", "BOGUS"], "Unknown level: 'BOGUS'"),
        (["{page}", "--logfile", "{folder}/none/x"], "No such file or directory"),
        (["{page}", "--options", "[" * 50_000], "no JSON"),
        (["{page}", "--extractor", ".."], "cannot be imported"),
        (["{folder}/none.html"], "No such file"),
        (["www.example.com"], "for a page on the web write https://www.example.com"),
        (["127.0.0.1:80/a"], "for a page on the web write https://127.0.0.1:80/a"),
        (["{folder}"], "is a folder"),
        (["x" * 5000], "No such file"),
        (["-", "-"], "Standard input (-) can be read only once"),
        (["--urls", "{folder}/none.txt"], "No such file"),
        (["--urls", "{folder}/empty.txt"], "write one a line"),
        (
            ["http://127.0.0.1:1/"],
            "http://127.0.0.1:1/ cannot be reached (address and connection right?): ",
        ),
        (["gopher://127.0.0.1/"], "gopher://127.0.0.1/ cannot be reached"),
        (["{page}", "--extractor", "bta"], "Unknown extractor 'bta'; known: "),
        (["{page}", "--options", "{{"], "no JSON"),
        (["{page}", "--options", '{{"speed": 3}}'], "Unknown option 'speed'"),
        (["{page}", "--judge", "jury"], "Unknown judge 'jury'; known: "),
        (["{page}", "--threshold", "2"], "WEBTEXT_THRESHOLD = '2' is not allowed"),
        (["{page}", "-s", "WEBTEXT_JUGE=x"], "did you mean WEBTEXT_JUDGE?"),
        (["{page}", "-s", "oops"], "Invalid -s value"),
        (["http://127.0.0.1:1/", "--spider", "shy"], "Unknown spider 'shy'"),
        (["http://127.0.0.1:1/", "--meta", "[]"], "no JSON object"),
        (["{page}", "-o", "{folder}/none/out.txt"], "Cannot write"),
        (["{page}", "-o", "{folder}"], "is a folder"),
        (["{page}", "--extractor", "tests.crawls.faulty.Failing"], "ZeroDivisionError: always"),
    ],
)
def test_bad_input_is_refused_in_one_line(page: Path, args: list[str], message: str) -> None:
    target = page.with_name("out.txt")
    target.write_text("precious")
    page.with_name("empty.txt").write_text("# nothing\n")
    ready = [arg.format(page=page, folder=page.parent) for arg in args]
    where = () if "-o" in args else ("-o", target)
    assert message in refused("extract", *ready, *where)
    assert target.read_text() == "precious"
    assert {f.name for f in page.parent.iterdir()} == {"page.html", "out.txt", "empty.txt"}


def test_a_project_whose_crawl_breaks_is_told_in_one_line(tmp_path: Path, site: str) -> None:
    (tmp_path / "scrapy.cfg").write_text("[settings]\ndefault = broken\n")
    (tmp_path / "broken.py").write_text(
        "DOWNLOADER_MIDDLEWARES = {'broken.Middleware': 1}\n"
        "class Middleware:\n"
        "    def __init__(self):\n"
        "        raise RuntimeError('no proxy')\n"
    )
    assert "RuntimeError: no proxy" in refused("extract", f"{site}/article", cwd=tmp_path)


def test_a_device_is_written_and_not_replaced(page: Path) -> None:
    done = webtext("extract", *[page] * 3, "-o", "/dev/null")
    assert (done.returncode, done.stderr) == (0, "")
    assert Path("/dev/null").is_char_device()


@pytest.mark.parametrize("target", ["there", "nowhere"])
def test_a_link_is_not_written_through(page: Path, target: str) -> None:
    page.with_name("there").write_text("precious")
    link = page.with_name("link")
    link.symlink_to(target)
    assert f"is a link: name the file that it leads to, {target}" in refused(
        "extract", page, "-o", link
    )
    assert page.with_name("there").read_text() == "precious"
    assert not page.with_name("nowhere").exists()


@pytest.mark.parametrize("where", [["-o", "/dev/full"], []])
def test_a_full_disk_is_said_in_one_line(page: Path, where: list[str]) -> None:
    command = [sys.executable, "-m", "scrapy", "webtext", "extract", page, *where]
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            command, stdout=full, stderr=subprocess.PIPE, text=True, env=ENVIRONMENT, check=False
        )
    assert done.returncode == 2
    assert done.stderr == (
        "scrapy webtext extract: Cannot write: [Errno 28] No space left on device\n"
    )


def test_a_closed_stream_is_said_in_one_line(page: Path) -> None:
    for rest, message in (("- <&-", "input (-) is closed"), (f"{page} >&-", "output is closed")):
        line = f"{sys.executable} -m scrapy webtext extract {rest}"
        done = subprocess.run(
            line, shell=True, stderr=subprocess.PIPE, text=True, env=ENVIRONMENT, check=False
        )
        assert done.returncode == 2
        assert f"Standard {message}" in done.stderr
        assert len(done.stderr.splitlines()) == 1


def test_results_that_come_early_wait_for_those_before_them() -> None:
    output, sources = io.BytesIO(), [f"page {n}" for n in range(4)]
    reader = PageReader(make_extractor("pvalue"), make_judge("pvalue"), 0.5)
    job = ExtractJob(sources, reader, Output(output), Progress(1), printer("text", 2))
    for number in (2, 3, 1):
        job.receive(number, parse(f"<article><p>{STORY} {number} \ud800</article>"))
        assert output.getvalue() == b""
    job.fail(0, "no page")
    assert [line for line in output.getvalue().decode().splitlines() if STORY in line] == [
        f"{STORY} {n} ?" for n in (1, 2, 3)
    ]


def test_a_reader_that_has_seen_enough_is_no_fault(tmp_path: Path) -> None:
    page = tmp_path / "long.html"
    page.write_text(f"<body><p>{STORY * 20_000}</p>")
    line = f"{sys.executable} -m scrapy webtext extract {page} | head -c 10"
    done = subprocess.run(line, shell=True, capture_output=True, env=ENVIRONMENT, check=True)
    assert (done.stdout, done.stderr) == (STORY[:10].encode(), b"")
