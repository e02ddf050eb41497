"""``scrapy webtext reproduce``: a paper's tables on files of labelled pages; refusals."""

import json
from pathlib import Path

import pytest

from tests.cli import refused, webtext

LINE = "The harbour was quiet that morning, and nobody saw the boat leave, they say."
MENU = "<ul>" + "<li><a href='/'>Home</a></li>" * 20 + "</ul>"


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    path = tmp_path / "pages.jsonl"
    pages = [
        {
            "id": f"{n}",
            "type": "article",
            "url": f"https://{'ab'[n % 2]}.example/{n}",
            "html": f"<html><body>{MENU}<div>{f'<p>{LINE}</p>' * 5}</div></body></html>",
            "text": "\n".join([LINE] * 5),
        }
        for n in range(4)
    ]
    path.write_text("".join(json.dumps(page) + "\n" for page in pages), encoding="utf-8")
    return path


def test_a_papers_tables_are_printed_for_a_file_of_pages(corpus: Path) -> None:
    done = webtext("reproduce", "wffte", corpus, "--every", "2")
    assert (done.returncode, done.stderr) == (0, "")
    assert "# wffte on pages: 2 pages with a gold text" in done.stdout
    assert "## Table II. Experimental results, WFFTE, the letter" in done.stdout
    assert "## Table III. Comparison" in done.stdout


def test_bad_input_is_refused_in_one_line(corpus: Path, tmp_path: Path) -> None:
    assert "Unknown paper 'fusion'; known: pvalue," in refused("reproduce", "fusion", corpus)
    assert "No corpus at" in refused("reproduce", "bte", tmp_path / "missing.jsonl")
    assert "required: CORPUS" in refused("reproduce", "bte")
    one = tmp_path / "one.jsonl"
    one.write_text(corpus.read_text(encoding="utf-8").splitlines()[0], encoding="utf-8")
    assert "half of the pages, and one has one; give two" in refused("reproduce", "all", one)
