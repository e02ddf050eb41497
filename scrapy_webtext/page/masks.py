"""Masks over nodes: a byte per node, 0 or 1."""

from __future__ import annotations


def either(one: bytearray, other: bytearray) -> bytearray:
    """Return a mask: 1 where one of two masks of equal length is."""
    bits = int.from_bytes(one, "little") | int.from_bytes(other, "little")
    return bytearray(bits.to_bytes(len(one), "little"))
