"""Features of a page's blocks for the article classifier (the judge ``learned``).

In an article the likely blocks follow each other and have high probabilities. In a list of teasers
they are scattered. A row here is a series of likely blocks without an unlikely one between them.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from math import fsum
from typing import Final

from scrapy_webtext.extractors.fusion.features.context import LIKELY
from scrapy_webtext.extractors.fusion.features.page_features import PAGE_FEATURES

#: Computed from the probabilities of a page's blocks.
ARTICLE_BLOCK_FEATURES: Final = tuple(
    """
    likely_words likely_share likely_rows longest_share expected_share expected_variance
    likely_link_density likely_items
    """.split()
)
JUDGE_FEATURES: Final = (*PAGE_FEATURES, *ARTICLE_BLOCK_FEATURES)


def article_block_features(
    words: Sequence[int],
    link_density: Sequence[float],
    repeated_items: Sequence[float],
    probabilities: Sequence[float],
) -> dict[str, float]:
    """Return the features of ``ARTICLE_BLOCK_FEATURES`` by name.

    The four sequences have one value per candidate block, and there is at least one block:
    number of words, link density, repeated items of its list, probability. Shares and means are
    weighted by words; ``likely_items`` is a mean over blocks.
    """
    likely = [k for k, p in enumerate(probabilities) if p >= LIKELY]
    total, inside = sum(words), sum(words[k] for k in likely)
    rows = [
        sum(words[k] for k in group)
        for is_likely, group in groupby(range(len(words)), lambda k: probabilities[k] >= LIKELY)
        if is_likely
    ]
    expected = fsum(p * w for p, w in zip(probabilities, words, strict=True))
    variance = fsum(p * (1 - p) * w for p, w in zip(probabilities, words, strict=True))
    return {
        "likely_words": inside,
        "likely_share": inside / total,
        "likely_rows": len(rows),
        "longest_share": max(rows, default=0) / (inside or 1),
        "expected_share": expected / total,
        "expected_variance": variance / (expected or 1),
        "likely_link_density": fsum(words[k] * link_density[k] for k in likely) / (inside or 1),
        "likely_items": sum(repeated_items[k] for k in likely) / (len(likely) or 1),
    }
