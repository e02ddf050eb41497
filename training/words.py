"""Trains ``fusion``'s scores of class names and words, and its weights of bags of words.

Scores: each site counts once per token, so a site with many pages has no more influence than a site
with few pages. A prior draws the scores of rare tokens towards 0. It is a number of sites that are
added with the average share of content. Weights: a logistic regression over pages fits them.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from itertools import chain
from math import log
from operator import add
from os import PathLike
from typing import Any, Final, NamedTuple
from zlib import crc32

import numpy as np
from sklearn import linear_model, preprocessing

from scrapy_webtext.core.distinct import TokenTable
from scrapy_webtext.extractors.fusion.features import declared
from scrapy_webtext.extractors.fusion.features.block_features import (
    BLOCK_FEATURES,
    compute_features,
)
from scrapy_webtext.extractors.fusion.features.context import Groups, groups
from scrapy_webtext.extractors.fusion.features.page_features import PAGE_FEATURES
from scrapy_webtext.extractors.fusion.features.templates import PRIOR_TOKENS, TokenScores
from scrapy_webtext.lab.corpus import LabelledPage
from training import each_in_a_process
from training import examples as of_pages
from training.examples import FOLDS, Example, TokenCounts
from training.labels import SEPARATOR
from training.made_pages import kind_of, labelled_id, made_pages

#: Class names: minimum number of sites with a token; number of sites that the prior adds.
CLASS_NAME_SITES: Final = 4
CLASS_NAME_PRIOR: Final = 2.0
#: Words: the same numbers for content scores (WORD) and for article scores (PAGE).
WORD_SITES: Final = 8
WORD_PRIOR: Final = 3.0
PAGE_SITES: Final = 12
PAGE_PRIOR: Final = 4.0
#: One in this many tokens of grafts is hidden from each fold.
UNKNOWN: Final = 3
#: Scores nearer to 0 than ``LEAST_...`` are left out. Article scores are cut to +-``MOST_PAGE``.
LEAST_CLASS_SCORE: Final = 0.2
LEAST_WORD: Final = 0.3
MOST_PAGE: Final = 3.0
_ARTICLE_SCORE_COLUMN: Final = PAGE_FEATURES.index("token_score_article")


class Lexicon(NamedTuple):
    """The scores of class names and of words."""

    class_names: TokenTable
    token_scores: TokenScores


def lexicons(
    labelled: Sequence[Example],
    examples: Sequence[Example],
    of_made: Sequence[Example],
    seed: int,
) -> list[Lexicon]:
    """Return for each fold the scores that are learned from the other folds.

    Each fold lacks one in `UNKNOWN` of the tokens of made pages, because new sites have wordings
    that no made page has.
    """
    found = []
    for k in range(FOLDS):
        others = [e for e in labelled if e.fold(seed) != k]
        pages = [e for e in examples if e.fold(seed) != k]
        known = [(e, _known(e.tokens, k)) for e in of_made if e.fold(seed) != k]
        class_names = TokenTable(fit_class_names(others), {})
        scores = TokenScores(content_scores(others, known), article_scores(pages))
        found.append(Lexicon(class_names, scores))
    return found


def _known(tokens: TokenCounts, fold: int) -> TokenCounts:
    """Return the tokens of grafts from which a fold may learn."""
    share, left_out = UNKNOWN, fold % UNKNOWN
    return {t: count for t, count in tokens.items() if crc32(t.encode()) % share != left_out}


def rescore(
    paths: Iterable[str | PathLike[str]],
    examples: Iterable[Example],
    out_of_fold: Sequence[Lexicon],
    seed: int,
) -> None:
    """Fill in the block features and the mean article scores, with the scores of `lexicons`.

    ``paths`` are the corpora of the examples.
    """
    by_id = {(e.corpus, e.id): e for e in examples}
    kinds: dict[tuple[str, str], list[str]] = defaultdict(list)
    for corpus, id in by_id:
        kinds[corpus, labelled_id(id)].append(kind_of(id))

    def is_used(corpus: str, page: LabelledPage) -> bool:
        return (corpus, page.id) in kinds

    def read(path: str | PathLike[str]) -> list[tuple[tuple[str, str], Any, Groups]]:
        found = []
        for corpus, labelled, page in made_pages(of_pages.labelled_pages([path], is_used), kinds):
            key = corpus, labelled.id
            table = compute_features(page, *out_of_fold[by_id[key].fold(seed)])
            columns = [table.columns[name] for name in BLOCK_FEATURES]
            found.append((key, np.array(columns, dtype="float32").T, groups(table)))
        return found

    for key, blocks, of_blocks in chain.from_iterable(each_in_a_process(read, paths)):
        e = by_id[key]
        e.blocks, e.groups = blocks, of_blocks
        scores = out_of_fold[e.fold(seed)].token_scores.article
        e.page[_ARTICLE_SCORE_COLUMN] = article_score(e.tokens, scores)


def fit_class_names(examples: Sequence[Example]) -> dict[str, float]:
    """Return the score of each class name token: log-odds of content, minus log-odds of all text.

    Each site counts once per token, with the share of content among all words in the site's
    elements with this token.
    """
    content = sum(n for e in examples for n, label in zip(e.words, e.labels, strict=True) if label)
    shares = _shares((e.domain, e.class_names) for e in examples)
    base = _base(content, sum(sum(e.words) for e in examples))
    return _scores(shares, CLASS_NAME_SITES, CLASS_NAME_PRIOR, base, 2, LEAST_CLASS_SCORE)


def content_scores(
    labelled: Iterable[Example], grafts: Iterable[tuple[Example, TokenCounts]] = ()
) -> dict[str, float]:
    """Return the content score of each token: log-odds of content, minus the mean token's log-odds.

    ``grafts`` are pages with the tokens of the structures put into them. These tokens count for
    separate sites.
    """
    of_pages = [(e.domain, e.tokens) for e in labelled]
    of_grafts = [(e.domain + SEPARATOR, tokens) for e, tokens in grafts]
    shares = _shares(of_pages + of_grafts)
    base = _base(sum(map(sum, shares.values())), sum(map(len, shares.values())))
    return _scores(shares, WORD_SITES, WORD_PRIOR, base, 1, LEAST_WORD)


def _shares(
    pages: Iterable[tuple[str, Mapping[str, tuple[float, float]]]],
) -> dict[str, list[float]]:
    """Return for each token its share of content on each site; a page is (domain, counts)."""
    sites: dict[str, dict[str, list[float]]] = defaultdict(dict)
    for domain, counts in pages:
        for token, (good, total) in counts.items():
            row = sites[token].setdefault(domain, [0, 0])
            row[0] += good
            row[1] += total
    return {
        token: [good / total for good, total in rows.values() if total]
        for token, rows in sorted(sites.items())
    }


def _scores(
    shares: Mapping[str, Sequence[float]],
    least_sites: int,
    prior: float,
    base: float,
    digits: int,
    least: float,
) -> dict[str, float]:
    """Return the rounded log-odds of tokens that enough sites have, without values near 0."""
    found = {
        token: round(_log_odds(of_sites, prior, base), digits)
        for token, of_sites in shares.items()
        if len(of_sites) >= least_sites
    }
    return {token: score for token, score in found.items() if abs(score) > least}


def _base(content: float, total: float) -> float:
    """Return the share of content in all text, in [0.01, 0.99]."""
    return min(max(content / (total or 1), 0.01), 0.99)


def _log_odds(shares: Sequence[float], prior: float, base: float) -> float:
    """Return the log-odds of the mean share over sites, minus the log-odds of ``base``.

    Before the mean is taken, ``prior`` sites with the share ``base`` are added.
    """
    share = (sum(shares) + prior * base) / (len(shares) + prior)
    share = min(max(share, 0.005), 0.995)
    return log(share / (1 - share)) - log(base / (1 - base))


def article_scores(examples: Sequence[Example]) -> dict[str, float]:
    """Return the article score of each token: ln(share for articles / share for other pages).

    The share for articles is the weighted share of sites that use the token on some article. The
    share for other pages is computed in the same way. `PAGE_PRIOR` sites are added as a prior. The
    weight of a site is the greatest weight of its pages. Without articles, or without other pages,
    there are no scores.
    """
    sites: tuple[dict[str, dict[str, float]], ...] = (defaultdict(dict), defaultdict(dict))
    every: tuple[dict[str, float], ...] = ({}, {})
    for e, weight in zip(examples, of_pages.balanced_weights(examples), strict=True):
        if weight:
            for weights in (every[e.is_article], *(sites[e.is_article][t] for t in e.tokens)):
                weights[e.domain] = max(weights.get(e.domain, 0.0), weight)
    others, articles = (sum(weights.values()) for weights in every)
    if not articles or not others:
        return {}
    scores = {}
    for token in sorted({*sites[0], *sites[1]}):
        both = [by_token.get(token, {}) for by_token in sites]
        if sum(map(len, both)) >= PAGE_SITES:
            on_others, on_articles = (sum(weights.values()) for weights in both)
            prior = PAGE_PRIOR / (articles + others)
            share = (on_articles + prior * articles) / articles
            other_share = (on_others + prior * others) / others
            score = round(min(max(log(share / other_share), -MOST_PAGE), MOST_PAGE), 1)
            if score:
                scores[token] = score
    return scores


#: A token gets a weight only if at least this many sites have it.
BAG_SITES: Final = 4
#: The inverse strength of the penalty on large weights (scikit-learn's ``C``).
BAG_C: Final = 0.2
#: The weight of an article. It is below 1, because there are more articles than other pages.
ARTICLE_WEIGHT: Final = 0.6
_BAG_COLUMNS: Final = [PAGE_FEATURES.index(name) for name in declared.BAG_FEATURES]


def fill_bag_features(examples: Sequence[Example], seed: int) -> None:
    """Fill in the bag scores of the examples; the weights are learned from the other folds."""
    found = of_pages.real_pages(examples)
    for k in range(FOLDS):
        weights = fit_bag_of_words([e for e in found if e.fold(seed) != k])
        for e in examples:
            if e.fold(seed) == k:
                pairs = zip(e.bag_of_words, weights, strict=True)
                e.page[_BAG_COLUMNS] = [
                    declared.bag_score([known[token] for token in bag if token in known])
                    for bag, known in pairs
                ]


def fit_bag_of_words(examples: Sequence[Example]) -> list[dict[str, float]]:
    """Return for each bag the weights of its tokens, in alphabetical order.

    There are no weights if all pages are articles, or if none is.
    """
    if len({e.is_article for e in examples}) < 2:
        return [{} for _ in declared.BAGS_OF_WORDS]
    return [_fit_one(examples, bag) for bag in range(len(declared.BAGS_OF_WORDS))]


def _fit_one(examples: Sequence[Example], bag: int) -> dict[str, float]:
    weights = [ARTICLE_WEIGHT if e.is_article else 1.0 for e in examples]
    if declared.BAGS_OF_WORDS[bag] == "terms":  # their language depends on the script
        weights = of_pages.balanced_weights(examples)
        examples = [e for e, weight in zip(examples, weights, strict=True) if weight]
        weights = list(filter(None, weights))
    rarity = _rarity(examples, bag)
    if not rarity:
        return {}
    truth = [e.is_article for e in examples]
    model = linear_model.LogisticRegression(C=BAG_C, max_iter=500)
    rows = _rows([e.bag_of_words[bag] for e in examples], rarity)
    model.fit(rows, truth, sample_weight=weights)
    fitted = zip(rarity.items(), model.coef_[0].tolist(), strict=True)
    return {token: round(weight * idf, 3) for (token, idf), weight in fitted}


def _rarity(examples: Sequence[Example], bag: int) -> dict[str, float]:
    """Return the smoothed inverse document frequency of tokens; each site counts as a document.

    It is 1 + ln((1 + all sites) / (1 + sites with the token)), as in scikit-learn's
    TfidfTransformer. Tokens that fewer than ``BAG_SITES`` sites have are left out.
    """
    sites = Counter(
        token for token, _ in {(t, e.domain) for e in examples for t in e.bag_of_words[bag]}
    )
    every = len({e.domain for e in examples})
    return {
        token: 1 + log((1 + every) / (1 + number))
        for token, number in sorted(sites.items())
        if number >= BAG_SITES
    }


def _rows(bag_of_words: Sequence[frozenset[str]], rarity: Mapping[str, float]) -> Any:
    """Return a sparse matrix (pages, tokens) of rarities, divided as in `bag_score`."""
    binarizer = preprocessing.MultiLabelBinarizer(classes=list(rarity), sparse_output=True)
    rows = binarizer.fit_transform([tokens & rarity.keys() for tokens in bag_of_words])
    return preprocessing.normalize(rows.astype(float)).multiply(list(rarity.values())).tocsr()


def article_score(tokens: Iterable[str], article: Mapping[str, float]) -> float:
    """Return the mean article score of distinct tokens, with a prior; 0 is neutral."""
    known = [article[token] for token in tokens if token in article]
    # Not `sum`, which rounds differently from Python 3.12 on.
    return reduce(add, known, 0.0) / (len(known) + PRIOR_TOKENS)
