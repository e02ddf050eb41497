"""Limits of a page's size, checked in its source before it is parsed.

Each node (element, comment or instruction) takes some microseconds and half a kilobyte. For each
end tag the parser searches the open elements; each attribute takes two strings.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import Final

from scrapy_webtext.page.attribute_flood import count_attributes, find_tags

#: Attributes that a page may have, per element that it may have.
ATTRIBUTES_PER_ELEMENT: Final = 10

#: What makes a node: start tags, comments, instructions, declarations, ends that name nothing.
_NODE: Final = re.compile(rb"<(?:[a-zA-Z!?]|/[^a-zA-Z>])")
_END: Final = re.compile(rb"</[a-zA-Z]")
_BETWEEN_ATTRIBUTES: Final = b" \t\r\n\f/\"'"


def has_more_elements(body: bytes, limit: int) -> bool:
    """Whether a body, in any encoding that has ASCII, would make more nodes than this.

    Also True for more end tags, or for more attributes than `ATTRIBUTES_PER_ELEMENT` times the
    limit. Linear in the body; a body too short for the limit is not searched.
    """
    if len(body) <= limit * len("<p>"):
        return False
    if b"\0" in body:  # UTF-16 and UTF-32
        body = body.replace(b"\0", b"")
    if count_angles(body) > limit and (
        _has_more(_NODE, body, limit) or _has_more(_END, body, limit)
    ):
        return True
    return _has_more_attributes(body, limit * ATTRIBUTES_PER_ELEMENT)


def count_angles(body: bytes) -> int:
    """Return how often "<" stands in a body."""
    return body.count(b"<")


def count_separators(body: bytes) -> int:
    """Return the characters of a body that may stand between attributes."""
    return len(body) - len(body.translate(None, _BETWEEN_ATTRIBUTES))


def _has_more(pattern: re.Pattern[bytes], body: bytes, limit: int) -> bool:
    return next(islice(pattern.finditer(body), limit, None), None) is not None


def _has_more_attributes(body: bytes, limit: int) -> bool:
    if len(body) <= limit * len(" a"):
        return False
    if count_separators(body) <= limit:
        return False
    found = 0
    for tag in find_tags(body.decode("latin-1")):  # so are bytes that are ASCII in any encoding
        found += count_attributes(tag)
        if found > limit:
            return True
    return False
