"""Structures that systems keep, pages left out of training, reference pages."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from scrapy_webtext.lab.corpus import read_corpus
from tests.benchmarks import grafts, manuals
from tests.benchmarks.validation import summary, validate
from tests.kits.data import SITE
from tests.lab import write_corpus
from tests.training.test_made_pages import KINDS, LINES, PAGE
from tests.training.test_training import page as rainy
from training.grafts import TEST, graft
from training.manuals import Manual

#: Least share of content whole, in its form, and of boilerplate kept out on the pages of the
#: example site, slightly below those measured when it was last raised.
FLOORS = {"content": 0.96, "form": 0.96, "kept out": 0.85}


def test_a_structure_is_whole_only_in_order_at_its_place_and_in_form() -> None:
    one = graft(PAGE, Random(1), part=TEST, kind="list of short items")
    assert one
    items = [line.text for line in one.lines]
    listed = "\n".join(f"- {item}" for item in items)
    before, after = "\n".join(LINES[:3]), "\n".join(LINES[3:])

    def marks(text: str) -> tuple[bool, bool]:
        words, found = grafts.count_found(one, text)
        return found == words, grafts.has_form(one, text)

    assert marks(f"{before}\n{listed}\n{after}") == (True, True)
    assert marks("\n".join([before, *items, after])) == (True, False)
    assert marks(f"{before}\n{after}\n{listed}") == (False, False)
    assert marks(f"{before}\n" + "\n".join(reversed(items)) + f"\n{after}")[0] is False
    assert marks("") == (False, False)


def test_fusion_keeps_structures_no_worse_than_before() -> None:
    pages = [page for page in read_corpus(SITE / "labelled") if grafts.has_place(page)]
    means = grafts.mean_marks(grafts.measure(grafts.grafts(pages, 10), ["fusion"])["fusion"])
    assert {name: round(means[name], 3) for name in FLOORS if means[name] < FLOORS[name]} == {}


def test_the_command_prints_a_row_per_kind(capsys: pytest.CaptureFixture[str]) -> None:
    grafts.main([str(SITE / "labelled"), "--pages", "1", "--systems", "bte"])
    out = capsys.readouterr().out
    assert " bte |" in out
    assert [kind for kind in KINDS if f"\n| {kind} " not in out] == []


def test_left_out_pages_are_scored_and_summarised(tmp_path: Path) -> None:
    kinds = ("article", "collection", "collection")
    corpus = write_corpus(tmp_path / "rain.jsonl", [rainy(n, kinds[n % 3]) for n in range(48)])
    rows = list(validate([str(corpus)], groups=["fold 0"]))
    assert 0 < len(rows) < 48
    assert {row["group"] for row in rows} == {"fold 0"}
    assert all(row["best_other"] for row in rows if row["f1"] < 0.5)
    texts, judged, curve = summary(rows).split("\n\n")
    assert [line.split()[1] for line in texts.split("\n")[2:4]] == ["all", "rain"]
    assert [line.split()[3] for line in texts.split("\n")[2:4]] == [f"{len(rows)}"] * 2
    assert "rain, collection: article_without_url" in judged
    assert sum(int(line.split()[-2]) for line in curve.split("\n")[2:]) == len(rows)


def test_lost_terms_lines_and_cells_of_a_reference_page_are_counted() -> None:
    page = """<body><p>Home</p><div class=main><p>The option prints a page.</p>
<dl><dt>--width N<dd>columns</dl><pre>tool --width 8
tool --help</pre><table><tr><td>width<td>8</table></div></body>"""
    manual = Manual("made", "*.html", "div.main")
    text = "The option prints a page.\ncolumns\ntool --width 8\nwidth 8"
    found = manuals.left_out(manual, page, text)
    assert (found.lost, found.short) == (2, 4)  # a term and a line; "8" is too short to count
    assert found.missing == pytest.approx(len("--width N") + len("tool --help") / 2, abs=8)
    assert manuals.summary([found])[:3] == ["1", f"{found.missing / found.chars:.4f}", "1"]
