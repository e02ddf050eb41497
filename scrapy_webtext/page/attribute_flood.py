"""Tags with thousands of attributes: a tree costs the square of their number (libxml2).

One tag with 50,000 attributes takes libxml2 two seconds and lxml three more. Such a page is read
from the parser's events, which are linear; so is one of which this cannot be ruled out, since that
costs little more.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from scrapy_webtext.compiled import compiled

#: More attributes than any tag of a page that means well (136 at most on 4,638 pages).
MAX_ATTRIBUTES: Final = 300
#: A page of fewer characters has no room for what would take long.
SMALL_SOURCE: Final = 16_384
#: Of tags that seem to begin within others so many are looked at, and so many characters of each.
MAX_NESTED: Final = 1_000
MAX_NESTED_CHARS: Final = 20_000

#: A tag up to its end, or up to so many "=". Quotes are read only after "=", as browsers do. The
#: bound keeps the matcher's memory small.
_MAX_VALUES: Final = 2_000
_TAG: Final = re.compile(
    rf"""<[a-zA-Z][^>=]*(?:=(?:\s*"[^"]*"|\s*'[^']*')?[^>=]*){{0,{_MAX_VALUES}}}"""
)
_BEGIN: Final = re.compile("<[a-zA-Z]")
_QUOTED: Final = re.compile(r"""=\s*(?:"[^"]*"?|'[^']*'?)""")
_ATTRIBUTE: Final = re.compile(r"[^\s/]+")
#: So many attributes have at least as many characters, and as many between them.
_LEAST_CHARS: Final = 2 * MAX_ATTRIBUTES


@compiled
def has_swollen_tag(source: str) -> bool:
    """Whether a tag of some HTML may have more than ``MAX_ATTRIBUTES`` different attributes.

    What is a tag depends on what is script, comment or quoted, and a page can mislead about that.
    So each "<" and letter is taken for one, also where it stands in another. One real page in a
    hundred has a script that is taken for a swollen tag.
    """
    if len(source) < SMALL_SOURCE:
        return False
    if "\0" in source:  # the parser leaves it out
        source = source.replace("\0", "")
    tags = find_tags(source)
    return any(map(_is_swollen, tags)) or _has_swollen_nested_tag(source, tags)


def _has_swollen_nested_tag(source: str, tags: Sequence[str]) -> bool:
    for number, place in enumerate(_nested(source, tags)):
        end = place + MAX_NESTED_CHARS
        tag = _TAG.match(source, place, end)
        if number == MAX_NESTED or (tag and (tag.end() == end or _is_swollen(tag[0]))):
            return True
    return False


def _nested(source: str, tags: Sequence[str]) -> Iterator[int]:
    """Yield where a tag seems to begin within one of these, which are given in order."""
    end = 0
    for tag in tags:
        if tag.find("<", 1) > 0:
            start = source.find(tag, end)
            for begin in _BEGIN.finditer(tag, 1):
                yield start + begin.start()
            end = start + len(tag)


def _is_swollen(tag: str) -> bool:
    if len(tag) <= _LEAST_CHARS:
        return False
    # After so many values the rest of the tag was not read.
    return tag.count("=") >= _MAX_VALUES or len(set(_attributes(tag))) > MAX_ATTRIBUTES


def find_tags(source: str) -> list[str]:
    """Return the start tags of some HTML as they stand, without the ">".

    Scripts and comments are not left out. Of a tag with thousands of values the first are read.
    """
    return _TAG.findall(source)


def count_attributes(tag: str) -> int:
    """Return how many attributes a start tag has, such as stand there twice included."""
    return len(_attributes(tag)) - 1


def _attributes(tag: str) -> list[str]:
    """Return the name of a tag and its attributes, values in quotes left out."""
    return _ATTRIBUTE.findall(_QUOTED.sub(" ", tag))
