"""A tree of lxml to the columns of :class:`~scrapy_webtext.page.nodes.Nodes`; read-only."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import chain, compress, islice
from typing import TYPE_CHECKING, Final, NamedTuple

from lxml import etree

from scrapy_webtext.compiled import compiled_if
from scrapy_webtext.page import tags
from scrapy_webtext.page.nodes import Attributes, Nodes
from scrapy_webtext.page.stream_parser import is_json_ld

if TYPE_CHECKING:
    from lxml.etree import _Element

#: So few that they do not set off the garbage collector (at 700 objects): it would run several
#: times a page, over what is gone a moment later.
ELEMENTS_AT_ONCE: Final = 128

#: Code and comments.
_WITHOUT_TEXT: Final = tags.CODE | {""}

#: A document with nodes of every kind, to compare readers.
_SAMPLE: Final = """<?before it?><!DOCTYPE html [<!ENTITY name "of <i>an</i> entity">]>
<html xmlns:o="urn:o" lang="en">text &name; and<head id="&amp;"><title/></head>
<script type="application/LD+json">{"a": 1}</script><script>code</script>
<body title="" o:own="&quot;caf\u00e9&quot; \u6f22"><p>\u00fc&lt;<![CDATA[<&>]]> joined<!-- no -->
tail <b/> <br/>\n<o:p xmlns="urn:p">&name;<q>in &name; it</q>after</o:p><?do it?>\U0001f600</p>
<i> </i> \t</body>\u2028</html><!-- behind -->"""


class Columns(NamedTuple):
    """What is read of a tree."""

    nodes: Nodes
    json_ld: list[str]  #: texts of <script type="application/ld+json">
    depth: int  #: the greatest, 0 for a root without children


def _is_alike(one: Callable[[_Element], Columns], other: Callable[[_Element], Columns]) -> bool:
    """Whether two readers see the same in a document that has nodes of every kind."""
    parser = etree.XMLParser(resolve_entities=False, strip_cdata=False, no_network=True)
    strict = etree.fromstring(_SAMPLE.encode(), parser)
    lenient = etree.fromstring(f"{_SAMPLE}<p hidden>behind", etree.HTMLParser())
    return all(one(root) == other(root) for root in (strict, strict[0], lenient))


def _add_attributes(table: Attributes, elements: Iterable[_Element]) -> None:
    flat, first = table.flat, table.first
    add = flat.extend  # pair by pair: faster than chains over rows of pairs
    for element in elements:
        for pair in element.items():
            add(pair)
        first.append(len(flat))


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


@compiled_if(_is_alike)
def read_columns(root: _Element) -> Columns:
    """Return the columns of a tree; what stands after ``</html>`` are siblings of its root."""
    tops = [top for top in (root, *root.itersiblings()) if isinstance(top.tag, str)]
    tag: list[str] = []
    children: list[int] = []
    text: list[str | None] = []
    tail: list[str | None] = []
    table = Attributes([], [0])
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
        _add_attributes(table, some)
        scripts = compress(some, map("script".__eq__, names))
        json_ld += [e.text or "" for e in scripts if is_json_ld(e.get("type", ""))]
        del some, scripts
    parent, end, depth = _nest(children)
    return Columns(Nodes(tag, parent, end, table, text, tail), json_ld, depth)
