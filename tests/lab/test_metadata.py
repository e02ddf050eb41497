"""Titles, authors and dates against gold, in the table that the command prints."""

from pathlib import Path

import pytest

from scrapy_webtext.commands.lab import metadata_scores
from scrapy_webtext.errors import CorpusError
from scrapy_webtext.lab.metadata import Described, Gold, compare
from tests.commands import ENVIRONMENT, webtext
from tests.kits.hostile import ARTICLE
from tests.lab import labelled, write_corpus, write_lines

HEAD = '<meta name="author" content="Ann Doe"><meta property="article:published_time" content="{}">'


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    days = {"right": "2020-05-03T10:00:00Z", "wrong": "2019-01-01", "none": ""}
    html = f"<html><head><title>Boat</title>{HEAD}</head><body>{ARTICLE}"
    pages = [labelled(name, html.format(day), ["x"]) for name, day in days.items()]
    gold = {"corpus": "news", "title": "BOAT!", "authors": ["Ann Doe", "Bo Roe"]}
    rows = [{**gold, "id": name, "published": "2020-05-03"} for name in days]
    write_lines(tmp_path / "metadata.jsonl.gz", rows)
    return write_corpus(tmp_path / "news.jsonl.gz", pages)


def test_the_command_prints_the_table_of_a_folder(
    corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(ENVIRONMENT, "WEBTEXT_CORPORA", str(corpus.parent))
    done = webtext("evaluate", "--metadata")
    assert done.returncode == 0, done.stderr
    rows = [[cell.strip() for cell in line.split("|")] for line in done.stdout.split("\n")]
    (shares,) = [row[3:11] for row in rows if row[1:3] == ["news", "webtext"]]
    assert shares == ["1.000", "0.000", "1.000", "0.000", "0.000", "1.000", "0.333", "0.333"]


ANN = {"authors": ["Ann Doe"]}


@pytest.mark.parametrize(
    ("found", "gold", "expected"),
    [
        (Described("The Résumé – of a boat"), {"title": "the resume: of a BOAT."}, {"title": True}),
        (Described("The boat"), {"title": "The boat | Courier"}, {"title": False}),
        (Described(None, ["ANN DOE"]), ANN, {"authors": True, "exact authors": True}),
        (Described(None, ["Ann Doe", "B"]), ANN, {"authors": True, "exact authors": False}),
        (Described(None, ["B"]), ANN, {"authors": False, "exact authors": False}),
        (Described(), {**ANN, "title": "x"}, dict.fromkeys(("title", "authors", "exact authors"))),
        (Described(None, (), "2020-05-03T10"), {"published": "2020-05-03"}, {"published": True}),
        (Described("x", ["y"], "2020"), {"published": None}, {}),
    ],
)
def test_values_are_equal_if_their_words_or_days_are(
    found: Described, gold: Gold, expected: dict[str, bool | None]
) -> None:
    assert compare(found, gold) == expected


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("not an object", "line 1: expected a JSON object"),
        ({"id": "right"}, "line 1: no gold"),
        ({"corpus": "other", "id": "right", "title": "x"}, "No page of these corpora has gold"),
        (None, r"No metadata\.jsonl\.gz"),
    ],
)
def test_corpora_without_gold_are_refused(corpus: Path, row: object, message: str) -> None:
    gold = corpus.with_name("metadata.jsonl.gz")
    if row:
        write_lines(gold, [row])
    else:
        gold.unlink()
    with pytest.raises(CorpusError, match=message):
        metadata_scores([str(corpus)], is_json=False)
