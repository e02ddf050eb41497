"""``scrapy webtext extract``: sources, forms, and faults that cost one page only."""

import io
import json
from pathlib import Path

import pytest

from scrapy_webtext.fetching import ExtractJob, printer
from scrapy_webtext.files import Output, Progress
from scrapy_webtext.page import parse
from scrapy_webtext.reader import PageReader
from tests.commands import process, shell, webtext
from tests.commands.conftest import PAGE, STORY
from tests.kits.data import read_json

CASES = read_json(__file__, "extract.json")


def test_files_pipes_and_standard_input_are_read(page: Path) -> None:
    for done in (
        webtext("extract", page),
        webtext("extract", "-", stdin=PAGE),
        shell(f"webtext extract <(cat {page})"),
    ):
        assert (done.returncode, done.stdout, done.stderr) == (0, f"{STORY}\n", "")


def test_without_a_subcommand_help_is_printed() -> None:
    done = webtext()
    assert (done.returncode, done.stderr) == (0, "")
    assert "crawl     " in done.stdout


@pytest.mark.parametrize(("args", "judge"), CASES["judges"])
def test_the_judge_is_learned_unless_one_is_named(
    page: Path, args: tuple[str, ...], judge: str
) -> None:
    assert json.loads(webtext("extract", page, "--json", *args).stdout)["judge"] == judge


@pytest.mark.parametrize(
    "setting",
    [
        "TWISTED_REACTOR=twisted.internet.selectreactor.SelectReactor",
        "TWISTED_REACTOR_ENABLED=False",  # Scrapy before 2.19 does not know it and has a reactor
    ],
)
def test_an_address_is_fetched_with_any_reactor_and_with_none(site: str, setting: str) -> None:
    done = webtext("extract", f"{site}/agent", "-s", "USER_AGENT=curious", "-s", setting)
    assert (done.stdout, done.stderr) == ("I saw curious.\n", "")


def test_pages_and_a_list_of_addresses_come_in_the_order_asked_for(page: Path, site: str) -> None:
    lines = f"\ufeff# mine\r\n\r\n{site}/article\r\n {site}/latin-1"
    page.with_name("list.txt").write_text(lines, encoding="utf-8", newline="")
    sources = [f"{site}/untyped", str(page)]
    done = webtext("extract", *sources, "--urls", page.with_name("list.txt"), "--json")
    found = [json.loads(line)["source"] for line in done.stdout.splitlines()]
    assert found == [*sources, f"{site}/article", f"{site}/latin-1"]


def test_an_option_may_be_between_two_pages(page: Path) -> None:
    done = webtext("extract", page, "--format", "text", page)
    assert done.stdout == f"==> {page} <==\n{STORY}\n\n" * 2


def test_a_format_is_markdown_html_or_json(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text(f"<article><p>{STORY} <b>Nobody</b> knows <a href=/why>why</a>.</article>")
    expected = {
        "text": f"{STORY} Nobody knows why.",
        # A link into the file system leads nowhere for others: it is left out.
        "markdown": f"{STORY} **Nobody** knows why.",
        "html": f"<p>{STORY} <strong>Nobody</strong> knows why.</p>",
    }
    for form, text in expected.items():
        printed = webtext("extract", page, "--format", form).stdout
        assert printed.rpartition("---\n\n")[2] == f"{text}\n"
        assert "sources" not in printed
    fields = 'WEBTEXT_FIELDS={"main_html": "html", "blocks": "rows"}'
    record = json.loads(webtext("extract", page, "--format", "json", "-s", fields).stdout)
    assert record["main_html"] == expected["html"]
    assert [block["kind"] for block in record["blocks"]] == ["paragraph"]
    assert "main_markdown" not in record


def test_json_has_all_scores_in_a_file_written_whole(page: Path) -> None:
    target = page.with_name("texts.jsonl")
    done = webtext("extract", page, "--json", "-o", target)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    record = json.loads(target.read_text("utf-8"))
    assert record["main_text"] == STORY
    assert record["title"] == "Bøat"
    assert record["url"] == page.as_uri()
    assert record["has_article"] is (record["article_probability"] >= record["threshold"])
    assert {"source", "judge", "p_value", "extractor", "main_text_score"} <= set(record)
    assert sorted(f.name for f in page.parent.iterdir()) == ["page.html", "texts.jsonl"]


def test_a_file_that_is_missing_does_not_keep_back_the_others(page: Path) -> None:
    done = webtext("extract", "none.html", page, page.parent)
    assert done.returncode == 2
    assert STORY in done.stdout
    assert done.stderr.count("\n") == 2
    assert "No such file: none.html" in done.stderr


def test_links_of_a_file_with_an_address_are_absolute(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text(f"<article><p>{STORY * 3} <a href='/b'>Boat</a>.</p></article>", "utf-8")
    done = webtext("extract", path, "--url", "https://example.com/a", "--format", "html")
    assert 'href="https://example.com/b"' in done.stdout


def test_a_page_that_fails_does_not_keep_back_the_others(page: Path, site: str) -> None:
    done = webtext("extract", f"{site}/missing", page, f"{site}/paper.pdf", "--json")
    assert [json.loads(line)["source"] for line in done.stdout.splitlines()] == [str(page)]
    # Failures are printed as they come: the second may come first.
    assert sorted(done.stderr.splitlines()) == [
        f"scrapy webtext extract: {site}/missing answered with status 404",
        f"scrapy webtext extract: {site}/paper.pdf is no HTML page (application/pdf)",
    ]
    assert done.returncode == 2


def test_if_all_pages_fail_the_output_is_not_changed(page: Path) -> None:
    target = page.with_name("out.txt")
    target.write_text("precious")
    done = webtext("extract", "http://127.0.0.1:1/a", "http://[", "-o", target)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 3
    assert "None of 2 pages could be read" in done.stderr
    assert target.read_text() == "precious"


def test_a_page_without_text_is_reported(tmp_path: Path) -> None:
    (tmp_path / "empty.html").write_text("")
    done = webtext("extract", tmp_path / "empty.html")
    assert (done.returncode, done.stdout) == (0, "\n")
    assert "no main text found" in done.stderr


def test_a_device_is_written_and_not_replaced(page: Path) -> None:
    done = webtext("extract", *[page] * 3, "-o", "/dev/null")
    assert (done.returncode, done.stderr) == (0, "")
    assert Path("/dev/null").is_char_device()


@pytest.mark.parametrize("where", [["-o", "/dev/full"], []])
def test_a_full_disk_is_one_line(page: Path, where: list[str]) -> None:
    with Path("/dev/full").open("wb") as full:
        done = process(["extract", page, *where], stdout=full)
    assert done.returncode == 2
    assert done.stderr == (
        "scrapy webtext extract: Cannot write: [Errno 28] No space left on device\n"
    )


def test_a_closed_stream_is_one_line(page: Path) -> None:
    for rest, message in (("- <&-", "input (-) is closed"), (f"{page} >&-", "output is closed")):
        done = shell(f"webtext extract {rest}")
        assert done.returncode == 2
        (line,) = done.stderr.splitlines()
        assert f"Standard {message}" in line


def test_without_standard_error_only_texts_are_printed(page: Path, tmp_path: Path) -> None:
    (tmp_path / "empty.html").write_text("")
    done = shell(f"webtext extract {tmp_path}/empty.html {page} --json 2>&-")
    assert done.returncode == 0
    assert [json.loads(line)["main_text"] for line in done.stdout.splitlines()] == ["", STORY]


def test_a_closed_pipe_is_no_fault(tmp_path: Path) -> None:
    page = tmp_path / "long.html"
    page.write_text(f"<body><p>{STORY * 20_000}</p>")
    done = shell(f"webtext extract {page} | head -c 10")
    assert (done.returncode, done.stdout, done.stderr) == (0, STORY[:10], "")


def test_results_that_come_early_wait_for_those_before_them() -> None:
    output, sources = io.BytesIO(), [f"page {n}" for n in range(4)]
    reader = PageReader.of("pvalue")
    job = ExtractJob(sources, lambda _: reader, Output(output), Progress(1), printer("text", 2))
    for number in (2, 3, 1):
        job.receive(number, parse(f"<article><p>{STORY} {number} \ud800</article>"))
        assert output.getvalue() == b""
    job.receive(0, "no page")
    assert [line for line in output.getvalue().decode().splitlines() if STORY in line] == [
        f"{STORY} {n} ?" for n in (1, 2, 3)
    ]
