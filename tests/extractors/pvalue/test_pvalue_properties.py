"""P against its definitions, on made-up pages."""

from __future__ import annotations

import re
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_webtext.extractors.pvalue import PValueExtractor
from scrapy_webtext.extractors.pvalue.lengths import (
    Attributes,
    Whitespace,
)
from scrapy_webtext.page import parse
from tests.fuzz.pages import soup

WORDS = st.text("abcdefg", min_size=1, max_size=8)


LINKS = WORDS.map(lambda word: f"<a>{word}</a>")


TREES = st.recursive(
    WORDS | LINKS,
    lambda inner: st.builds(
        lambda tag, children: f"<{tag}>{''.join(children)}</{tag}>",
        st.sampled_from(["div", "span", "section"]),
        st.lists(inner, max_size=4),
    ),
    max_leaves=25,
)


TAG = re.compile(r"<[^>]*>")


def by_definition(html: str) -> list[float]:
    """P of every element of well-formed HTML without attributes, by cutting strings."""
    elements = []
    for start in re.finditer(r"<(\w+)>", html):
        depth = 0
        for tag in re.finditer(r"<(/?)\w+>", html[start.start() :]):
            depth += -1 if tag[1] else 1
            if depth == 0:
                elements.append(html[start.start() : start.start() + tag.end()])
                break

    def text(piece: str) -> int:
        return len(TAG.sub("", piece))

    def valid(piece: str) -> int:
        return text(re.sub(r"<a>.*?</a>", "", piece))

    total = valid(html)
    return [
        0.0 if e.startswith("<a>") or not total else text(e) / len(e) * valid(e) / total
        for e in elements
    ]


@given(TREES)
def test_p_is_what_the_definitions_say_of_the_source(tree: str) -> None:
    html = f"<html><body><div>{tree}</div></body></html>"
    assert PValueExtractor().values(parse(html)).p == pytest.approx(by_definition(html))


@given(TREES | st.binary(max_size=200).map(soup), st.sampled_from(["paper", "none"]))
def test_the_search_finds_the_first_greatest_of_all_p(html: str, attributes: Attributes) -> None:
    for whitespace in get_args(Whitespace):
        for rest in ({}, {"reading": "paper"}, {"empty": "dropped"}):
            extractor = PValueExtractor(attributes, whitespace, **rest)  # type: ignore[arg-type]
            values = extractor.values(parse(html))
            greatest = max(values.p, default=0.0)
            assert values.page == greatest
            assert values.best == (values.p.index(greatest) if greatest else -1)


@given(st.text(max_size=400) | st.text("<>/abp =\"'!-&;\n", max_size=200))
def test_any_string_has_a_p_in_0_to_1_the_same_every_time(html: str) -> None:
    others = (PValueExtractor("none", "literal"), PValueExtractor(reading="paper"))
    for extractor in (PValueExtractor(), *others):
        first, second = extractor.extract(parse(html)), extractor.extract(parse(html))
        assert first == second
        assert 0 <= first.score <= 1
        assert bool(first.text) == bool(first.score)
