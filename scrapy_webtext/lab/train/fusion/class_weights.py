"""Weights of pages, so that words do not tell articles by their language.

If a language had many articles and few other pages, each of its words would count as a sign of an
article. So the articles of a script have the same total weight as its other pages. A script with
almost no articles, or almost no other pages, is not used for words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from scrapy_webtext.lab.train.fusion.examples import Example

#: A script with fewer articles, or fewer other pages, is not used for words.
LEAST_PAGES: Final = 3
MOST_WEIGHT: Final = 5.0


def balanced_weights(examples: Sequence[Example]) -> list[float]:
    """Return a weight per page; the articles and the other pages of a script sum to the same.

    A weight is at most ``MOST_WEIGHT``, and 0 for scripts that are not used.
    """
    number = Counter((e.script, e.is_article) for e in examples)

    def weight(script: str, is_article: bool) -> float:
        same, other = number[script, is_article], number[script, not is_article]
        if min(same, other) < LEAST_PAGES:
            return 0.0
        return min((same + other) / (2 * same), MOST_WEIGHT)

    return [weight(e.script, e.is_article) for e in examples]
