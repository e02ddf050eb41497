"""Extractors that read text and tags alone are spared the attributes, and nobody else is."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_webtext.page import parse
from scrapy_webtext.registry import (
    EXTRACTORS,
    JUDGES,
    TEXT_ONLY,
    attributes_for,
    make_extractor,
    make_judge,
)
from tests import hostile
from tests.fuzz.pages import soup


@given(st.binary(max_size=300).map(soup) | st.sampled_from(list(hostile.SMALL.values())))
def test_they_and_the_judge_say_the_same_of_a_page_without_attributes(html: str | bytes) -> None:
    whole, bare = parse(html), parse(html, attributes="unread")
    judge = make_judge("pvalue")
    assert judge.judge(bare) == judge.judge(whole)
    for name in TEXT_ONLY:
        assert make_extractor(name).extract(bare) == make_extractor(name).extract(whole)


def test_whoever_asks_for_attributes_that_were_not_read_learns_why() -> None:
    page = parse("<p class=a>Text</p>", attributes="unread")
    for again in (page, pickle.loads(pickle.dumps(page))):
        with pytest.raises(RuntimeError, match='attributes="read"'):
            again.nodes.attributes[0]
        with pytest.raises(RuntimeError, match="were not read"):
            list(again.nodes.attributes)
    with pytest.raises(RuntimeError, match="were not read"):
        make_extractor("fusion").extract(page)


def test_attributes_are_read_unless_both_are_known_not_to_ask() -> None:
    unread = {
        (extractor, judge)
        for extractor in (*EXTRACTORS, "news.extractors.Own")
        for judge in (*JUDGES, "news.judges.Own")
        if attributes_for(extractor, judge, {}) == "unread"
    }
    assert unread == {(name, "pvalue") for name in TEXT_ONLY}
    assert attributes_for("bte", "pvalue", {"attributes": "paper"}) == "read"
    assert attributes_for(make_extractor("bte"), "pvalue", {}) == "read"
    assert attributes_for("bte", make_judge("pvalue"), {}) == "read"
