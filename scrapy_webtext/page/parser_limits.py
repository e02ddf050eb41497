"""Checks the size of a page in its source, before it is parsed.

Each node (element, comment or instruction) takes some microseconds and half a kilobyte. For each
end tag the parser searches the open elements. Each attribute takes two strings. libxml2 needs time
quadratic in the attributes of a tag to build a tree: two seconds for one tag with 50,000
attributes, and lxml needs three more. If such tags would cost more than the rest of a page, the
page is read from the parser's events, which take linear time.
"""

from __future__ import annotations

import math
import re
from itertools import islice
from typing import Final

from scrapy_webtext.core import texts

#: Maximum number of attributes of a page, per element that the limit of elements allows.
ATTRIBUTES_PER_ELEMENT: Final = 10

#: Markup that creates a node: start tags, comments, instructions, declarations, unnamed end tags.
_NODE: Final = re.compile(rb"<(?:[a-zA-Z!?]|/[^a-zA-Z>])")
_END: Final = re.compile(rb"</[a-zA-Z]")

#: A tag with up to this many attributes costs no more than other text of its length. (The maximum
#: on 4,638 pages is 136.)
MAX_ATTRIBUTES: Final = 300
#: A tag with more attributes costs the square of their number. The sum of these costs may be this
#: many times the page's length in bytes.
COST_PER_CHAR: Final = 10
#: A page with fewer bytes cannot have enough attributes to take long.
SMALL_SOURCE: Final = 16_384
#: Limits for tags that seem to begin inside other tags: number of long tags, length of each, and
#: number of longer tags.
MAX_NESTED: Final = 200
MAX_NESTED_CHARS: Final = 20_000
MAX_LONG: Final = 8

#: Maximum number of a tag's values that are read.
_MAX_VALUES: Final = 2_000
#: Minimum length of a tag with `MAX_ATTRIBUTES` attributes.
_LEAST_CHARS: Final = 2 * MAX_ATTRIBUTES
#: `short_end` searches the end of tags from this many bytes after their start on.
_STRIDE: Final = 400
_QUOTED: Final = re.compile(rb"""=\s*(?:"[^"]*"?|'[^']*'?)""")
_ATTRIBUTE: Final = re.compile(rb"[^\s/]+")


def has_more_elements(body: bytes, limit: int) -> bool:
    """Return whether parsing a body would give more nodes than ``limit``.

    Also True for more end tags than ``limit``, or more attributes than `ATTRIBUTES_PER_ELEMENT`
    times ``limit``. The body may have any encoding that extends ASCII. The time is linear in the
    body; a body too short for the limit is not searched.
    """
    if len(body) <= limit * len("<p>"):
        return False
    if b"\0" in body:  # UTF-16 and UTF-32
        body = body.replace(b"\0", b"")
    if texts.opened(body) > limit and (
        _has_more(_NODE, body, limit) or _has_more(_END, body, limit)
    ):
        return True
    return _has_more_attributes(body, limit * ATTRIBUTES_PER_ELEMENT)


def _has_more(pattern: re.Pattern[bytes], body: bytes, limit: int) -> bool:
    return next(islice(pattern.finditer(body), limit, None), None) is not None


def _has_more_attributes(body: bytes, limit: int) -> bool:
    if len(body) <= limit * len(" a"):
        return False
    if texts.between_attributes(body) <= limit:
        return False
    source, found, start = Source(body), 0, 0
    while (start := texts.find(body, "<", start, len(body))) + 1 < len(body):
        if not _begins_tag(body, start):
            start += 1
            continue
        end = source.tag_end(start, len(body))
        found += len(_attributes(body[start:end])[0]) - 1
        if found > limit:
            return True
        start = end
    return False


def has_swollen_tag(body: bytes) -> bool:
    """Return whether some tags may have too many attributes for building a tree.

    For each tag with more than ``MAX_ATTRIBUTES`` distinct attributes, the square of their number
    is added. The result is True if the sum exceeds ``COST_PER_CHAR`` times the bytes of the page.
    The body may have any encoding that extends ASCII.

    Whether "<" begins a tag depends on scripts, comments and quotes before it, and a hostile page
    can mislead about them. So each "<" before a letter counts as a tag, even inside another tag.
    Code of scripts that is mistaken for a tag has a few thousand attributes at most.
    """
    if len(body) < SMALL_SOURCE:
        return False
    if b"\0" in body:  # the parser drops NUL
        body = body.replace(b"\0", b"")
    return Source(body).is_costly(False) and Source(body).is_costly(True)


class Source:
    """Finds tags in bytes of HTML. A tag ends at the first ">" that is not in a quoted value."""

    def __init__(self, body: bytes) -> None:
        self.body = body
        self.left: float = COST_PER_CHAR * len(body)  #: cost that tags may still have
        self.nested = self.long = 0  #: numbers of long and very long tags inside other tags
        #: Offsets of "=" in short tags inside other tags.
        self.short: set[int] = set()
        self.next_double = self.next_single = -1  #: offset of the next quote of each kind
        self.untried = 0  #: offset from which `short_end` tries again

    def is_costly(self, is_exact: bool) -> bool:
        """Return whether the tags cost too much; unless ``is_exact``, True may be wrong."""
        body, n, start = self.body, len(self.body), 0
        while True:
            start = texts.find(body, "<", start, n)
            if start + 1 >= n:
                return False
            end = self.short_end(start)
            if end == start:
                end = start + 1
                if _begins_tag(body, start):
                    end = self.tag_end(start, n)
                    if self._is_too_high(start, end, is_exact):
                        return True
            start = end

    def _is_too_high(self, start: int, end: int, is_exact: bool) -> bool:
        """Return whether a tag and the tags that seem to begin inside it cost more than is left."""
        body, place = self.body, start
        self.left -= _tree_cost(body, start, end, is_exact)
        while self.left >= 0:
            place = texts.find(body, "<", place + 1, end)
            if place + 1 >= end:
                return False
            if not _begins_tag(body, place):
                continue
            inner = self._long_end(place)
            if inner > place + MAX_NESTED_CHARS:
                self.long += 1
            if inner > place:
                self.nested += 1
                if self.nested > MAX_NESTED or self.long > MAX_LONG:
                    return True
                self.left -= _tree_cost(body, place, inner, is_exact)
        return True

    def _long_end(self, start: int) -> int:
        """Return the end of a tag inside another; ``start`` if it is too short to have a cost."""
        body, limit = self.body, min(len(self.body), start + _LEAST_CHARS)
        # A tag that begins later and has an "=" of a known short tag ends where that tag ends, so
        # it is short, too. So the search stays linear if many tags begin before one ">".
        equals = texts.find(body, "=", start, limit)
        if equals in self.short or texts.find(body, ">", start, equals) < equals:
            return start
        end = self.tag_end(start, min(len(body), start + MAX_NESTED_CHARS))
        if end == start + MAX_NESTED_CHARS:
            return max(end + 1, self.tag_end(start, len(body)))
        if end > limit:
            return end
        self._remember_short(equals, end)
        return start

    def _remember_short(self, equals: int, end: int) -> None:
        found: list[int] = []
        while equals < end:
            found.append(equals)
            after = self.value_end(equals + 1, len(self.body))
            if after > end:  # the quotes of the value are not closed in the tag
                return
            equals = texts.find(self.body, "=", after, end)
        self.short.update(found)

    def tag_end(self, start: int, n: int) -> int:
        """Return the end of the tag that begins at ``start``, in ``body[:n]``."""
        body, at, values = self.body, start + 2, 0
        close = texts.find(body, ">", at, n)
        while True:
            at = texts.find(body, "=", at, close)
            if at == close or values == _MAX_VALUES:
                return at
            values += 1
            at += 1
            end = self.value_end(at, n)
            if end <= n:  # else the quotes are not closed
                at = end
            if at > close:
                close = texts.find(body, ">", at, n)

    def value_end(self, at: int, n: int) -> int:
        """Return the end of the quoted value that begins at ``at``; ``at`` if there is none."""
        body, quote = self.body, at
        while quote < n and (body[quote] == 0x20 or 0x09 <= body[quote] <= 0x0D):
            quote += 1
        if quote < n and body[quote] == 0x22:
            return texts.find(body, '"', quote + 1, n) + 1
        if quote < n and body[quote] == 0x27:
            return texts.find(body, "'", quote + 1, n) + 1
        return at

    def short_end(self, start: int) -> int:
        """Return an offset at which all tags that begin from ``start`` on have ended.

        The offset is after a ">" that is in no quoted value, and so near that none of these tags
        has a cost. If no such ">" is found, return ``start``.
        """
        n = min(len(self.body), start + _LEAST_CHARS)
        if start >= self.untried:
            close = texts.find(self.body, ">", start + _STRIDE, n)
            if close < n and not self._may_be_in_value(start, close):
                return close + 1
            self.untried = start + _LEAST_CHARS - _STRIDE
        return start

    def _may_be_in_value(self, start: int, place: int) -> bool:
        """Return whether an offset may be in a quoted value of a tag that begins after ``start``.

        Such a value begins with the last quote of its kind before the offset.
        """
        body, n = self.body, len(self.body)
        if self.next_double < start:
            self.next_double = texts.find(body, '"', start, n)
        if self.next_single < start:
            self.next_single = texts.find(body, "'", start, n)
        if self.next_double < place and self._begins_value(
            start, texts.rfind(body, '"', start, place)
        ):
            return True
        return self.next_single < place and self._begins_value(
            start, texts.rfind(body, "'", start, place)
        )

    def _begins_value(self, start: int, quote: int) -> bool:
        """Return whether a quote comes after "=" and optional white space."""
        body, place = self.body, quote - 1
        while place > start and (body[place] == 0x20 or 0x09 <= body[place] <= 0x0D):
            place -= 1
        return place > start and body[place] == 0x3D


def _begins_tag(body: bytes, place: int) -> bool:
    return place + 1 < len(body) and 0x61 <= body[place + 1] | 0x20 <= 0x7A


def _tree_cost(body: bytes, start: int, end: int, is_exact: bool) -> float:
    """Return the cost of a tag: the square of its number of attributes if above `MAX_ATTRIBUTES`.

    A tag with fewer attributes costs 0. A tag with more than ``_MAX_VALUES`` values has an infinite
    cost. Unless ``is_exact``, return an upper bound, which ignores quotes and repeated attributes.
    """
    if end - start <= _LEAST_CHARS:
        return 0.0
    attributes = 1 + texts.separators(body, start, end)
    is_bounded = attributes < _MAX_VALUES
    if is_exact and attributes > MAX_ATTRIBUTES:
        names, quoted = _attributes(body[start:end])
        is_bounded = quoted + b"".join(names).count(b"=") < _MAX_VALUES
        attributes = len(set(names))
    if not is_bounded:
        return math.inf
    return float(attributes) * attributes if attributes > MAX_ATTRIBUTES else 0.0


def _attributes(tag: bytes) -> tuple[list[bytes], int]:
    """Return the names in a tag (its own first) and the number of removed quoted values."""
    names, quoted = _QUOTED.subn(b" ", tag)
    return _ATTRIBUTE.findall(names), quoted
