"""XPaths of elements: what finds them again in the tree of the same page."""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

from scrapy_webtext.page.nodes import Nodes

#: Elements deeper than this are named by their place in the document: paths cost their depth.
MAX_DEPTH: Final = 64

_NAME: Final = re.compile(r"\A[a-z][a-z0-9_.-]*\Z")


class XPaths:
    """The XPaths of the elements of one page, as ``response.xpath`` takes them.

    ``/html/body/div[2]/p[3]``; ``(//*)[417]`` for elements whose path from the root is long, holds
    a name that XPath cannot say, or leads where parsers disagree.
    """

    def __init__(self, nodes: Nodes) -> None:
        self._nodes = nodes
        self._position: list[int] = []  # among siblings of its name, from 1
        self._count: list[int] = []  # siblings of its name
        seen: Counter[tuple[int, str]] = Counter()
        keys = list(zip(nodes.parent, nodes.tag, strict=True))
        for key in keys:
            seen[key] += 1
            self._position.append(seen[key])
        self._count = [seen[key] for key in keys]

    def of(self, node: int) -> str:
        """Return the XPath of an element."""
        nodes = self._nodes
        steps: list[str] = []
        at = node
        while at >= 0 and len(steps) < MAX_DEPTH and _NAME.match(nodes.tag[at]):
            position = f"[{self._position[at]}]" if self._count[at] > 1 else ""
            steps.append(f"/{nodes.tag[at]}{position}")
            at = nodes.parent[at]
        path = "".join(reversed(steps))
        if at < 0 and path.startswith("/html/body"):
            return path
        return f"(//*)[{node + 1}]"
