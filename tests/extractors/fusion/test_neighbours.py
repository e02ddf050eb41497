"""Where products are shown, blocks are judged with their neighbours."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_webtext.extractors.fusion.neighbours import ALIKE, with_neighbours
from scrapy_webtext.extractors.fusion.wording import KINDS

SHOP = tuple(float(kind == "product") for kind in KINDS)
FORUM = tuple(float(kind == "forum") for kind in KINDS)


def test_a_block_between_content_is_likelier_and_one_between_other_text_less_likely() -> None:
    among_content = with_neighbours(SHOP, [1.0, 0.5, 1.0])
    among_others = with_neighbours(SHOP, [0.0, 0.5, 0.0])
    odds = (ALIKE / (1 - ALIKE)) ** 2
    assert among_content[1] == pytest.approx(odds / (1 + odds))
    assert among_others[1] == pytest.approx(1 / (1 + odds))


def test_neighbours_of_whom_nothing_is_known_say_nothing() -> None:
    assert with_neighbours(SHOP, [0.5, 0.3, 0.5])[1] == pytest.approx(0.3)
    assert with_neighbours(SHOP, [0.3]) == pytest.approx([0.3])
    assert with_neighbours(SHOP, []) == []


def test_on_other_pages_blocks_stay_as_they_are() -> None:
    assert with_neighbours(FORUM, [1.0, 0.5, 1.0]) == [1.0, 0.5, 1.0]


@given(st.lists(st.floats(0, 1), max_size=9))
def test_what_comes_out_are_probabilities(probabilities: list[float]) -> None:
    found = with_neighbours(SHOP, probabilities)
    assert len(found) == len(probabilities)
    assert all(0 <= p <= 1 for p in found)
