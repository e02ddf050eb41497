"""Ends <head> where a browser ends it.

libxml2 ends <head> only at </head> and at the block-level tags of HTML 4. A page without <body> and
</head> that begins with <article>, <main>, <header> or a custom element would have its whole text
in <head>, where text is not shown. Browsers end <head> at the first element that it must not hold
(HTML Living Standard, "in head" insertion mode).
"""

from __future__ import annotations

from typing import Final

from scrapy_webtext.page.nodes import Nodes, compact

HEAD: Final = frozenset({"head"})
#: What <head> may hold.
HEAD_CONTENT: Final = frozenset(
    "base basefont bgsound command link meta noframes noscript object script style template "
    "title".split()
)


def end_heads(nodes: Nodes) -> Nodes:
    """Return the nodes with each <head> ended where a browser ends it; linear in the page.

    What libxml2 put behind that end becomes the head's siblings.
    """
    ends = [(head, end) for head in nodes.tagged(HEAD) if (end := _end(nodes, head)) is not None]
    if not ends:
        return nodes
    parent, last, tail = list(nodes.parent), list(nodes.end), list(nodes.tail)
    # What tails are made of, the last piece first: the text behind </head> comes after what was
    # moved, and goes on to the next place from heads in heads.
    pieces: dict[int, list[str | None]] = {}
    for head, end in ends:
        moved = child = end
        while child < last[head]:
            parent[child] = parent[head]
            moved, child = child, last[child]
        last[head] = end
        pieces[moved] = pieces.pop(head, [tail[head]])
        pieces[moved].append(tail[moved])
        tail[head] = None
    for node, parts in pieces.items():
        tail[node] = "".join(filter(None, reversed(parts))) or None
    return compact(Nodes(nodes.tag, parent, last, nodes.attributes, list(nodes.text), tail))


def _end(nodes: Nodes, head: int) -> int | None:
    """Return the first child of a head that it must not hold."""
    tag, end = nodes.tag, nodes.end
    child, last = head + 1, end[head]
    while child < last and tag[child] in HEAD_CONTENT:
        child = end[child]
    return child if child < last else None
