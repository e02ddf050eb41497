"""Makes a :class:`~scrapy_webtext.page.tree.Page` of HTML or of a ready lxml root.

Some pages have their article only in ``<script type="text/template">`` and similar, which scripts
show in the browser. If a page shows little other text, it is read again with these scripts as
``<template>`` elements, which are then handled like ``<noscript>``
(:mod:`scrapy_webtext.page.hidden`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from lxml import etree

from scrapy_webtext.page.columns import end_heads, read_columns, read_events
from scrapy_webtext.page.encoding import decode_fixed, storable_source
from scrapy_webtext.page.hidden import is_built_by_scripts
from scrapy_webtext.page.hidden_elements import SENTENCE
from scrapy_webtext.page.nodes import Nodes, attributes_of, nodes_of
from scrapy_webtext.page.selectors import Selectors, select
from scrapy_webtext.page.size_limits import has_swollen_tag
from scrapy_webtext.page.tree import Page

if TYPE_CHECKING:
    from lxml.etree import _Element

#: libxml2 stops at 2,048 levels and drops the rest of the page; a tree with fewer levels is
#: complete.
DEPTH_LIMIT: Final = 2046
#: White space of ASCII.
_BLANKS: Final = bytes(c for c in range(128) if chr(c).isspace())

#: A script holds markup if its type contains one of these.
_OF_TEMPLATE: Final = re.compile(
    "template|tmpl|mustache|handlebars|text/html", re.IGNORECASE | re.ASCII
)

_SCRIPT: Final = frozenset({"script"})
#: With a literal beginning, which is found faster than by IGNORECASE.
_START: Final = re.compile("<[sS][cC][rR][iI][pP][tT](?=[\\s/>])")
_END: Final = re.compile("</[sS][cC][rR][iI][pP][tT](?=[\\s/>])")
_TYPE: Final = re.compile(r"""\stype\s*=\s*["']?([^\s"'>]+)""", re.IGNORECASE)


def parse(html: str | bytes, *, url: str | None = None, selectors: Selectors | None = None) -> Page:
    """Return the page of some HTML, without what the selectors leave out.

    Any input parses; an empty one gives a page without nodes.
    """
    source, body = storable_source(decode_fixed(html) if isinstance(html, bytes) else html)
    inner = _without_ends(source, body)
    if not inner:
        return from_root(None, source=source, url=url)
    if has_swollen_tag(body):
        page = Page(url, source, *read_events(source))
        return page if selectors is None else select(page, selectors)
    return from_root(_root(inner), source=source, url=url, selectors=selectors)


def _root(body: bytes) -> _Element | None:
    parser = etree.HTMLParser(
        encoding="utf-8",
        huge_tree=True,
        # Ids are not needed, and without them the tree is built a tenth faster.
        remove_comments=True,
        remove_pis=True,
        collect_ids=False,
    )
    return etree.fromstring(body, parser)


def _without_ends(source: str, body: bytes) -> bytes:
    """Return the UTF-8 of some HTML without white space around it, as parsel parses it.

    libxml2 makes text of white space at the end, where an element follows ``</html>``.
    """
    inner = body.strip(_BLANKS)
    if inner[:1].isascii() and inner[-1:].isascii():
        return inner
    return source.strip().encode()


def from_root(
    root: _Element | None,
    *,
    source: str = "",
    url: str | None = None,
    selectors: Selectors | None = None,
) -> Page:
    """Return the page of a tree that the caller keeps; the tree is not changed.

    Elements after ``</html>`` are siblings of the root in libxml2; they are read too. A tree that
    was cut at the parser's depth limit is read again from ``source``, if that is given.
    ``selectors`` leave out parts.
    """
    page = _read(root, source, url)
    return page if selectors is None else select(page, selectors)


def _read(root: _Element | None, source: str, url: str | None) -> Page:
    if root is None:
        return Page(url, source, nodes_of([], [], [], attributes_of([], [0]), [], []))
    columns = read_columns(root, len(source))
    nodes, is_truncated = end_heads(columns.nodes), columns.depth >= DEPTH_LIMIT
    page = Page(url, source, nodes, tuple(columns.json_ld), is_truncated)
    if not source:
        return page
    if page.is_truncated:
        return _read_again(page)
    sentences = sentence_chars(source) if has_templates(nodes) else 0
    if sentences and is_built_by_scripts(nodes, page.hiding, sentences):
        opened = _root(storable_source(open_templates(source))[1])
        return replace(_read(opened, "", url), source=source)
    return page


def _read_again(page: Page) -> Page:
    """Return the page read from its source without a tree, if that shows that the tree was cut."""
    nodes, json_ld = read_events(storable_source(page.source)[0])
    if len(nodes) > len(page.nodes):
        return Page(page.url, page.source, nodes, json_ld, is_truncated=True)
    return replace(page, is_truncated=False)


def has_templates(nodes: Nodes) -> bool:
    """Return whether some scripts of a page hold markup."""
    types = {nodes.attributes.get(script, "type") for script in nodes.tagged(_SCRIPT)}
    return any(map(_OF_TEMPLATE.search, types))


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

    Other scripts are skipped, whatever they contain; a script without an end is left as it is.
    """
    pieces: list[str] = []
    done = 0
    for start, inside, end, after in _templates(source):
        pieces += (source[done:start], "<template>", source[inside:end], "</template")
        done = after
    return "".join([*pieces, source[done:]])


def _templates(source: str) -> Iterator[tuple[int, int, int, int]]:
    """Yield where each script that holds markup begins and ends, and in between its text."""
    for start, attributes, inside, end, after in _scripts(source):
        kind = _TYPE.search(source, attributes, inside)
        if kind and _OF_TEMPLATE.search(kind[1]):
            yield start, inside, end, after


def scripts_in(source: str) -> Iterator[str]:
    """Yield the contents of the scripts of some HTML, in order."""
    for _, _, inside, end, _ in _scripts(source):
        yield source[inside:end]


def _scripts(source: str) -> Iterator[tuple[int, int, int, int, int]]:
    """Yield where each script, its attributes, its content and its end tag begin, and its end."""
    at = 0
    while start := _START.search(source, at):
        inside = source.find(">", start.end()) + 1
        end = _END.search(source, inside) if inside else None
        if end is None:
            return
        at = end.end()
        yield start.start(), start.end(), inside, end.start(), at
