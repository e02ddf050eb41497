"""Columns of numbers, which compiled code reads as C arrays.

A loop over a column takes the column's numbers first (`longs`, `doubles`). Compiled, they are the
address of the numbers, so something must own the column for as long as they are used: a name of its
own, or a dictionary of columns (`column`, `keep`).
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import accumulate
from typing import Any, TypeVar

_Number = TypeVar("_Number", int, float)
_ZERO = bytes(8)


def longs(column: array[int]) -> array[int]:
    """Return the numbers of a column of integers of 64 bits (type code "q")."""
    return column


def doubles(column: array[float]) -> array[float]:
    """Return the numbers of a column of floats (type code "d")."""
    return column


def octets(mask: bytearray) -> bytearray:
    """Return the bytes of a mask."""
    return mask


def new_longs(n: int) -> array[int]:
    """Return a column of ``n`` integers, all 0."""
    return array("q", _ZERO * n)


def new_doubles(n: int) -> array[float]:
    """Return a column of ``n`` floats, all 0."""
    return array("d", _ZERO * n)


def column(columns: dict[str, array[float]], name: str, n: int) -> array[float]:
    """Set a new column of ``n`` floats, all 0, and return its numbers."""
    columns[name] = new_doubles(n)
    return columns[name]


def keep(columns: dict[str, array[Any]], name: str, kept: array[int]) -> array[int]:
    """Set a column of integers, and return its numbers."""
    columns[name] = kept
    return kept


def sums(column: array[_Number]) -> array[_Number]:
    """Return the sums of the first 0, 1, ... numbers: one longer than the column."""
    return array(column.typecode, accumulate(column, initial=0))


def untracked(column: list[Any]) -> list[Any]:
    """Return a list of nothing but texts and numbers, which the garbage collector passes by.

    Only if compiled: the collector would look at each entry, several times while the page lives, a
    quarter of what a page in a row of pages costs.
    """
    return column


def as_longs(column: Sequence[int]) -> array[int]:
    """Return integers as a column; a column of integers is returned as it is."""
    return _as("q", column)


def as_doubles(column: Sequence[float]) -> array[float]:
    """Return numbers as a column of floats; a column of floats is returned as it is."""
    return _as("d", column)


def _as(code: str, column: Sequence[Any]) -> array[Any]:
    if isinstance(column, array) and column.typecode == code:
        return column
    return array(code, list(column))  # of bytes, array would take several as one number
