"""Ends <head> where a browser ends it.

libxml2 ends <head> only at </head> and at the block-level tags of HTML 4. A page without <body> and
</head> that begins with <article>, <main>, <header> or a custom element would have its whole text
in <head>, where text is not shown. Browsers end <head> at the first element that it must not hold
(HTML Living Standard, "in head" insertion mode).
"""

from __future__ import annotations

from typing import Final

from scrapy_webtext.compiled import compiled
from scrapy_webtext.page.nodes import Nodes

#: What <head> may hold.
HEAD_CONTENT: Final = frozenset(
    "base basefont bgsound command link meta noframes noscript object script style template "
    "title".split()
)


@compiled
def end_heads(nodes: Nodes) -> Nodes:
    """Return the nodes with each <head> ended where a browser ends it.

    What libxml2 put behind that end becomes the head's siblings. The columns are changed in
    place: they belong to the caller, who has just filled them.
    """
    for head in [i for i, tag in enumerate(nodes.tag) if tag == "head"]:
        _end_head(nodes, head)
    return nodes


def _end_head(nodes: Nodes, head: int) -> None:
    tag, parent, end, tail = nodes.tag, nodes.parent, nodes.end, nodes.tail
    last = end[head]
    child = head + 1
    while child < last and tag[child] in HEAD_CONTENT:
        child = end[child]
    if child >= last:
        return
    end[head], moved = child, child
    while child < last:
        parent[child] = parent[head]
        moved, child = child, end[child]
    # Text behind </head> comes after what was moved, no longer right after the head.
    tail[moved], tail[head] = _joined(tail[moved], tail[head]), None


def _joined(first: str | None, second: str | None) -> str | None:
    return (first or "") + (second or "") or None
