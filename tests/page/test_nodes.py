"""The columns of nodes."""

import pickle
import sys

import pytest

from scrapy_webtext.core.texts import Signs
from scrapy_webtext.page import parse
from scrapy_webtext.page.hidden import find_hidden_elements
from scrapy_webtext.page.nodes import attributes_of, nodes_of
from scrapy_webtext.page.shown_later import has_sentence

TEXTS = ["one", None, "", " \n", "\u3000two \u00e9\u6f22 \U0001f600\u2028", "\ud800"]
TAILS = [None, "\xa0", "x", None, " y ", "\u6f22"]
NODES = nodes_of(
    tag=["html", "p", "b", "", "p", "i"],
    parent=[-1, 0, 1, 0, 0, 4],
    end=[6, 3, 3, 4, 6, 6],
    attributes=attributes_of(["id", "\u00e9"], [0, 0, 2, 2, 2, 2, 2]),
    text=TEXTS,
    tail=TAILS,
)


def test_texts_are_indexed_sliced_and_iterated_as_lists_are() -> None:
    text = NODES.text
    assert [text[k] for k in range(-6, 6)] == TEXTS + TEXTS
    assert text[1:5] == TEXTS[1:5]
    assert text[::-2] == TEXTS[::-2]
    assert list(text) == TEXTS
    assert text != TAILS
    for k in (6, -7):
        with pytest.raises(IndexError):
            text[k]


def test_nodes_are_asked_by_their_tags() -> None:
    nodes = NODES
    assert nodes.tagged(frozenset({"p", ""})) == [1, 3, 4]
    assert nodes.tagged(frozenset({"main"})) == []
    assert nodes.tops(frozenset({"p", "b", "i"})) == [1, 4]
    assert nodes.tops(frozenset({"b", "i", "p"}), [2, 4, 5]) == [2, 4]
    assert list(nodes.nearest(frozenset({"p"}))) == [0, 1, 1, 0, 4, 4]
    assert nodes.inside(frozenset({"p"})) == bytearray(b"\0\1\1\0\1\1")
    assert nodes.below([2, 5]) == bytearray(b"\0\0\1\0\0\1")


def test_attributes_are_found_by_name_in_a_range_of_nodes() -> None:
    own = parse("<p id=a class=b>x<b CLASS=c d='&eacute;'>y<i>z").nodes.attributes
    names = {"class", "d", "none"}
    found = [(2, "class", "b"), (3, "class", "c"), (3, "d", "\u00e9")]
    assert own.named(names) == found
    assert own.named(names, 2, 3) == found[:1]
    assert own.named(names, 3) == found[1:]
    assert own.named(names, 4, 9) == own.named(names, 9, 2) == []


def test_a_page_outlives_a_pickle() -> None:
    page = parse("<p id=a title='\u00e9'>One <b>two</b> three<p>four")
    again = pickle.loads(pickle.dumps(page))
    assert again == page
    assert (again.nodes, again.runs, again.blocks) == (page.nodes, page.runs, page.blocks)


def test_white_space_is_what_python_calls_so() -> None:
    chars = [chr(k) for k in range(sys.maxunicode + 1) if k < 0x3100 or k % 0x101 == 0]
    n = len(chars)
    nodes = nodes_of(
        ["p"] * n,
        [-1] * n,
        list(range(1, n + 1)),
        attributes_of(["hidden", ""] * n, list(range(0, 2 * n + 1, 2))),
        [f"{char}\n{char}" for char in chars],
        [None] * n,
    )
    found = {one.node for one in find_hidden_elements(nodes, bytearray(n))}
    assert [k in found for k in range(n)] == [not char.isspace() for char in chars]


@pytest.mark.parametrize("edge", [" ", "\n\t", "\xa0", "\u3000", "\u2029 \x85"])
@pytest.mark.parametrize("inside", ["\u6f22", "a b", "\u00e9\u3000\u00e9", "\U0001f600 \u2003 x"])
def test_a_sentence_is_counted_in_characters_without_its_edges(edge: str, inside: str) -> None:
    times, more = divmod(60, len(inside))
    for chars, is_sentence in ((60, True), (59, False)):
        text = (inside * times + "x" * more)[60 - chars :].strip()
        text += "y" * (chars - len(text))
        one = [edge + text + edge]
        page = nodes_of(["p"], [-1], [1], attributes_of([], [0, 0]), one, [None])
        assert has_sentence(page, 0) is is_sentence


@pytest.mark.parametrize(
    ("value", "is_found"),
    [
        ("latex", True),
        ("img LaTeX", True),
        ("tex", True),
        ("a TEX b", True),
        ("text-center", False),
        ("tex\u00e9", False),
        ("\u212aatex", True),
        ("m\u00e4th", False),
        ("", False),
    ],
)
def test_a_sign_is_found_in_any_case_of_ascii_and_at_the_end(value: str, is_found: bool) -> None:
    attributes = parse(f"<p id=tex class='{value}'>x").nodes.attributes
    assert bool(attributes.with_signs({"class": Signs("atex", "tex ")})) == is_found
