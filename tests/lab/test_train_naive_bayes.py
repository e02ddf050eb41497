"""``train naive_bayes`` counts levels of blocks on labelled pages."""

from __future__ import annotations

from pathlib import Path

import pytest

from scrapy_webtext.errors import CorpusError
from scrapy_webtext.extractors.naive_bayes import BLOCKINGS, Blocking, NaiveBayesExtractor
from scrapy_webtext.lab.commands import train
from scrapy_webtext.lab.corpus import LabelledPage
from scrapy_webtext.models import dump_model
from scrapy_webtext.page import parse
from tests.lab import labelled

STORY = "The river rose through the night, and by morning the lower road of the town was gone."


def river(number: int, domain: str = "example.org") -> LabelledPage:
    html = (
        f"<table><tr><td><div><a>Home</a></div><nav><a>Sport {number}</a></nav></table>"
        f"<div><section><p>{STORY}</p><p>{STORY}</p></section></div>"
    )
    return labelled(number, html, [STORY, STORY], domain)


RIVERS = [river(1), river(2, "example.com"), LabelledPage("3", "<p>No gold", "")]


def test_levels_are_counted_by_blocks_or_words() -> None:
    model = train(RIVERS)
    assert (model["kind"], model["version"], model["pages"]) == ("naive_bayes", 3, 2)
    # By the paper's tags, "Home" and "Sport 1" are two web blocks, of div and td.
    paper = model["tables"][Blocking("paper").key]
    assert paper["content"] == {
        "total": 2,
        "unlinked_chars": [0, 0, 0, 0, 0, 2],
        "link_ratio": [2, 0, 0, 0],
        "punctuation_ratio": [0, 0, 2],
        "paragraphs": [0, 2, 0],
    }
    assert paper["rest"] == {
        "total": 4,
        "unlinked_chars": [4, 0, 0, 0, 0, 0],
        "link_ratio": [0, 0, 0, 4],
        "punctuation_ratio": [4, 0, 0],
        "paragraphs": [4, 0, 0],
    }
    modern = model["tables"][Blocking("modern").key]
    assert modern["content"]["total"] == 2 * 2 * 17
    assert modern["rest"]["total"] == 2 * (1 + 2)


def test_each_division_is_counted_as_an_extractor_makes_it() -> None:
    hidden = "<select><option>Please turn it on, and come again.</option></select>"
    outer = f"<div><a>Menu</a><div><p>{STORY}</p></div>{hidden}</div><p>Loose end</p>"
    tables = train([LabelledPage("1", outer, STORY)])["tables"]
    assert set(tables) == {blocking.key for blocking in BLOCKINGS}

    def totals(blocking: Blocking) -> tuple[int, int]:
        classes = tables[blocking.key]
        return classes["content"]["total"], classes["rest"]["total"]

    assert totals(Blocking("modern")) == (17, 1 + 2)  # the menu, and the end in no block tag
    # The outer block has most of its words in the gold text; the end has no block.
    assert totals(Blocking("paper")) == (2, 0)
    assert totals(Blocking("modern", "table")) == (20, 0)


def test_the_same_pages_in_another_order_give_the_same_bytes() -> None:
    assert dump_model(train(RIVERS)) == dump_model(train(RIVERS[::-1]))


def test_a_trained_model_is_used_by_its_path(tmp_path: Path) -> None:
    path = tmp_path / "own.json"
    path.write_text(dump_model(train(RIVERS)))
    extractor = NaiveBayesExtractor(model=path)
    assert extractor.extract(parse(river(7).html)).text == f"{STORY}\n{STORY}"


def test_training_without_gold_text_is_refused() -> None:
    with pytest.raises(CorpusError, match="none of 1 pages has a gold text"):
        train(RIVERS[2:])
    with pytest.raises(CorpusError, match="none of 0 pages"):
        train([])
    with pytest.raises(CorpusError, match="no gold text appears on any of 1 pages"):
        train([LabelledPage("1", "<div>Home</div>", "Another text")])
