"""Limits of a page's size, checked in its source before it is parsed.

Each node (element, comment or instruction) takes some microseconds and half a kilobyte. For each
end tag the parser searches the open elements; each attribute takes two strings. Of tags with
thousands of attributes libxml2's tree takes quadratic time: of one tag with 50,000 two seconds, and
lxml three more. A page on which such tags would cost more than the rest is read from the parser's
events, which take linear time.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import Final

from scrapy_webtext.core import compiled_module

_COMPILED: Final = compiled_module("swollen_tags")

#: Attributes that a page may have, per element that it may have.
ATTRIBUTES_PER_ELEMENT: Final = 10

#: What makes a node: start tags, comments, instructions, declarations, ends that name nothing.
_NODE: Final = re.compile(rb"<(?:[a-zA-Z!?]|/[^a-zA-Z>])")
_END: Final = re.compile(rb"</[a-zA-Z]")
_BETWEEN_ATTRIBUTES: Final = b" \t\r\n\f/\"'"

#: Attributes of a tag that cost no more than other text of its length (the maximum on 4,638 pages
#: is 136).
MAX_ATTRIBUTES: Final = 300
#: Tags with more cost the square of their attributes: at most this often the page's length.
COST_PER_CHAR: Final = 10
#: A shorter page cannot have enough attributes to take long.
SMALL_SOURCE: Final = 16_384
#: Limits for long tags that seem to begin inside others: their number, the characters of each, and
#: how many may have more.
MAX_NESTED: Final = 1_000
MAX_NESTED_CHARS: Final = 20_000
MAX_LONG: Final = 8

#: A tag up to its end, or up to ``_MAX_VALUES`` "=". Quotes count only after "=", as in browsers.
#: The bound limits the memory of the regular expression.
_MAX_VALUES: Final = 2_000
_TAG: Final = re.compile(
    rf"""<[a-zA-Z][^>=]*(?:=(?:\s*"[^"]*"|\s*'[^']*')?[^>=]*){{0,{_MAX_VALUES}}}""", re.ASCII
)
_BEGIN: Final = re.compile("<[a-zA-Z]")
#: A "=" and its value in quotes, or quotes that are not closed in the tag.
_VALUE: Final = re.compile(r"""=(?:\s*"[^"]*"|\s*'[^']*'|(?P<unclosed>\s*["']))?""", re.ASCII)
_QUOTED: Final = re.compile(r"""=\s*(?:"[^"]*"?|'[^']*'?)""", re.ASCII)
_ATTRIBUTE: Final = re.compile(r"[^\s/]+", re.ASCII)
#: The least characters of a tag with so many attributes.
_LEAST_CHARS: Final = 2 * MAX_ATTRIBUTES


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


def has_swollen_tag(body: bytes) -> bool:
    """Whether tags of some HTML may have so many attributes that a tree would be costly.

    That is, if the squares of the numbers of different attributes, of tags with more than
    ``MAX_ATTRIBUTES``, come to more than ``COST_PER_CHAR`` times the bytes of the page, which are
    in UTF-8 or another encoding that has ASCII for ASCII. Other characters mean nothing here.

    Whether "<" begins a tag depends on scripts, comments and quotes around it, and a page can be
    misleading about them. So each "<" before a letter counts as a tag, also inside another tag.
    Code of scripts that is mistaken for a tag has a few thousand attributes at most.
    """
    if _COMPILED is not None:
        return bool(_COMPILED.has_swollen_tag(body))
    if len(body) < SMALL_SOURCE:
        return False
    source = body.decode("latin-1")
    if "\0" in source:  # the parser leaves it out
        source = source.replace("\0", "")
    tags = find_tags(source)
    left: float = COST_PER_CHAR * len(source)
    for cost in chain(map(tree_cost, tags), _nested_costs(source, tags)):
        left -= cost
        if left < 0:
            return True
    return False


def _nested_costs(source: str, tags: Sequence[str]) -> Iterator[float]:
    """Yield the costs of long tags within these; infinity, at last, where they are too many."""
    found = long = 0
    for tag in _long_nested(source, tags):
        is_cut = len(tag[0]) == MAX_NESTED_CHARS
        found, long = found + 1, long + is_cut
        if found > MAX_NESTED or long > MAX_LONG:
            yield math.inf
            return
        whole = _TAG.match(source, tag.start()) if is_cut else tag
        yield tree_cost(whole[0]) if whole else math.inf


def _long_nested(source: str, tags: Sequence[str]) -> Iterator[re.Match[str]]:
    """Yield the tags within these that are long enough to cost something, cut where very long."""
    # "=" of short tags. Those that begin later and have one of these as their first end there, too:
    # so the search stays linear, and fast, where many begin before the same ">".
    short: set[int] = set()
    for place in _nested(source, tags):
        limit = place + _LEAST_CHARS
        equals = source.find("=", place, limit)
        if equals in short or source.find(">", place, equals if equals > 0 else limit) > 0:
            continue
        tag = _TAG.match(source, place, place + MAX_NESTED_CHARS)
        if tag is not None and tag.end() > limit:
            yield tag
        elif tag is not None:
            values = list(_VALUE.finditer(source, place, tag.end()))
            if not any(value["unclosed"] for value in values):
                short.update(value.start() for value in values)


def _nested(source: str, tags: Sequence[str]) -> Iterator[int]:
    """Yield where a tag seems to begin within one of these, which are given in order."""
    end = 0
    for tag in tags:
        if tag.find("<", 1) > 0:
            start = source.find(tag, end)
            for begin in _BEGIN.finditer(tag, 1):
                yield start + begin.start()
            end = start + len(tag)


def tree_cost(tag: str) -> float:
    """Return the square of the number of a start tag's attributes, 0 for `MAX_ATTRIBUTES` or less.

    Infinity for tags with more values than are read.
    """
    if len(tag) <= _LEAST_CHARS:
        return 0
    names, quoted = _attributes(tag)
    if quoted + "".join(names).count("=") >= _MAX_VALUES:
        return math.inf
    attributes = len(set(names))
    return attributes * attributes if attributes > MAX_ATTRIBUTES else 0


def find_tags(source: str) -> list[str]:
    """Return the start tags of some HTML, without the ">".

    Text of scripts and comments counts too. Of a tag with thousands of values the first are
    returned.
    """
    return _TAG.findall(source)


def count_attributes(tag: str) -> int:
    """Return the number of attributes of a start tag, with repeated ones."""
    return len(_attributes(tag)[0]) - 1


def _attributes(tag: str) -> tuple[list[str], int]:
    """Return the name and the attributes of a tag, and how many values in quotes were left out."""
    names, quoted = _QUOTED.subn(" ", tag)
    return _ATTRIBUTE.findall(names), quoted
