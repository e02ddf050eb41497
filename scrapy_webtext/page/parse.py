"""Makes a :class:`~scrapy_webtext.page.tree.Page` of HTML or of a ready lxml root."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import chain, compress, islice
from typing import TYPE_CHECKING, Final

from lxml import etree

from scrapy_webtext.page import tags
from scrapy_webtext.page.attribute_flood import has_swollen_tag
from scrapy_webtext.page.encoding import decode
from scrapy_webtext.page.head_boundary import end_heads
from scrapy_webtext.page.hidden import is_built_by_scripts
from scrapy_webtext.page.nodes import Attributes, Nodes
from scrapy_webtext.page.script_templates import is_template, open_templates, sentence_chars
from scrapy_webtext.page.storable import storable_source
from scrapy_webtext.page.stream_parser import is_json_ld, read_events
from scrapy_webtext.page.tree import Page

if TYPE_CHECKING:
    from lxml.etree import _Element

#: libxml2 stops at 2,048 levels and drops the rest of the page; a tree with fewer levels is
#: complete.
DEPTH_LIMIT: Final = 2046

#: Elements that exist at a time. With 700 new objects the garbage collector would start, several
#: times a page.
ELEMENTS_AT_ONCE: Final = 128

#: Code and comments.
_WITHOUT_TEXT: Final = tags.CODE | {""}


def parse(html: str | bytes, *, url: str | None = None) -> Page:
    """Return the page of some HTML. Any input parses; an empty one gives a page without nodes."""
    source, body = storable_source(decode(html) if isinstance(html, bytes) else html)
    if not body or body.isspace():
        return from_root(None, source=source, url=url)
    if has_swollen_tag(source):
        return Page(url, source, *read_events(source))
    return from_root(_root(body), source=source, url=url)


def _root(body: bytes) -> _Element:
    parser = etree.HTMLParser(
        encoding="utf-8",
        huge_tree=True,
        # Ids are not needed, and without them the tree is built a tenth faster.
        remove_comments=True,
        remove_pis=True,
        collect_ids=False,
    )
    return etree.fromstring(body, parser)


def from_root(root: _Element | None, *, source: str = "", url: str | None = None) -> Page:
    """Return the page of a tree that the caller keeps; the tree is not changed.

    Elements after ``</html>`` are siblings of the root in libxml2; they are read too. A tree that
    was cut at the parser's depth limit is read again from ``source``, if that is given.
    """
    if root is None:
        return Page(url, source, Nodes([], [], [], Attributes([], [0]), [], []))
    tops = [top for top in (root, *root.itersiblings()) if isinstance(top.tag, str)]
    tag: list[str] = []
    children: list[int] = []
    text: list[str | None] = []
    tail: list[str | None] = []
    table = Attributes([], [0])
    json_ld: list[str] = []
    templates: list[str] = []
    elements = chain.from_iterable(top.iter() for top in tops)
    while some := list(islice(elements, ELEMENTS_AT_ONCE)):
        # One comprehension per column: half the cost of one loop with an append per column.
        names = [name if isinstance(name, str) else "" for name in [e.tag for e in some]]
        tag += names
        children += [len(e) for e in some]
        text += [
            None if name in _WITHOUT_TEXT else e.text for e, name in zip(some, names, strict=True)
        ]
        tail += [e.tail for e in some]
        _add_attributes(table, some)
        scripts = compress(some, map("script".__eq__, names))
        for script in scripts:
            kind = script.get("type", "")
            if is_json_ld(kind):
                json_ld.append(script.text or "")
            elif kind and is_template(kind):
                templates.append(script.text or "")
        del some, scripts
    parent, end, depth = _nest(children)
    nodes = end_heads(Nodes(tag, parent, end, table, text, tail))
    page = Page(url, source, nodes, tuple(json_ld), is_truncated=depth >= DEPTH_LIMIT)
    if not source:
        return page
    if page.is_truncated:
        return _read_again(page)
    if templates and is_built_by_scripts(nodes, sentence_chars(templates)):
        opened = storable_source(open_templates(source))[1]
        return replace(from_root(_root(opened), url=url), source=source)
    return page


def _add_attributes(table: Attributes, elements: Iterable[_Element]) -> None:
    flat, first = table.flat, table.first
    add = flat.extend  # pair by pair: faster than chains over rows of pairs
    for element in elements:
        for pair in element.items():
            add(pair)
        first.append(len(flat))


def _read_again(page: Page) -> Page:
    """Return the page read from its source without a tree, if that shows that the tree was cut."""
    nodes, json_ld = read_events(storable_source(page.source)[0])
    if len(nodes) > sum(map(bool, page.nodes.tag)):
        return Page(page.url, page.source, nodes, json_ld, is_truncated=True)
    return replace(page, is_truncated=False)


def _nest(children: Sequence[int]) -> tuple[list[int], list[int], int]:
    """Parent and end of subtree per node, and the greatest depth, from the counts of children.

    Nodes come in document order; those that no count claims are roots.
    """
    parent: list[int] = []
    end = list(range(1, len(children) + 1))
    above: list[tuple[int, int]] = []  # open nodes and the children that they still expect
    current, expected, depth = -1, -1, 0
    for i, count in enumerate(children):
        parent.append(current)
        expected -= 1
        if count:
            above.append((current, expected))
            current, expected = i, count
            if len(above) > depth:
                depth = len(above)
        else:
            while expected == 0:
                end[current] = i + 1
                current, expected = above.pop()
    return parent, end, depth
