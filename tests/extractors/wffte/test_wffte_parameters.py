"""Parameters, odd pages, cost and properties."""

from __future__ import annotations

import gc
from collections.abc import Callable
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_webtext.errors import SettingsError
from scrapy_webtext.extractors.wffte import WffteExtractor
from scrapy_webtext.page import parse
from tests.extractors.wffte.pages import nested


@pytest.mark.parametrize("html", ["", " \n", "<body></body>", "<div><img></div>", "<nav>x</nav>"])
def test_a_page_without_text_gives_none_and_score_0(html: str) -> None:
    extraction = WffteExtractor().extract(parse(html))
    assert (extraction.text, extraction.score, extraction.chosen) == ("", 0.0, ())
    assert not any(WffteExtractor().signals(parse(html))[0].values)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"min_link_words": 0}, "min_link_words=0 is not allowed; use a whole number from 1 on"),
        ({"min_link_words": True}, "min_link_words=True"),
        ({"min_link_words": "5"}, "min_link_words='5'"),
        ({"noise": "loud"}, "noise='loud' is not allowed; use one of: semantic, paper"),
        ({"path_distance": "far"}, "path_distance='far'.*: example, equation"),
        ({"reading": "letter"}, "reading='letter' is not allowed; use one of: modern, paper"),
        ({"content": "all"}, "content='all'.*: by_page, own, contained"),
        ({"outside": True}, "outside=True.*: body, none"),
        ({"looks": "class"}, "looks='class'.*: attributes, style"),
        ({"merging": "all"}, "merging='all'.*: siblings, distance"),
        ({"coordinate": "far"}, "coordinate='far'.*: example, equation"),
        ({"stop_words": "few"}, "stop_words='few'.*: dropped, kept"),
        ({"q": 0}, "q=0 is not allowed; use a whole number from 1 on"),
        ({"alpha": -1}, "alpha=-1 is not allowed; use a number from 0 on"),
        ({"beta": float("nan")}, "beta=nan is not allowed"),
        ({"beta": "1"}, "beta='1' is not allowed"),
        ({"segmenter": "mecab"}, "segmenter='mecab'.*: auto, jieba, bigrams"),
    ],
)
def test_a_wrong_parameter_names_itself_its_value_and_what_is_allowed(
    options: dict[str, object], message: str
) -> None:
    with pytest.raises(SettingsError, match=message):
        WffteExtractor(**options)  # type: ignore[arg-type]


def test_the_letter_is_one_switch_and_single_parameters_win_over_it() -> None:
    letter = WffteExtractor(reading="paper")
    found = (letter.content, letter.min_link_words, letter.noise, letter.outside, letter.merging)
    assert found == ("contained", 1, "paper", "none", "distance")
    assert (letter.looks, letter.coordinate, letter.path_distance) == (
        "attributes",
        "example",
        "example",
    )
    assert (letter.q, letter.alpha, letter.beta) == (10, 0.5, 1.0)
    assert WffteExtractor(reading="paper", noise="semantic", min_link_words=3).noise == "semantic"
    assert WffteExtractor(reading="paper", noise="semantic").content == "contained"
    assert WffteExtractor().content == "by_page"


def test_a_page_as_deep_as_the_parser_allows_has_a_unique_path_for_each_container() -> None:
    labels, _ = nested("<div>" * 1500 + "deep")
    assert len(set(labels)) == len(labels) == 1501


@pytest.mark.parametrize(
    "build",
    [
        lambda n: "<div class=a>One, two.</div>" * n,
        lambda n: "".join(f"<div class=c{i}>Storm, {i}.</div>" for i in range(n)),
        lambda n: ("<div>" * 1000 + "Storm, storm. " + "</div>" * 1000) * (n // 1000),
        lambda n: "<h2>高考安排与北京市</h2><p>今年高考</p>" * (n // 4),
    ],
    ids=["one look", "many looks", "deep", "many headings"],
)
def test_time_is_linear_in_the_page(build: Callable[[int], str]) -> None:
    extractor = WffteExtractor(segmenter="bigrams")

    def seconds(n: int) -> float:
        page = parse(f"<title>Storm</title>{build(n)}")
        assert page.blocks
        times = []
        gc.disable()  # its cost grows with all that other tests left behind
        try:
            for _ in range(3):
                start = process_time()
                extractor.extract(page)
                times.append(process_time() - start)
        finally:
            gc.enable()
        return min(times)

    # Eight times the page: 8 where linear, 64 where quadratic.
    assert seconds(32_000) < 24 * seconds(4_000)


TREES = st.recursive(
    st.sampled_from(["One, two. ", "<p>A paragraph</p>", "<a>link</a>"]),
    lambda inner: st.builds(
        lambda tag, attribute, children: f"<{tag}{attribute}>{''.join(children)}</{tag}>",
        st.sampled_from(["div", "section", "span", "blockquote"]),
        st.sampled_from(["", " class=a", " class=b", " style='top:0'"]),
        st.lists(inner, max_size=4),
    ),
    max_leaves=30,
)


@given(TREES)
def test_paths_are_unique_and_give_coordinates_and_distances(html: str) -> None:
    labels, containers = nested(f"<body>{html}</body>")
    steps = [label.split("/") for label in labels]
    assert len(set(labels)) == len(labels)
    for row, path in enumerate(steps):
        serials = [int(step.rstrip("]").split("[")[1]) for step in path[2:]]
        total = sum(rd * 10.0**-n for n, rd in enumerate(serials))
        assert containers.coordinate[row] == pytest.approx(total)
    for i, one in enumerate(steps):
        for j, other in enumerate(steps):
            pre = sum(one[:n] == other[:n] for n in range(1, min(len(one), len(other)) + 1))
            distance = len(one) - pre + len(other) - pre - 1
            assert containers.path_distance(i, j) == distance


@given(st.text(max_size=400) | st.text("<>/adivp =\"'!-&;,.\n好，", max_size=200) | TREES)
def test_any_string_has_a_text_and_a_score_in_0_to_1_the_same_every_time(html: str) -> None:
    others = {"path_distance": "equation", "coordinate": "equation", "segmenter": "bigrams"}
    for extractor in (WffteExtractor(), WffteExtractor(reading="paper", **others)):  # type: ignore
        first, second = extractor.extract(parse(html)), extractor.extract(parse(html))
        assert first == second
        assert 0 <= first.score <= 1
        assert bool(first.text) == bool(first.score)
        assert list(first.chosen) == sorted(set(first.chosen))
