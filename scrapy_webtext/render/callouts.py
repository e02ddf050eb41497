"""Finds callouts, for Markdown: boxes with notes, tips and warnings in documentation."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from itertools import groupby
from operator import itemgetter
from typing import Final

from scrapy_webtext.core.texts import Signs
from scrapy_webtext.page import Page
from scrapy_webtext.render.tree import CHILDREN, MAX_DEPTH, Node, Part, leaves

#: ``block`` of a part that only names the kind of a callout.
CALLOUT: Final = -2

#: Kind in class names and titles -> kind in GitHub's Markdown.
KINDS: Final[Mapping[str, str]] = {
    word: kind
    for kind, words in {
        "NOTE": "note info seealso abstract",
        "TIP": "tip hint success",
        "IMPORTANT": "important",
        "WARNING": "warning attention",
        "CAUTION": "caution danger error",
    }.items()
    for word in words.split()
}
#: Class names of callouts, which also have a class name for their kind: Sphinx, MkDocs, GitHub,
#: Docusaurus, VitePress, AsciiDoc, Starlight, Obsidian, MDN, Bootstrap.
_BOX: Final = re.compile(
    r"(?:^|\s)(?:admonition|theme-admonition|markdown-alert|custom-block|callout|starlight-aside"
    r"|notecard|alert|admonitionblock)(?:$|\s)"
)
_KIND: Final = re.compile(rf"(?:^|[\s_-])({'|'.join(KINDS)})(?=$|\s)")
_SIGNS: Final = dict.fromkeys(("class", "data-callout"), Signs(*KINDS))
_TAGS: Final = frozenset({"div", "aside", "section", "blockquote", "details"})
#: Containers that cannot contain a callout.
_NO_CALLOUTS: Final = frozenset({*CHILDREN, "heading", "code"})


def add_callouts(page: Page, root: Node) -> Node:
    """Return a tree with a container for each callout, without the title that names its kind.

    A callout that contains the whole text is left out.
    """
    kinds = {
        i: kind
        for i, _, _ in page.nodes.attributes.with_signs(_SIGNS)
        if page.nodes.tag[i] in _TAGS and (kind := _find_kind(page, i))
    }
    if not kinds:
        return root
    adder = _Adder(page, kinds)
    return adder.added(root, set(kinds).intersection(*map(adder.around, leaves(root))))


class _Adder:
    def __init__(self, page: Page, kinds: Mapping[int, str]) -> None:
        self._page, self._kinds = page, kinds
        self._known: dict[int, tuple[int, ...]] = {-1: ()}  # node -> callouts around it

    def around(self, child: Node | Part) -> tuple[int, ...]:
        """Return the callouts around the first part of a child, outermost first."""
        while isinstance(child, Node) and child.role in _NO_CALLOUTS:
            child = child.children[0]
        node = child.key if isinstance(child, Node) else child.node(self._page)
        known, below = self._known, list[int]()
        while node not in known:
            below.append(node)
            node = self._page.nodes.parent[node]
        for i in reversed(below):
            is_callout = i in self._kinds and len(known[node]) < MAX_DEPTH
            known[i] = (*known[node], i) if is_callout else known[node]
            node = i
        return known[node]

    def added(self, node: Node, begun: Collection[int]) -> Node:
        """Return a node with the callouts in it, except those in ``begun``."""
        children: list[Node | Part] = []
        can_begin = node.role not in _NO_CALLOUTS
        callouts = [
            next((i for i in self.around(child) if i not in begun), -1) if can_begin else -1
            for child in node.children
        ]
        for callout, some in groupby(zip(callouts, node.children, strict=True), itemgetter(0)):
            inside = [child for _, child in some]
            if isinstance(inside[0], Node) and inside[0].key == callout:  # a <blockquote>
                inside[:1] = inside[0].children
            if callout < 0:
                children += [self.added(i, begun) if isinstance(i, Node) else i for i in inside]
            else:
                mark = Part(f"[!{self._kinds[callout]}]", block=CALLOUT)
                left = _without_title(self._page, inside, self._kinds[callout])
                children.append(
                    self.added(Node("callout", callout, [mark, *left]), {*begun, callout})
                )
        return Node(node.role, node.key, children)


def _find_kind(page: Page, node: int) -> str:
    """Return the kind of an element that is a callout; "" for others."""
    get, first = page.nodes.attributes.get, page.runs.first[node]
    named = get(node, "data-callout")
    for names in (f"callout {named}" if named else "", get(node, "class")):
        kind = _KIND.search(names.lower()) if names else None
        if kind and first < page.runs.end[node]:
            title = KINDS.get(_read_label(page, first), "")
            if title or page.nodes.tag[node] == "details" or _BOX.search(kind.string):
                return title or KINDS[kind[1]]
    return ""


def _read_label(page: Page, run: int) -> str:
    return page.runs.text[run].strip(" :!.").lower()


def _without_title(page: Page, children: list[Node | Part], kind: str) -> list[Node | Part]:
    """Remove the first run of a callout if it only names the kind."""
    first, *others = children
    if isinstance(first, Node):
        inner = _without_title(page, first.children, kind)
        return [Node(first.role, first.key, inner), *others] if inner else others
    if not first.runs or first.formulas or _read_label(page, first.runs[0]) != kind.lower():
        return children
    runs = first.runs[1:]
    if not runs:
        return others
    is_word = page.runs.text[runs[0]][0].isalnum()
    return [first._replace(runs=runs), *others] if is_word else children
