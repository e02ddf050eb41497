"""Parameters of text-to-tag ratios, odd pages, properties."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrapy_webtext.errors import MissingExtraError, SettingsError
from scrapy_webtext.extractors.ttr import TextToTagRatioExtractor
from scrapy_webtext.extractors.ttr.clustering import (
    by_clusters,
    cluster_function,
    standard_deviation,
)
from scrapy_webtext.extractors.ttr.extractor import Clustering
from scrapy_webtext.extractors.ttr.ratios import explained_variance
from scrapy_webtext.page import parse
from scrapy_webtext.registry import make_extractor
from tests.extractors.ttr.pages import CLUSTERINGS, PARTS, STORY_TEXT, ratios_of

MARKUP = st.lists(
    st.sampled_from(["<p>", "</p>", "<a>x", "</a>", "<br>", "rain fell ", "\n", "<script>", "今"])
).map("".join)


def test_parameters_are_the_papers_by_default() -> None:
    assert TextToTagRatioExtractor().radius == 2
    assert TextToTagRatioExtractor(clustering="prediction").window == 3
    for clustering in ("kmeans", "em", "farthest_first"):
        assert TextToTagRatioExtractor(clustering=clustering).max_clusters == 3
        assert TextToTagRatioExtractor(clustering=clustering).coefficient == 1


def test_prediction_compares_with_no_threshold_and_clusters_with_one_standard_deviation() -> None:
    page = parse("\n".join(PARTS))
    prediction = TextToTagRatioExtractor(clustering="prediction").signals(page)
    assert [signal.threshold for signal in prediction] == [None, None]
    clusters = TextToTagRatioExtractor(clustering="farthest_first").signals(page)
    assert clusters[1].threshold == standard_deviation(clusters[1].values)


def test_raising_the_coefficient_from_0_to_2_takes_ever_fewer_lines() -> None:
    page = parse("\n".join(PARTS))
    chosen = [
        set(TextToTagRatioExtractor(coefficient=c / 4).signals(page)[1].selected) for c in range(9)
    ]
    assert len(chosen[0]) == len(TextToTagRatioExtractor().signals(page)[1].values)
    assert all(fewer <= more for more, fewer in pairwise(chosen))
    assert len(chosen[-1]) < len(chosen[0])


def test_score_is_the_share_of_variance_between_content_and_other_lines() -> None:
    # Mean 4, squared deviations 16 + 9 + 1 + 36 = 62. Means inside 10, outside 2: between them
    # 1 * 36 + 3 * 4 = 48.
    assert explained_variance([0, 1, 5, 10], [3]) == pytest.approx(48 / 62)
    assert explained_variance([1, 1, 9, 9], [2, 3]) == 1.0
    assert explained_variance([1, 2], []) == explained_variance([1, 2], [0, 1]) == 0.0


def test_letter_of_the_paper_counts_styles_indentation_and_entities_of_the_source() -> None:
    html = "<style>p{}</style>\n    <p>a&amp;b</p>"
    assert ratios_of(html, lines="source") == [3 / 2]
    assert ratios_of(html, lines="source", removed="scripts") == [3 / 2, 3 / 2]
    assert ratios_of(html, lines="source", whitespace="literal") == [11 / 2]


def test_only_ascii_characters_count_at_the_letter() -> None:
    html = "<p>Über雨 x</p>\n<p>abc</p>"
    for lines in ("source", "blocks"):
        assert (
            ratios_of(html, lines=lines)[-1] == ratios_of(html, lines=lines, characters="ascii")[-1]
        )
    assert ratios_of(html, lines="source") == [7 / 2, 3 / 2]
    assert ratios_of(html, lines="source", characters="ascii") == [5 / 2, 3 / 2]
    assert ratios_of(html, lines="blocks", characters="ascii") == [0, 0, 5 / 2, 3 / 2, 0, 0]
    hidden = "<p>abc</p><select><option>abc</option></select>"
    assert sum(ratios_of(hidden, lines="blocks", characters="ascii")) == 3 / 2


def test_the_letter_worked_by_hand_is_one_switch_over_which_parameters_win() -> None:
    # Styles are no scripts, indentation and entities count as they stand, 雨 is no ASCII.
    html = "<style>p{}</style>\n    <p>a&amp;b</p>\n<p>雨</p>\n<script>x</script>"
    raw, smoothed = TextToTagRatioExtractor(reading="paper").signals(parse(html))
    assert raw.values == (3 / 2, 11 / 2, 0)
    assert smoothed.values == pytest.approx([7 / 5, 7 / 5, 7 / 5])
    assert ratios_of(html, reading="paper", characters="all") == [3 / 2, 11 / 2, 1 / 2]
    letter = TextToTagRatioExtractor(reading="paper", removed="code")
    assert (letter.lines, letter.removed, letter.whitespace, letter.characters, letter.edges) == (
        "source",
        "code",
        "literal",
        "ascii",
        "zeros",
    )


def test_a_page_without_source_is_read_by_the_lines_of_its_tree() -> None:
    page = parse("".join(PARTS))  # on one line, so that blocks would be another text
    source = TextToTagRatioExtractor(lines="source")
    made = source.extract(replace(page, source=""))
    assert made.text == source.extract(page).text
    assert "Page 0" in made.text
    assert "Page 0" not in TextToTagRatioExtractor(lines="blocks").extract(page).text
    mail = parse("<pre>" + "> \n" * 20 + "\n".join(STORY_TEXT) + "\n--\n" * 20 + "</pre>")
    auto = TextToTagRatioExtractor()
    assert auto.extract(replace(mail, source="")).text == auto.extract(mail).text


@pytest.mark.parametrize(("clustering", "package"), [("kmeans", "cluster"), ("em", "mixture")])
def test_without_scikit_learn_the_extractor_is_refused_when_it_is_made(
    clustering: str, package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, f"sklearn.{package}", None)
    with pytest.raises(MissingExtraError, match=r"pip install '\.\[clustering\]'"):
        make_extractor("ttr", {"clustering": clustering})
    assert make_extractor("ttr", {"clustering": "farthest_first"}).name == "ttr"


def test_scikit_learn_is_imported_only_where_it_is_asked_for() -> None:
    code = (
        "from scrapy_webtext import extract; import sys;"
        "extract('<p>It rained.', extractor='ttr', clustering='farthest_first');"
        "print('sklearn' in sys.modules);"
        "extract('<p>It rained.', extractor='ttr', clustering='kmeans');"
        "print('sklearn' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "True"]


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"clustering": "k-means"}, "clustering='k-means'"),
        ({"lines": "auto "}, "lines='auto '"),
        ({"removed": "all"}, "removed='all'"),
        ({"whitespace": True}, "whitespace=True"),
        ({"coefficient": -1}, "coefficient=-1"),
        ({"coefficient": float("nan")}, "coefficient=nan"),
        ({"coefficient": "1"}, "coefficient='1'"),
        ({"radius": 1.5}, "radius=1.5"),
        ({"seed": -1, "clustering": "kmeans"}, "seed=-1"),
        ({"reading": "letter"}, "reading='letter'"),
        ({"characters": "latin"}, "characters='latin'"),
        ({"edges": "none"}, "edges='none'"),
        ({"window": 0, "clustering": "prediction"}, "window=0"),
        ({"max_clusters": 0, "clustering": "em"}, "max_clusters=0"),
        ({"window": 4}, "window does nothing with clustering='threshold'.*: prediction"),
        ({"max_clusters": 2, "clustering": "prediction"}, "max_clusters does nothing"),
        ({"seed": 3, "clustering": "farthest_first"}, "seed does nothing.*: em, kmeans"),
    ],
)
def test_a_value_that_is_not_allowed_is_named(options: dict[str, Any], named: str) -> None:
    with pytest.raises(SettingsError, match=named):
        TextToTagRatioExtractor(**options)


@pytest.mark.parametrize("clustering", CLUSTERINGS)
@pytest.mark.parametrize("html", ["", " \n ", "<p></p>", "<script>x</script>", "<!-- a -->"])
def test_a_page_without_text_gives_none(clustering: Clustering, html: str) -> None:
    extraction = TextToTagRatioExtractor(clustering=clustering).extract(parse(html))
    assert (extraction.text, extraction.score, extraction.chosen) == ("", 0.0, ())


@pytest.mark.parametrize("clustering", CLUSTERINGS)
@pytest.mark.parametrize("lines", ["auto", "source", "blocks"])
def test_a_page_of_one_line_is_all_content(clustering: Clustering, lines: Any) -> None:
    extractor = TextToTagRatioExtractor(clustering=clustering, lines=lines)
    extraction = extractor.extract(parse("It rained all day long."))
    assert (extraction.text, extraction.chosen) == ("It rained all day long.", (0,))


@pytest.mark.parametrize("lines", ["auto", "source", "blocks"])
@pytest.mark.parametrize("clustering", ["threshold", "prediction", "farthest_first"])
@given(html=MARKUP | st.text())
def test_any_string_gives_the_same_text_each_time_and_a_score_in_the_unit_interval(
    html: str, clustering: Clustering, lines: Any
) -> None:
    extractor = TextToTagRatioExtractor(clustering=clustering, lines=lines)
    first = extractor.extract(parse(html))
    assert first == extractor.extract(parse(html))
    assert 0 <= first.score <= 1
    assert bool(first.text) == bool(first.chosen)


def test_lines_of_nothing_that_is_seen_are_no_text() -> None:
    extraction = TextToTagRatioExtractor(lines="source").extract(parse("<p>\u00ad</p>\n\u200b"))
    assert (extraction.text, extraction.score, extraction.chosen) == ("", 0.0, ())


@pytest.mark.parametrize("clustering", ["kmeans", "em"])
@settings(max_examples=25)
@given(html=MARKUP)
def test_any_string_is_clustered_the_same_each_time(html: str, clustering: Clustering) -> None:
    extractor = TextToTagRatioExtractor(clustering=clustering)
    first = extractor.extract(parse(html))
    assert first == extractor.extract(parse(html))
    assert 0 <= first.score <= 1


@pytest.mark.parametrize("clustering", ["kmeans", "em", "farthest_first"])
@settings(max_examples=25)
@given(ratios=st.lists(st.floats(0, 1e7), min_size=1, max_size=30))
def test_any_ratios_can_be_clustered(ratios: list[float], clustering: str) -> None:
    chosen = by_clusters(ratios, cluster_function(clustering, 0))
    assert chosen == sorted(set(chosen))
    assert all(0 <= k < len(ratios) for k in chosen)
