"""Text-to-tag ratios: algorithm 1 and equation 1 worked by hand, five clusterings, laws."""

import sys
from collections.abc import Iterable
from dataclasses import replace
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrapy_webtext.errors import MissingExtraError
from scrapy_webtext.extractors import ttr
from scrapy_webtext.extractors.readings import BlockLines, Reading, SourceLines
from scrapy_webtext.page import parse
from scrapy_webtext.registry import make_extractor

#: Prose between navigation, on one line and on many.
STORY = [f"<p>Rain fell on the town all day long, for the {n}. time.</p>" for n in range(9)]


LINKS = [f"<li><a href='/{n}'>Page {n}</a></li>" for n in range(30)]


PARTS = ["<ul>", *LINKS, "</ul>", *STORY, "<ul>", *LINKS, "</ul>"]
PAGE = parse("\n".join(PARTS))


STORY_TEXT = [f"Rain fell on the town all day long, for the {n}. time." for n in range(9)]
MAIL = "<pre>" + "> \n" * 20 + "\n".join(STORY_TEXT) + "\n--\n" * 20 + "</pre>"


CLUSTERINGS = get_args(ttr.Clustering)


# Worked by hand, line by line (algorithm 1):
#
#   line                                     characters  tags  ratio
#   <html><body>                                      0     2   0
#   <a>Home</a> <a>News</a>                           9     4   2.25
#   <p>It rained all day long.</p>                   23     2  11.5
#   Nobody went out.                                 16     0  16
#   <script>var a = 1;</script>                 removed, and the empty line with it
#   <p>Bye.</p>                                       4     2   2
#   </body></html>                                    0     2   0
WORKED = """<html><body>
<a>Home</a> <a>News</a>
<p>It rained all day long.</p>
Nobody went out.
<script>var a = 1;</script>

<p>Bye.</p>
</body></html>
"""


WORKED_RATIOS = [0, 2.25, 11.5, 16, 2, 0]


def test_ratio_of_each_line_is_that_of_algorithm_1_worked_by_hand() -> None:
    raw, _ = ttr.TextToTagRatioExtractor(reading="paper").signals(parse(WORKED))
    assert list(raw.values) == WORKED_RATIOS


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        # eq. 1: e_2 = (0 + 2.25 + 11.5 + 16 + 2) / 5; the first line has two neighbours
        (ttr.smooth(WORKED_RATIOS, 2)[2], 31.75 / 5),
        (ttr.smooth(WORKED_RATIOS, 2)[0], (0 + 2.25 + 11.5) / 3),
        (ttr.smooth(WORKED_RATIOS, 2)[5], (16 + 2 + 0) / 3),
        (ttr.smooth(WORKED_RATIOS, 0), WORKED_RATIOS),
        # the same with the constant divisor
        (ttr.smooth(WORKED_RATIOS, 2, "paper")[2], 31.75 / 5),
        (ttr.smooth(WORKED_RATIOS, 2, "paper")[0], 13.75 / 5),
        (ttr.smooth(WORKED_RATIOS, 2, "paper")[1], (0 + 2.25 + 11.5 + 16) / 5),
        (ttr.smooth([3], 2, "paper"), [3 / 5]),
        # mean 3, squared deviations 4 + 4 + 4 + 36: standard deviation sqrt(12) = 3.46
        (ttr.standard_deviation([1, 1, 1, 9]), 12**0.5),
        (ttr.above_threshold([1, 1, 1, 9], 1.0), [3]),
        (ttr.above_threshold([1, 1, 1, 9], 0.25), [0, 1, 2, 3]),
        (ttr.above_threshold([1, 1, 1, 9], 2.6), []),
        (ttr.above_threshold([0, 0], 1.0), [0, 1]),  # a ratio at the threshold is enough
        # Standard deviation 22.6. Line 3 is 50 above the mean of lines 0 to 2: a section begins.
        # Line 6 is 50 - (40 + 0 + 0) / 3 = 36.7 above the mean of the next three: the last line.
        # Line 7 is 40, below the mean 45 of lines 4 to 6: no new section.
        (ttr.by_prediction([0, 0, 0, 50, 40, 45, 50, 40, 0, 0, 0]), [3, 4, 5, 6]),
        # Half of the lines at 0, half at 2: standard deviation 1. A jump of just the coefficient
        # begins a section.
        (ttr.by_prediction([0, 0, 0, 2, 2, 2], 2.0), [3, 4, 5]),
        (ttr.by_prediction([0, 0, 0, 2, 2, 2], 2.01), []),
        # Line 0 is 2 above no lines. Line 2 is 2 above the next three; lines 0 and 1 at most 4/3.
        (ttr.by_prediction([2, 2, 2, 0, 0, 0], 2.0), [0, 1, 2]),
        (ttr.by_prediction([2, 2, 2, 0, 0, 0], 1.3), [0, 1]),
        # Standard deviation sqrt(6), times the coefficient 3: a cluster at 3 is not above it.
        (ttr.high_clusters([-3.0, 0.0, 3.0], [0, 1, 2], 3 / 6**0.5 + 1e-9), []),
        (ttr.high_clusters([-3.0, 0.0, 3.0], [0, 1, 2], 3 / 6**0.5 - 1e-9)[0], [2]),
        (ttr.high_clusters([0.0, 2.0], [0, 0], 1.0), []),  # mean 1, standard deviation 1
        # Standard deviation 28.3. Two clusters: 40 goes with the zeros. Three: 40 and 90 are above.
        (ttr.by_clusters([0] * 8 + [40, 90], ttr.farthest_first), [8, 9]),
        (ttr.by_clusters([0] * 8 + [40, 90], ttr.farthest_first, 1.5), [9]),
        # Centres 0 (the first line), 52 (farthest from 0), 20 (12, 48 and 50 are nearer to one).
        (ttr.farthest_first([0, 12, 20, 48, 50, 52], 3), [0, 2, 2, 1, 1, 1]),
        (ttr.farthest_first([0, 12, 20, 48, 50, 52], 1), [0] * 6),
        # Mean 4, squared deviations 16 + 9 + 1 + 36 = 62. Means inside 10, outside 2: between them
        # 1 * 36 + 3 * 4 = 48.
        (ttr.explained_variance([0, 1, 5, 10], [3]), 48 / 62),
        (ttr.explained_variance([1, 1, 9, 9], [2, 3]), 1.0),
        (ttr.explained_variance([1, 2], []), 0.0),
        (ttr.explained_variance([1, 2], [0, 1]), 0.0),
    ],
)
def test_each_step_has_the_values_worked_by_hand(found: object, expected: object) -> None:
    assert found == pytest.approx(expected)


def test_modern_takes_source_lines_if_blocks_have_many() -> None:
    mail = parse(MAIL)
    assert isinstance(ttr.lines_of(mail, "modern"), SourceLines)
    assert isinstance(ttr.lines_of(PAGE, "modern"), BlockLines)
    modern = ttr.TextToTagRatioExtractor()
    assert modern.extract(mail).chosen == (0,)
    assert modern.extract(replace(mail, body=b"")).text == modern.extract(mail).text


def test_signals_are_raw_and_smoothed_ratios_with_threshold_and_lines() -> None:
    raw, smoothed = ttr.TextToTagRatioExtractor(coefficient=0.5).signals(PAGE)
    assert (raw.name, raw.unit) == ("text_to_tag_ratio", "line")
    assert (smoothed.name, smoothed.unit) == ("smoothed_text_to_tag_ratio", "line")
    assert list(smoothed.values) == ttr.smooth(raw.values, 2)
    assert smoothed.threshold == 0.5 * ttr.standard_deviation(smoothed.values)
    lines = enumerate(smoothed.values)
    assert smoothed.selected == tuple(k for k, value in lines if value >= smoothed.threshold)
    # A line with tags and no text has no blocks.
    raw, smoothed = ttr.TextToTagRatioExtractor().signals(parse("<ul><li><img></ul><p>Text</p>"))
    found = [span for span, ratio in zip(raw.blocks, raw.values, strict=True) if ratio]
    assert found == [span for span in raw.blocks if span] == [(0, 0)]


@pytest.mark.parametrize("reading", get_args(Reading))
def test_each_line_of_the_signals_has_its_blocks(reading: Reading) -> None:
    extractor = ttr.TextToTagRatioExtractor(reading)
    raw, smoothed = extractor.signals(PAGE)
    assert raw.blocks == smoothed.blocks
    assert len(raw.blocks) == len(raw.values)

    def held(lines: Iterable[int]) -> set[int]:
        spans = [raw.blocks[k] for k in lines]
        return {b for span in spans if span for b in range(span[0], span[1] + 1)}

    assert held(range(len(raw.blocks))) == set(range(len(PAGE.blocks)))
    assert held(raw.selected) == set(extractor.extract(PAGE).chosen)


@pytest.mark.parametrize("clustering", CLUSTERINGS)
def test_each_clustering_has_its_ratios_threshold_and_score(clustering: ttr.Clustering) -> None:
    extractor = ttr.TextToTagRatioExtractor(clustering=clustering)
    raw, smoothed = extractor.signals(PAGE)
    chosen = list(raw.selected)
    assert chosen == list(smoothed.selected)
    used = raw if clustering == "prediction" else smoothed
    assert extractor.extract(PAGE).score == ttr.explained_variance(used.values, chosen)
    is_compared = clustering != "prediction"
    assert smoothed.threshold == (ttr.standard_deviation(smoothed.values) if is_compared else None)
    assert raw.threshold is None
    assert chosen
    assert (
        ttr.TextToTagRatioExtractor(clustering=clustering, coefficient=50).extract(PAGE).text == ""
    )


def test_of_equal_numbers_of_high_clusters_fewer_clusters_are_taken() -> None:
    # Standard deviation 22.7. One cluster: mean 15.1, none above. Two: {0, 0, 0, 2, 2} and
    # {50, 52}, one above. Three: {0, 0, 0}, {2, 2}, {50, 52}, again one: two clusters win.
    ratios = [0, 0, 0, 2, 2, 50, 52]
    assert ttr.standard_deviation(ratios) == pytest.approx(22.7, abs=0.01)
    tried = []

    def cluster(values: Any, clusters: int) -> list[int]:
        tried.append(clusters)
        return ttr.farthest_first(values, clusters)

    assert ttr.by_clusters(ratios, cluster) == [5, 6]
    assert tried == [1, 2, 3]


@pytest.mark.parametrize("clustering", CLUSTERINGS)
@pytest.mark.parametrize("separator", ["\n", ""])
def test_every_clustering_finds_the_story_on_one_line_or_many(
    clustering: ttr.Clustering, separator: str
) -> None:
    page = parse(separator.join(PARTS))
    lines = ttr.TextToTagRatioExtractor(clustering=clustering).extract(page).text.split("\n")
    found = [line for line in lines if line.startswith("Rain")]
    # Prediction ends two lines early: there the mean of the next three lines falls.
    assert found == (STORY_TEXT[:-2] if clustering == "prediction" else STORY_TEXT)
    # Smoothing lifts the neighbours of the story, up to three links at either end with EM.
    assert len(lines) - len(found) <= 6


def test_paper_counts_styles_indentation_entities_and_only_ascii() -> None:
    # Styles are no scripts, indentation and entities count as in the source, 雨 is no ASCII.
    html = "<style>p{}</style>\n    <p>a&amp;b</p>\n<p>雨</p>\n<script>x</script>"
    raw, smoothed = ttr.TextToTagRatioExtractor(reading="paper").signals(parse(html))
    assert raw.values == (3 / 2, 11 / 2, 0)
    assert smoothed.values == pytest.approx([7 / 5, 7 / 5, 7 / 5])


def test_paper_takes_all_of_a_page_on_one_line() -> None:
    page = parse("".join(PARTS))
    text = ttr.TextToTagRatioExtractor("paper").extract(page).text
    assert ttr.TextToTagRatioExtractor("paper").extract(replace(page, body=b"")).text == text
    assert "Page 0" in text
    assert "Page 29" in text
    assert "Page 0" not in ttr.TextToTagRatioExtractor().extract(page).text


@pytest.mark.parametrize(("clustering", "package"), [("kmeans", "cluster"), ("em", "mixture")])
def test_without_scikit_learn_making_the_extractor_raises(
    clustering: str, package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, f"sklearn.{package}", None)
    with pytest.raises(MissingExtraError, match=r"pip install '\.\[lab\]'"):
        make_extractor("ttr", {"clustering": clustering})
    assert make_extractor("ttr", {"clustering": "farthest_first"}).name == "ttr"


@pytest.mark.parametrize("clustering", CLUSTERINGS)
@pytest.mark.parametrize("reading", get_args(Reading))
def test_a_page_of_one_line_is_all_content(clustering: ttr.Clustering, reading: Reading) -> None:
    extractor = ttr.TextToTagRatioExtractor(reading, clustering)
    extraction = extractor.extract(parse("It rained all day long."))
    assert (extraction.text, extraction.chosen) == ("It rained all day long.", (0,))


def test_lines_of_invisible_characters_are_no_text() -> None:
    extraction = ttr.TextToTagRatioExtractor("paper").extract(parse("<p>\u00ad</p>\n\u200b"))
    assert (extraction.text, extraction.score, extraction.chosen) == ("", 0.0, ())


@pytest.mark.parametrize("clustering", ["kmeans", "em", "farthest_first"])
@settings(max_examples=25)
@given(ratios=st.lists(st.floats(0, 1e7), min_size=1, max_size=30))
def test_any_ratios_can_be_clustered(ratios: list[float], clustering: str) -> None:
    chosen = ttr.by_clusters(ratios, ttr.cluster_function(clustering))
    assert chosen == sorted(set(chosen))
    assert all(0 <= k < len(ratios) for k in chosen)
