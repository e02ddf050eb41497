"""A value that was found, with its provenance."""

from __future__ import annotations

from typing import NamedTuple


class Found(NamedTuple):
    """A value, and where it came from, in words for the report."""

    value: str
    source: str
