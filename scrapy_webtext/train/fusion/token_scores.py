"""What labelled pages teach of names and words: scores per token, each site counted once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from math import log
from os import PathLike
from typing import Final, NamedTuple

from scrapy_webtext.extractors.fusion.features.block_features import FeatureTable, read
from scrapy_webtext.extractors.fusion.features.class_names import class_name_scorer
from scrapy_webtext.extractors.fusion.features.page_features import PAGE_FEATURES
from scrapy_webtext.extractors.fusion.features.short_texts import TokenScores, article_score
from scrapy_webtext.extractors.fusion.features.tables import ClassNameScore
from scrapy_webtext.page import Page
from scrapy_webtext.train.fusion.class_weights import balanced_weights
from scrapy_webtext.train.fusion.examples import FOLDS, Example, fold_of, labelled_pages
from scrapy_webtext.train.fusion.negatives import WITHOUT_TEXT, without_text

#: A token needs this many sites; until then its score is drawn towards 0 by as many more.
NAME_SITES: Final = 4
NAME_PRIOR: Final = 2.0
#: The same for words: of being content, and of the page being an article.
WORD_SITES: Final = 8
WORD_PRIOR: Final = 3.0
PAGE_SITES: Final = 12
PAGE_PRIOR: Final = 4.0
#: Scores nearer to 0 say nothing; scores further away than the greatest are cut.
LEAST_NAME: Final = 0.2
LEAST_WORD: Final = 0.3
MOST_PAGE: Final = 3.0
_WORDS_PLACE: Final = PAGE_FEATURES.index("token_score_article")


class Lexicon(NamedTuple):
    """Scores of names and of words."""

    names: ClassNameScore
    token_scores: TokenScores


class RescoredExample(NamedTuple):
    """An example with its page, read again with names and words scored out of fold."""

    example: Example
    page: Page
    table: FeatureTable


def lexicons(labelled: Sequence[Example], examples: Sequence[Example], seed: int) -> list[Lexicon]:
    """Return per fold the scores that the other folds taught."""
    found = []
    for k in range(FOLDS):
        others = [e for e in labelled if fold_of(e.domain, FOLDS, seed) != k]
        seen = [e for e in examples if fold_of(e.domain, FOLDS, seed) != k]
        found.append(
            Lexicon(class_name_scorer(fit_class_names(others)), fit_token_scores(others, seen))
        )
    return found


def fill_article_scores(examples: Sequence[Example], found: Sequence[Lexicon], seed: int) -> None:
    """Fill in what the words of the examples say of their being articles, scored out of fold."""
    for e in examples:
        token_scores = found[fold_of(e.domain, FOLDS, seed)].token_scores
        e.page[_WORDS_PLACE] = article_score(e.tokens, token_scores.article)


def rescored(
    paths: Iterable[str | PathLike[str]],
    examples: Iterable[Example],
    found: Sequence[Lexicon],
    seed: int,
) -> Iterator[RescoredExample]:
    """Yield the examples that these corpora hold, read with what `lexicons` found."""
    wanted = {(e.corpus, e.id): e for e in examples}

    def again(e: Example, page: Page) -> RescoredExample:
        return RescoredExample(e, page, read(page, *found[fold_of(e.domain, FOLDS, seed)]))

    for corpus, labelled, page in labelled_pages(paths):
        if e := wanted.get((corpus, labelled.id)):
            yield again(e, page)
        if e := wanted.get((corpus, labelled.id + WITHOUT_TEXT)):
            yield again(e, without_text(labelled, page))


def fit_class_names(examples: Iterable[Example]) -> dict[str, float]:
    """Return the score per token: log-odds of content below it, less those of any text.

    Each site counts once per token, with the share of content below it on all its pages, so that
    a site with many pages says no more than one with few.
    """
    sites: dict[str, dict[str, list[float]]] = defaultdict(dict)
    content = total = 0
    for e in examples:
        content += sum(n for n, label in zip(e.words, e.labels, strict=True) if label)
        total += sum(e.words)
        for token, (good, words) in e.names.items():
            row = sites[token].setdefault(e.domain, [0.0, 0.0])
            row[0] += good
            row[1] += words
    base = _base(content, total)
    scores = {}
    for token, rows in sorted(sites.items()):
        shares = [good / words for good, words in rows.values() if words]
        if len(shares) >= NAME_SITES:
            score = round(_log_odds(shares, NAME_PRIOR, base), 2)
            if abs(score) > LEAST_NAME:
                scores[token] = score
    return scores


def fit_token_scores(labelled: Iterable[Example], examples: Sequence[Example]) -> TokenScores:
    """Return the scores of words: of being content, and of standing on an article."""
    return TokenScores(content_scores(labelled), article_scores(examples))


def content_scores(labelled: Iterable[Example]) -> dict[str, float]:
    """Return per token the log-odds of its texts being content, less those of the mean token."""
    sites: dict[str, dict[str, list[int]]] = defaultdict(dict)
    for e in labelled:
        for token, (good, texts) in e.tokens.items():
            row = sites[token].setdefault(e.domain, [0, 0])
            row[0] += good
            row[1] += texts
    shares = {t: [good / n for good, n in rows.values()] for t, rows in sorted(sites.items())}
    base = _base(sum(map(sum, shares.values())), sum(map(len, shares.values())))
    scores = {}
    for token, seen in shares.items():
        if len(seen) >= WORD_SITES:
            score = round(_log_odds(seen, WORD_PRIOR, base), 1)
            if abs(score) > LEAST_WORD:
                scores[token] = score
    return scores


def _base(content: float, total: float) -> float:
    """Return the share of content in any text, never none or all."""
    return min(max(content / (total or 1), 0.01), 0.99)


def _log_odds(shares: Sequence[float], prior: float, base: float) -> float:
    """Return the log-odds of the mean share of sites, less those of the base it is drawn towards.

    The prior is as many sites with the base for a share.
    """
    share = (sum(shares) + prior * base) / (len(shares) + prior)
    share = min(max(share, 0.005), 0.995)
    return log(share / (1 - share)) - log(base / (1 - base))


def article_scores(examples: Sequence[Example]) -> dict[str, float]:
    """Return per token the log-odds of an article's site having the token.

    That is the logarithm of the share of sites with articles that have the token on one, by the
    same share over sites with other pages; a site weighs as its page that weighs most. None where
    one of the two is missing.
    """
    sites: tuple[dict[str, dict[str, float]], ...] = (defaultdict(dict), defaultdict(dict))
    every: tuple[dict[str, float], ...] = ({}, {})
    for e, weight in zip(examples, balanced_weights(examples), strict=True):
        if weight:
            for own in (every[e.is_article], *(sites[e.is_article][t] for t in e.tokens)):
                own[e.domain] = max(own.get(e.domain, 0.0), weight)
    others, articles = (sum(own.values()) for own in every)
    if not articles or not others:
        return {}
    scores = {}
    for token in sorted({*sites[0], *sites[1]}):
        both = [own.get(token, {}) for own in sites]
        if sum(map(len, both)) >= PAGE_SITES:
            without, having = (sum(own.values()) for own in both)
            prior = PAGE_PRIOR / (articles + others)
            share = (having + prior * articles) / articles
            other_share = (without + prior * others) / others
            score = round(min(max(log(share / other_share), -MOST_PAGE), MOST_PAGE), 1)
            if score:
                scores[token] = score
    return scores
