"""A tree of lxml to the columns of :class:`~scrapy_webtext.page.nodes.Nodes`; read-only."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import chain, compress, dropwhile, islice, takewhile
from operator import not_
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
    inner = etree.fromstring("<r><a/>before<!-- no -->behind<?do it?><b/>tail<!-- no --></r>")[0]
    return all(one(root) == other(root) for root in (strict, strict[0], lenient, inner))


def _add_attributes(table: Attributes, elements: Iterable[_Element]) -> None:
    flat, first = table.flat, table.first
    add = flat.extend  # pair by pair: faster than chains over rows of pairs
    for element in elements:
        for pair in element.items():
            add(pair)
        first.append(len(flat))


class _Nesting(NamedTuple):
    """How nodes are nested."""

    parent: list[int]
    end: list[int]
    depth: int  #: the greatest
    #: Per node that is left out, what its tail goes on: the tail of a node, or ``~node`` for the
    #: text of one.
    before: list[int]


def _nest(children: Sequence[int | None]) -> _Nesting:
    """Return how nodes are nested, from the counts of their children; those with None are left out.

    Nodes come in document order; those that no count claims are roots.
    """
    parent: list[int] = []
    end: list[int] = []
    before: list[int] = []
    above: list[tuple[int, int]] = []  # open nodes and the children that they still expect
    current, expected, depth, sibling = -1, -1, 0, -1
    for count in children:
        expected -= 1
        if count is None:
            before.append(sibling if sibling >= 0 else ~current)
        else:
            node = len(parent)
            parent.append(current)
            end.append(node + 1)
            if len(above) > depth:
                depth = len(above)
            sibling = node
            if count:
                above.append((current, expected))
                current, expected, sibling = node, count, -1
        while expected == 0:
            end[current] = len(parent)
            sibling = current
            current, expected = above.pop()
    return _Nesting(parent, end, depth, before)


def _content(script: _Element) -> str:
    """Return the text of a script, up to the first element in it."""
    tails = (e.tail for e in takewhile(lambda e: not isinstance(e.tag, str), script))
    return "".join(filter(None, chain([script.text], tails)))


def _without_comments(
    names: Sequence[str],
    tag: Sequence[str | None],
    text: Sequence[str | None],
    tail: Sequence[str | None],
    table: Attributes,
    before: Sequence[int],
) -> tuple[list[str | None], list[str | None], Attributes]:
    """Return text, tail and attributes of the nodes with tags; the others have no attributes.

    ``names`` are the tags alone.
    """
    is_kept = [name is not None for name in tag]
    texts, tails = list(compress(text, is_kept)), list(compress(tail, is_kept))
    pieces: dict[int, list[str | None]] = {}
    for node, piece in zip(before, compress(tail, map(not_, is_kept)), strict=True):
        pieces.setdefault(node, []).append(piece)
    for node, more in pieces.items():
        if node >= 0:
            tails[node] = _joined([tails[node], *more])
        elif names[~node] not in tags.CODE:
            texts[~node] = _joined([texts[~node], *more])
    first = [*compress(table.first, is_kept), len(table.flat)]
    return texts, tails, Attributes(table.flat, first)


def _joined(pieces: Iterable[str | None]) -> str | None:
    found = [piece for piece in pieces if piece is not None]
    return "".join(found) if found else None


@compiled_if(_is_alike)
def read_columns(root: _Element) -> Columns:
    """Return the columns of a tree; what stands after ``</html>`` are siblings of its root.

    Comments, instructions and entities are left out; the text before and behind them is one.
    """
    tops = dropwhile(lambda top: not isinstance(top.tag, str), (root, *root.itersiblings()))
    tag: list[str | None] = []  # None of what is left out
    children: list[int | None] = []
    text: list[str | None] = []
    tail: list[str | None] = []
    table = Attributes([], [0])
    json_ld: list[str] = []
    elements = chain.from_iterable(top.iter() for top in tops)
    while some := list(islice(elements, ELEMENTS_AT_ONCE)):
        # One comprehension per column: half the cost of one loop with an append per column.
        names = [name if isinstance(name, str) else None for name in [e.tag for e in some]]
        tag += names
        children += [None if name is None else len(e) for e, name in zip(some, names, strict=True)]
        text += [None if name in tags.CODE else e.text for e, name in zip(some, names, strict=True)]
        tail += [e.tail for e in some]
        _add_attributes(table, some)
        scripts = [e for e, name in zip(some, names, strict=True) if name == "script"]
        json_ld += [_content(e) for e in scripts if is_json_ld(e.get("type", ""))]
        del some, scripts
    nesting = _nest(children)
    kept = [name for name in tag if name is not None]
    if nesting.before:
        text, tail, table = _without_comments(kept, tag, text, tail, table, nesting.before)
    nodes = Nodes(kept, nesting.parent, nesting.end, table, text, tail)
    return Columns(nodes, json_ld, nesting.depth)
