"""Elects one of several candidates: the title, the authors, the day of a date."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

T = TypeVar("T")


def elect(candidates: Iterable[T], score: Callable[[T], float], least: float) -> T | None:
    """Return the candidate with the highest score; None if no score is at least ``least``.

    Of equal candidates, return the first.
    """
    best, most = None, least
    for one in candidates:
        number = score(one)
        if number > most or (best is None and number == most):
            best, most = one, number
    return best


def support(votes: Iterable[tuple[Hashable, float]]) -> float:
    """Return the sum of votes (source, weight); of a source's votes, only the greatest counts."""
    greatest: dict[Hashable, float] = {}
    for source, weight in votes:
        greatest[source] = max(weight, greatest.get(source, 0.0))
    return sum(greatest.values())
