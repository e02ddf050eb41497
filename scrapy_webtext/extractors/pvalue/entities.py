"""Entities: the characters that the source has more than the parsed text.

Definitions 1 and 2 are lengths of the source, where ``&amp;`` has five characters; in a parsed page
it has one. The source and the page have the same letters in the same order. So an entity belongs to
the run with the same number of letters before it.
"""

from __future__ import annotations

import html
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Final

from scrapy_webtext.page import Page, prefix_sums, source_parts

_ENTITY: Final = re.compile(r"&(?:#[0-9]{1,9}|#[xX][0-9a-fA-F]{1,8}|[a-zA-Z][a-zA-Z0-9]{0,32});?")

#: Characters that a serializer writes as entities, and the additional characters of each.
_ESCAPED: Final = {"&": 4, "<": 3, ">": 3, "\xa0": 5}


def entity_chars(page: Page) -> list[int]:
    """Return per run the additional characters of its entities.

    For a page without source (a ready tree), they are those that a serializer would write. If the
    parser moved or dropped text, later entities are assigned to runs near theirs.
    """
    texts = page.runs.text
    if not page.source:
        return list(map(escaped_chars, texts))
    more = [0] * len(texts)
    if "&" in page.source and texts:
        letters_before = prefix_sums(map(_letters, texts))
        for letters, chars in _entities(source_parts(page.source)):
            more[min(bisect_right(letters_before, letters), len(texts)) - 1] += chars
    return more


def escaped_chars(text: str) -> int:
    """Return the additional characters of a text, or an attribute, after a serializer."""
    return sum(text.count(char) * more for char, more in _ESCAPED.items())


def _entities(parts: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield per entity in the text the letters before it and its additional characters."""
    letters = 0
    for part in parts[::2]:
        at = 0
        if "&" in part:
            for found in _ENTITY.finditer(part):
                character = _unescaped(found[0])
                letters += _letters(part[at : found.start()])
                yield letters, len(found[0]) - len(character)
                letters += _letters(character)
                at = found.end()
        letters += _letters(part[at:])


def _unescaped(entity: str) -> str:
    with suppress(ValueError):
        return html.unescape(entity)
    return entity


def _letters(text: str) -> int:
    return sum(map(len, text.split()))
