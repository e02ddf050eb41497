"""Naive Bayes: web blocks, levels and odds worked by hand, the package's model, laws."""

import json
from collections.abc import Callable
from functools import reduce
from math import inf, log
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_webtext import extract
from scrapy_webtext.errors import ModelError
from scrapy_webtext.extractors import naive_bayes as nb
from scrapy_webtext.extractors.readings import Reading
from scrapy_webtext.page import parse
from tests.kits.data import read_json
from tests.kits.soup import SCRAPS

# Counts of 8 blocks of content and 20 of the rest. Smoothed by 1 and divided by 8 + levels or
# 20 + levels, features 1 and 3 summed up to the level (eqs. 4, 5, 8, 9):
#
#   unlinked_chars     content 1/14 2/14 3/14 4/14 6/14 14/14   rest 15/26 20/26 22/26 23/26 24/26 1
#   link_ratio         content 7/12 3/12 1/12 1/12              rest 2/24 2/24 4/24 16/24
#   punctuation_ratio  content 1/11 2/11 11/11                  rest 19/23 22/23 23/23
#   paragraphs         content 2/11 3/11 6/11                   rest 20/23 2/23 1/23
CASES = read_json(__file__)
CONTENT, REST = CASES["naive_bayes: counts of content and rest in the toy model"]
PAPER = nb.Blocking("paper")
KEY = nb.Blocking("modern").key
REST_PLACE = ("tables", KEY, "rest")


def toy_model(content: Any = CONTENT, rest: Any = REST) -> dict[str, Any]:
    classes = {"content": content, "rest": rest}
    tables = {blocking.key: classes for blocking in nb.BLOCKINGS}
    return json.loads(
        json.dumps({"kind": "naive_bayes", "version": 3, "pages": 3, "tables": tables})
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


def texts(html: str, blocking: nb.Blocking) -> list[list[str]]:
    """Return the own texts of each web block; in the paper's reading a block can have none."""
    page = nb.page_as_read(parse(html), blocking.reading)
    return [[page.blocks.text[part] for part in b.parts] for b in nb.web_blocks(page, blocking)]


WEB_BLOCKS = CASES["naive_bayes: own texts of web blocks, paper and modern"]


@pytest.mark.parametrize("rule", WEB_BLOCKS)
def test_web_blocks_follow_rules_1_to_3(rule: str) -> None:
    cases = WEB_BLOCKS[rule]
    assert {
        html: [texts(html, nb.Blocking(r)) for r in ("paper", "modern")] for html in cases
    } == cases


def test_only_tables_divide_a_page_by_block_tags_table() -> None:
    html = "<div>One</div><table><tr><td>Two</td><td>Three</td></tr></table><div>Four</div>"
    assert texts(html, nb.Blocking("paper", "table")) == [["One", "Four"], ["Two", "Three"]]


def test_a_block_counts_its_own_text_or_that_of_its_affiliated_tags() -> None:
    cases = CASES[
        "naive_bayes: characters, those in links, punctuation, <p> of blocks, paper and modern"
    ]
    for html, counts in cases.items():
        ways = [
            nb.web_blocks(nb.page_as_read(parse(html), r), nb.Blocking(r))
            for r in ("paper", "modern")
        ]
        assert [[list(block.counts) for block in blocks] for blocks in ways] == counts, html


def test_punctuation_of_all_scripts_is_counted() -> None:
    cases = CASES["naive_bayes: punctuation, paper and modern"]
    for text, counts in cases.items():
        assert [nb.count_punctuation(text, r) for r in ("paper", "modern")] == counts, text


def test_text_in_several_blocks_is_taken_once(toy: Path) -> None:
    line = "The river rose through the night, and more than that."
    html = f"<div><p>{line}</p><div><p>{line}</p></div><p>{line}</p></div>"
    extractor = nb.NaiveBayesExtractor(model=toy, reading="paper")
    page = parse(f"<table><tr><td>{MENU}</td></tr></table>{html}")
    extraction = extractor.extract(page)  # the table is before the element and in no block
    assert extraction.text == "\n".join([line] * 3)
    assert extraction.chosen == (1, 2, 3)
    (signal,) = extractor.signals(page)
    assert signal.selected == (1, 2, 3)
    assert [value > 0.5 for value in signal.values] == [False, True, False, True]
    assert list(map(len, signal.reasons)) == [4, 4, 4, 4]


def test_paper_reads_hidden_text_and_has_no_markers_of_lists(toy: Path) -> None:
    story = "<li><p>And so on, day by day, until the end of the month.</p>" * 9
    html = f"<div><ul>{story}</ul><p hidden>Open, or else.</p></div>"
    found = [
        nb.NaiveBayesExtractor(model=toy, reading=reading).extract(parse(html))
        for reading in ("paper", "modern")
    ]
    assert [one.text[:3] for one in found] == ["And", "- A"]
    assert ["Open, or else." in one.text for one in found] == [True, False]
    assert found[0].chosen == (*found[1].chosen, 9)


@pytest.mark.parametrize(
    ("feature", "levels"),
    [
        # characters outside links
        (lambda n: nb.Counts(n + 7, 7, 0, 0).levels.unlinked_chars,
         {0: 0, 19: 0, 20: 1, 39: 1, 40: 2, 60: 3, 80: 4, 99: 4, 100: 5, 9999: 5}),
        # characters in links per 1,000 characters
        (lambda n: nb.Counts(1000, n, 0, 0).levels.link_ratio,
         {0: 0, 99: 0, 100: 1, 499: 1, 500: 2, 800: 2, 801: 3, 1000: 3}),
        # punctuation per 1,000 characters in links; without links
        (lambda n: nb.Counts(2000, 1000, n, 0).levels.punctuation_ratio,
         {0: 0, 19: 0, 20: 1, 100: 1, 101: 2}),
        (lambda n: nb.Counts(2000, 0, n, 0).levels.punctuation_ratio, {0: 0, 1: 2}),
        (lambda n: nb.Counts(9, 0, 0, n).levels.paragraphs, {0: 0, 1: 1, 3: 1, 4: 2}),
    ],
)  # fmt: skip
def test_levels_are_those_of_sections_4_3_1_to_4_3_4(
    feature: Callable[[int], int], levels: dict[int, int]
) -> None:
    assert {n: feature(n) for n in levels} == levels


@pytest.mark.parametrize(
    ("options", "levels", "eq_14", "eq_15"),
    [
        ({}, (4, 0, 2, 1), 6 / 14 * 7 / 12 * 3 / 11, 24 / 26 * 2 / 24 * 2 / 23),
        ({"priors": "trained"}, (4, 0, 2, 1),
         (8 + 1) * 6 / 14 * 7 / 12 * 3 / 11, (20 + 1) * 24 / 26 * 2 / 24 * 2 / 23),
        # The rest has no block of more than three <p>: 1 of 23, smoothed.
        ({}, (0, 3, 1, 2), 1 / 14 * 1 / 12 * 2 / 11 * 6 / 11, 15 / 26 * 16 / 24 * 22 / 23 * 1 / 23),
        # Without smoothing a level without counts decides.
        ({"reading": "paper"}, (5, 0, 2, 1), 6 / 8 * 2 / 8, 1 / 20 * 1 / 20),
        ({"reading": "paper"}, (5, 0, 2, 2), 1, 0),  # rest: no block of more than three <p>
        ({"reading": "paper"}, (5, 3, 2, 0), 0, 1),  # content: no block of mostly links
        ({"reading": "paper"}, (0, 0, 0, 0), 0, 1),  # content: no block below 20 characters
        ({"reading": "paper"}, (5, 3, 2, 2), 1, 1),  # both products are 0, and equal
    ],
)  # fmt: skip
def test_the_odds_of_a_block_are_those_of_the_papers_two_products(
    toy: Path, options: Any, levels: tuple[int, ...], eq_14: float, eq_15: float
) -> None:
    odds = nb.NaiveBayesExtractor(model=toy, **options)._odds.of(nb.Levels(*levels))
    expected = log(eq_14 / eq_15) if eq_14 and eq_15 else inf if eq_14 else -inf
    assert odds == pytest.approx(expected)


def test_a_block_with_infinite_odds_has_score_1(toy: Path) -> None:
    extractor = nb.NaiveBayesExtractor(model=toy, reading="paper")
    html = f"<div>{'<p>Rain, sun, and more of both.</p>' * 4}</div>"
    assert extractor.extract(parse(html)).score == 1.0


NO_COUNTS = {"total": 0} | {name: [0] * n for name, n in nb.LEVEL_COUNTS._asdict().items()}


@pytest.mark.parametrize("reading", get_args(Reading))
@pytest.mark.parametrize("counts", [CONTENT, NO_COUNTS])
def test_equal_products_are_content(tmp_path: Path, counts: Any, reading: Reading) -> None:
    path = write(tmp_path / "even.json", toy_model(counts, counts))
    extraction = nb.NaiveBayesExtractor(model=path, reading=reading).extract(parse(NESTED))
    assert (extraction.text, extraction.score) == ("Before.\nInside, here.\nAfter.", 0.5)


@pytest.mark.parametrize(
    ("html", "texts", "chosen", "products"),
    [
        # STORY, MENU, STORY in cells: eqs. 14 and 15 of STORY
        (f"<table><tr><td>{STORY}</td><td>{MENU}</td><td>{STORY}</td></tr></table>",
         ["The river rose through the night, and more than that."] * 2, (0, 2),
         (3 / 14 * 7 / 12 * 3 / 11, 22 / 26 * 2 / 24 * 2 / 23)),
        # no content: the best block
        (f"<table><tr><td>{MENU}</td></tr><tr><td><div><b>Rain, sun</b></div></td></tr></table>",
         ["Rain, sun"], (1,),
         (1 / 14 * 7 / 12 * 11 / 11 * 2 / 11, 15 / 26 * 2 / 24 * 23 / 23 * 20 / 23)),
    ],
)  # fmt: skip
def test_blocks_more_probable_as_content_are_the_text_in_page_order(
    toy: Path, html: str, texts: list[str], chosen: tuple[int, ...], products: tuple[float, float]
) -> None:
    result = nb.NaiveBayesExtractor(model=toy).extract(parse(html))
    assert (result.text.split("\n"), result.chosen) == (texts, chosen)
    assert result.score == pytest.approx(products[0] / sum(products))


def test_a_page_without_content_is_empty_in_the_papers_reading(toy: Path) -> None:
    none = nb.NaiveBayesExtractor(model=toy, reading="paper").extract(parse(f"<td>{MENU}</td>"))
    assert (none.text, none.score, none.chosen) == ("", 0.0, ())


def test_without_content_the_best_block_and_7_5_times_less_probable_ones_are_text(
    tmp_path: Path,
) -> None:
    # Only characters outside links decide. Content is less probable at each of three levels: at the
    # second 7.4 times less than at the first, at the third 7.6 times.
    even = {"link_ratio": [1] * 4, "punctuation_ratio": [1] * 3, "paragraphs": [1] * 3}
    # With 1 added to each count, sums up to a level are 1, 2, 3 and 100, 1480, 2280.
    content = {"total": 1, "unlinked_chars": [0, 0, 0, 0, 0, 9000], **even}
    rest = {"total": 1, "unlinked_chars": [99, 1379, 799, 0, 0, 0], **even}
    path = write(tmp_path / "three.json", toy_model(content, rest))
    extractor = nb.NaiveBayesExtractor(model=path)
    boxes = "".join(f"<tr><td><i>{'x' * chars}</i></td></tr>" for chars in (10, 30, 50))
    text = extractor.extract(parse(f"<table>{boxes}</table>")).text
    assert [len(line) for line in text.split("\n")] == [10, 30]


def test_signals_are_the_posterior_of_each_block_and_the_chosen_ones(toy: Path) -> None:
    html = f"<head><title>T</title></head><table><tr><td>{STORY}<td>{MENU}</table>"
    (signal,) = nb.NaiveBayesExtractor(model=toy).signals(parse(html))
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


@pytest.mark.parametrize(
    ("place", "value", "message"),
    [
        (("tables", KEY), None, f"'{KEY}' is missing; train the model again"),
        ((*REST_PLACE, "paragraphs"), [-1, 2, 3], "rest: 'paragraphs' must be a list of 3 numbers"),
        ((*REST_PLACE, "total"), 10**20, "'total' must be an integer"),
    ],
)
def test_making_the_extractor_with_a_damaged_model_raises(
    tmp_path: Path, place: tuple[str, ...], value: object, message: str
) -> None:
    model: Any = toy_model()
    *above, last = place
    within = reduce(dict.__getitem__, above, model)
    if value is None:
        del within[last]
    else:
        within[last] = value
    with pytest.raises(ModelError, match=message):
        nb.NaiveBayesExtractor(model=write(tmp_path / "broken.json", model))


@given(SCRAPS, st.sampled_from(nb.BLOCKINGS))
def test_web_blocks_have_each_block_of_text_once(html: str, blocking: nb.Blocking) -> None:
    page = nb.page_as_read(parse(html), blocking.reading)
    noise = nb.noise_of(page, blocking.reading)
    owners = page.nodes.nearest(blocking.tags)
    parts = [part for block in nb.web_blocks(page, blocking) for part in block.parts]
    assert sorted(parts) == [
        b
        for b, node in enumerate(page.blocks.node)
        if not noise[node] and (blocking.has_root or page.nodes.tag[owners[node]] in blocking.tags)
    ]
