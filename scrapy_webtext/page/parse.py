"""HTML, or a ready lxml root, to a :class:`~scrapy_webtext.page.tree.Page`; read-only."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import chain, compress, islice
from typing import TYPE_CHECKING, Final

from lxml import etree

from scrapy_webtext.page import tags
from scrapy_webtext.page.concealed import CLOSED, HIDING, may_hide
from scrapy_webtext.page.encoding import decode
from scrapy_webtext.page.events import is_json_ld, read_events
from scrapy_webtext.page.heads import end_heads
from scrapy_webtext.page.hidden import asks_for_more
from scrapy_webtext.page.nodes import Attributes, AttributeUse, Nodes, Unread
from scrapy_webtext.page.storable import storable_source
from scrapy_webtext.page.swollen import has_swollen_tag
from scrapy_webtext.page.tree import Page

if TYPE_CHECKING:
    from lxml.etree import _Element

#: libxml2 stops at 2,048 levels and drops all that follows; a tree of fewer levels is whole.
DEPTH_LIMIT: Final = 2046

#: So few that they do not set off the garbage collector (at 700 objects): it would run several
#: times a page, over what is gone a moment later.
ELEMENTS_AT_ONCE: Final = 128

#: What text needs even where nobody asks for attributes: what may hide it, what numbers items, and
#: where headings' links lead. By name: one path per name costs a fifth of a test of each element's.
_NEEDED: Final = etree.XPath(
    "|".join(
        [
            *(f"descendant-or-self::*/attribute::{name}" for name in sorted(HIDING)),
            "descendant::ol/attribute::start",
            "descendant::ol/attribute::reversed",
            "descendant::li/attribute::value",
            *(f"descendant::{name}/attribute::id" for name in sorted(tags.HEADINGS)),
            "descendant::a[starts-with(attribute::href, '#')]/attribute::href",
        ]
    )
)

#: Code and comments.
_WITHOUT_TEXT: Final = tags.CODE | {""}


def parse(html: str | bytes, *, url: str | None = None, attributes: AttributeUse = "read") -> Page:
    """Return the page of some HTML. Any input parses; an empty one gives a page without nodes.

    Where nobody will ask for attributes, ``"unread"`` spares their cost.
    """
    source, body = storable_source(decode(html) if isinstance(html, bytes) else html)
    if not body or body.isspace():
        return from_root(None, source=source, url=url)
    if has_swollen_tag(source):
        return Page(url, source, *read_events(source))
    parser = etree.HTMLParser(
        encoding="utf-8",
        huge_tree=True,
        # Nobody asks this tree for them, and it is built a tenth faster without.
        remove_comments=True,
        remove_pis=True,
        collect_ids=False,
    )
    root = etree.fromstring(body, parser)
    return from_root(root, source=source, url=url, attributes=attributes)


def from_root(
    root: _Element | None,
    *,
    source: str = "",
    url: str | None = None,
    attributes: AttributeUse = "read",
) -> Page:
    """Return the page of a tree that somebody else parsed and keeps; it is only read.

    What stands after ``</html>`` becomes siblings of the root (libxml2): they are read too. A
    tree that was cut at the parser's depth limit is read anew from its source, if that is given.
    """
    if root is None:
        return Page(url, source, Nodes([], [], [], Attributes([], [0]), [], []))
    tops = [top for top in (root, *root.itersiblings()) if isinstance(top.tag, str)]
    tag: list[str] = []
    children: list[int] = []
    text: list[str | None] = []
    tail: list[str | None] = []
    table = Attributes([], [0])
    read_for: list[int] = []  # nodes whose attributes are read where only some are
    needed = _needed(tops) if attributes == "unread" else set()
    json_ld: list[str] = []
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
        if attributes == "read":
            _add_attributes(table, some)
        elif not needed.isdisjoint(some) or not CLOSED.isdisjoint(names):
            asked = [k for k, e in enumerate(some) if e in needed or names[k] in CLOSED]
            read_for += [len(tag) - len(some) + k for k in asked]
            _add_attributes(table, [some[k] for k in asked])
        scripts = compress(some, map("script".__eq__, names))
        json_ld += [e.text or "" for e in scripts if is_json_ld(e.get("type", ""))]
        del some, scripts
    parent, end, depth = _nest(children)
    if attributes == "unread":
        table = Unread(read_for, table)
    nodes = end_heads(Nodes(tag, parent, end, table, text, tail))
    if attributes == "unread" and asks_for_more(nodes):
        table = Attributes([], [0])
        _add_attributes(table, chain.from_iterable(top.iter() for top in tops))
        nodes = replace(nodes, attributes=table)
    page = Page(url, source, nodes, tuple(json_ld), is_truncated=depth >= DEPTH_LIMIT)
    return _read_again(page) if page.is_truncated and source else page


def _needed(tops: Iterable[_Element]) -> set[_Element]:
    """Return the elements with an attribute that the page's text needs."""
    return {
        attribute.getparent()
        for top in tops
        for attribute in _NEEDED(top)
        if attribute.attrname not in HIDING or may_hide(attribute.attrname, attribute)
    }


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
