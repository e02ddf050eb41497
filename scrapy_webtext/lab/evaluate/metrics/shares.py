"""Shares of a whole that may be empty."""

from __future__ import annotations


def share(part: int, whole: int) -> float:
    """Return the part over the whole; 0 where there is nothing."""
    return part / whole if whole else 0.0
