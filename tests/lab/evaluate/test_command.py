"""``python -m scrapy_webtext.lab.evaluate`` and its tables."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from scrapy_webtext.lab.evaluate.__main__ import main
from scrapy_webtext.lab.evaluate.tables import table

ENTRIES = [
    {"id": "a", "type": "article", "html": "<title>one two</title>", "text": "one two"},
    {"id": "b", "type": "article", "html": "<title>Bad</title>", "text": "bad"},
    {"id": "c", "type": "listing", "html": "<title>one two</title>", "text": "two three"},
]


@pytest.fixture
def corpora(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    lines = "\n".join(json.dumps(entry) for entry in ENTRIES)
    (tmp_path / "small.jsonl").write_text(lines, encoding="utf-8")
    (tmp_path / "other.jsonl").write_text(lines, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("WEBTEXT_CORPORA", raising=False)
    return tmp_path


def rows(printed: str, first: str) -> list[list[str]]:
    """Cells of the rows that begin with this cell."""
    cells = [[c.strip() for c in line.strip("|").split("|")] for line in printed.splitlines()]
    return [row for row in cells if row[0] == first]


def test_extractors_are_scored_corpus_by_corpus(
    corpora: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["small.jsonl,other.jsonl", "-e", "odd_systems.Title,odd_systems.Fails"]) == 0
    printed = capsys.readouterr().out
    assert "# small: 3 pages\n" in printed
    title, by_type, _, _, matrix = rows(printed, "odd_systems.Title")
    assert title[1:6] == ["0.8333", "0.833", "0.833", "0.6667", "0.667"]
    assert title[-1] == "0"
    assert by_type[1:] == ["1.000", "0.500"]
    assert matrix[1:] == ["0.833", "0.833"]
    fails = rows(printed, "odd_systems.Fails")[0]
    assert (fails[1], fails[-1]) == ("0.5000", "1")
    assert "odd_systems.Fails on b: RuntimeError: no text for bad pages" in printed


def test_all_measures_the_worst_pages_and_each_second_page(
    corpora: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["small.jsonl", "--extractor", "odd_systems.Title", "--measures", "all"]
    assert main([*arguments, "--worst", "1", "--every", "2"]) == 0
    printed = capsys.readouterr().out
    assert "# small: 2 pages\n" in printed
    assert len(rows(printed, "odd_systems.Title")) == 3
    assert "0.500 (P 0.50 R 0.50) listing       c None" in printed


def test_judges_are_scored_on_all_corpora_together(
    corpora: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["small.jsonl,other.jsonl", "--judge", "odd_systems.Length", "--threshold", "0.7"]
    assert main(arguments) == 0
    (row,) = rows(capsys.readouterr().out, "odd_systems.Length")
    # Two of four articles ("one two", 0.7) and both listings are judged to be articles.
    assert row[1:8] == ["6", "4", "0.500", "1.000", "0.500", "0.333", "0.250"]


def test_a_corpus_is_found_by_its_name(
    corpora: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import gzip

    (corpora / "named").mkdir()
    with gzip.open(corpora / "named" / "tiny.jsonl.gz", "wt", encoding="utf-8") as file:
        file.write(json.dumps(ENTRIES[0]))
    monkeypatch.setenv("WEBTEXT_CORPORA", str(corpora / "named"))
    assert main(["tiny", "-e", "odd_systems.Title"]) == 0
    assert "# tiny: 1 pages" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["missing.jsonl", "-e", "pvalue"], "No corpus at missing.jsonl"),
        (["small.jsonl", "-e", "pvalu"], "Unknown extractor 'pvalu'"),
        (["small.jsonl", "-j", "pvalue:colour=red"], "colour"),
        (["small.jsonl", "-e", "pvalue", "--processes", "0"], "processes=0"),
    ],
)
def test_a_mistake_is_told_in_one_line(
    corpora: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    assert main(arguments) == 2
    told = capsys.readouterr().err
    assert message in told
    assert told.count("\n") == 1


@pytest.mark.parametrize("arguments", [["small.jsonl"], ["small.jsonl", "-e", "x", "--every", "0"]])
def test_a_command_that_asks_for_nothing_is_refused(
    corpora: Path, capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(arguments)
    assert "usage:" in capsys.readouterr().err


def test_a_table_is_markdown_whose_columns_are_aligned() -> None:
    assert table(["name", "n"], [["a", "1"], ["long name", "1000"]]) == (
        "| name      |    n |\n| --------- | ---: |\n| a         |    1 |\n| long name | 1000 |"
    )
