"""Threshold, prediction and clusterings of text-to-tag ratios."""

from __future__ import annotations

from typing import Any

import pytest

from scrapy_webtext.extractors.ttr import TextToTagRatioExtractor
from scrapy_webtext.extractors.ttr.clustering import (
    above_threshold,
    by_clusters,
    by_prediction,
    cluster_function,
    farthest_first,
    high_clusters,
    standard_deviation,
)
from scrapy_webtext.extractors.ttr.ratios import explained_variance
from scrapy_webtext.page import parse
from tests.extractors.ttr.pages import CLUSTERINGS, PARTS, STORY_TEXT, text_of


def test_threshold_is_a_multiple_of_the_standard_deviation() -> None:
    # Mean 3, squared deviations 4 + 4 + 4 + 36: standard deviation sqrt(12) = 3.46.
    ratios = [1, 1, 1, 9]
    assert standard_deviation(ratios) == pytest.approx(12**0.5)
    assert above_threshold(ratios, 1.0) == [3]
    assert above_threshold(ratios, 0.25) == [0, 1, 2, 3]
    assert above_threshold(ratios, 2.6) == []
    assert above_threshold([0, 0], 1.0) == [0, 1]  # at the threshold is enough


def test_prediction_enters_by_a_jump_and_leaves_before_a_fall() -> None:
    # Mean 225/11, standard deviation 22.6. Line 3 is 50 above the mean of lines 0 to 2: enter.
    # Line 6 is 50 - (40 + 0 + 0) / 3 = 36.7 above the mean of the next three: the last one in.
    # Line 7 is 40, below the mean 45 of lines 4 to 6: no new section.
    ratios = [0, 0, 0, 50, 40, 45, 50, 40, 0, 0, 0]
    assert standard_deviation(ratios) == pytest.approx(22.61, abs=0.01)
    assert by_prediction(ratios) == [3, 4, 5, 6]


def test_prediction_enters_and_leaves_where_a_jump_is_just_as_great_as_asked_for() -> None:
    # Half of the lines at 0, half at 2: mean 1, standard deviation 1.
    rise, fall = [0, 0, 0, 2, 2, 2], [2, 2, 2, 0, 0, 0]
    assert standard_deviation(rise) == standard_deviation(fall) == 1
    assert by_prediction(rise, 2.0) == [3, 4, 5]
    assert by_prediction(rise, 2.01) == []
    # Line 0 is 2 above nothing. Line 2 is 2 above the next three; lines 0 and 1 are 4/3 at most.
    assert by_prediction(fall, 2.0) == [0, 1, 2]
    assert by_prediction(fall, 1.3) == [0, 1]


def test_prediction_compares_with_three_lines_or_with_as_many_as_asked_for() -> None:
    # Line 4 is 12 above the mean of the three lines before it, and 9.75 above that of four.
    ratios = [9.0, 0.0, 0.0, 0.0, 12.0]
    by = 10.5 / standard_deviation(ratios)
    assert by_prediction(ratios, by) == [4]
    assert by_prediction(ratios, by, window=4) == []
    # Line 0 is 12 above the mean of the next three; 9 above that of four, so that it goes on.
    ratios = [12.0, 0.0, 0.0, 0.0, 12.0]
    by = 10.5 / standard_deviation(ratios)
    assert by_prediction(ratios, by) == [0, 4]
    assert by_prediction(ratios, by, window=4) == [0, 1, 2, 3, 4]


def test_a_cluster_at_the_threshold_is_not_above_it() -> None:
    # Of -3, 0, 3 the standard deviation is sqrt(6); a coefficient makes it 3.
    ratios = [-3.0, 0.0, 3.0]
    by = 3 / standard_deviation(ratios)
    assert by * standard_deviation(ratios) == 3.0
    assert high_clusters(ratios, [0, 1, 2], by) == []
    assert high_clusters(ratios, [0, 1, 2], by - 1e-9) == [[2]]


def test_no_more_clusters_are_tried_than_asked_for() -> None:
    ratios = [0] * 8 + [40, 90]
    assert by_clusters(ratios, farthest_first, max_clusters=3) == [8, 9]
    assert by_clusters(ratios, farthest_first, max_clusters=2) == [9]


def test_the_coefficient_is_the_threshold_of_every_clustering() -> None:
    ratios = [0] * 8 + [40, 90]
    assert by_clusters(ratios, farthest_first, 1.5) == [9]  # 42.4: 40 is no longer above
    page = parse("\n".join(PARTS))
    for clustering in CLUSTERINGS:
        chosen = [
            TextToTagRatioExtractor(clustering=clustering, coefficient=c).extract(page).chosen
            for c in (1, 50)
        ]
        assert chosen[0] != chosen[1] == (), clustering


def test_prediction_is_fed_raw_ratios_and_the_others_smoothed_ones() -> None:
    page = parse("\n".join(PARTS))
    for clustering in CLUSTERINGS:
        extractor = TextToTagRatioExtractor(clustering=clustering)
        raw, smoothed = (list(signal.values) for signal in extractor.signals(page))
        chosen = list(extractor.signals(page)[0].selected)
        if clustering == "prediction":
            assert chosen == by_prediction(raw) != by_prediction(smoothed)
        elif clustering == "threshold":
            assert chosen == above_threshold(smoothed, 1.0) != above_threshold(raw, 1.0)
        else:
            cluster = cluster_function(clustering, 0)
            assert chosen == by_clusters(smoothed, cluster) != by_clusters(raw, cluster)


def test_the_score_is_of_the_ratios_that_decided() -> None:
    page = parse("\n".join(PARTS))
    for clustering in CLUSTERINGS:
        extractor = TextToTagRatioExtractor(clustering=clustering)
        raw, smoothed = extractor.signals(page)
        decided_by = raw if clustering == "prediction" else smoothed
        expected = explained_variance(decided_by.values, raw.selected)
        assert extractor.extract(page).score == expected


def test_clusters_above_one_standard_deviation_are_content_and_ties_go_to_fewer_clusters() -> None:
    # Standard deviation 22.7. One cluster: mean 15.1, none above. Two: {0, 0, 0, 2, 2} and
    # {50, 52}, one above. Three: {0, 0, 0}, {2, 2}, {50, 52}, again one: two clusters win.
    ratios = [0, 0, 0, 2, 2, 50, 52]
    assert standard_deviation(ratios) == pytest.approx(22.7, abs=0.01)
    tried = []

    def cluster(values: Any, clusters: int) -> list[int]:
        tried.append(clusters)
        return farthest_first(values, clusters)

    assert by_clusters(ratios, cluster) == [5, 6]
    assert tried == [1, 2, 3]


def test_the_number_of_clusters_with_most_above_one_standard_deviation_wins() -> None:
    # Standard deviation 28.3. Two clusters: 40 goes with the zeros. Three: 40 and 90 are above.
    ratios = [0] * 8 + [40, 90]
    assert by_clusters(ratios, farthest_first) == [8, 9]


def test_farthest_first_puts_centres_far_apart_and_lines_to_the_nearest() -> None:
    # Centres 0 (the first line), 52 (farthest from 0), 20 (20 from 0; 12, 48 and 50 are nearer).
    assert farthest_first([0, 12, 20, 48, 50, 52], 3) == [0, 2, 2, 1, 1, 1]
    assert farthest_first([0, 12, 20, 48, 50, 52], 1) == [0] * 6


@pytest.mark.parametrize("clustering", ["kmeans", "em", "farthest_first"])
def test_two_plain_groups_are_found_by_every_clustering(clustering: str) -> None:
    ratios = [0.0, 1.0, 0.5, 0.0, 90.0, 91.0, 92.0, 0.5, 1.0]
    assert by_clusters(ratios, cluster_function(clustering, 0)) == [4, 5, 6]


@pytest.mark.parametrize("clustering", CLUSTERINGS)
@pytest.mark.parametrize("separator", ["\n", ""])
def test_story_between_links_is_found_by_every_clustering_on_one_line_or_many(
    clustering: str, separator: str
) -> None:
    lines = text_of(separator.join(PARTS), clustering=clustering).split("\n")
    found = [line for line in lines if line.startswith("Rain")]
    # Prediction leaves two lines early: from there the mean of the next three has fallen.
    assert found == (STORY_TEXT[:-2] if clustering == "prediction" else STORY_TEXT)
    # Smoothing lifts the neighbours of the story, up to three links at either end with EM.
    assert len(lines) - len(found) <= 6
