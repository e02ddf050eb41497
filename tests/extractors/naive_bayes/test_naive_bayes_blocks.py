"""Web blocks of a page and their features."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from scrapy_webtext.extractors.naive_bayes import NaiveBayesExtractor
from scrapy_webtext.extractors.naive_bayes.blocks import (
    BLOCK_TAGS,
    Blocking,
    web_blocks,
)
from scrapy_webtext.extractors.naive_bayes.levels import (
    Counts,
    count_punctuation,
)
from scrapy_webtext.page import parse, tags
from tests.extractors.naive_bayes.toy import MENU, NESTED, STORY


def texts(html: str, block_tags: str = "paper", **options: Any) -> list[list[str]]:
    page = parse(html)
    blocking = Blocking(block_tags=block_tags, **options)  # type: ignore[arg-type]
    return [[page.blocks.text[part] for part in b.parts] for b in web_blocks(page, blocking)]


def test_text_belongs_to_the_nearest_block_tag_and_siblings_merge() -> None:
    html = """<html><head><title>Title</title></head><body>
    <div><div>Home</div><div><p>News <a>and more</a></p></div></div>
    <table><tr><td>Left</td><td>Right</td></tr><tr><td>Next row</td></tr></table>
    <div>Before <div>Inside</div> After</div>
    <p>Loose</p></body></html>"""
    assert texts(html) == [
        ["Home", "News and more"],  # two siblings
        ["Left", "Right"],  # two siblings
        ["Next row"],  # a td too, but of another tr
        ["Before", "After"],  # around a block that has its own text
        ["Inside"],
        ["Loose"],  # outside all of the tags
    ]


def test_siblings_merge_only_with_the_block_just_before_them() -> None:
    html = "<div><div>One</div><div></div><div>Two</div><div><div>Three</div></div><div>Four</div>"
    assert texts(html) == [["One", "Two"], ["Three"], ["Four"]]


def test_a_block_around_others_has_its_own_text_or_that_of_all_affiliated_tags(toy: Path) -> None:
    page = parse(f"{NESTED}<p>Loose</p>")
    own = web_blocks(page, Blocking("paper"))
    assert [block.counts for block in own] == [(13, 0, 2, 2), (13, 0, 2, 1), (5, 0, 0, 1)]
    affiliated = web_blocks(page, Blocking("paper", nested="affiliated"))
    assert [block.parts for block in affiliated] == [block.parts for block in own]
    # The block of the root is no element of the four: it has the text outside of them.
    assert [block.counts for block in affiliated] == [(26, 0, 4, 3), (13, 0, 2, 1), (5, 0, 0, 0)]


def test_text_that_several_blocks_hold_is_taken_once(toy: Path) -> None:
    line = "The river rose through the night, and more than that."
    html = f"<div><p>{line}</p><div><p>{line}</p></div><p>{line}</p></div>"
    extractor = NaiveBayesExtractor(model=toy, nested="affiliated", fallback="none")
    assert extractor.extract(parse(html)).text == "\n".join([line] * 3)
    # The outer block's element holds what is noise, too.
    hidden = html.replace("</div><p>", "</div><select><option>Red</select><p>")
    assert extractor.extract(parse(hidden)).text == "\n".join([line] * 3)
    # What stands before and after that element is in none of them.
    menu = f"<table><tr><td>{MENU}</td></tr></table>"
    assert extractor.extract(parse(menu + hidden + menu)).text == "\n".join([line] * 3)


def test_noise_inside_an_affiliated_block_counts_for_nothing() -> None:
    page = parse("<div><p>Before.</p><select><option>Red, blue.</select></div>")
    (block,) = web_blocks(page, Blocking("paper", nested="affiliated"))
    assert block.counts == (7, 0, 1, 1)


def test_the_features_of_a_block_are_the_papers_ratios() -> None:
    # Unlinked characters; eq. 2, eq. 3; <p>.
    assert Counts(20, 4, 2, 1).features == (16, 4 / 20, 2 / 4, 1)
    assert Counts(20, 0, 2, 1).features == (20, 0, 2, 1)


def test_text_in_none_of_the_tags_makes_a_block_or_none() -> None:
    html = "<p>Loose</p><div>Held</div>"
    assert texts(html) == [["Loose"], ["Held"]]
    assert texts(html, outside="none") == [["Held"]]


def test_tables_alone_part_a_page_as_in_what_the_paper_compares_with() -> None:
    html = "<div>One</div><table><tr><td>Two</td><td>Three</td></tr></table><div>Four</div>"
    assert texts(html, "table") == [["One", "Four"], ["Two", "Three"]]


def test_punctuation_is_of_all_scripts_with_brackets_quotes_and_dashes_or_without() -> None:
    chinese = "“好”《书》（一）—「甲」"
    assert count_punctuation(chinese, "all") == 9
    assert count_punctuation(chinese, "sentence") == 0
    assert count_punctuation("雨，停了。", "sentence") == 2
    assert count_punctuation('He (the "mayor") said: no, [yes]!', "all") == 9
    assert count_punctuation('He (the "mayor") said: no, [yes]!', "sentence") == 3
    assert count_punctuation("It's a well-known don’t", "all") == 0


def test_more_block_tags_part_what_the_papers_four_do_not() -> None:
    html = "<div><nav>Menu</nav><p>Lead</p><aside>Also read</aside><p>Text</p></div>"
    assert texts(html) == [["Menu", "Lead", "Also read", "Text"]]
    assert texts(html, "more") == [["Menu"], ["Lead", "Text"], ["Also read"]]


def test_what_a_browser_does_not_show_is_noise_unless_the_papers_denoising_is_asked_for(
    toy: Path,
) -> None:
    html = f"<head><title>T</title></head><noscript>Turn it on, or else.</noscript>{STORY}" + (
        "<p>And so on, day by day, until the end of the month.</p>" * 20
    )
    texts = [
        NaiveBayesExtractor(model=toy, denoising=denoising).extract(parse(html)).text
        for denoising in ("hidden", "paper")
    ]
    assert ["Turn it on" in text for text in texts] == [False, True]


def test_every_block_tag_is_block_level_so_that_web_blocks_are_whole_blocks_of_the_page() -> None:
    assert BLOCK_TAGS["paper"] == {"table", "tr", "td", "div"}
    assert BLOCK_TAGS["paper"] < BLOCK_TAGS["more"] < tags.BLOCK


def test_a_web_block_counts_its_own_text_links_punctuation_and_paragraphs() -> None:
    page = parse(
        "<div><p>Rain, then sun. <a>More</a></p><p>雨停了。</p><div><p>Ad!</p></div></div>"
    )
    first, second = web_blocks(page, Blocking("paper"))
    assert first.parts == [0, 1]
    assert first.counts == (len("Rain, then sun.") + len("More") + len("雨停了。"), 4, 3, 2)
    assert (second.parts, second.counts) == ([2], (3, 0, 1, 1))


@pytest.mark.parametrize(
    ("chars", "level"),
    [(0, 0), (19, 0), (20, 1), (39, 1), (40, 2), (60, 3), (80, 4), (99, 4), (100, 5), (9999, 5)],
)
def test_unlinked_characters_have_six_levels(chars: int, level: int) -> None:
    assert Counts(chars + 7, 7, 0, 0).levels.unlinked_chars == level


@pytest.mark.parametrize(
    ("links", "level"),
    [(0, 0), (99, 0), (100, 1), (499, 1), (500, 2), (800, 2), (801, 3), (1000, 3)],
)
def test_the_share_of_link_characters_has_four_levels(links: int, level: int) -> None:
    assert Counts(1000, links, 0, 0).levels.link_ratio == level


@pytest.mark.parametrize(
    ("marks", "links", "level"),
    [(19, 1000, 0), (20, 1000, 1), (100, 1000, 1), (101, 1000, 2), (1, 0, 2), (0, 0, 0), (0, 9, 0)],
)
def test_punctuation_per_link_character_has_three_levels(
    marks: int, links: int, level: int
) -> None:
    assert Counts(2000, links, marks, 0).levels.punctuation_ratio == level


def test_paragraphs_have_three_levels() -> None:
    assert [Counts(9, 0, 0, n).levels.paragraphs for n in (0, 1, 3, 4)] == [0, 1, 1, 2]
