from math import sqrt

import pytest

from scrapy_webtext.core.distinct import TokenTable
from scrapy_webtext.errors import ModelError
from scrapy_webtext.extractors.fusion.features.block_features import FeatureTable, compute_features
from scrapy_webtext.extractors.fusion.features.declared import (
    NO_TOKENS,
    OPENING_WORDS,
    bag_score,
    bag_scores,
    read_weights,
)
from scrapy_webtext.extractors.fusion.features.templates import NO_TOKEN_SCORES
from scrapy_webtext.models import ModelFile
from scrapy_webtext.page import Page, parse
from tests.kits.data import read_json
from training.examples import page_class_names, terms
from training.model_file import write_bag_of_words

CASES = read_json(__file__, "bag_of_words.json")

SENTENCE = "Rain fell over the valley all night, and the river rose by a metre before noon. "
PAGE = parse(f"""
<title>Rain, 2026</title>
<meta property=og:type content=Article><meta name=Author content="A. Penn">
<meta name=viewport content=width><meta content=nothing>
<script type="application/ld+json">{{"@type": "NewsArticle"}}</script>
<body class=single-post>
<p class=lead>{SENTENCE}
<p class=lead>{SENTENCE}
<p>Share this
""")


def table(page: Page, class_names: TokenTable = NO_TOKENS) -> FeatureTable:
    return compute_features(page, class_names, NO_TOKEN_SCORES)


def test_terms_are_the_words_of_title_and_opening_and_what_the_page_declares() -> None:
    found = terms(PAGE, table(PAGE))
    assert {"title rain", "rain", "valley", "noon"} <= found
    assert {"meta og:type", "meta og:type=article", "meta author", "NewsArticle"} <= found
    assert not found & {"title", "title 2026", "share", "meta author=a. penn", "meta "}


def test_no_more_than_the_opening_is_looked_at() -> None:
    words = [f"{chr(97 + k // 26)}{chr(97 + k % 26)}x" for k in range(26 * 26)]
    page = parse("".join(f"<p>{' '.join(words[k : k + 30])}." for k in range(0, 600, 30)))
    assert terms(page, table(page)) == set(words[:OPENING_WORDS])


def test_a_bag_has_the_sum_of_weights_by_the_root_of_their_number() -> None:
    assert bag_score([1.0, -0.5, 0.0]) == 0.5 / sqrt(3)
    assert bag_score([]) == 0


def test_a_name_counts_once_however_many_elements_have_it() -> None:
    names = TokenTable({}, {"lead": 2.0, "post": 1.0, "single": 0.5, "unseen": 9.0})
    terms = TokenTable({}, {"valley": 3.0, "snow": 9.0})
    found = bag_scores(PAGE, table(PAGE, names), terms)
    assert found == {"bag_of_class_names": 3.5 / sqrt(3), "bag_of_terms": 3.0}
    assert bag_scores(PAGE, table(PAGE), NO_TOKENS) == {"bag_of_class_names": 0, "bag_of_terms": 0}


def test_only_names_of_elements_with_visible_text_count() -> None:
    page = parse("<b class=lead>Rain</b><b class=ad><img></b><svg class=ad><text>No</svg>")
    names = TokenTable({}, {"lead": 2.0, "ad": 9.0})
    scores = bag_scores(page, table(page, names), NO_TOKENS)
    assert scores["bag_of_class_names"] == 2


def test_what_training_counts_is_what_extraction_looks_up() -> None:
    page = parse("".join(f"<p class='lead post-{k} ArticleBody{k}' id=x{k}>Rain" for k in range(9)))
    counted = page_class_names(table(page))
    assert {"lead", "post", "article", "article-body", "x"} <= counted
    weights = dict.fromkeys(counted, 1.0)
    scores = bag_scores(page, table(page, TokenTable({}, weights)), NO_TOKENS)
    assert scores["bag_of_class_names"] == bag_score(list(weights.values()))


def test_what_is_written_is_read() -> None:
    section = write_bag_of_words([{"lead": 2.0}, {"valley": 3.0, "noon": -1.0}])
    model = ModelFile("Model m.json", section)
    assert read_weights(model.section("class_names")) == {"lead": 2}
    assert read_weights(model.section("terms")) == {"valley": 3, "noon": -1}


@pytest.mark.parametrize(("own", "message"), CASES["refused"])
def test_what_does_not_fit_is_told(own: dict[str, list[object]], message: str) -> None:
    with pytest.raises(ModelError, match=message):
        read_weights(ModelFile("Model m.json, names", own))
