"""Markup in ``<script type="text/template">`` and similar, which scripts show in the browser.

Some pages have their article only there. If a page shows little other text, it is read again with
these scripts as ``<template>`` elements, which are then handled like ``<noscript>``
(:mod:`scrapy_webtext.page.hidden`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from scrapy_webtext.page.concealed import SENTENCE

#: A script holds markup if its type contains one of these.
_TYPES: Final = ("template", "tmpl", "mustache", "handlebars", "text/html")

_START: Final = re.compile("<script(?=[\\s/>])", re.IGNORECASE)
_END: Final = re.compile("</script(?=[\\s/>])", re.IGNORECASE)
_TYPE: Final = re.compile(r"""\stype\s*=\s*["']?([^\s"'>]+)""", re.IGNORECASE)


def is_template(kind: str) -> bool:
    """Return whether a script of this type holds markup."""
    low = kind.lower()
    return any(name in low for name in _TYPES)


def sentence_chars(markup: Iterable[str]) -> int:
    """Return the characters of the texts in some markup that are as long as a sentence."""
    pieces = (piece.rpartition(">")[2].strip() for text in markup for piece in text.split("<"))
    return sum(len(piece) for piece in pieces if len(piece) >= SENTENCE)


def open_templates(source: str) -> str:
    """Return the HTML with scripts that hold markup as <template> elements.

    Other scripts are skipped, whatever stands in them; one without an end is left as it is.
    """
    return "".join(_opened(source))


def _opened(source: str) -> Iterator[str]:
    done = at = 0
    while start := _START.search(source, at):
        inside = source.find(">", start.end()) + 1
        end = _END.search(source, inside) if inside else None
        if end is None:
            break
        at = end.end()
        kind = _TYPE.search(source, start.end(), inside)
        if kind and is_template(kind[1]):
            yield source[done : start.start()]
            yield f"<template>{source[inside : end.start()]}</template"
            done = at
    yield source[done:]
