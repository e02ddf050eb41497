"""Whether a page is an article, told from its blocks: what the judge ``learned`` asks for.

The kind of a page is guessed before its blocks are looked at, since they depend on it. What the
blocks turn out to be says more: an article's likely ones follow each other and are sure, those
of a list of teasers are scattered entries. So a forest is asked that knows the blocks and the
page, and not the guess; the mean of the two is better than either.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from math import fsum
from typing import Final

from scrapy_webtext.extractors.fusion.features import Reading
from scrapy_webtext.extractors.fusion.pages import PAGE_FEATURES

#: A block of so great a probability is likely to be content.
LIKELY: Final = 0.5

#: What the probabilities of a page's blocks say together.
BLOCKS_FEATURES: Final = tuple(
    """
    likely_words likely_share likely_stretches longest_share expected_share doubt
    likely_density likely_entries
    """.split()
)
JUDGE_FEATURES: Final = (*PAGE_FEATURES, *BLOCKS_FEATURES)


def mean_opinion(kind: float, judged: float) -> float:
    """Return what the guess at the kind and the forest say together, each in [0, 1]."""
    return (kind + judged) / 2


def blocks_features(reading: Reading, probabilities: Sequence[float]) -> dict[str, float]:
    """Words of likely blocks and of stretches of them; words to expect, and how surely.

    ``probabilities`` are those of the visible blocks, of which there is at least one. Shares and
    means are of words; ``likely_entries`` is a mean over blocks.
    """
    words, density = reading.texts.words, reading.texts.density
    entries = reading.columns["entries"]
    likely = [k for k, p in enumerate(probabilities) if p >= LIKELY]
    total, inside = sum(words), sum(words[k] for k in likely)
    stretches = [
        sum(words[k] for k in group)
        for is_likely, group in groupby(range(len(words)), lambda k: probabilities[k] >= LIKELY)
        if is_likely
    ]
    expected = fsum(p * w for p, w in zip(probabilities, words, strict=True))
    unsure = fsum(p * (1 - p) * w for p, w in zip(probabilities, words, strict=True))
    return {
        "likely_words": inside,
        "likely_share": inside / total,
        "likely_stretches": len(stretches),
        "longest_share": max(stretches, default=0) / (inside or 1),
        "expected_share": expected / total,
        "doubt": unsure / (expected or 1),
        "likely_density": fsum(words[k] * density[k] for k in likely) / (inside or 1),
        "likely_entries": sum(entries[k] for k in likely) / (len(likely) or 1),
    }
