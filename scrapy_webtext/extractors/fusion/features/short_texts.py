"""Scores of the words of short texts, such as "Add to cart" or "5 min read".

"Privacy policy" and "Reply" stand on thousands of sites. Such texts tell whether they are content,
and whether their page is an article. So each word of a short text has two learned scores: the
log-odds of being content, and those of standing on an article. A text of two to four words has
scores as a whole too. Only tokens that enough sites use have scores. Long texts are left out,
because their words tell only the subject.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import add
from typing import Final, NamedTuple

from scrapy_webtext.compiled import compiled
from scrapy_webtext.models import ModelFile
from scrapy_webtext.page import prefix_sums

#: A text with more words or characters is not short.
MAX_WORDS: Final = 12
MAX_CHARS: Final = 160
#: A text of two to four words is a token as a whole.
MAX_WHOLE_WORDS: Final = 4
#: Neighbours on each side in the mean of `around`.
AROUND: Final = 3
#: Prior of the page's mean score: this many tokens with score 0.
PRIOR_TOKENS: Final = 10
#: All but white space, digits, punctuation and signs of ASCII, and the commonest beyond it.
_WORD: Final = re.compile(r"[^\s\x00-@\[-`{-\x7f…•·–—’‘“”»«→›‹©®™]+")
_ASCII_BLANKS: Final = bytes(c if chr(c).isascii() and chr(c).isalpha() else 32 for c in range(256))


@dataclass(frozen=True, slots=True)
class TokenScores:
    """Learned scores of tokens, in log-odds; 0 is neutral."""

    content: Mapping[str, float]  #: of being content
    article: Mapping[str, float]  #: of standing on an article


NO_TOKEN_SCORES: Final = TokenScores({}, {})


class TextScores(NamedTuple):
    """Scores of the short texts of a page; 0 for long texts."""

    mean: list[float]  #: per text, mean content score of its tokens
    low: list[float]  #: per text, lowest content score of its tokens, at most 0
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


def words_of(low: str) -> list[str]:
    """Return the words of a text in lower case, without digits and punctuation."""
    if low.isascii():  # bytes.translate takes a fifth of the time
        return low.encode().translate(_ASCII_BLANKS).decode().split()
    return _WORD.findall(low)


@compiled
def score_texts(texts: Iterable[str], token_scores: TokenScores) -> TextScores:
    """Return the scores of these texts, in time linear in the short ones."""
    score = token_scores.content.get
    of_text: dict[str, tuple[float, float]] = {}
    page_tokens: list[str] = []
    mean, low = [], []
    for text in texts:
        mean_and_low = of_text.get(text)
        if mean_and_low is None:
            tokens = text_tokens(text)
            scores = [score(token, 0.0) for token in tokens]
            mean_and_low = (0.0, 0.0)
            if scores:
                mean_and_low = (_total(scores) / len(scores), min(0.0, *scores))
            of_text[text] = mean_and_low
            page_tokens += tokens
        mean.append(mean_and_low[0])
        low.append(mean_and_low[1])
    return TextScores(mean, low, article_score(dict.fromkeys(page_tokens), token_scores.article))


def article_score(tokens: Iterable[str], article: Mapping[str, float]) -> float:
    """Return the mean score of these distinct tokens, with a prior; 0 is neutral."""
    known = [article[token] for token in tokens if token in article]
    return _total(known) / (len(known) + PRIOR_TOKENS)


def _total(values: Iterable[float]) -> float:
    """Return the sum, added from the left. The rounding of `sum` changed in Python 3.12."""
    return reduce(add, values, 0.0)


def around(values: Sequence[float]) -> list[float]:
    """Return per value the mean of itself and its neighbours, ``AROUND`` on each side."""
    n = len(values)
    sums = prefix_sums(values)
    bounds = [(max(0, i - AROUND), min(n, i + AROUND + 1)) for i in range(n)]
    return [(sums[z] - sums[a]) / (z - a) for a, z in bounds]


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
