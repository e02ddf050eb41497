"""Titles, authors and dates against gold, in the table that is printed."""

from pathlib import Path

import pytest

from tests.benchmarks.metadata import Described, Gold, compare, metadata_table
from tests.kits.hostile import ARTICLE
from tests.lab import labelled, write_corpus, write_lines

HEAD = '<meta name="author" content="Ann Doe"><meta property="article:published_time" content="{}">'


def test_right_and_wrong_values_are_counted(tmp_path: Path) -> None:
    days = {"right": "2020-05-03T10:00:00Z", "wrong": "2019-01-01", "none": ""}
    html = f"<html><head><title>Boat</title>{HEAD}</head><body>{ARTICLE}"
    pages = [labelled(name, html.format(day), ["x"]) for name, day in days.items()]
    gold = {"corpus": "news", "title": "BOAT!", "authors": ["Ann Doe", "Bo Roe"]}
    rows = [{**gold, "id": name, "published": "2020-05-03"} for name in days]
    write_lines(tmp_path / "metadata.jsonl.gz", rows)
    printed = metadata_table([write_corpus(tmp_path / "news.jsonl.gz", pages)])
    cells = [[cell.strip() for cell in line.split("|")] for line in printed.split("\n")]
    (shares,) = [row[3:11] for row in cells if row[1:3] == ["news", "webtext"]]
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
