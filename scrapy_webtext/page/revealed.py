"""Which hidden elements hold text of the page, because scripts or readers show them later.

* Streamed parts: a server sends them hidden, and a script moves them to their place (React's
  ``hidden id="S:1"``).
* Panels that a control opens: tabs, elements whose id a link or button names, and elements with the
  class names of tabs and accordions.
* Series: three or more similar elements that are closed <details>, or hidden by ``aria-hidden``
  only, or right after a button or heading. They are questions and answers, slides or cards, of
  which the reader sees one at a time, or all.
* The main part: similar elements with half as much text outside links as the page shows, or four
  times as much text, unless the page shows the same text elsewhere.

Dialogs never stay. docs/output.md has the effect of each rule on labelled pages.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, compress
from typing import Final, NamedTuple

from scrapy_webtext.compiled import compiled
from scrapy_webtext.page import tags
from scrapy_webtext.page.concealed import Concealed, has_sentence
from scrapy_webtext.page.masks import either
from scrapy_webtext.page.nodes import Nodes

#: The least number of similar elements in a series.
SERIES: Final = 3
#: Shorter pieces of text are names, labels and numbers, and do not count as text of a main part.
PIECE: Final = 30
#: Least ratio of hidden text to shown text of a main part: outside links, and of all text.
LEAST_SHARE: Final = 0.5
LEAST_SHARE_OF_ALL: Final = 4
#: Texts are compared by parts of ``PART`` characters, up to ``MAX_COMPARED`` characters.
PART: Final = 16
MAX_COMPARED: Final = 100_000

_STREAMED: Final = re.compile("S:[0-9a-f]+")
_DIALOGS: Final = frozenset({"dialog", "alertdialog"})
#: Attributes in which a control names the element that it opens.
_CONTROLS: Final = frozenset(
    {"aria-controls", "aria-owns", "data-target", "data-bs-target", "href", "for"}
)
#: Parts of the class names of panels, from libraries for tabs and accordions.
_PANEL: Final = re.compile(
    "accordion|collaps|tab-?(?:pane|content|panel|body)|panel-(?:collapse|body)|faq"
)
#: Tags of elements that open the panel right after them.
_OPENERS: Final = tags.HEADINGS | {"button", "summary", "label", "dt"}
_REACH: Final = 4
_MAX_NAMES_CHARS: Final = 300
_DIGITS: Final = re.compile(r"\d+")

Group = Sequence[Concealed]


def revealed(nodes: Nodes, tops: Group, mask: bytearray) -> set[int]:
    """Return which of these hidden elements stay; none of them is inside another.

    ``mask`` is 1 for nodes that are not shown in any case. Linear in the page.
    """
    stay = {one.node for one in tops if _STREAMED.fullmatch(one.attributes.get("id", ""))}
    asked = [
        one
        for one in tops
        if one.node not in stay and has_sentence(nodes, one.node) and not _is_dialog(nodes, one)
    ]
    if not asked:
        return stay
    opened = _opened(nodes)
    groups: dict[tuple[str, str, str], list[Concealed]] = defaultdict(list)
    for one in asked:
        if _is_panel(one) or not opened.isdisjoint(_ids(nodes, one)):
            stay.add(one.node)
        else:
            groups[_look(nodes, one)].append(one)
    left = []
    for group in groups.values():
        if len(group) >= SERIES and (
            group[0].how != "hidden" or all(_follows_opener(nodes, one.node) for one in group)
        ):
            stay.update(one.node for one in group)
        else:
            left.append(group)
    if left:
        hidden = [one for one in tops if one.node not in stay]
        stay.update(one.node for one in _page_text(nodes, hidden, left, mask))
    return stay


def _is_dialog(nodes: Nodes, one: Concealed) -> bool:
    own = one.attributes.get
    return nodes.tag[one.node] == "dialog" or own("role") in _DIALOGS or own("aria-modal") == "true"


def _look(nodes: Nodes, one: Concealed) -> tuple[str, str, str]:
    """Return the key of similar elements: tag, first class without digits, how they are hidden."""
    names = one.attributes.get("class", "")[:_MAX_NAMES_CHARS].split()
    return nodes.tag[one.node], _DIGITS.sub("", names[0]) if names else "", one.how


def _is_panel(one: Concealed) -> bool:
    names = one.attributes.get("class", "")[:_MAX_NAMES_CHARS].lower()
    return one.attributes.get("role") == "tabpanel" or bool(_PANEL.search(names))


def _follows_opener(nodes: Nodes, node: int) -> bool:
    """Return whether the element before this one, or the last inside it, can open a panel."""
    before = node - 1
    for _ in range(_REACH):
        if before < 0 or before == nodes.parent[node]:
            return False
        if nodes.tag[before] in _OPENERS:
            return True
        before = nodes.parent[before]
    return False


def _ids(nodes: Nodes, one: Concealed) -> Iterator[str]:
    """Yield the id of an element, and that of its first child, which some controls name."""
    yield one.attributes.get("id", "")
    if one.node + 1 < nodes.end[one.node]:
        yield dict(nodes.attributes[one.node + 1]).get("id", "")


@compiled
def _opened(nodes: Nodes) -> set[str]:
    """Return the ids that the page's links and controls name."""
    flat = nodes.attributes.flat
    found: set[str] = set()
    for k in compress(range(0, len(flat), 2), map(_CONTROLS.__contains__, flat[::2])):
        value = flat[k + 1]
        if flat[k] == "href":
            if value.startswith("#"):
                found.add(value[1:])
        elif len(value) <= _MAX_NAMES_CHARS:
            found.update(value.replace("#", " ").split())
    found.discard("")
    return found


class _Weight(NamedTuple):
    """Characters of text."""

    plain: int  #: in pieces of `PIECE` or more outside links
    every: int  #: in all


def _page_text(nodes: Nodes, hidden: Group, groups: Iterable[Group], mask: bytearray) -> Group:
    """Return those of the groups' elements that hold the page's text; ``hidden`` has them all."""
    linked = nodes.inside(tags.LINK)
    unseen = either(mask, nodes.below(one.node for one in hidden))
    page = [range(len(nodes))]
    shown = _weigh(nodes, linked, unseen, page)
    large: list[tuple[Group, list[str]]] = []
    for group in groups:
        own = [range(one.node, nodes.end[one.node]) for one in group]
        weight = _weigh(nodes, linked, mask, own)
        is_plain = weight.plain and weight.plain >= LEAST_SHARE * shown.plain
        is_all = weight.every >= LEAST_SHARE_OF_ALL * shown.every
        if is_plain or is_all:
            large.append((group, _parts(_letters(nodes, mask, own))))
    if not large:
        return []
    asked = set(chain.from_iterable(parts for _, parts in large))
    again = _found(_letters(nodes, unseen, page), asked)
    return [
        one
        for group, parts in large
        if 2 * sum(map(again.__contains__, parts)) <= len(parts)
        for one in group
    ]


def _parts(text: str) -> list[str]:
    """Return the parts of a text, one behind the other."""
    return [text[k : k + PART] for k in range(0, len(text) - PART + 1, PART)]


def _found(text: str, parts: set[str]) -> set[str]:
    """Return those of the parts that stand anywhere in a text."""
    return {part for k in range(len(text) - PART + 1) if (part := text[k : k + PART]) in parts}


@compiled
def _letters(nodes: Nodes, mask: bytearray, parts: Iterable[range]) -> str:
    """Return the text in these nodes without white space, as far as it is compared."""
    pieces = (text for part in parts for text, _ in _pieces(nodes, mask, part))
    return "".join("".join(text.split()) for text in pieces)[:MAX_COMPARED]


def _pieces(nodes: Nodes, mask: bytearray, part: range) -> Iterator[tuple[str, int]]:
    """Yield the text in these nodes that ``mask`` leaves, and the nodes in which it stands."""
    inner = slice(part.start + 1, part.stop)
    tails = zip(nodes.tail[inner], nodes.parent[inner], strict=True)
    for text, i in chain(zip(nodes.text[part.start : part.stop], part, strict=True), tails):
        if text and i >= 0 and not mask[i] and not text.isspace():
            yield text, i


@compiled
def _weigh(nodes: Nodes, linked: bytearray, mask: bytearray, parts: Iterable[range]) -> _Weight:
    """Return the weight of the text in these nodes, white space at the ends of pieces cut off."""
    plain = every = 0
    for part in parts:
        for text, i in _pieces(nodes, mask, part):
            chars = len(text.strip())
            every += chars
            if chars >= PIECE and not linked[i]:
                plain += chars
    return _Weight(plain, every)
