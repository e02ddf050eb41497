"""Lengths, surroundings, markup: changes do what they say, and `fusion` is as robust as before."""

from __future__ import annotations

from random import Random

import pytest

from scrapy_webtext.lab.corpus import read_corpus
from scrapy_webtext.page import parse
from tests.benchmarks import robustness
from tests.benchmarks.robustness import CALM, LINKS, MARKUP, Variant
from tests.kits.data import SITE
from tests.training.test_surroundings import OTHERS, OWN, PAGE, article

#: Least means on pages of the example site, slightly below those measured when they were raised.
FLOORS = {
    **{("lengths", name): 0.99 for name in ("as is", "4 x", "10 x", "30 x", "first 3")},
    ("lengths", "first 1"): 0.97,
    ("lengths", "first 2"): 0.99,
    robustness.OUT: 0.92,
    robustness.RECALL: 0.98,
    **{("markup", name): 0.99 for name in MARKUP},
    ("markup", f"{robustness.COMMENTS} comments"): 0.91,  # of a page of readers' letters
}


@pytest.mark.parametrize("name", [*MARKUP, *CALM])
def test_a_change_of_markup_keeps_the_paragraphs_in_order(name: str) -> None:
    one, change = article(), (MARKUP | CALM)[name]
    change(one, OTHERS, Random(1))
    made = one.page(name)
    page = parse(made.html)
    text = " ".join("\n".join(page.blocks.text).split())
    places = [text.find(line) for line in OWN]
    assert sorted(places) == places
    assert places[0] >= 0
    assert made.html != article().page(name).html or name == "no head"
    assert len(made.text.split("\n")) == len(OWN) * 2 - 1 if name == "a heading each" else OWN


def test_changes_of_markup_are_those_that_they_name() -> None:
    def tags(name: str) -> list[str]:
        one = article()
        MARKUP[name](one, OTHERS, Random(1))
        return list(parse(one.page(name).html).nodes.tag)

    assert tags("line breaks").count("br") == 2 * len(OWN)
    assert tags("list items").count("li") == tags("a <section> each").count("section") == len(OWN)
    assert tags(f"{LINKS} links above").count("a") == LINKS
    assert tags("layout table").count("td") == 2
    assert tags("a heading each").count("h3") == len(OWN) - 1
    assert "x-box" in tags("custom elements")


def test_surroundings_are_out_only_if_no_longer_block_is_in_the_text() -> None:
    around = ("Sentence 1 of story 4 is a long one.", "By Kim", OWN[1])
    variant = Variant("surroundings", "cards", PAGE, around)
    assert robustness.is_out(variant, f"{PAGE.text}\nBy Kim")
    assert not robustness.is_out(variant, f"{PAGE.text}\n{around[0]}")


def test_fusion_is_as_robust_as_before() -> None:
    every = list(read_corpus(SITE / "labelled"))
    pages = list(robustness.articles_of(every))[:12]
    scores = robustness.measure(pages, robustness.others_of(every), ["fusion"])
    means = robustness.means_of(scores["fusion"])
    assert {name: round(means[name], 3) for name in FLOORS if means[name] < FLOORS[name]} == {}
    assert [name for name in CALM if means["calm", name] > 0] == []


def test_the_command_prints_a_row_per_measure(capsys: pytest.CaptureFixture[str]) -> None:
    robustness.main([str(SITE / "labelled"), "--pages", "2", "--systems", "bte"])
    out = capsys.readouterr().out
    assert " bte |" in out
    assert [name for name in (*MARKUP, *CALM) if f": {name} " not in out] == []
