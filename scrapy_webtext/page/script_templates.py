"""Markup in ``<script type="text/template">`` and similar, which scripts show in the browser.

Some pages have their article only there. If a page shows little other text, it is read again with
these scripts as ``<template>`` elements, which are then handled like ``<noscript>``
(:mod:`scrapy_webtext.page.hidden`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from scrapy_webtext.page.concealed import SENTENCE
from scrapy_webtext.page.nodes import Nodes

#: A script holds markup if its type contains one of these.
_TYPES: Final = ("template", "tmpl", "mustache", "handlebars", "text/html")

_SCRIPT: Final = frozenset({"script"})
_START: Final = re.compile("<script(?=[\\s/>])", re.IGNORECASE)
_END: Final = re.compile("</script(?=[\\s/>])", re.IGNORECASE)
_TYPE: Final = re.compile(r"""\stype\s*=\s*["']?([^\s"'>]+)""", re.IGNORECASE)


def has_templates(nodes: Nodes) -> bool:
    """Return whether some scripts of a page hold markup."""
    attributes = nodes.attributes
    return any(
        _is_template(value)
        for script in nodes.tagged(_SCRIPT)
        for name, value in attributes[script]
        if name == "type"
    )


def _is_template(kind: str) -> bool:
    low = kind.lower()
    return any(name in low for name in _TYPES)


def sentence_chars(source: str) -> int:
    """Return the characters of texts as long as a sentence in the scripts that hold markup."""
    pieces = (
        piece.rpartition(">")[2].strip()
        for _, inside, end, _ in _templates(source)
        for piece in source[inside:end].split("<")
    )
    return sum(len(piece) for piece in pieces if len(piece) >= SENTENCE)


def open_templates(source: str) -> str:
    """Return the HTML with scripts that hold markup as <template> elements.

    Other scripts are skipped, whatever stands in them; one without an end is left as it is.
    """
    pieces: list[str] = []
    done = 0
    for start, inside, end, after in _templates(source):
        pieces += (source[done:start], "<template>", source[inside:end], "</template")
        done = after
    return "".join([*pieces, source[done:]])


def _templates(source: str) -> Iterator[tuple[int, int, int, int]]:
    """Yield where each script that holds markup begins and ends, and in between its text."""
    at = 0
    while start := _START.search(source, at):
        inside = source.find(">", start.end()) + 1
        end = _END.search(source, inside) if inside else None
        if end is None:
            return
        at = end.end()
        kind = _TYPE.search(source, start.end(), inside)
        if kind and _is_template(kind[1]):
            yield start.start(), inside, end.start(), at
