"""Pictures of signals by unit, and sentences for blocks and features."""

import re
from typing import Any

import pytest

from scrapy_webtext.extractors.fusion.features.block_features import BLOCK_FEATURES
from scrapy_webtext.extractors.fusion.features.context import CONTEXT_FEATURES
from scrapy_webtext.extractors.fusion.features.page_features import STRUCTURE_FEATURES
from scrapy_webtext.extractors.fusion.model import load_fusion
from scrapy_webtext.extractors.naive_bayes import Levels
from scrapy_webtext.lab.pictures import MAX_POINTS, ExtractorView, draw, draw_agreement
from scrapy_webtext.lab.sentences import SENTENCES, explain, sentence
from scrapy_webtext.page import parse
from scrapy_webtext.results import Extraction, Signal
from tests.kits.data import read_json
from tests.lab import HTML, views

CASES = read_json(__file__, "sentences.json")


PAGE = parse(HTML)
KEPT, DROPPED = "var(--kept)", "var(--dropped)"


def drawn(*signals: Signal, chosen: tuple[int, ...] = (), page: Any = PAGE) -> tuple[Any, Any, Any]:
    """Return the traces and the layout of the only picture, and the ranges of blocks."""
    (picture,) = draw(page, ExtractorView(Extraction("", 0.0, "x", chosen), signals))
    return picture.figure["data"], picture.figure["layout"], picture.spans


def test_blocks_are_bars_coloured_where_they_were_taken() -> None:
    (bars,), layout, spans = drawn(Signal("p", "block", (0.1, 0.9, 0.2), 0.5, (1,)))
    assert (bars["type"], bars["y"]) == ("bar", [0.1, 0.9, 0.2])
    assert bars["marker"]["color"] == [DROPPED, KEPT, DROPPED]
    assert bars["customdata"] == [(0, 0), (1, 1), (2, 2)]
    (threshold,) = layout["shapes"]
    assert threshold["y0"] == threshold["y1"] == 0.5
    assert [note["text"] for note in layout["annotations"]] == ["threshold for main text 0.5"]
    assert spans[1] == (0.5, 1.5)


def test_a_signal_without_threshold_is_an_outline_over_the_bars() -> None:
    raw = Signal("raw", "line", (9.0, 0.0), None, (0,), ((0, 1), None))
    smoothed = Signal("smoothed", "line", (5.0, 4.0), 4.5, (0,), ((0, 1), None))
    (bars, outline), _, spans = drawn(raw, smoothed)
    assert (bars["type"], bars["y"]) == ("bar", [5.0, 4.0])
    assert (outline["type"], outline["y"]) == ("scatter", [9.0, 0.0])
    assert bars["customdata"] == [(0, 1), None]
    assert spans == {0: (-0.5, 0.5), 1: (-0.5, 0.5)}


def test_too_many_bars_are_reduced_to_the_greatest_of_each_group() -> None:
    values = [0.0] * (3 * MAX_POINTS)
    values[1000] = 7.0
    (bars,), _, _ = drawn(Signal("p", "line", tuple(values), 1.0, (1000,)))
    assert len(bars["y"]) == MAX_POINTS
    assert bars["y"].index(7.0) == 333
    assert bars["marker"]["color"][333] == KEPT
    assert bars["x"][333] == 1000  # the middle of lines 999, 1000, 1001


@pytest.mark.parametrize(
    ("count", "first", "end"), [(10, 3, 7), (9 * MAX_POINTS, 1001, 2001)], ids=["short", "thinned"]
)
def test_a_curve_has_the_ends_of_its_plateau(count: int, first: int, end: int) -> None:
    selected = tuple(range(first, end))
    (whole, plateau), layout, _ = drawn(
        Signal("tags", "token", tuple(map(float, range(count))), None, selected)
    )
    assert len(whole["x"]) <= MAX_POINTS + 2
    assert (plateau["x"][0], plateau["x"][-1]) == (first, end - 1)
    assert [shape["x0"] for shape in layout["shapes"]] == [first, end - 1]


def per_node(selected: tuple[str, ...], **values: float) -> Signal:
    node = PAGE.nodes.tag.index
    column = [0.0] * len(PAGE.nodes)
    for tag, value in values.items():
        column[node(tag)] = value
    return Signal("p_value", "node", tuple(column), None, tuple(sorted(map(node, selected))))


def test_one_selected_element_is_shown_in_the_tree_with_ranks() -> None:
    (bars, labels), _, _ = drawn(per_node(("div",), html=0.2, body=0.25, div=0.5, h1=0.1))
    assert bars["x"] == [0.2, 0.25, 0.5, 0.1]
    assert labels["text"] == [
        "html  <i>#3</i>  <b>0.2</b>",
        "\u2002body  <i>#2</i>  <b>0.25</b>",
        "\u2002\u2002div#s1.story  <i>#1</i>  <b>0.5</b>",
        "\u2002\u2002\u2002h1  <i>#4</i>  <b>0.1</b>",
    ]
    assert bars["marker"]["color"] == [DROPPED, DROPPED, KEPT, DROPPED]
    assert bars["customdata"][2] == (3, 6)


def test_selected_elements_with_chosen_blocks_are_coloured() -> None:
    signal = per_node(("body", "div", "ul"), body=1.0, div=9.0, ul=0.5)
    (bars, labels), _, _ = drawn(signal, chosen=(4, 5))
    assert bars["x"] == [1.0, 0.5, 9.0]
    assert [text.split()[0] for text in labels["text"]] == ["body", "ul.menu", "div#s1.story"]
    assert bars["marker"]["color"] == [DROPPED, DROPPED, KEPT]


def test_a_ranking_has_the_twelve_greatest_and_the_selected() -> None:
    page = parse("<body>" + "<p>text</p>" * 20)
    values = tuple(map(float, range(len(page.nodes))))
    (bars, _), _, _ = drawn(Signal("p_value", "node", values, None, (2,)), page=page)
    assert bars["x"] == [2.0, *values[-12:]]


def test_names_of_elements_are_escaped_and_cut() -> None:
    page = parse("<body><div class='<b>bold</b>" + "x" * 99 + "'><p>text</p></div>")
    signal = Signal("p_value", "node", tuple([0.5] * len(page.nodes)), None, (2,))
    (_, labels), _, _ = drawn(signal, page=page)
    (text,) = (t for t in labels["text"] if "bold" in t)
    assert "&lt;b&gt;bold&lt;/b&gt;" in text
    assert "<b>bold" not in text
    assert "x" * 40 not in text


def test_agreement_has_a_row_per_extractor_the_first_on_top() -> None:
    found = views(PAGE)
    picture = draw_agreement(PAGE, found)
    (heat,) = picture.figure["data"]
    assert picture.figure["layout"]["yaxis"]["ticktext"][-1] == "per_block"
    assert heat["z"][-1] == [0, 0, 0, 0, 1, 1, 0, 0]


TOKENS = tuple((n, n) for n in (0, 0, 1, 1, 2, 2, 3, 3, 3))
#: Signal, block -> sentence.
SAID: list[tuple[Signal, int, str]] = [
    (Signal("p", "block", (0.1,) * 8, 0.5), 3, "p 0.1, below 0.5, the threshold for main text"),
    (
        Signal("p", "block", (0.5,) * 8, 0.5, (3,)),
        3,
        "p 0.5, at least 0.5, the threshold for main text",
    ),
    (Signal("p", "block", (0.5,) * 8), 3, "p 0.5"),
    (
        per_node(("div",), div=0.5, ul=0.2),
        1,
        "outside <div#s1.story>, the element with the greatest P value (0.5); "
        "in <ul.menu>, P value 0.2, rank 2",
    ),
    (
        per_node(("div",), div=0.5),
        4,
        "inside <div#s1.story>, the element with the greatest P value (0.5)",
    ),
    (per_node(("div", "ul"), div=9.0, ul=0.2), 2, "in <ul.menu>, P value 0.2, rank 2"),
    (
        Signal("tags", "token", (0.0,) * 9, None, (3, 4, 5), TOKENS),
        3,
        "tokens 6 to 8, after the stretch from 3 to 5",
    ),
    (
        Signal("ratio", "line", (1.0, 8.0, 2.0), 5.0, (1,), ((0, 0), (1, 1), (1, 2))),
        1,
        "lines 2 to 3: ratio at most 8, at least 5, the threshold for main text",
    ),
    (
        Signal("ratio", "line", (1.0, 8.0), None, (1,), ((0, 0), (1, 1))),
        1,
        "line 2: ratio at most 8, 1 chosen",
    ),
]


@pytest.mark.parametrize(("signal", "block", "sentence"), SAID)
def test_a_signal_has_a_sentence_for_a_block(signal: Signal, block: int, sentence: str) -> None:
    assert explain(PAGE, [signal])[block] == [sentence]


def test_a_block_that_fails_a_stage_has_no_sentence_of_the_next() -> None:
    first = Signal("first", "block", (0.1, 0.9, 0.9, *[0.0] * 5), 0.5, (1,))
    second = Signal("second", "block", (0.8, 0.8, 0.2, *[0.0] * 5), 0.6, (1,))
    assert explain(PAGE, [first, second])[:3] == [
        ["first 0.1, below 0.5, the threshold for main text"],
        [
            "first 0.9, at least 0.5, the threshold for main text",
            "second 0.8, at least 0.6, the threshold for main text",
        ],
        [
            "first 0.9, at least 0.5, the threshold for main text",
            "second 0.2, below 0.6, the threshold for main text",
        ],
    ]


@pytest.mark.parametrize(("value", "block", "taken"), [(0.9, 1, "left"), (0.1, 0, "taken")])
def test_a_choice_that_numbers_do_not_explain_is_marked(
    value: float, block: int, taken: str
) -> None:
    found = explain(PAGE, [Signal("p", "block", (value,) * 8, 0.5, (0,))])
    assert found[block][1:] == [f"{taken} all the same, by a rule that has no numbers"]
    assert len(found[1 - block]) == 1


MODEL = load_fusion(None)
FEATURES = sorted(
    {*BLOCK_FEATURES, *CONTEXT_FEATURES, *STRUCTURE_FEATURES, *Levels._fields}
    | {*MODEL.first.features, *MODEL.second.features}
)
#: Values of features, with the extremes for none, far and no headline.
VALUES = (-1.0, 0.0, 0.004, 0.5, 1.0, 2.0, 7.0, 99.0, 999.0, 12_345.0)


@pytest.mark.parametrize("feature", FEATURES)
def test_every_feature_has_a_sentence_for_every_value(feature: str) -> None:
    assert feature in SENTENCES
    for value in VALUES:
        said = sentence(feature, value)
        assert "_" not in said
        assert "{" not in said
        assert re.match(r"[-a-z0-9<]", said)
        assert not said.endswith(".")
        assert len(said) < 110


def test_every_sentence_belongs_to_a_feature() -> None:
    assert set(SENTENCES) <= set(FEATURES)


@pytest.mark.parametrize(("feature", "value", "said"), CASES["sentences"])
def test_a_sentence_says_what_the_value_means(feature: str, value: float, said: str) -> None:
    assert sentence(feature, value) == said
