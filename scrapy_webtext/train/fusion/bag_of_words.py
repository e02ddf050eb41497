"""Learns the weights of names and terms: logistic regression over what pages have."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from math import log, sqrt
from typing import Any, Final

from scrapy_webtext.errors import MissingExtraError
from scrapy_webtext.extractors.fusion.features.bag_of_words import (
    BAG_FEATURES,
    BAGS_OF_WORDS,
    bag_score,
)
from scrapy_webtext.extractors.fusion.features.page_features import PAGE_FEATURES
from scrapy_webtext.train.fusion.class_weights import balanced_weights
from scrapy_webtext.train.fusion.examples import FOLDS, Example, fold_of
from scrapy_webtext.train.fusion.negatives import as_found

#: A token has a weight where so many sites have it.
BAG_SITES: Final = 4
#: Inverse strength of the penalty on great weights (scikit-learn's ``C``).
BAG_C: Final = 0.2
#: Weight of a page that is an article: there are more of them.
ARTICLE_WEIGHT: Final = 0.6
_PLACES: Final = tuple(PAGE_FEATURES.index(name) for name in BAG_FEATURES)


def fill_bag_features(examples: Sequence[Example], seed: int) -> None:
    """Fill in what the bags of the examples say, weighed out of fold."""
    found = as_found(examples)
    for k in range(FOLDS):
        weights = fit_bag_of_words([e for e in found if fold_of(e.domain, FOLDS, seed) != k])
        for e in examples:
            if fold_of(e.domain, FOLDS, seed) == k:
                bag_of_words = zip(e.bag_of_words, weights, strict=True)
                e.page[list(_PLACES)] = [bag_score(known(*bag)) for bag in bag_of_words]


def known(tokens: Iterable[str], weights: Mapping[str, float]) -> list[float]:
    """Return the weights of those of the tokens that have one."""
    return [weights[token] for token in tokens if token in weights]


def fit_bag_of_words(examples: Sequence[Example]) -> list[dict[str, float]]:
    """Return per bag the weight of each token, in alphabetical order.

    No weights where all pages are articles, or none is.
    """
    if len({e.is_article for e in examples}) < 2:
        return [{} for _ in BAGS_OF_WORDS]
    return [_fit_one(examples, place) for place in range(len(BAGS_OF_WORDS))]


def _fit_one(examples: Sequence[Example], place: int) -> dict[str, float]:
    weights = [ARTICLE_WEIGHT if e.is_article else 1.0 for e in examples]
    if BAGS_OF_WORDS[place] == "terms":  # words of the page's language are among them
        weights = balanced_weights(examples)
        examples = [e for e, weight in zip(examples, weights, strict=True) if weight]
        weights = list(filter(None, weights))
    rarity = _rarity(examples, place)
    if not rarity:
        return {}
    truth = [e.is_article for e in examples]
    model = _regression()
    model.fit(
        _rows([e.bag_of_words[place] for e in examples], rarity),
        truth,
        sample_weight=weights,
    )
    found = zip(rarity.items(), model.coef_[0].tolist(), strict=True)
    return {token: round(weight * rare, 3) for (token, rare), weight in found}


def _rarity(examples: Sequence[Example], place: int) -> dict[str, float]:
    """Return per token that enough sites have its inverse document frequency, sites for documents.

    Smoothed: 1 + ln((1 + all sites) / (1 + sites with it)).
    """
    sites: dict[str, set[str]] = defaultdict(set)
    for e in examples:
        for token in e.bag_of_words[place]:
            sites[token].add(e.domain)
    every = len({e.domain for e in examples})
    return {
        token: 1 + log((1 + every) / (1 + len(own)))
        for token, own in sorted(sites.items())
        if len(own) >= BAG_SITES
    }


def _rows(bag_of_words: Sequence[frozenset[str]], rarity: Mapping[str, float]) -> Any:
    """Return a sparse matrix, pages by tokens: the tokens' rarity, as `bag_score` normalizes it."""
    from scipy.sparse import csr_matrix

    column = {token: place for place, token in enumerate(rarity)}
    rare = list(rarity.values())
    values: list[float] = []
    columns: list[int] = []
    ends = [0]
    for tokens in bag_of_words:
        known = sorted(column[token] for token in tokens if token in column)
        columns += known
        values += [rare[k] / sqrt(len(known)) for k in known]
        ends.append(len(columns))
    return csr_matrix((values, columns, ends), shape=(len(bag_of_words), len(rarity)))


def _regression() -> Any:
    try:
        from sklearn.linear_model import LogisticRegression
    except ImportError as error:
        raise MissingExtraError("Training", "scikit-learn", "lab") from error
    return LogisticRegression(C=BAG_C, max_iter=500)
