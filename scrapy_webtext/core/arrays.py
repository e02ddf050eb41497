"""Columns of numbers, which compiled code reads as C arrays.

Before a loop, code takes the numbers of a column (`longs`, `doubles`). In compiled code these are
an address. So a variable, or a dictionary of columns (`column`, `keep`), must hold the column as
long as the numbers are used.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import accumulate
from typing import Any, TypeVar

_Number = TypeVar("_Number", int, float)
_ZERO = bytes(8)


def longs(column: array[int]) -> array[int]:
    """Return the numbers of a column of 64-bit integers (type code "q")."""
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


def unset_longs(n: int) -> array[int]:
    """Return a column of ``n`` integers that the caller sets; compiled, they are not zeroed."""
    return new_longs(n)


def new_doubles(n: int) -> array[float]:
    """Return a column of ``n`` floats, all 0."""
    return array("d", _ZERO * n)


def column(columns: dict[str, array[float]], name: str, n: int) -> array[float]:
    """Set a new column of ``n`` floats, all 0, and return its numbers."""
    columns[name] = new_doubles(n)
    return columns[name]


def unset_column(columns: dict[str, array[float]], name: str, n: int) -> array[float]:
    """Add a column of ``n`` floats, which the caller sets; return its numbers."""
    return column(columns, name, n)


def keep(columns: dict[str, array[Any]], name: str, kept: array[int]) -> array[int]:
    """Set a column of integers, and return its numbers."""
    columns[name] = kept
    return kept


def sums(column: array[_Number]) -> array[_Number]:
    """Return the sums of the first 0, 1, 2, ... numbers: one more than the column has."""
    return array(column.typecode, accumulate(column, initial=0))


def untracked(column: list[Any]) -> list[Any]:
    """Hide a list of texts and numbers from the garbage collector; return the list.

    This has an effect only in compiled code. The collector would look at each entry several times
    while the page exists; in a process with many pages this takes a quarter of the time of a page.
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
    return array(code, list(column))  # array(code, bytes) would combine several bytes into a number
