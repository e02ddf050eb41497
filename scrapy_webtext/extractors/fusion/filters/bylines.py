"""Removes the lines above an article that are no text: date, byline, breadcrumb.

Only short lines before the second block of prose are removed; the first block of prose may be an
introduction. A date is recognised by its numbers, in any language, a byline by the word before the
name, and a breadcrumb ("Home > Archive > 2014") by its signs.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice
from typing import Final

from scrapy_webtext.extractors.fusion.features.tables import BlockTable
from scrapy_webtext.page import Page

#: Longer lines are text.
MAX_CHARS: Final = 90
#: Words in the line of a date: weekday, month, "Published", "at".
MAX_DATE_WORDS: Final = 6
MAX_NAME_WORDS: Final = 7

_YEAR: Final = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_DAY: Final = re.compile(r"(?<!\d)(?:[012]?\d|3[01])(?!\d)")
_WORD: Final = re.compile(r"[^\W\d_]+")
_CJK_DATE: Final = re.compile(r"\d{4}\s?年\s?\d{1,2}\s?月\s?\d{1,2}\s?日")
_BY: Final = re.compile(
    r"\A(?:(?:written |posted |story )?by|von|par|por|door|av|af|автор|autor(?:in|ka)?|author)"
    r"(?:\s*:\s*|\s+)(?=\S)",
    re.IGNORECASE,
)
_BREADCRUMB: Final = re.compile(r"\S\s*[>»›→]\s*\S")


def without_bylines(page: Page, texts: BlockTable, chosen: Sequence[int]) -> list[int]:
    """Return the positions of chosen candidate blocks without such lines."""
    prose = list(islice((n for n, k in enumerate(chosen) if texts.prose[k]), 2))
    end = prose[-1] if prose else 0
    return [*(k for k in chosen[:end] if not _is_removed(page, texts, k)), *chosen[end:]]


def _is_removed(page: Page, texts: BlockTable, k: int) -> bool:
    text = texts.text[k]
    if len(text) > MAX_CHARS or page.nodes.tag[texts.node[k]] == "h1":
        return False
    return (
        is_date(text)
        or is_byline(text)
        or (texts.link_density[k] > 0 and bool(_BREADCRUMB.search(text)))
    )


def is_date(text: str) -> bool:
    """Return whether a line is a date, perhaps with a few words."""
    if _CJK_DATE.search(text):
        return True
    year = _YEAR.search(text)
    if year is None or text.endswith((".", "!", "?")):
        return False
    rest = text[: year.start()] + " " + text[year.end() :]
    return bool(_DAY.search(rest)) and len(_WORD.findall(text)) <= MAX_DATE_WORDS


def is_byline(text: str) -> bool:
    """Return whether a line names the author."""
    by = _BY.match(text)
    if by is None or text.endswith((".", "!", "?", ":")):
        return False
    name = text[by.end() :].split()
    return name[0][0].isupper() and (len(name) <= MAX_NAME_WORDS or bool(_YEAR.search(text)))
