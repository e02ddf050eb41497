"""What short texts say: learned scores of their words.

"Add to cart", "Privacy policy", "Reply" and "5 min read" stand on thousands of sites. They say
whether they are content, and more so whether they stand on an article. So the words of short
texts, and the whole of a text of two to four words, have scores wherever enough sites have them:
the log-odds of being content, and those of standing on an article. Long texts
are not looked at: their words speak of their subject.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import add
from typing import Final, NamedTuple

from scrapy_webtext.models import ModelFile
from scrapy_webtext.page import prefix_sums

#: A text of more words or characters is not looked at.
MAX_WORDS: Final = 12
MAX_CHARS: Final = 160
#: A text of two to as many words is a token as a whole, too.
MAX_WHOLE_WORDS: Final = 4
#: Neighbours on each side whose scores are looked at together.
AROUND: Final = 3
#: The mean over a page's tokens is drawn towards 0 by as many tokens without a score.
PRIOR_TOKENS: Final = 10
_BLANKS: Final = str.maketrans(
    dict.fromkeys([chr(c) for c in range(128) if not chr(c).isalpha()], " ")
    | dict.fromkeys("…|•·–—’‘“”»«→›‹©®™\xa0", " ")
)
_ASCII_BLANKS: Final = bytes(c if chr(c).isascii() and chr(c).isalpha() else 32 for c in range(256))


@dataclass(frozen=True, slots=True)
class TokenScores:
    """Scores of tokens, log-odds around 0."""

    content: Mapping[str, float]  #: of being content
    article: Mapping[str, float]  #: of standing on an article


NO_TOKEN_SCORES: Final = TokenScores({}, {})


class TextScores(NamedTuple):
    """What the short texts of a page say: per text, and of the page."""

    mean: list[float]
    low: list[float]
    article: float  #: mean score of the page's tokens


def text_tokens(text: str) -> list[str]:
    """Return the tokens of a short text, none of a long one.

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
    if low.isascii():  # by bytes, at a fifth of the cost
        return low.encode().translate(_ASCII_BLANKS).decode().split()
    return low.translate(_BLANKS).split()


def score_texts(texts: Iterable[str], token_scores: TokenScores) -> TextScores:
    """Return what these texts say, in time linear in the short ones."""
    score = token_scores.content.get
    known: dict[str, tuple[float, float]] = {}
    seen: list[str] = []
    mean, low = [], []
    for text in texts:
        found = known.get(text)
        if found is None:
            tokens = text_tokens(text)
            scores = [score(token, 0.0) for token in tokens]
            found = (_total(scores) / len(scores), min(0.0, *scores)) if scores else (0.0, 0.0)
            known[text] = found
            seen += tokens
        mean.append(found[0])
        low.append(found[1])
    return TextScores(mean, low, article_score(dict.fromkeys(seen), token_scores.article))


def article_score(tokens: Iterable[str], article: Mapping[str, float]) -> float:
    """Return the mean score of these distinct tokens, around 0."""
    known = [article[token] for token in tokens if token in article]
    return _total(known) / (len(known) + PRIOR_TOKENS)


def _total(values: Iterable[float]) -> float:
    """Return the sum, added from the left on every Python; `sum` rounds otherwise since 3.12."""
    return reduce(add, values, 0.0)


def around(values: Sequence[float]) -> list[float]:
    """Return per value the mean of it and its neighbours, ``AROUND`` on each side."""
    n = len(values)
    sums = prefix_sums(values)
    bounds = [(max(0, i - AROUND), min(n, i + AROUND + 1)) for i in range(n)]
    return [(sums[z] - sums[a]) / (z - a) for a, z in bounds]


def read_token_scores(model: ModelFile) -> TokenScores:
    """Return the scores of a section of a model file; ModelError where they do not fit."""
    tokens = model.distinct_strings("tokens")
    content = model.numbers("content", length=len(tokens))
    article = model.numbers("article", length=len(tokens))
    return TokenScores(
        {token: score for token, score in zip(tokens, content, strict=True) if score},
        {token: score for token, score in zip(tokens, article, strict=True) if score},
    )


def write_token_scores(token_scores: TokenScores) -> dict[str, list[str] | list[float]]:
    """Return the section of a model file that :func:`read_token_scores` reads."""
    tokens = sorted({*token_scores.content, *token_scores.article})
    return {
        "tokens": tokens,
        "content": [token_scores.content.get(token, 0.0) for token in tokens],
        "article": [token_scores.article.get(token, 0.0) for token in tokens],
    }
