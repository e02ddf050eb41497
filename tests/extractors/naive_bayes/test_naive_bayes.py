"""Odds of web blocks, and which are taken."""

from __future__ import annotations

from math import inf, log
from pathlib import Path

import pytest

from scrapy_webtext.extractors.naive_bayes import NaiveBayesExtractor
from scrapy_webtext.extractors.naive_bayes.blocks import (
    Blocking,
)
from scrapy_webtext.extractors.naive_bayes.levels import (
    LEVEL_COUNTS,
    Levels,
)
from scrapy_webtext.page import parse
from tests.extractors.naive_bayes.toy import MENU, NESTED, STORY, toy_model, write


def test_the_odds_of_a_block_are_those_of_the_papers_two_products(toy: Path) -> None:
    odds = NaiveBayesExtractor(model=toy)._odds
    eq_14 = 6 / 14 * 7 / 12 * 11 / 11 * 3 / 11
    eq_15 = 24 / 26 * 2 / 24 * 23 / 23 * 2 / 23
    assert odds.of(Levels(4, 0, 2, 1)) == pytest.approx(log(eq_14 / eq_15))
    eq_14 = 1 / 14 * 1 / 12 * 2 / 11 * 2 / 11
    eq_15 = 15 / 26 * 16 / 24 * 22 / 23 * 20 / 23
    assert odds.of(Levels(0, 3, 1, 0)) == pytest.approx(log(eq_14 / eq_15))


def test_the_probability_of_a_level_alone_is_an_option(toy: Path) -> None:
    # Eqs. 4, 5, 8 and 9 without their sums: the counts of each level plus 1.
    odds = NaiveBayesExtractor(model=toy, levels="single")._odds
    eq_14 = 2 / 14 * 7 / 12 * 9 / 11 * 3 / 11
    eq_15 = 1 / 26 * 2 / 24 * 1 / 23 * 2 / 23
    assert odds.of(Levels(4, 0, 2, 1)) == pytest.approx(log(eq_14 / eq_15))


def test_without_smoothing_a_level_never_seen_decides_alone(toy: Path) -> None:
    odds = NaiveBayesExtractor(model=toy, smoothing=0)._odds
    assert odds.of(Levels(5, 0, 2, 1)) == pytest.approx(
        log((8 / 8 * 6 / 8 * 8 / 8 * 2 / 8) / (20 / 20 * 1 / 20 * 20 / 20 * 1 / 20))
    )
    assert odds.of(Levels(5, 0, 2, 2)) == inf  # the rest has no block of more than three <p>
    assert odds.of(Levels(5, 3, 2, 0)) == -inf  # content none of mostly links
    assert odds.of(Levels(5, 3, 2, 2)) == 0.0  # both products are 0, and equal
    assert odds.of(Levels(0, 0, 0, 0)) == -inf
    extractor = NaiveBayesExtractor(model=toy, smoothing=0)
    score = extractor.extract(
        parse(f"<div>{'<p>Rain, sun, and more of both.</p>' * 4}</div>")
    ).score
    assert score == 1.0


def test_no_count_at_all_says_nothing(tmp_path: Path) -> None:
    model = toy_model()
    for table in model["tables"].values():
        for classes in table.values():
            classes["rest"] = {"total": 0} | {
                name: [0] * n for name, n in LEVEL_COUNTS._asdict().items()
            }
            classes["content"] = classes["rest"]
    extractor = NaiveBayesExtractor(model=write(tmp_path / "none.json", model), reading="paper")
    assert extractor.extract(parse(NESTED)).text == "Before.\nInside, here.\nAfter."
    assert extractor.extract(parse(NESTED)).score == 0.5


def test_the_letter_is_one_switch_and_single_parameters_win_over_it(toy: Path) -> None:
    letter = NaiveBayesExtractor(model=toy, reading="paper")
    assert letter.blocking == Blocking("paper", "paper", "affiliated", "none", "all")
    assert (letter.observation, letter.levels, letter.smoothing) == ("blocks", "summed", 0.0)
    assert (letter.priors, letter.fallback) == ("equal", "none")
    mixed = NaiveBayesExtractor(model=toy, reading="paper", nested="own", smoothing=1)
    assert (mixed.nested, mixed.smoothing, mixed.outside) == ("own", 1, "none")
    assert NaiveBayesExtractor(model=toy).blocking == Blocking()


def test_blocks_more_probable_as_content_are_the_text_in_page_order(toy: Path) -> None:
    html = f"<table><tr><td>{STORY}</td><td>{MENU}</td><td>{STORY}</td></tr></table>"
    result = NaiveBayesExtractor(model=toy).extract(parse(html))
    line = "The river rose through the night, and more than that."
    assert result.text == f"{line}\n{line}"
    assert result.chosen == (0, 2)
    eq_14, eq_15 = 3 / 14 * 7 / 12 * 3 / 11, 22 / 26 * 2 / 24 * 2 / 23
    assert result.score == pytest.approx(eq_14 / (eq_14 + eq_15))


def test_equal_products_are_content(tmp_path: Path) -> None:
    model = toy_model()
    for table in model["tables"].values():
        for classes in table.values():
            classes["rest"] = classes["content"]
    extractor = NaiveBayesExtractor(model=write(tmp_path / "even.json", model))
    assert extractor.extract(parse(MENU)).text == "Home Contacts"
    assert extractor.extract(parse(MENU)).score == 0.5


def test_trained_priors_multiply_the_odds_by_the_share_of_the_classes(toy: Path) -> None:
    levels = Levels(5, 1, 2, 1)
    equal = NaiveBayesExtractor(model=toy)._odds.of(levels)
    trained = NaiveBayesExtractor(model=toy, priors="trained")._odds.of(levels)
    assert trained - equal == pytest.approx(log((8 + 1) / (20 + 1)))


def test_a_page_without_content_gives_its_best_blocks_or_none_as_the_paper(toy: Path) -> None:
    html = f"<table><tr><td>{MENU}</td></tr><tr><td><div><b>Rain, sun</b></div></td></tr></table>"
    assert NaiveBayesExtractor(model=toy).extract(parse(html)).text == "Rain, sun"
    none = NaiveBayesExtractor(model=toy, fallback="none").extract(parse(html))
    assert (none.text, none.score, none.chosen) == ("", 0.0, ())


def test_where_no_block_is_content_the_best_takes_along_what_is_7_5_times_less_probable(
    tmp_path: Path,
) -> None:
    # Characters outside links alone decide, and speak against content at each of three levels;
    # against the second 7.4 times more than against the first, against the third 7.6 times.
    even = {"link_ratio": [1] * 4, "punctuation_ratio": [1] * 3, "paragraphs": [1] * 3}
    content = {"total": 1, "unlinked_chars": [1, 1, 1, 0, 0, 9000], **even}
    rest = {"total": 1, "unlinked_chars": [100, 740, 760, 0, 0, 0], **even}
    model = toy_model()
    for table in model["tables"].values():
        table["words"] = {"content": content, "rest": rest}
    path = write(tmp_path / "three.json", model)
    extractor = NaiveBayesExtractor(model=path, smoothing=0, levels="single")
    boxes = "".join(f"<tr><td><i>{'x' * chars}</i></td></tr>" for chars in (10, 30, 50))
    text = extractor.extract(parse(f"<table>{boxes}</table>")).text
    assert [len(line) for line in text.split("\n")] == [10, 30]


def test_a_level_never_seen_in_training_does_not_decide_alone(toy: Path) -> None:
    # No block of the rest had more than three <p>; a menu of four is one nevertheless.
    menu = "<div>" + "<p><a>Contacts</a></p>" * 4 + "</div>"
    extractor = NaiveBayesExtractor(model=toy, fallback="none")
    assert extractor.extract(parse(menu)).text == ""


def test_signals_are_the_posterior_of_each_block_and_what_was_taken(toy: Path) -> None:
    html = f"<head><title>T</title></head><table><tr><td>{STORY}<td>{MENU}</table>"
    (signal,) = NaiveBayesExtractor(model=toy).signals(parse(html))
    assert (signal.name, signal.unit, signal.threshold) == ("posterior", "block", 0.5)
    eq_14, eq_15 = 1 / 14 / 12 / 11 * 2 / 11, 15 / 26 * 4 / 24 * 19 / 23 * 20 / 23
    menu = eq_14 / (eq_14 + eq_15)
    eq_14, eq_15 = 3 / 14 * 7 / 12 * 3 / 11, 22 / 26 * 2 / 24 * 2 / 23
    assert signal.values == pytest.approx((0.0, eq_14 / (eq_14 + eq_15), menu))
    assert signal.selected == (1,)
    assert signal.reasons[0] == ()
    assert [(why.feature, why.value) for why in signal.reasons[2]] == [
        ("punctuation_ratio", 0.0),
        ("unlinked_chars", 4),
        ("paragraphs", 0),
        ("link_ratio", 8 / 12),
    ]
    effects = [1 / 11 / (19 / 23), 1 / 14 / (15 / 26), 2 / 11 / (20 / 23), 1 / 12 / (4 / 24)]
    assert [why.effect for why in signal.reasons[2]] == pytest.approx([log(e) for e in effects])
