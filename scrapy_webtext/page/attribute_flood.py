"""Tags with thousands of attributes, for which libxml2's tree takes quadratic time.

One tag with 50,000 attributes takes libxml2 two seconds and lxml three more. A page that may have
such a tag is read from the parser's events, which take linear time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from scrapy_webtext.compiled import compiled

#: More attributes than a tag of a normal page has (the maximum on 4,638 pages is 136).
MAX_ATTRIBUTES: Final = 300
#: A shorter page cannot have enough attributes to take long.
SMALL_SOURCE: Final = 16_384
#: Limits for tags that seem to begin inside others: their number, and the characters of each.
MAX_NESTED: Final = 1_000
MAX_NESTED_CHARS: Final = 20_000

#: A tag up to its end, or up to ``_MAX_VALUES`` "=". Quotes count only after "=", as in browsers.
#: The bound limits the memory of the regular expression.
_MAX_VALUES: Final = 2_000
_TAG: Final = re.compile(
    rf"""<[a-zA-Z][^>=]*(?:=(?:\s*"[^"]*"|\s*'[^']*')?[^>=]*){{0,{_MAX_VALUES}}}"""
)
_BEGIN: Final = re.compile("<[a-zA-Z]")
_QUOTED: Final = re.compile(r"""=\s*(?:"[^"]*"?|'[^']*'?)""")
_ATTRIBUTE: Final = re.compile(r"[^\s/]+")
#: The least characters of a tag with so many attributes.
_LEAST_CHARS: Final = 2 * MAX_ATTRIBUTES


@compiled
def has_swollen_tag(source: str) -> bool:
    """Whether a tag of some HTML may have more than ``MAX_ATTRIBUTES`` different attributes.

    Whether "<" begins a tag depends on scripts, comments and quotes around it, and a page can be
    misleading about them. So each "<" before a letter counts as a tag, also inside another tag. On
    one real page in a hundred a script is mistaken for such a tag.
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
    # The expression stops after so many values.
    return tag.count("=") >= _MAX_VALUES or len(set(_attributes(tag))) > MAX_ATTRIBUTES


def find_tags(source: str) -> list[str]:
    """Return the start tags of some HTML, without the ">".

    Text of scripts and comments counts too. Of a tag with thousands of values the first are
    returned.
    """
    return _TAG.findall(source)


def count_attributes(tag: str) -> int:
    """Return the number of attributes of a start tag, with repeated ones."""
    return len(_attributes(tag)) - 1


def _attributes(tag: str) -> list[str]:
    """Return the name of a tag and its attributes, values in quotes left out."""
    return _ATTRIBUTE.findall(_QUOTED.sub(" ", tag))
