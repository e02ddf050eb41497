"""What the judge ``learned`` is told of the blocks of a page."""

import pytest

from scrapy_webtext import extract
from scrapy_webtext.extractors.fusion.features.block_features import FeatureTable, compute_features
from scrapy_webtext.extractors.fusion.features.class_names import NO_CLASS_NAMES
from scrapy_webtext.extractors.fusion.features.page_features import article_block_features
from scrapy_webtext.extractors.fusion.features.short_texts import NO_TOKEN_SCORES
from scrapy_webtext.page import parse

PAGE = parse(
    "<p>one two three four</p><p>five six</p>"
    "<p><a href='/'>one two three</a> four five six</p><p>one two three four five six seven</p>"
)


def table() -> FeatureTable:
    return compute_features(PAGE, NO_CLASS_NAMES, NO_TOKEN_SCORES)


def features(*probabilities: float) -> dict[str, float]:
    texts, repeated_items = table().texts, table().columns["repeated_items"]
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
