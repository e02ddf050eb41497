"""HTML, or a ready lxml root, to a :class:`~scrapy_webtext.page.tree.Page`; read-only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain, compress
from typing import TYPE_CHECKING, Final

from lxml import etree

from scrapy_webtext.page import tags
from scrapy_webtext.page.encoding import decode, storable
from scrapy_webtext.page.events import read_events
from scrapy_webtext.page.heads import end_heads
from scrapy_webtext.page.nodes import UNREAD, Attributes, AttributeUse, Nodes
from scrapy_webtext.page.swollen import has_swollen_tag
from scrapy_webtext.page.tree import Page

if TYPE_CHECKING:
    from lxml.etree import _Element

#: libxml2 stops at 2,048 levels and drops all that follows; a tree of fewer levels is whole.
DEPTH_LIMIT: Final = 2046

#: Code and comments.
_WITHOUT_TEXT: Final = tags.CODE | {""}


def parse(html: str | bytes, *, url: str | None = None, attributes: AttributeUse = "read") -> Page:
    """Return the page of some HTML. Any input parses; an empty one gives a page without nodes.

    Where nobody will ask for attributes, ``"unread"`` spares their cost.
    """
    source, body = storable(decode(html) if isinstance(html, bytes) else html)
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
    # One comprehension per column: half the cost of one loop with an append per column.
    elements = list(chain.from_iterable(top.iter() for top in tops))
    tag = [name if isinstance(name, str) else "" for name in [e.tag for e in elements]]
    parent, end, depth = _nest([len(e) for e in elements])
    nodes = Nodes(
        tag=tag,
        parent=parent,
        end=end,
        attributes=_attributes(elements) if attributes == "read" else UNREAD,
        text=[
            None if name in _WITHOUT_TEXT else e.text for e, name in zip(elements, tag, strict=True)
        ],
        tail=[e.tail for e in elements],
    )
    scripts = compress(elements, map("script".__eq__, tag))
    json_ld = [e.text or "" for e in scripts if "ld+json" in e.get("type", "").lower()]
    is_truncated = depth >= DEPTH_LIMIT
    page = Page(url, source, end_heads(nodes), tuple(json_ld), is_truncated=is_truncated)
    return _read_again(page) if page.is_truncated and source else page


def _attributes(elements: list[_Element]) -> Attributes:
    flat: list[str] = []
    first = [0]
    for e in elements:
        pairs = e.items()
        if pairs:
            flat.extend(chain.from_iterable(pairs))
        first.append(len(flat))
    return Attributes(flat, first)


def _read_again(page: Page) -> Page:
    """Return the page read from its source without a tree, if that shows that the tree was cut."""
    nodes, json_ld = read_events(storable(page.source)[0])
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
