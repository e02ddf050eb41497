"""Values as text: what pages put into attributes and JSON, made plain; and how texts compare."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from html import unescape
from typing import Any, Final

from scrapy_webtext.page import storable_text

#: Characters of a value that are read.
MAX_CHARS: Final = 2_000

_TAG: Final = re.compile(r"</?[a-zA-Z][^<>]*>|<!--[^<>]*-->")
#: Of no width, or of direction alone: a title in a feed is shown without the page around it.
_UNSEEN: Final = re.compile("[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
_WORD: Final = re.compile(r"\w+")


def plain_text(value: Any) -> str:
    """Return a value as one line of text: no markup, entities, controls; empty where none is it."""
    if not isinstance(value, str):
        return ""
    text = value[: 2 * MAX_CHARS]
    if "&" not in text and "<" not in text and text.isprintable():
        return " ".join(text.split())[:MAX_CHARS].rstrip()
    if "&" in text:
        text = unescape(text)
        if "&" in text:  # escaped twice
            text = unescape(text)
    if "<" in text:
        text = _TAG.sub(" ", text)
    return clean(text)


def clean(text: str) -> str:
    """Return a text as one line without what is not seen; markup in it stays as it is read."""
    if not text.isprintable():
        text = storable_text(_UNSEEN.sub("", text[: 2 * MAX_CHARS]))
    return " ".join(text.split())[:MAX_CHARS].rstrip()


def first_text(values: Iterable[Any]) -> str:
    """Return the first value that is a text."""
    return next(filter(None, map(plain_text, values)), "")


def folded(text: str) -> str:
    """Return the words of a text for comparison: no case, no punctuation."""
    return _folded(text) if len(text) <= MAX_CHARS else _folded.__wrapped__(text)


@lru_cache(maxsize=1024)  # a page has its title in many places
def _folded(text: str) -> str:
    text = text.casefold()
    return " ".join(_WORD.findall(text.replace("\xad", "") if "\xad" in text else text))


def one_line(text: str) -> str:
    """Return a block's text, which is plain, as one line."""
    return " ".join(text.split()) if "\n" in text else text
