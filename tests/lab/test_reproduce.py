"""The tables of the papers: their layout and their numbers on pages made by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeAlias

import pytest

from scrapy_webtext.errors import CorpusError
from scrapy_webtext.lab import Table
from scrapy_webtext.lab.corpus import Corpus, LabelledPage
from scrapy_webtext.lab.reproduce import ALL, PAPERS, by_source, reproduce
from scrapy_webtext.registry import EXTRACTORS, make_extractor
from tests.lab import labelled

LINE = "The river rose through the night, and by morning the lower road was gone."
MENU = "<ul>" + "".join(f"<li><a href='/{n}'>Page {n}</a></li>\n" for n in range(20)) + "</ul>"


def river(number: int, domain: str = "example.org", kind: str = "article") -> LabelledPage:
    story = [f"{LINE} For the {n}. time, page {number}." for n in range(9)]
    lines = "\n".join(f"<p>{line}</p>" for line in story)
    html = f"<html><title>River</title><body>\n{MENU}\n<div>\n{lines}\n</div>\n{MENU}</body></html>"
    if kind == "listing":
        html, story = f"<body>{MENU}<div><a>More</a> of it</div></body>", ["of it"]
    return labelled(number, html, story, domain, kind)


PAGES = [
    *(river(n, f"{'abc'[n % 3]}.example") for n in range(6)),
    river(6, "a.example", "listing"),
    labelled(7, MENU, [" ", ""], "b.example", "listing"),
]
CORPUS = Corpus("rivers", PAGES)
#: Paper -> its tables.
Tables: TypeAlias = dict[str, list[Table]]


@pytest.fixture(scope="module")
def found() -> Tables:
    return {one.paper: list(one.tables) for one in reproduce(list(PAPERS), [CORPUS])}


def rows(table: Table) -> dict[str, list[str]]:
    return {first: rest for first, *rest in table.rows}


def test_the_p_value_paper_has_three_tables_and_calibration(found: Tables) -> None:
    compared, counted, judged, curve = found["pvalue"]
    assert compared.head == ["Algorithm", "Dataset", "Precision", "Recall", "F1 score"]
    assert list(rows(compared)) == ["CTD", "P value, the letter", "P value, modern"]
    assert rows(compared)["CTD"][0] == "rivers"
    assert rows(counted)["P value, modern"] == ["7", "6", "85.71 %"]
    # Six articles; two pages without. The last pair of columns is the modern judge's.
    assert rows(judged)["P>=0.5"][-2:] == ["6", "0"]
    assert rows(judged)["P<0.5"][-2:] == ["0", "2"]
    assert rows(judged)["accuracy ratio"][-2:] == ["100.00 %", "AUC 1.000"]
    assert len(curve.rows) == 10
    assert sum(int(row[1]) for row in curve.rows) == len(PAGES)
    assert curve.rows[0][0] == "0.0 to 0.1"


def test_pages_without_types_have_no_table_of_judgements() -> None:
    untyped = Corpus("untyped", [river(1, kind="")])
    (one,) = reproduce(["pvalue"], [untyped])
    assert [table.title[:8] for table in one.tables] == ["Table 1.", "Table 2."]


def test_body_text_extraction_has_the_curve_of_a_page(found: Tables) -> None:
    curve, scored = found["bte"]
    tags = [int(row[1]) for row in curve.rows]
    assert tags == sorted(tags)
    assert [row[2] for row in curve.rows].count("body") > 3
    assert curve.note.startswith("Page 0: N = ")
    assert list(rows(scored)) == ["the letter", "modern"]
    assert rows(scored)["modern"][1] == "85.71 %"  # six of seven: of the list it finds nothing


def test_the_ratio_paper_has_its_four_tables_and_its_sweep(found: Tables) -> None:
    clusters, lcs, edr, saved, sweep = found["ttr"]
    assert [row[0] for row in clusters.rows] == ["1", "2", "3"]
    assert clusters.rows[0][2] == "0"
    assert clusters.rows[1][2] == "1"
    names = ["KMeans", "EM", "Farthest First", "Threshold", "Prediction"]
    expected = [f"{name}, {reading}" for reading in ("the letter", "modern") for name in names]
    for table in (lcs, edr, saved):
        assert list(rows(table)) == expected
    assert lcs.head == ["Clustering", "Mean", "Median", "Perfect matches"]
    assert rows(lcs)["Threshold, modern"] == ["100.00 %", "100.00 %", "7 of 7"]
    assert [row[0] for row in sweep.rows] == [f"{n / 4}" for n in range(9)]
    recall = [float(row[1].split()[0]) for row in sweep.rows]
    assert recall == sorted(recall, reverse=True)


def test_naive_bayes_has_its_tables_by_source(found: Tables) -> None:
    letter, modern, by_table, _ = found["naive_bayes"]
    assert letter.head[0] == "web page source"
    assert letter.head[-1] == "good rate(%)"
    assert list(rows(modern)) == ["a.example", "b.example", "c.example", ALL]
    assert rows(modern)[ALL][:4] == ["7", "6", "1", "0"]
    # Divided only by <table>, a page without tables is one block that includes its menus.
    assert rows(by_table)[ALL][:4] == ["7", "0", "0", "7"]


def test_wffte_has_its_tables_with_its_peers(found: Tables) -> None:
    letter, modern, compared = found["wffte"]
    assert letter.title.startswith("Table II.")
    assert rows(modern)[ALL] == ["7", "6", "85.7", "6", "100.0"]
    assert compared.head[1:] == ["WFFTE, the letter", "WFFTE, modern", "LORI", "SUN"]
    assert list(rows(compared)) == ["a.example", "b.example", "c.example", ALL]
    assert rows(compared)[ALL][1] == "85.7"


def test_a_table_reads_in_a_terminal_and_as_markdown() -> None:
    table = Table(["page", "mm"], [["1", "20"]], "Table 9. Rain", "By day.")
    assert str(table) == (
        "## Table 9. Rain\n\n| page | mm |\n| ---- | -: |\n| 1    | 20 |\n\nBy day."
    )


def test_sources_are_the_sites_with_most_pages_and_all() -> None:
    pages = [river(n, f"{site}.example") for n, site in enumerate("bbbaac")]
    assert by_source(pages, range(6)) == {
        "b.example": [0, 1, 2],
        "a.example": [3, 4],
        ALL: [0, 1, 2, 3, 4, 5],
    }
    assert by_source(pages[:2], range(2)) == {ALL: [0, 1]}  # one site is all


def test_every_extractor_of_a_paper_has_its_tables() -> None:
    assert set(PAPERS) == {name for name in EXTRACTORS if hasattr(make_extractor(name), "reading")}


def test_an_unusable_corpus_is_refused_before_any_work() -> None:
    with pytest.raises(CorpusError, match="No page of empty has a gold text"):
        list(reproduce(["pvalue"], [CORPUS, Corpus("empty", PAGES[-1:])]))
    with pytest.raises(CorpusError, match="half of the pages, and one has one; give two"):
        list(reproduce(["naive_bayes"], [Corpus("one", PAGES[:1])]))


def test_pages_of_one_site_are_divided_for_naive_bayes() -> None:
    corpus = Corpus("one", [replace(page, url="http://one.example/") for page in PAGES])
    (found,) = reproduce(["naive_bayes"], [corpus])
    assert [row[:2] for row in found.tables[0].rows] == [["all", str(len(corpus.labelled))]]
