import pytest

from scrapy_webtext.extractors.fusion.features.bag_of_words import BAG_FEATURES, bag_score
from scrapy_webtext.extractors.fusion.features.page_features import PAGE_FEATURES
from scrapy_webtext.lab.train.folds import fold_of
from scrapy_webtext.lab.train.fusion.bag_of_words import (
    BAG_SITES,
    fill_bag_features,
    fit_bag_of_words,
    known_weights,
)
from scrapy_webtext.lab.train.fusion.examples import FOLDS, Example, numpy
from tests.lab.train.fusion.made import made

PLACES = [PAGE_FEATURES.index(name) for name in BAG_FEATURES]


def page(
    number: int, is_article: bool, names: set[str], terms: set[str], site: str = ""
) -> Example:
    return made(
        number,
        site=site,
        is_article=is_article,
        bag_of_words=(frozenset(names), frozenset(terms)),
        page=numpy().zeros(len(PAGE_FEATURES)),
    )


@pytest.fixture
def pages() -> list[Example]:
    news = [page(n, True, {"byline", "wrap"}, {"said"}) for n in range(20)]
    shops = [page(100 + n, False, {"price", "wrap"}, {"buy"}) for n in range(20)]
    return news + shops


def test_weights_tell_articles_from_other_pages(pages: list[Example]) -> None:
    names, terms = fit_bag_of_words(pages)
    assert list(names) == ["byline", "price", "wrap"]
    assert names["byline"] > 0.1 > abs(names["wrap"]) > -0.1 > names["price"]
    assert terms["said"] > 0 > terms["buy"]
    assert fit_bag_of_words(pages) == [names, terms]


def test_a_token_of_few_sites_has_no_weight(pages: list[Example]) -> None:
    few = [page(200 + n, True, {"rare"}, set()) for n in range(BAG_SITES - 1)]
    assert "rare" not in fit_bag_of_words(pages + few)[0]
    # Many pages of one site are one site.
    one = [page(300 + n, True, {"own"}, set(), "one.example") for n in range(20)]
    assert "own" not in fit_bag_of_words(pages + one)[0]


def test_without_two_kinds_of_page_nothing_has_a_weight(pages: list[Example]) -> None:
    assert fit_bag_of_words(pages[:20]) == [{}, {}]
    assert fit_bag_of_words(pages[20:]) == [{}, {}]


def test_no_page_hears_its_own_site(pages: list[Example]) -> None:
    own = [e for e in pages if fold_of(e.domain, FOLDS, 0) == 0]
    for e in own:
        e.bag_of_words = (e.bag_of_words[0] | {"secret"}, e.bag_of_words[1])
    fill_bag_features(pages, 0)
    others = [e for e in pages if e not in own]
    weights = fit_bag_of_words(others)
    assert own
    for e in own:
        assert e.page[PLACES].tolist() == [
            bag_score(known_weights(tokens, own))
            for tokens, own in zip(e.bag_of_words, weights, strict=True)
        ]
    assert "secret" in fit_bag_of_words(pages)[0] or len(own) < BAG_SITES
