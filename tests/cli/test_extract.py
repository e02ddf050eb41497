"""``scrapy webtext extract``: what it reads and writes."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli import ENVIRONMENT, refused, webtext
from tests.cli.extract_pages import PAGE, STORY


def test_the_text_of_a_file_goes_to_standard_output(page: Path) -> None:
    done = webtext("extract", page)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{STORY}\n", "")


def test_without_a_subcommand_help_is_printed() -> None:
    done = webtext()
    assert (done.returncode, done.stderr) == (0, "")
    assert "crawl     " in done.stdout


@pytest.mark.parametrize(
    ("args", "judge"),
    [
        ((), "learned"),
        (("--judge", "pvalue"), "pvalue"),
        (("-s", "WEBTEXT_JUDGE=pvalue"), "pvalue"),
        (("-s", "WEBTEXT_JUDGE_OPTIONS={}"), "pvalue"),  # they are of the judge of the setting
    ],
)
def test_the_judge_is_learned_unless_one_is_named(
    page: Path, args: tuple[str, ...], judge: str
) -> None:
    assert json.loads(webtext("extract", page, "--json", *args).stdout)["judge"] == judge


def test_a_dash_reads_standard_input() -> None:
    assert webtext("extract", "-", stdin=PAGE).stdout == f"{STORY}\n"


def test_a_pipe_of_the_shell_is_read_as_a_file_is(page: Path) -> None:
    line = f"{sys.executable} -m scrapy webtext extract <(cat {page})"
    done = subprocess.run(["bash", "-c", line], capture_output=True, env=ENVIRONMENT, check=True)
    assert (done.stdout, done.stderr) == (f"{STORY}\n".encode(), b"")


def test_json_has_the_text_and_all_scores(page: Path) -> None:
    record = json.loads(webtext("extract", page, "--json").stdout)
    assert record["main_text"] == STORY
    assert record["title"] == "Bøat"
    assert record["url"] == page.as_uri()
    assert record["has_article"] is (record["article_probability"] >= record["threshold"])
    assert {"source", "judge", "p_value", "extractor", "main_text_score"} <= set(record)


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


def test_several_pages_come_in_the_order_asked_for(page: Path, site: str) -> None:
    sources = [f"{site}/article", str(page), f"{site}/latin-1"]
    lines = webtext("extract", *sources, "--json").stdout.splitlines()
    assert [json.loads(line)["source"] for line in lines] == sources


def test_an_option_may_stand_between_two_pages(page: Path) -> None:
    done = webtext("extract", page, "--text", page)
    assert done.stdout == f"==> {page} <==\n{STORY}\n\n" * 2


def test_a_list_of_addresses_is_read_line_by_line(tmp_path: Path, page: Path, site: str) -> None:
    lines = f"\ufeff# mine\r\n\r\n{site}/article\r\n {site}/latin-1"
    (tmp_path / "pages.txt").write_text(lines, encoding="utf-8", newline="")
    done = webtext("extract", page, "--urls", tmp_path / "pages.txt", "--json")
    found = [json.loads(line)["source"] for line in done.stdout.splitlines()]
    assert found == [str(page), f"{site}/article", f"{site}/latin-1"]


@pytest.mark.parametrize("line", ["/etc/passwd", "file:///etc/passwd", "data:,x", "-", "ftp://a/"])
def test_a_list_names_no_files_and_no_other_schemes(tmp_path: Path, line: str) -> None:
    (tmp_path / "pages.txt").write_text(f"http://127.0.0.1:1/\n{line}\n")
    refusal = refused("extract", "--urls", tmp_path / "pages.txt")
    assert f"Line 2 of {tmp_path}/pages.txt is no http or https address: {line}; name" in refusal


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
    fields = 'WEBTEXT_FIELDS={"main_html": "html", "blocks": "rows"}'
    record = json.loads(webtext("extract", page, "--format", "json", "-s", fields).stdout)
    assert record["main_html"] == expected["html"]
    assert [block["kind"] for block in record["blocks"]] == ["paragraph"]
    assert "main_markdown" not in record
