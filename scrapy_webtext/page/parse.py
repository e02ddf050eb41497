"""Makes a :class:`~scrapy_webtext.page.tree.Page` of HTML or of a ready lxml root."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from lxml import etree

from scrapy_webtext.page.attribute_flood import has_swollen_tag
from scrapy_webtext.page.columns import read_columns
from scrapy_webtext.page.encoding import decode
from scrapy_webtext.page.head_boundary import end_heads
from scrapy_webtext.page.hidden import is_built_by_scripts
from scrapy_webtext.page.nodes import Attributes, Nodes
from scrapy_webtext.page.script_templates import has_templates, open_templates, sentence_chars
from scrapy_webtext.page.storable import storable_source
from scrapy_webtext.page.stream_parser import read_events
from scrapy_webtext.page.tree import Page

if TYPE_CHECKING:
    from lxml.etree import _Element

#: libxml2 stops at 2,048 levels and drops the rest of the page; a tree with fewer levels is
#: complete.
DEPTH_LIMIT: Final = 2046
#: White space of ASCII.
_BLANKS: Final = bytes(c for c in range(128) if chr(c).isspace())


def parse(html: str | bytes, *, url: str | None = None) -> Page:
    """Return the page of some HTML. Any input parses; an empty one gives a page without nodes."""
    source, body = storable_source(decode(html) if isinstance(html, bytes) else html)
    inner = _without_ends(source, body)
    if not inner:
        return from_root(None, source=source, url=url)
    if has_swollen_tag(body):
        return Page(url, source, *read_events(source))
    return from_root(_root(inner), source=source, url=url)


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


def from_root(root: _Element | None, *, source: str = "", url: str | None = None) -> Page:
    """Return the page of a tree that the caller keeps; the tree is not changed.

    Elements after ``</html>`` are siblings of the root in libxml2; they are read too. A tree that
    was cut at the parser's depth limit is read again from ``source``, if that is given.
    """
    if root is None:
        return Page(url, source, Nodes([], [], [], Attributes([], [0]), [], []))
    columns = read_columns(root)
    nodes, is_truncated = end_heads(columns.nodes), columns.depth >= DEPTH_LIMIT
    page = Page(url, source, nodes, tuple(columns.json_ld), is_truncated)
    if not source:
        return page
    if page.is_truncated:
        return _read_again(page)
    if has_templates(nodes) and is_built_by_scripts(nodes, sentence_chars(source)):
        opened = storable_source(open_templates(source))[1]
        return replace(from_root(_root(opened), url=url), source=source)
    return page


def _read_again(page: Page) -> Page:
    """Return the page read from its source without a tree, if that shows that the tree was cut."""
    nodes, json_ld = read_events(storable_source(page.source)[0])
    if len(nodes) > len(page.nodes):
        return Page(page.url, page.source, nodes, json_ld, is_truncated=True)
    return replace(page, is_truncated=False)
