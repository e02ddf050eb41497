"""Sums over subtrees: differences of prefix sums, since columns stand in document order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import TypeVar

_Number = TypeVar("_Number", int, float)


def prefix_sums(values: Iterable[_Number]) -> list[_Number]:
    """Sums of the first 0, 1, ... values: one longer than ``values``."""
    return list(accumulate(values, initial=0))


def subtree_sums(values: Iterable[int], end: Sequence[int]) -> list[int]:
    """Per node, the sum of ``values`` over the node and all below it."""
    sums = prefix_sums(values)
    return [sums[e] - first for first, e in zip(sums, end)]  # noqa: B905 (sums is one longer)
