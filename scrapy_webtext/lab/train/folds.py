"""Folds of a cross-validation; all pages of a domain are in the same fold.

There are two ways, and the published figures depend on each of them. `domain_folds` makes folds of
equal size and needs all domains at once; `naive_bayes` is validated with it. `fold_of` needs one
domain only, so the fold of a site does not change when corpora are added or left out; `fusion` is
trained with it.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from zlib import crc32

from scrapy_webtext.errors import CorpusError


def domain_folds(domains: Iterable[str], folds: int, seed: int = 0) -> dict[str, int]:
    """Return the fold of each domain, in 0 .. folds - 1. The folds have equal numbers of domains.

    The result depends neither on the machine nor on the order. CorpusError for fewer domains than
    folds.
    """
    shuffled = sorted(set(domains), key=lambda name: sha256(f"{seed} {name}".encode()).digest())
    if len(shuffled) < folds:
        raise CorpusError(
            f"{folds} folds need pages of {folds} domains at least, there are {len(shuffled)}"
        )
    return {name: number % folds for number, name in enumerate(shuffled)}


def fold_of(domain: str, folds: int, seed: int) -> int:
    """Return the fold of one domain, in 0 .. folds - 1, whatever other domains there are."""
    return crc32(f"{seed}:{domain}".encode()) % folds
