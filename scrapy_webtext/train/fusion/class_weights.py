"""Weights of pages that let words say nothing of their language.

Where a language has few pages that are no articles, or hardly any other, each of its words would
speak for articles, or against them. So the articles of a script weigh as much as its other pages,
and where one of the two is all but missing its words teach nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from scrapy_webtext.train.fusion.examples import Example

#: A script with fewer pages of either kind teaches no words.
LEAST_PAGES: Final = 3
MOST_WEIGHT: Final = 5.0


def balanced_weights(examples: Sequence[Example]) -> list[float]:
    """Return a weight per page, the same for the articles of a script and for its other pages.

    The two sums are equal unless a weight would be greater than ``MOST_WEIGHT``.
    """
    number = Counter((e.script, e.is_article) for e in examples)

    def weight(script: str, is_article: bool) -> float:
        own, other = number[script, is_article], number[script, not is_article]
        if min(own, other) < LEAST_PAGES:
            return 0.0
        return min((own + other) / (2 * own), MOST_WEIGHT)

    return [weight(e.script, e.is_article) for e in examples]
