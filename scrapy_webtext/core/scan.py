"""Searches bytes of HTML for single characters."""

from __future__ import annotations


def find(body: bytes, char: str, first: int, end: int) -> int:
    """Return the first index of an ASCII character in ``body[first:end]``; ``end`` if missing."""
    place = body.find(char.encode(), first, end)
    return place if place >= 0 else end


def rfind(body: bytes, char: str, first: int, end: int) -> int:
    """Return the last index of an ASCII character in ``body[first:end]``; -1 if missing."""
    return body.rfind(char.encode(), first, end)


def separators(body: bytes, first: int, end: int) -> int:
    """Count the bytes of ``body[first:end]`` that may separate attributes, even in quotes."""
    part = body[first:end]
    return len(part) - len(part.translate(None, b"=/ \t\n\v\f\r"))


def opened(body: bytes) -> int:
    """Count the "<" in a body."""
    return body.count(b"<")


def between_attributes(body: bytes) -> int:
    """Count the bytes of a body that may be between attributes or around their values."""
    return len(body) - len(body.translate(None, b" \t\r\n\f/\"'"))
