# cython: infer_types=True
"""Scores of the words of short texts, such as "Add to cart" or "5 min read".

"Privacy policy" and "Reply" are on thousands of sites. Such texts show whether they are content,
and whether their page is an article. So each word of a short text has two learned scores: the
log-odds of being content, and those of standing on an article. A text of two to four words has
scores as a whole too. Only tokens that enough sites use have scores. Long texts are left out,
because their words tell only the subject.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, reduce
from operator import add
from typing import Final, NamedTuple

from scrapy_webtext.core import arrays
from scrapy_webtext.core.tokens import TokenTable
from scrapy_webtext.core.words import ROOM, words_of
from scrapy_webtext.models import ModelFile

#: A text with more words or characters is not short.
MAX_WORDS: Final = 12
MAX_CHARS: Final = 160
#: A text of two to four words is a token as a whole.
MAX_WHOLE_WORDS: Final = 4
#: Neighbours on each side in the mean of `around`.
AROUND: Final = 3
#: Prior of the page's mean score: this many tokens with score 0.
PRIOR_TOKENS: Final = 10


@dataclass(frozen=True)
class TokenScores:
    """Learned scores of tokens, in log-odds; 0 is neutral."""

    content: Mapping[str, float]  #: of being content
    article: Mapping[str, float]  #: of standing on an article

    @cached_property
    def table(self) -> TokenTable:
        """Both, to be looked up; those of standing on an article are the weights."""
        return TokenTable(self.content, self.article)


NO_TOKEN_SCORES: Final = TokenScores({}, {})


class TextScores(NamedTuple):
    """Scores of the short texts of a page; 0 for long texts."""

    mean: array[float]  #: per text, mean content score of its tokens
    low: array[float]  #: per text, lowest content score of its tokens, at most 0
    article: float  #: mean article score of the page's tokens


def text_tokens(text: str) -> list[str]:
    """Return the tokens of a short text; none for a long text.

    >>> text_tokens("Add to cart")
    ['add', 'to', 'cart', 'add to cart']
    """
    blanks = text.count(" ")
    if blanks >= MAX_WORDS or len(text) > MAX_CHARS:
        return []
    low = text.lower()
    tokens = words_of(low)
    if 0 < blanks < MAX_WHOLE_WORDS:
        tokens.append(low)
    return tokens


def score_texts(texts: list[str], token_scores: TokenScores) -> TextScores:
    """Return the scores of these texts, in time linear in the short ones."""
    table, n = token_scores.table, len(texts)
    means, lows = arrays.new_doubles(n), arrays.new_doubles(n)
    mean, low = arrays.doubles(means), arrays.doubles(lows)
    scores, weights = arrays.doubles(table.scores), arrays.doubles(table.weights)
    tokens, has_weight = arrays.longs(table.found), arrays.octets(table.has_weight)
    is_seen = bytearray(len(table.has_weight))
    seen, known, article = arrays.octets(is_seen), 0, 0.0
    for k in range(n):
        number = _read(texts[k], table)
        total = 0.0
        for i in range(number):
            token = tokens[i]
            total += scores[token]
            low[k] = min(low[k], scores[token])
            if has_weight[token] and not seen[token]:
                seen[token] = 1
                article += weights[token]
                known += 1
        if number:
            mean[k] = total / number
    return TextScores(means, lows, article / (known + PRIOR_TOKENS))


def _read(text: str, table: TokenTable) -> int:
    """Write the tokens of a text, as `text_tokens` has them; return their number."""
    if len(text) > MAX_CHARS:
        return 0
    blanks = text.count(" ")
    if blanks >= MAX_WORDS:
        return 0
    return table.read_words(text, ROOM - 1, 0 < blanks < MAX_WHOLE_WORDS)


def article_score(tokens: Iterable[str], article: Mapping[str, float]) -> float:
    """Return the mean score of these distinct tokens, with a prior; 0 is neutral."""
    known = [article[token] for token in tokens if token in article]
    return _total(known) / (len(known) + PRIOR_TOKENS)


def _total(values: Iterable[float]) -> float:
    """Return the sum, added from the left. The rounding of `sum` changed in Python 3.12."""
    return reduce(add, values, 0.0)


def around(values: array[float]) -> array[float]:
    """Return per value the mean of itself and its neighbours, ``AROUND`` on each side."""
    n, reach = len(values), AROUND
    means, sums = arrays.new_doubles(n), arrays.new_doubles(n + 1)
    mean, before, value = arrays.doubles(means), arrays.doubles(sums), arrays.doubles(values)
    for k in range(n):
        before[k + 1] = before[k] + value[k]
    for k in range(n):
        a, z = max(0, k - reach), min(n, k + reach + 1)
        mean[k] = (before[z] - before[a]) / float(z - a)
    return means


def read_token_scores(model: ModelFile) -> TokenScores:
    """Return the scores of a section of a model file; ModelError if they do not fit."""
    tokens = model.distinct_strings("tokens")
    content = model.numbers("content", length=len(tokens))
    article = model.numbers("article", length=len(tokens))
    return TokenScores(
        {token: score for token, score in zip(tokens, content, strict=True) if score},
        {token: score for token, score in zip(tokens, article, strict=True) if score},
    )


def write_token_scores(token_scores: TokenScores) -> dict[str, list[str] | list[float]]:
    """Return the section of a model file that `read_token_scores` reads."""
    tokens = sorted({*token_scores.content, *token_scores.article})
    return {
        "tokens": tokens,
        "content": [token_scores.content.get(token, 0.0) for token in tokens],
        "article": [token_scores.article.get(token, 0.0) for token in tokens],
    }
