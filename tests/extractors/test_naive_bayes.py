"""Naive Bayes: web blocks, levels and odds worked by hand, the package's model, laws."""

from __future__ import annotations

import json
import os
from itertools import islice
from math import inf, log
from pathlib import Path
from statistics import mean
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_webtext import extract
from scrapy_webtext.errors import ModelError, SettingsError
from scrapy_webtext.extractors.naive_bayes import (
    BLOCK_TAGS,
    BLOCKINGS,
    LEVEL_COUNTS,
    Blocking,
    Counts,
    Levels,
    NaiveBayesExtractor,
    count_punctuation,
    noise_of,
    web_blocks,
)
from scrapy_webtext.extractors.readings import Reading
from scrapy_webtext.lab.corpus import read_corpus
from scrapy_webtext.lab.metrics import shingle_overlap
from scrapy_webtext.page import Page, parse, tags
from scrapy_webtext.registry import make_extractor

# Counts of 8 blocks of content and 20 of the rest. Smoothed by 1 and divided by 8 + levels or
# 20 + levels, features 1 and 3 summed up to the level (eqs. 4, 5, 8, 9):
#
#   unlinked_chars     content 1/14 2/14 3/14 4/14 6/14 14/14   rest 15/26 20/26 22/26 23/26 24/26 1
#   link_ratio         content 7/12 3/12 1/12 1/12              rest 2/24 2/24 4/24 16/24
#   punctuation_ratio  content 1/11 2/11 11/11                  rest 19/23 22/23 23/23
#   paragraphs         content 2/11 3/11 6/11                   rest 20/23 2/23 1/23
CONTENT = {
    "total": 8,
    "unlinked_chars": [0, 0, 0, 0, 1, 7],
    "link_ratio": [6, 2, 0, 0],
    "punctuation_ratio": [0, 0, 8],
    "paragraphs": [1, 2, 5],
}


REST = {
    "total": 20,
    "unlinked_chars": [14, 4, 1, 0, 0, 1],
    "link_ratio": [1, 1, 3, 15],
    "punctuation_ratio": [18, 2, 0],
    "paragraphs": [19, 1, 0],
}


PAPER = Blocking("paper")


def toy_model() -> dict[str, Any]:
    classes = {"content": CONTENT, "rest": REST}
    tables = {blocking.key: {blocking.observation: classes} for blocking in BLOCKINGS}
    return json.loads(
        json.dumps({"kind": "naive_bayes", "version": 2, "pages": 3, "tables": tables})
    )


def write(path: Path, model: object) -> Path:
    path.write_text(json.dumps(model))
    return path


NESTED = "<div><p>Before.</p><div><p>Inside, here.</p></div><p>After.</p></div>"


# 46 characters outside links, 4 in one (8 %), 2 marks (50 %), one <p>: levels 2, 0, 2, 1.
#   eq. 14: 3/14 * 7/12 * 1 * 3/11 = 0.0341     eq. 15: 22/26 * 2/24 * 1 * 2/23 = 0.00613
STORY = "<div><p>The river rose through the night, and <a>more</a> than that.</p></div>"


# 4 characters outside links, 8 in one (67 %), no mark, no <p>: levels 0, 2, 0, 0.
#   eq. 14: 1/14 * 1/12 * 1/11 * 2/11 = 0.0000984   eq. 15: 15/26 * 4/24 * 19/23 * 20/23 = 0.0691
MENU = "<div><b>Home</b> <a>Contacts</a></div>"


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    return write(tmp_path / "toy.json", toy_model())


def texts(html: str, blocking: Blocking = PAPER) -> list[list[str]]:
    page = parse(html)
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
    ]


def test_siblings_merge_only_with_the_block_just_before_them() -> None:
    html = "<div><div>One</div><div></div><div>Two</div><div><div>Three</div></div><div>Four</div>"
    assert texts(html) == [["One", "Two"], ["Three"], ["Four"]]


def test_a_block_around_others_has_its_own_text_or_that_of_all_affiliated_tags(toy: Path) -> None:
    page = parse(f"{NESTED}<p>Loose</p>")
    own = web_blocks(page, Blocking("modern"))
    assert [block.counts for block in own] == [(13, 0, 2, 2), (13, 0, 2, 1), (5, 0, 0, 1)]
    affiliated = web_blocks(page, PAPER)
    assert [block.parts for block in affiliated] == [block.parts for block in own[:2]]
    assert [block.counts for block in affiliated] == [(26, 0, 4, 3), (13, 0, 2, 1)]


def test_text_that_several_blocks_hold_is_taken_once(toy: Path) -> None:
    line = "The river rose through the night, and more than that."
    html = f"<div><p>{line}</p><div><p>{line}</p></div><p>{line}</p></div>"
    extractor = NaiveBayesExtractor(model=toy, reading="paper")
    assert extractor.extract(parse(html)).text == "\n".join([line] * 3)
    # What stands before and after that element is in none of them.
    menu = f"<table><tr><td>{MENU}</td></tr></table>"
    assert extractor.extract(parse(menu + html + menu)).text == "\n".join([line] * 3)


def test_noise_inside_an_affiliated_block_counts_for_nothing() -> None:
    page = parse("<head><title>Red, blue.</title></head><div><p>Before.</p></div>")
    (block,) = web_blocks(page, PAPER)
    assert block.counts == (7, 0, 1, 1)


def test_the_features_of_a_block_are_the_papers_ratios() -> None:
    # Unlinked characters; eq. 2, eq. 3; <p>.
    assert Counts(20, 4, 2, 1).features == (16, 4 / 20, 2 / 4, 1)
    assert Counts(20, 0, 2, 1).features == (20, 0, 2, 1)


def test_text_in_none_of_the_tags_makes_a_block_or_none() -> None:
    html = "<p>Loose</p><div>Held</div>"
    assert texts(html, Blocking("modern")) == [["Loose"], ["Held"]]
    assert texts(html) == [["Held"]]


def test_tables_alone_part_a_page_as_in_what_the_paper_compares_with() -> None:
    html = "<div>One</div><table><tr><td>Two</td><td>Three</td></tr></table><div>Four</div>"
    assert texts(html, Blocking("paper", "table")) == [["One", "Four"], ["Two", "Three"]]


def test_punctuation_is_of_all_scripts_with_brackets_quotes_and_dashes_or_without() -> None:
    chinese = "“好”《书》（一）—「甲」"
    assert count_punctuation(chinese, "paper") == 9
    assert count_punctuation(chinese, "modern") == 0
    assert count_punctuation("雨，停了。", "modern") == 2
    assert count_punctuation('He (the "mayor") said: no, [yes]!', "paper") == 9
    assert count_punctuation('He (the "mayor") said: no, [yes]!', "modern") == 3
    assert count_punctuation("It's a well-known don’t", "paper") == 0


def test_more_block_tags_part_what_the_papers_four_do_not() -> None:
    html = "<div><nav>Menu</nav><p>Lead</p><aside>Also read</aside><p>Text</p></div>"
    assert texts(html) == [["Menu", "Lead", "Also read", "Text"]]
    assert texts(html, Blocking("modern")) == [["Menu"], ["Lead", "Text"], ["Also read"]]


def test_what_a_browser_does_not_show_is_noise_but_by_the_letter(
    toy: Path,
) -> None:
    story = "<p>And so on, day by day, until the end of the month.</p>" * 20
    html = f"<div><noscript>Turn it on, or else.</noscript>{story}</div>"
    texts = [
        NaiveBayesExtractor(model=toy, reading=reading).extract(parse(html)).text
        for reading in ("modern", "paper")
    ]
    assert ["Turn it on" in text for text in texts] == [False, True]


def test_every_block_tag_is_block_level_so_that_web_blocks_are_whole_blocks_of_the_page() -> None:
    assert BLOCK_TAGS["paper"] == {"table", "tr", "td", "div"}
    assert BLOCK_TAGS["paper"] < BLOCK_TAGS["modern"] < tags.BLOCK


def test_a_web_block_counts_its_own_text_links_punctuation_and_paragraphs() -> None:
    page = parse(
        "<div><p>Rain, then sun. <a>More</a></p><p>雨停了。</p><div><p>Ad!</p></div></div>"
    )
    first, second = web_blocks(page, Blocking("modern"))
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


def test_the_odds_of_a_block_are_those_of_the_papers_two_products(toy: Path) -> None:
    odds = NaiveBayesExtractor(model=toy)._odds
    eq_14 = 6 / 14 * 7 / 12 * 11 / 11 * 3 / 11
    eq_15 = 24 / 26 * 2 / 24 * 23 / 23 * 2 / 23
    assert odds.of(Levels(4, 0, 2, 1)) == pytest.approx(log(eq_14 / eq_15))
    eq_14 = 1 / 14 * 1 / 12 * 2 / 11 * 2 / 11
    eq_15 = 15 / 26 * 16 / 24 * 22 / 23 * 20 / 23
    assert odds.of(Levels(0, 3, 1, 0)) == pytest.approx(log(eq_14 / eq_15))


def test_without_smoothing_a_level_never_seen_decides_alone(toy: Path) -> None:
    odds = NaiveBayesExtractor(model=toy, reading="paper")._odds
    assert odds.of(Levels(5, 0, 2, 1)) == pytest.approx(
        log((8 / 8 * 6 / 8 * 8 / 8 * 2 / 8) / (20 / 20 * 1 / 20 * 20 / 20 * 1 / 20))
    )
    assert odds.of(Levels(5, 0, 2, 2)) == inf  # the rest has no block of more than three <p>
    assert odds.of(Levels(5, 3, 2, 0)) == -inf  # content none of mostly links
    assert odds.of(Levels(5, 3, 2, 2)) == 0.0  # both products are 0, and equal
    assert odds.of(Levels(0, 0, 0, 0)) == -inf
    extractor = NaiveBayesExtractor(model=toy, reading="paper")
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
    none = NaiveBayesExtractor(model=toy, reading="paper").extract(parse(html))
    assert (none.text, none.score, none.chosen) == ("", 0.0, ())


def test_where_no_block_is_content_the_best_takes_along_what_is_7_5_times_less_probable(
    tmp_path: Path,
) -> None:
    # Characters outside links alone decide, and speak against content at each of three levels;
    # against the second 7.4 times more than against the first, against the third 7.6 times.
    even = {"link_ratio": [1] * 4, "punctuation_ratio": [1] * 3, "paragraphs": [1] * 3}
    # With 1 added to each count, sums up to a level are 1, 2, 3 and 100, 1480, 2280.
    content = {"total": 1, "unlinked_chars": [0, 0, 0, 0, 0, 9000], **even}
    rest = {"total": 1, "unlinked_chars": [99, 1379, 799, 0, 0, 0], **even}
    model = toy_model()
    for table in model["tables"].values():
        table["words"] = {"content": content, "rest": rest}
    path = write(tmp_path / "three.json", model)
    extractor = NaiveBayesExtractor(model=path)
    boxes = "".join(f"<tr><td><i>{'x' * chars}</i></td></tr>" for chars in (10, 30, 50))
    text = extractor.extract(parse(f"<table>{boxes}</table>")).text
    assert [len(line) for line in text.split("\n")] == [10, 30]


def test_a_level_never_seen_in_training_does_not_decide_alone(toy: Path) -> None:
    # No block of the rest had more than three <p>; a menu of four is one nevertheless.
    menu = "<div>" + "<p><a>Contacts</a></p>" * 4 + "</div>"
    assert NaiveBayesExtractor(model=toy).extract(parse(menu)).score < 0.5


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


CORPORA = Path(os.environ.get("WEBTEXT_CORPORA", Path(__file__).parents[4] / "shared" / "corpora"))


def test_the_packages_model_reads_an_english_and_a_chinese_article() -> None:
    menu = "<nav><ul>" + "<li><a href='/'>Sport</a></li>" * 8 + "</ul></nav>"
    english = "<p>The river rose through the night, and by morning the road was gone.</p>" * 4
    chinese = "<p>昨夜河水上涨，下游道路被淹没，学校周一重新开放，市长说无人受伤。</p>" * 4
    for story in (english, chinese):
        result = extract(
            f"<body>{menu}<div><article>{story}</article></div><footer>© <a>Us</a></footer>",
            extractor="naive_bayes",
        )
        assert "Sport" not in result.main_text
        assert "Us" not in result.main_text
        assert len(result.main_text.split("\n")) == 4
        assert result.main_text_score is not None
        assert result.main_text_score > 0.5


@pytest.mark.parametrize("reading", get_args(Reading))
def test_in_the_packages_model_content_has_more_text_and_fewer_links(reading: Reading) -> None:
    extractor = NaiveBayesExtractor(reading)
    unlinked, links, _, _ = extractor._odds.levels
    assert list(unlinked) == sorted(unlinked)
    assert list(links) == sorted(links, reverse=True)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"block_tags": "div"}, "block_tags='div' is not allowed; use one of: all, table"),
        ({"reading": "all"}, "use one of: modern, paper"),
        ({"priors": True}, "priors=True is not allowed; use one of: equal, trained"),
        ({"model": 7}, "model=7 is not allowed; give the path of a model"),
    ],
)
def test_a_wrong_option_is_refused_when_the_extractor_is_made(options: Any, message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        make_extractor("naive_bayes", options)


def break_model(model: dict[str, Any], break_it: str) -> None:
    classes = model["tables"][Blocking().key]["words"]
    match break_it:
        case "tables":
            del model["tables"]
        case "negative":
            classes["rest"]["paragraphs"][0] = -1
        case "short":
            classes["content"]["link_ratio"].pop()
        case "fraction":
            classes["content"]["unlinked_chars"][2] = 0.5
        case "table":
            del model["tables"][Blocking().key]
        case "huge":
            classes["content"]["total"] = 10**20


@pytest.mark.parametrize(
    ("break_it", "message"),
    [
        ("tables", "'tables' is missing; train the model again"),
        ("negative", r"rest: 'paragraphs' must be a list of 3 numbers in \[0, "),
        ("short", "content: 'link_ratio' must be a list of 4 numbers"),
        ("fraction", "'unlinked_chars' must be a list of integers"),
        ("table", "'more/hidden/own/block/sentence' is missing; train the model again"),
        ("huge", "'total' must be an integer"),
    ],
)
def test_a_damaged_model_is_refused_when_the_extractor_is_made(
    tmp_path: Path, break_it: str, message: str
) -> None:
    model = toy_model()
    break_model(model, break_it)
    with pytest.raises(ModelError, match=message):
        NaiveBayesExtractor(model=write(tmp_path / "broken.json", model))


def test_a_missing_model_is_named() -> None:
    with pytest.raises(ModelError, match=r"nowhere\.json cannot be read"):
        make_extractor("naive_bayes", {"model": "nowhere.json"})


scraps = st.sampled_from(
    "<div> </div> <p> </p> <td> <tr> <table> </table> <a> </a> <article> </article> <head> </html> "
    "<select> <option> <script> </script> <br> <pre> , 。 word 雨 &nbsp; \0 \ud800".split(" ")
)


@given(st.text() | st.lists(scraps, max_size=40).map("".join))
def test_any_string_gives_the_same_text_twice_and_a_score_in_range(html: str) -> None:
    extractor = NaiveBayesExtractor()
    page: Page = parse(html)
    result = extractor.extract(page)
    assert result == extractor.extract(parse(html))
    assert 0.0 <= result.score <= 1.0
    assert list(result.chosen) == sorted(set(result.chosen))
    if result.text:  # else all that was chosen may be control characters
        assert extractor.signals(page)[0].selected == result.chosen
    assert len(extractor.signals(page)[0].values) == len(page.blocks)


@given(st.lists(scraps, max_size=40).map("".join), st.sampled_from(BLOCKINGS))
def test_web_blocks_share_out_the_blocks_of_text_without_overlap(
    html: str, blocking: Blocking
) -> None:
    page = parse(html)
    noise = noise_of(page, blocking.reading)
    owners = page.nodes.nearest(blocking.tags)
    parts = [part for block in web_blocks(page, blocking) for part in block.parts]
    assert sorted(parts) == [
        b
        for b, node in enumerate(page.blocks.node)
        if not noise[node] and (blocking.has_root or page.nodes.tag[owners[node]] in blocking.tags)
    ]


@given(st.lists(scraps, max_size=40).map("".join))
def test_an_affiliated_block_counts_what_all_blocks_inside_its_element_count(html: str) -> None:
    page = parse(html)
    blocks, noise = page.blocks, noise_of(page, "paper")
    for block in web_blocks(page, PAPER):
        held = {b for first, end in block.inner for b in range(first, end)}
        held = {b for b in held if not noise[blocks.node[b]]}
        assert set(block.parts) <= held
        assert block.counts.chars == sum(blocks.chars[b] for b in held)
        assert block.counts.link_chars == sum(blocks.link_chars[b] for b in held)
        text = "".join(blocks.text[b] for b in held)
        assert block.counts.punctuation == count_punctuation(text, "paper")


@given(st.builds(Counts, *[st.integers(0, 10**6)] * 4))
def test_levels_stay_within_their_number(counts: Counts) -> None:
    counts = counts._replace(link_chars=min(counts.chars, counts.link_chars))
    assert all(0 <= level < n for level, n in zip(counts.levels, LEVEL_COUNTS, strict=True))


if (CORPORA / "zh_dev.jsonl.gz").is_file():  # the labelled corpora are no part of the project

    @pytest.mark.parametrize(
        ("corpus", "step", "floor"), [("zh_dev", 1, 0.94), ("newspaper4k", 7, 0.86)]
    )
    def test_real_pages_are_read_no_worse_than_before(corpus: str, step: int, floor: float) -> None:
        pages = [page for page in read_corpus(CORPORA / f"{corpus}.jsonl.gz") if page.text]
        extractor = NaiveBayesExtractor()
        scores = [
            shingle_overlap(extractor.extract(parse(page.html)).text, page.text, "chars").f1
            for page in islice(pages, 0, None, step)
        ]
        assert mean(scores) >= floor
