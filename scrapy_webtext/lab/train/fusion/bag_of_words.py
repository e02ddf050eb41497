"""Trains the weights of class names and terms, by logistic regression over pages."""

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
from scrapy_webtext.lab.train.folds import fold_of
from scrapy_webtext.lab.train.fusion.class_weights import balanced_weights
from scrapy_webtext.lab.train.fusion.examples import FOLDS, Example
from scrapy_webtext.lab.train.fusion.negatives import real_pages

#: A token has a weight if this many sites have it.
BAG_SITES: Final = 4
#: Inverse strength of the penalty on great weights (scikit-learn's ``C``).
BAG_C: Final = 0.2
#: Weight of an article; there are more articles than other pages.
ARTICLE_WEIGHT: Final = 0.6
_BAG_COLUMNS: Final = tuple(PAGE_FEATURES.index(name) for name in BAG_FEATURES)


def fill_bag_features(examples: Sequence[Example], seed: int) -> None:
    """Fill in the bag scores of the examples, with weights from the other folds."""
    found = real_pages(examples)
    for k in range(FOLDS):
        weights = fit_bag_of_words([e for e in found if fold_of(e.domain, FOLDS, seed) != k])
        for e in examples:
            if fold_of(e.domain, FOLDS, seed) == k:
                pairs = zip(e.bag_of_words, weights, strict=True)
                e.page[list(_BAG_COLUMNS)] = [bag_score(known_weights(*bag)) for bag in pairs]


def known_weights(tokens: Iterable[str], weights: Mapping[str, float]) -> list[float]:
    """Return the weights of the tokens that have one."""
    return [weights[token] for token in tokens if token in weights]


def fit_bag_of_words(examples: Sequence[Example]) -> list[dict[str, float]]:
    """Return per bag the weight of each token, in alphabetical order.

    No weights if all pages are articles, or none is.
    """
    if len({e.is_article for e in examples}) < 2:
        return [{} for _ in BAGS_OF_WORDS]
    return [_fit_one(examples, bag) for bag in range(len(BAGS_OF_WORDS))]


def _fit_one(examples: Sequence[Example], bag: int) -> dict[str, float]:
    weights = [ARTICLE_WEIGHT if e.is_article else 1.0 for e in examples]
    if BAGS_OF_WORDS[bag] == "terms":  # terms are words of a language
        weights = balanced_weights(examples)
        examples = [e for e, weight in zip(examples, weights, strict=True) if weight]
        weights = list(filter(None, weights))
    rarity = _rarity(examples, bag)
    if not rarity:
        return {}
    truth = [e.is_article for e in examples]
    model = _regression()
    model.fit(
        _rows([e.bag_of_words[bag] for e in examples], rarity),
        truth,
        sample_weight=weights,
    )
    fitted = zip(rarity.items(), model.coef_[0].tolist(), strict=True)
    return {token: round(weight * idf, 3) for (token, idf), weight in fitted}


def _rarity(examples: Sequence[Example], bag: int) -> dict[str, float]:
    """Return the smoothed inverse document frequency of tokens; each site counts as a document.

    It is 1 + ln((1 + all sites) / (1 + sites with the token)), as in scikit-learn's
    TfidfTransformer. Tokens of fewer than ``BAG_SITES`` sites are left out.
    """
    sites: dict[str, set[str]] = defaultdict(set)
    for e in examples:
        for token in e.bag_of_words[bag]:
            sites[token].add(e.domain)
    every = len({e.domain for e in examples})
    return {
        token: 1 + log((1 + every) / (1 + len(domains)))
        for token, domains in sorted(sites.items())
        if len(domains) >= BAG_SITES
    }


def _rows(bag_of_words: Sequence[frozenset[str]], rarity: Mapping[str, float]) -> Any:
    """Return a sparse matrix, pages by tokens: rarity, divided as in `bag_score`."""
    from scipy.sparse import csr_matrix

    column = {token: k for k, token in enumerate(rarity)}
    idf = list(rarity.values())
    values: list[float] = []
    columns: list[int] = []
    ends = [0]
    for tokens in bag_of_words:
        known = sorted(column[token] for token in tokens if token in column)
        columns += known
        values += [idf[k] / sqrt(len(known)) for k in known]
        ends.append(len(columns))
    return csr_matrix((values, columns, ends), shape=(len(bag_of_words), len(rarity)))


def _regression() -> Any:
    try:
        from sklearn.linear_model import LogisticRegression
    except ImportError as error:
        raise MissingExtraError("Training", "scikit-learn", "lab") from error
    return LogisticRegression(C=BAG_C, max_iter=500)
