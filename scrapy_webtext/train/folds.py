"""Folds of a cross-validation that keep the pages of one domain together."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256

from scrapy_webtext.errors import CorpusError


def domain_folds(domains: Iterable[str], folds: int, seed: int = 0) -> dict[str, int]:
    """Return the fold of each domain, in 0 .. folds - 1: shuffled, then dealt out in turn.

    The same on every machine, whatever the order. CorpusError for fewer domains than folds.
    """
    shuffled = sorted(set(domains), key=lambda name: sha256(f"{seed} {name}".encode()).digest())
    if len(shuffled) < folds:
        raise CorpusError(
            f"{folds} folds need pages of {folds} domains at least, there are {len(shuffled)}"
        )
    return {name: number % folds for number, name in enumerate(shuffled)}
