"""Searches for single bytes of HTML."""

from __future__ import annotations


def find(body: bytes, char: str, first: int, end: int) -> int:
    """Return the first place of a character of ASCII in ``body[first:end]``; ``end`` if missing."""
    place = body.find(char.encode(), first, end)
    return place if place >= 0 else end


def rfind(body: bytes, char: str, first: int, end: int) -> int:
    """Return the last such place, -1 if missing."""
    return body.rfind(char.encode(), first, end)


def separators(body: bytes, first: int, end: int) -> int:
    """Return how many bytes of ``body[first:end]`` may separate attributes, also within quotes."""
    part = body[first:end]
    return len(part) - len(part.translate(None, b"=/ \t\n\v\f\r"))


def opened(body: bytes) -> int:
    """Return how many "<" a body has."""
    return body.count(b"<")


def between_attributes(body: bytes) -> int:
    """Return how many bytes of a body may be between attributes, or around their values."""
    return len(body) - len(body.translate(None, b" \t\r\n\f/\"'"))
