"""Features of the second pass and of the judge, expected F1."""

from array import array

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_webtext import extract
from scrapy_webtext.extractors.fusion.features.block_features import FeatureTable, compute_features
from scrapy_webtext.extractors.fusion.features.context import (
    CONTEXT_COLUMNS,
    CONTEXT_CONSTANTS,
    SCENARIOS,
    Groups,
    best_threshold,
    context_columns,
    context_constants,
    expected_f1,
)
from scrapy_webtext.extractors.fusion.features.declared import NO_TOKENS
from scrapy_webtext.extractors.fusion.features.page_features import article_block_features
from scrapy_webtext.extractors.fusion.features.templates import NO_TOKEN_SCORES
from scrapy_webtext.extractors.fusion.features.units import (
    Units,
    chances_of_units,
    undecided_units,
    unit_means,
)
from scrapy_webtext.page import parse

#: The second and third block are a unit of two, the element around it holds all.
UNITS = Units(
    first=array("q", [0, 1, 1, 3]),
    end=array("q", [1, 3, 3, 4]),
    around_first=array("q", [0] * 4),
    around_end=array("q", [4] * 4),
    is_prose=array("q", [90, 0, 0, 90]),
)
#: Words with one added: 10, 20, 10, 10.
BLOCKS = Groups([9, 19, 9, 9], template_id=[1, 2, 1, 2], container_id=[5, 5, 5, 6], units=UNITS)


FIRST = [0.9, 0.8, 0.1, 0.5]


def test_context_of_four_blocks_worked_by_hand() -> None:
    expected = {
        # means over the words of the same template and container
        "first_template": [0.5, 21 / 30, 0.5, 21 / 30],
        "template_words": [20, 30, 20, 30],
        "first_container": [26 / 40, 26 / 40, 26 / 40, 0.5],
        "container_words": [40, 40, 40, 10],
        # neighbours and distances
        "first_before": [0.0, 0.9, 0.8, 0.1],
        "first_after": [0.8, 0.1, 0.5, 0.0],
        "first_window_2": [26 / 40, 31 / 50, 31 / 50, 22 / 40],
        "first_position": [0, 9 / 31, 25 / 31, 26 / 31],
        # of the unit, of what is next to it, of the other blocks around it
        "unit_first": [0.9, 17 / 30, 17 / 30, 0.5],
        "unit_first_before": [-1, 0.9, 0.9, 0.1],
        "unit_first_after": [0.8, 0.5, 0.5, -1],
        "unit_first_prose_before": [-1, 0.9, 0.9, 0.9],
        "unit_first_prose_after": [0.5, 0.5, 0.5, -1],
        "unit_first_around": [22 / 40, 14 / 20, 14 / 20, 26 / 40],
    }
    columns = context_columns(BLOCKS, FIRST)
    assert columns.keys() == {*CONTEXT_COLUMNS}
    for name, values in expected.items():
        assert list(columns[name]) == pytest.approx(values), name


def test_blocks_of_a_unit_get_its_mean_by_words() -> None:
    assert unit_means(UNITS, BLOCKS.words, FIRST) == pytest.approx([0.9, 17 / 30, 17 / 30, 0.5])


def test_the_third_pass_reads_units_that_are_not_decided() -> None:
    means = [0.99, 0.5, 0.5, 0.01]
    assert undecided_units(UNITS, means) == [1]
    found = chances_of_units(UNITS, [0, 3], means, FIRST)
    assert [list(found[name]) for name in ("unit_before", "unit_after")] == [[-1, 0.5], [0.5, -1]]


def test_constants_of_the_page() -> None:
    constants = context_constants(BLOCKS, FIRST)
    assert tuple(constants) == CONTEXT_CONSTANTS
    assert constants["expected_words"] == pytest.approx(31)
    assert constants["expected_share"] == pytest.approx(31 / 50)
    assert constants["likely_share"] == pytest.approx(40 / 50)
    assert constants["expected_variance"] == pytest.approx((0.9 + 3.2 + 0.9 + 2.5) / 31)
    assert (constants["most_likely"], constants["sure_words"]) == (0.9, 10)


PAGE = parse(
    "<p>one two three four</p><p>five six</p>"
    "<p><a href='/'>one two three</a> four five six</p><p>one two three four five six seven</p>"
)


def table() -> FeatureTable:
    return compute_features(PAGE, NO_TOKENS, NO_TOKEN_SCORES)


def features(*probabilities: float) -> dict[str, float]:
    texts, repeated_items = table().texts, table().columns["items_count"]
    return article_block_features(texts.words, texts.link_density, repeated_items, probabilities)


def test_likely_blocks_are_told_by_their_words_and_how_they_follow_each_other() -> None:
    found = features(0.9, 0.1, 0.8, 0.6)
    assert list(table().texts.words) == [4, 2, 6, 7]
    assert found["likely_words"] == 17
    assert found["likely_share"] == pytest.approx(17 / 19)
    assert found["likely_rows"] == 2
    assert found["longest_share"] == pytest.approx(13 / 17)
    expected = 0.9 * 4 + 0.1 * 2 + 0.8 * 6 + 0.6 * 7
    assert found["expected_share"] == pytest.approx(expected / 19)
    unsure = 0.09 * 4 + 0.09 * 2 + 0.16 * 6 + 0.24 * 7
    assert found["expected_variance"] == pytest.approx(unsure / expected)
    assert found["likely_link_density"] == pytest.approx(6 * table().texts.link_density[2] / 17)


def test_sure_blocks_leave_no_doubt_and_a_page_without_likely_ones_has_none() -> None:
    assert features(1.0, 1.0, 1.0, 1.0)["expected_variance"] == 0
    assert not any(features(0.0, 0.0, 0.0, 0.0).values())


LIST = "".join(
    f'<li class="card"><a href="/p{n}">Product number {n} of the shop</a><span>$ {n}.99</span></li>'
    for n in range(40)
)


CLAIMS = (
    '<script type="application/ld+json">{"@type":"NewsArticle"}</script>'
    '<meta property="og:type" content="article">'
    '<meta property="article:published_time" content="2024-01-01">'
)


PROSE = "".join(
    f"<p>On day {n} she walked to the harbour, where the boats lay, and waited there until the "
    "evening. Nobody had been in the house before, so the rooms were cold.</p>"
    for n in range(8)
)


def probability(head: str, names: str, body: str, url: str | None = None) -> float:
    page = f"<head><title>Shoes</title>{head}</head><body class='{names}'><h1>Shoes</h1>{body}"
    found = extract(page, url=url, judge="learned").article_probability
    assert found is not None
    return found


@pytest.mark.parametrize("url", [None, "https://shop.test/2024/05/news/shoes-of-the-year.html"])
def test_claims_count_for_nothing_without_prose_that_bears_them_out(url: str | None) -> None:
    names = "single single-post article-page"
    claiming = probability(CLAIMS, names, f"<span class='byline author'>By A</span>{LIST}", url)
    assert claiming < 0.2
    assert probability(CLAIMS, names, PROSE, url) >= probability("", "", PROSE, url) > 0.5


PROBABILITIES = [0.9, 0.6, 0.1]


WORDS = [10, 10, 10]


def test_expected_f1_by_hand() -> None:
    # The text has 30 words in 2 scenarios of 20, 20 in 10, 10 in 6 and none in 2.
    both = (2 * 40 / 50 + 10 * 1 + 6 * 20 / 30) / 20
    one = (2 * 20 / 40 + 10 * 20 / 30 + 6 * 1) / 20
    assert expected_f1(PROBABILITIES, WORDS, [0, 1]) == pytest.approx(both)
    assert expected_f1(PROBABILITIES, WORDS, [0]) == pytest.approx(one)
    assert expected_f1(PROBABILITIES, WORDS, []) == 0


def test_the_threshold_of_the_greatest_expectation() -> None:
    assert 0.1 < best_threshold(PROBABILITIES, WORDS) < 0.6
    assert best_threshold([0.0, 0.01], [5, 5]) == 0
    assert best_threshold([], []) == 0


def mean_f_beta(pairs: list[tuple[float, int]], threshold: float, beta: float) -> float:
    """Expected F-beta of the blocks above a threshold, from precision and recall."""
    total = 0.0
    for u in SCENARIOS:
        taken, held, both = (
            sum(n for p, n in pairs if p > bound) for bound in (threshold, u, max(threshold, u))
        )
        if both:
            precision, recall = both / taken, both / held
            total += (1 + beta**2) * precision * recall / (beta**2 * precision + recall)
    return total / len(SCENARIOS)


@given(
    st.lists(st.tuples(st.floats(0, 1), st.integers(1, 500)), max_size=40),
    st.sampled_from([0.5, 1.0, 2.0]),
)
def test_no_other_threshold_promises_a_greater_f_beta(
    pairs: list[tuple[float, int]], beta: float
) -> None:
    probabilities, words = [p for p, _ in pairs], [n for _, n in pairs]
    threshold = best_threshold(probabilities, words, beta)
    best = mean_f_beta(pairs, threshold, beta)
    assert all(mean_f_beta(pairs, other, beta) <= best + 1e-9 for other in SCENARIOS)
    if beta == 1:
        chosen = [k for k, p in enumerate(probabilities) if p > threshold]
        assert expected_f1(probabilities, words, chosen) == pytest.approx(best)
