"""Scores of words and weights of bags: sites count once, and the own site is left out."""

from __future__ import annotations

from math import log

import pytest

from scrapy_webtext.extractors.fusion.features.declared import BAG_FEATURES, bag_score
from scrapy_webtext.extractors.fusion.features.page_features import PAGE_FEATURES
from scrapy_webtext.lab import train_words
from scrapy_webtext.lab.train_examples import FOLDS, Example, TokenCounts, count_tokens, fold_of, np
from tests.lab import training_example

PLACES = [PAGE_FEATURES.index(name) for name in BAG_FEATURES]


def page(number: int, tokens: TokenCounts, type: str = "article", site: str = "") -> Example:
    one = {"gold_words": 1, "words": [1], "matched": [1], "labels": [True]}
    return training_example(number, site=site, type=type, tokens=tokens, **one)


def bag(number: int, is_article: bool, names: set[str], terms: set[str], site: str = "") -> Example:
    return training_example(
        number,
        site=site,
        type="article" if is_article else "shop",
        bag_of_words=(frozenset(names), frozenset(terms)),
        page=np.zeros(len(PAGE_FEATURES)),
    )


def test_texts_with_a_token_are_counted_once_each() -> None:
    texts = ["Read more", "Read more", "More rain", "rain " * 20]
    assert count_tokens(texts, [False, True, True, True]) == {
        "read": (0, 1),
        "more": (1, 2),
        "read more": (0, 1),
        "rain": (1, 1),
        "more rain": (1, 1),
    }


def test_a_word_has_the_log_odds_of_content_with_a_prior() -> None:
    pages = [page(n, {"share": (0, 3), "rain": (2, 2)}) for n in range(train_words.WORD_SITES)]
    # Half of all tokens are content: the mean is 0.5, and its log-odds are 0.
    share = train_words.WORD_PRIOR * 0.5 / (train_words.WORD_SITES + train_words.WORD_PRIOR)
    expected = round(log(share / (1 - share)), 1)
    assert train_words.content_scores(pages) == {"share": expected, "rain": -expected}


def test_many_pages_of_one_site_count_as_one_site() -> None:
    pages = [page(n, {"share": (0, 3), "rain": (1, 1)}, site="one.example") for n in range(40)]
    assert train_words.content_scores(pages) == {}
    assert train_words.article_scores(pages) == {}


def test_words_of_articles_have_positive_article_scores() -> None:
    shops = [page(n, {"cart": (0, 1)}, type="shop") for n in range(train_words.PAGE_SITES)]
    news = [page(100 + n, {"rain": (1, 1)}) for n in range(train_words.PAGE_SITES)]
    half = train_words.PAGE_PRIOR / 2 / train_words.PAGE_SITES
    expected = round(log((1 + half) / half), 1)
    assert train_words.article_scores(shops + news) == {"cart": -expected, "rain": expected}
    assert train_words.article_scores(news) == {}  # no other pages


def test_scores_of_a_fold_are_learned_without_its_sites() -> None:
    sites = [f"{n}.example" for n in range(20 * FOLDS)]
    own = [site for site in sites if fold_of(site, FOLDS, 0) == 0]
    pages = [page(n, {"secret": (1, 1)}, site=site) for n, site in enumerate(own)]
    pages += [page(200 + n, {"rain": (1, 1)}, site=site) for n, site in enumerate(sites)]
    has_secret = [
        "secret" in one.token_scores.content for one in train_words.lexicons(pages, pages, [], 0)
    ]
    assert has_secret == [False, *[True] * (FOLDS - 1)]


@pytest.fixture
def pages() -> list[Example]:
    news = [bag(n, True, {"byline", "wrap"}, {"said"}) for n in range(20)]
    shops = [bag(100 + n, False, {"price", "wrap"}, {"buy"}) for n in range(20)]
    return news + shops


def test_weights_are_positive_for_tokens_of_articles(pages: list[Example]) -> None:
    names, terms = train_words.fit_bag_of_words(pages)
    assert list(names) == ["byline", "price", "wrap"]
    assert names["byline"] > 0.1 > abs(names["wrap"]) > -0.1 > names["price"]
    assert terms["said"] > 0 > terms["buy"]
    assert train_words.fit_bag_of_words(pages) == [names, terms]
    assert (
        train_words.fit_bag_of_words(pages[:20])
        == train_words.fit_bag_of_words(pages[20:])
        == [{}, {}]
    )


def test_a_token_of_few_sites_has_no_weight(pages: list[Example]) -> None:
    few = [bag(200 + n, True, {"rare"}, set()) for n in range(train_words.BAG_SITES - 1)]
    assert "rare" not in train_words.fit_bag_of_words(pages + few)[0]
    # Many pages of one site are one site.
    one = [bag(300 + n, True, {"own"}, set(), "one.example") for n in range(20)]
    assert "own" not in train_words.fit_bag_of_words(pages + one)[0]


def test_bag_features_are_learned_without_the_own_site(pages: list[Example]) -> None:
    own = [e for e in pages if e.fold(0) == 0]
    for e in own:
        e.bag_of_words = (e.bag_of_words[0] | {"secret"}, e.bag_of_words[1])
    train_words.fill_bag_features(pages, 0)
    weights = train_words.fit_bag_of_words([e for e in pages if e not in own])
    assert own
    for e in own:
        pairs = zip(e.bag_of_words, weights, strict=True)
        assert e.page[PLACES].tolist() == [
            bag_score([known[token] for token in bag if token in known]) for bag, known in pairs
        ]
