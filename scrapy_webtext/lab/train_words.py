"""Train the scores of class names and words, and the weights of bags of words, of ``fusion``.

Scores: each site counts once per token, so a site with many pages has no more influence than a
site with few. Scores of tokens that few sites use are drawn towards 0 by a prior, which is a number
of sites with the average share of content. Weights are those of a logistic regression over pages.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import log
from os import PathLike
from typing import Any, Final, NamedTuple
from zlib import crc32

from scrapy_webtext.core.distinct import TokenTable
from scrapy_webtext.errors import import_extra
from scrapy_webtext.extractors.fusion.features import declared
from scrapy_webtext.extractors.fusion.features.block_features import FeatureTable, compute_features
from scrapy_webtext.extractors.fusion.features.page_features import PAGE_FEATURES
from scrapy_webtext.extractors.fusion.features.templates import TokenScores, article_score
from scrapy_webtext.lab.corpus import SEPARATOR
from scrapy_webtext.lab.made_pages import kind_of, labelled_id, made_pages
from scrapy_webtext.lab.train_examples import (
    FOLDS,
    Example,
    TokenCounts,
    balanced_weights,
    labelled_pages,
    real_pages,
)

#: Class names: the least number of sites, and the prior in sites.
CLASS_NAME_SITES: Final = 4
CLASS_NAME_PRIOR: Final = 2.0
#: Words: the same for content scores (WORD) and for article scores (PAGE).
WORD_SITES: Final = 8
WORD_PRIOR: Final = 3.0
PAGE_SITES: Final = 12
PAGE_PRIOR: Final = 4.0
#: One of so many tokens of grafts is hidden from each fold.
UNKNOWN: Final = 3
#: Smaller scores are left out; greater article scores are cut.
LEAST_CLASS_SCORE: Final = 0.2
LEAST_WORD: Final = 0.3
MOST_PAGE: Final = 3.0
_ARTICLE_SCORE_COLUMN: Final = PAGE_FEATURES.index("token_score_article")


class Lexicon(NamedTuple):
    """Scores of class names and of words."""

    class_names: TokenTable
    token_scores: TokenScores


def lexicons(
    labelled: Sequence[Example],
    examples: Sequence[Example],
    with_grafts: Sequence[Example],
    seed: int,
) -> list[Lexicon]:
    """Return per fold the scores that are learned from the other folds.

    Of the tokens of grafts each fold lacks a share, since other sites have wordings that no graft
    has.
    """
    found = []
    for k in range(FOLDS):
        others = [e for e in labelled if e.fold(seed) != k]
        pages = [e for e in examples if e.fold(seed) != k]
        known = [(e, _known(e.tokens, k)) for e in with_grafts if e.fold(seed) != k]
        class_names = TokenTable(fit_class_names(others), {})
        scores = TokenScores(content_scores(others, known), article_scores(pages))
        found.append(Lexicon(class_names, scores))
    return found


def _known(tokens: TokenCounts, fold: int) -> TokenCounts:
    """Return the tokens of grafts that a fold knows."""
    share, left_out = UNKNOWN, fold % UNKNOWN
    return {t: count for t, count in tokens.items() if crc32(t.encode()) % share != left_out}


def rescored(
    paths: Iterable[str | PathLike[str]],
    examples: Iterable[Example],
    out_of_fold: Sequence[Lexicon],
    seed: int,
) -> Iterator[tuple[Example, FeatureTable]]:
    """Yield the examples of these corpora with feature tables that use the scores of `lexicons`.

    Fill in the mean article score of each.
    """
    by_id = {(e.corpus, e.id): e for e in examples}
    kinds: dict[tuple[str, str], list[str]] = defaultdict(list)
    for corpus, id in by_id:
        kinds[corpus, labelled_id(id)].append(kind_of(id))
    for corpus, labelled, page in made_pages(labelled_pages(paths), kinds):
        e = by_id[corpus, labelled.id]
        lexicon = out_of_fold[e.fold(seed)]
        e.page[_ARTICLE_SCORE_COLUMN] = article_score(e.tokens, lexicon.token_scores.article)
        yield e, compute_features(page, *lexicon)


def fit_class_names(examples: Sequence[Example]) -> dict[str, float]:
    """Return per token of class names its score: log-odds of content minus those of all text.

    Each site counts once per token, with the share of content among the words below the token's
    elements on all pages of the site.
    """
    content = sum(n for e in examples for n, label in zip(e.words, e.labels, strict=True) if label)
    shares = _shares((e.domain, e.class_names) for e in examples)
    base = _base(content, sum(sum(e.words) for e in examples))
    return _scores(shares, CLASS_NAME_SITES, CLASS_NAME_PRIOR, base, 2, LEAST_CLASS_SCORE)


def content_scores(
    labelled: Iterable[Example], grafts: Iterable[tuple[Example, TokenCounts]] = ()
) -> dict[str, float]:
    """Return per token its content score: log-odds of content minus those of the mean token.

    ``grafts`` are pages with the tokens of what was put into them; they count as sites of their
    own.
    """
    of_pages = [(e.domain, e.tokens) for e in labelled]
    of_grafts = [(e.domain + SEPARATOR, tokens) for e, tokens in grafts]
    shares = _shares(of_pages + of_grafts)
    base = _base(sum(map(sum, shares.values())), sum(map(len, shares.values())))
    return _scores(shares, WORD_SITES, WORD_PRIOR, base, 1, LEAST_WORD)


def fit_token_scores(
    labelled: Iterable[Example], examples: Sequence[Example], with_grafts: Iterable[Example] = ()
) -> TokenScores:
    """Return the content scores and the article scores of words."""
    grafts = ((e, e.tokens) for e in with_grafts)
    return TokenScores(content_scores(labelled, grafts), article_scores(examples))


def _shares(
    pages: Iterable[tuple[str, Mapping[str, tuple[float, float]]]],
) -> dict[str, list[float]]:
    """Return per token the share of content on each site, from pages' content and all with it."""
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
    """Return the rounded log-odds of tokens that enough sites have, but for small ones."""
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
    """Return the log-odds of the mean share of the sites minus those of ``base``.

    ``prior`` sites with the share ``base`` are added before the mean is taken.
    """
    share = (sum(shares) + prior * base) / (len(shares) + prior)
    share = min(max(share, 0.005), 0.995)
    return log(share / (1 - share)) - log(base / (1 - base))


def article_scores(examples: Sequence[Example]) -> dict[str, float]:
    """Return per token its article score: ln(share among articles / share among other pages).

    A share is that of the sites that have the token on an article (or on another page), with the
    prior of `PAGE_PRIOR` sites. The weight of a site is the greatest weight of its pages. Without
    articles, or without other pages, there are no scores.
    """
    sites: tuple[dict[str, dict[str, float]], ...] = (defaultdict(dict), defaultdict(dict))
    every: tuple[dict[str, float], ...] = ({}, {})
    for e, weight in zip(examples, balanced_weights(examples), strict=True):
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


#: A token has a weight if this many sites have it.
BAG_SITES: Final = 4
#: Inverse strength of the penalty on great weights (scikit-learn's ``C``).
BAG_C: Final = 0.2
#: Weight of an article; there are more articles than other pages.
ARTICLE_WEIGHT: Final = 0.6
_BAG_COLUMNS: Final = [PAGE_FEATURES.index(name) for name in declared.BAG_FEATURES]


def fill_bag_features(examples: Sequence[Example], seed: int) -> None:
    """Fill in the bag scores of the examples, with weights from the other folds."""
    found = real_pages(examples)
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
    """Return per bag the weight of each token, in alphabetical order.

    No weights if all pages are articles, or none is.
    """
    if len({e.is_article for e in examples}) < 2:
        return [{} for _ in declared.BAGS_OF_WORDS]
    return [_fit_one(examples, bag) for bag in range(len(declared.BAGS_OF_WORDS))]


def _fit_one(examples: Sequence[Example], bag: int) -> dict[str, float]:
    weights = [ARTICLE_WEIGHT if e.is_article else 1.0 for e in examples]
    if declared.BAGS_OF_WORDS[bag] == "terms":  # terms are words of a language
        weights = balanced_weights(examples)
        examples = [e for e, weight in zip(examples, weights, strict=True) if weight]
        weights = list(filter(None, weights))
    rarity = _rarity(examples, bag)
    if not rarity:
        return {}
    truth = [e.is_article for e in examples]
    sklearn = import_extra("sklearn.linear_model", "Training", "lab", "scikit-learn")
    model = sklearn.LogisticRegression(C=BAG_C, max_iter=500)
    rows = _rows([e.bag_of_words[bag] for e in examples], rarity)
    model.fit(rows, truth, sample_weight=weights)
    fitted = zip(rarity.items(), model.coef_[0].tolist(), strict=True)
    return {token: round(weight * idf, 3) for (token, idf), weight in fitted}


def _rarity(examples: Sequence[Example], bag: int) -> dict[str, float]:
    """Return the smoothed inverse document frequency of tokens; each site counts as a document.

    It is 1 + ln((1 + all sites) / (1 + sites with the token)), as in scikit-learn's
    TfidfTransformer. Tokens of fewer than ``BAG_SITES`` sites are left out.
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
    """Return a sparse matrix, pages by tokens: rarity, divided as in `bag_score`."""
    preprocessing = import_extra("sklearn.preprocessing", "Training", "lab", "scikit-learn")
    binarizer = preprocessing.MultiLabelBinarizer(classes=list(rarity), sparse_output=True)
    rows = binarizer.fit_transform([tokens & rarity.keys() for tokens in bag_of_words])
    return preprocessing.normalize(rows.astype(float)).multiply(list(rarity.values())).tocsr()
