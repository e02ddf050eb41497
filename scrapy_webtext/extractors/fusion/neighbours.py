"""On pages that show products, what the neighbours of a block say of it.

The fields of a product, and the goods of a list, stand together; a likely block among unlikely
ones is an offer or a term of trade. The forests know the texts around a block, not whether these
are content. On other pages, and the more on forums, posts and what is between them alternate.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from scrapy_webtext.extractors.fusion.wording import KINDS

#: Probability that the next block is content if this one is, and is none if this one is none.
ALIKE: Final = 0.6
#: A page shows products with at least this probability.
LEAST_SHOP: Final = 0.5
_PRODUCT, _COLLECTION = KINDS.index("product"), KINDS.index("collection")


def is_shop(kinds: Sequence[float]) -> bool:
    """Return whether a page of these probabilities shows products."""
    return kinds[_PRODUCT] + kinds[_COLLECTION] >= LEAST_SHOP


def with_neighbours(kinds: Sequence[float], probabilities: list[float]) -> list[float]:
    """Return the probabilities of blocks, on a shop's page with what both neighbours say.

    The odds of a block are multiplied with those that each neighbour gives it.
    """
    if not is_shop(kinds):
        return probabilities
    ratios = [
        (ALIKE * p + (1 - ALIKE) * (1 - p)) / ((1 - ALIKE) * p + ALIKE * (1 - p))
        for p in probabilities
    ]
    padded = [1.0, *ratios, 1.0]
    return [
        p * before * after / (p * before * after + (1 - p))
        for p, before, after in zip(probabilities, padded[:-2], padded[2:], strict=True)
    ]
