"""Structures that systems keep, and the table of them."""

from __future__ import annotations

from random import Random

import pytest

from scrapy_webtext.lab.corpus import read_corpus
from scrapy_webtext.lab.grafts import TEST, graft
from tests.benchmarks import grafts
from tests.kits.data import SITE
from tests.lab.test_made_pages import KINDS, LINES, PAGE

#: Least share of content whole, in its form, and of boilerplate kept out on the pages of the
#: example site, slightly below those measured when it was last raised.
FLOORS = {"content": 0.97, "form": 0.97, "kept out": 0.81}


def test_a_structure_is_whole_only_in_order_at_its_place_and_in_form() -> None:
    one = graft(PAGE, Random(1), part=TEST, kind="list of short items")
    assert one
    items = one.words.split("\n")
    listed = "\n".join(f"- {item}" for item in items)
    before, after = "\n".join(LINES[:3]), "\n".join(LINES[3:])

    def marks(text: str) -> tuple[bool, bool]:
        words, found = grafts.count_found(one, text)
        return found == words, grafts.has_form(one, text)

    assert marks(f"{before}\n{listed}\n{after}") == (True, True)
    assert marks(f"{before}\n{one.words}\n{after}") == (True, False)
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
