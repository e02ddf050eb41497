"""Finds hidden elements that belong to the page's text, because they are shown later.

* Streamed parts: the server sends them hidden, and a script moves them to their place (React's
  ``hidden id="S:1"``).
* Panels that a control opens: tabs, elements whose id a link or button names, elements after a
  button with ``aria-expanded``, and elements with the class names of tabs and accordions.
* Series: three or more similar elements that are hidden only by ``aria-hidden``, or are right after
  a button or heading. They are answers to questions, slides or cards, which the reader opens.
* Elements that fade in: elements that are transparent, shrunk or shifted, if the page has three or
  more of them, or if they are shorter than a sentence.
* The main part: similar elements with at least half as much text outside links as the page shows,
  or four times as much text, unless the page shows this text elsewhere.

Panels and series may have answers shorter than a sentence. Menus and forms are no answers. Closed
dialogs are never kept. docs/output.md lists the rules.
"""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Final, Literal, NamedTuple

from scrapy_webtext.core import arrays
from scrapy_webtext.page import tags
from scrapy_webtext.page.nodes import Nodes, either

#: Minimum length of a sentence in characters.
SENTENCE: Final = 60

#: How an element is hidden: by an attribute or as a closed dialog; only from screen readers; by
#: properties that fade it in; as an open dialog, which covers the page.
How = Literal["hidden", "aria", "faded", "dialog"]

#: Minimum number of similar elements in a series.
SERIES: Final = 3
#: Minimum number of characters of a piece of text that counts when a main part is compared with the
#: page; shorter pieces are names, labels and numbers.
_PIECE: Final = 30
#: Minimum ratio of a main part's text to the shown text: of text outside links; of all text.
LEAST_SHARE: Final = 0.5
LEAST_SHARE_OF_ALL: Final = 4
#: Texts are compared in parts of ``PART`` characters; at most ``MAX_COMPARED`` characters are
#: compared.
PART: Final = 16
MAX_COMPARED: Final = 100_000

_STREAMED: Final = re.compile("S:[0-9a-f]+")
DIALOGS: Final = frozenset({"dialog", "alertdialog"})
#: Attributes with which a control names the element that it opens; links use "href".
_CONTROLS: Final = frozenset({"aria-controls", "aria-owns", "data-target", "data-bs-target", "for"})
#: Parts of class names of panels in libraries for tabs, accordions and carousels.
_PANEL: Final = re.compile(
    "accordion|collaps|tab-?(?:pane|content|panel|body)|panel-(?:collapse|body)|faq"
    "|(?:slick|swiper|splide__|glide__|keen-slider__)-?slide|carousel-item"
)
#: Tags of elements that open the panel right after them; `_TITLES`: those that are its title, too.
_OPENERS: Final = tags.HEADINGS | {"button", "summary", "label", "dt"}
_TITLES: Final = tags.HEADINGS | {"summary", "dt"}
#: Tags in forms and menus; roles of elements that may contain an answer.
_OPERATED: Final = frozenset("button fieldset form input menu nav select textarea".split())
_ANSWER_ROLES: Final = frozenset({"", "region", "tabpanel", "group", "definition"})
_REACH: Final = 4
_MAX_NAMES_CHARS: Final = 300
_DIGITS: Final = re.compile(r"\d+")


class HiddenElement(NamedTuple):
    """A hidden element, and how it is hidden."""

    node: int
    how: How


Group = Sequence[HiddenElement]


def has_sentence(nodes: Nodes, node: int) -> bool:
    """Return whether an element has at least `SENTENCE` characters of text."""
    return sum_of_texts(nodes, node, 0, SENTENCE) >= SENTENCE


def sum_of_texts(nodes: Nodes, node: int, least: int = 0, most: int = sys.maxsize) -> int:
    """Count the characters of an element's pieces of text with at least ``least`` characters.

    White space at the ends of a piece does not count. Counting may stop at ``most``.
    """
    texts, tails, end = nodes.text, nodes.tail, nodes.end[node]
    found = 0
    for i in range(node, end):
        if texts.has_words(i):
            chars = texts.chars(i)
            found += chars if chars >= least else 0
        if i > node and tails.has_words(i):
            chars = tails.chars(i)
            found += chars if chars >= least else 0
        if found >= most:
            break
    return found


def find_shown_later(nodes: Nodes, tops: Group, mask: bytearray) -> set[int]:
    """Return the nodes of hidden elements that are shown later, in time linear in the page.

    No element of ``tops`` is inside another. ``mask`` is 1 for nodes that are never shown.
    """
    get = nodes.attributes.get
    stay = {one.node for one in tops if _STREAMED.fullmatch(get(one.node, "id"))}
    faded = [one.node for one in tops if one.how == "faded"]
    fades_in = len(faded) >= SERIES
    stay.update(node for node in faded if fades_in or not has_sentence(nodes, node))
    asked = [
        one
        for one in tops
        if one.node not in stay
        and (has_sentence(nodes, one.node) or _is_answer(nodes, one))
        and not (_is_dialog(nodes, one) and one.how != "dialog")
    ]
    if not asked:
        return stay
    links, controls = _opened_ids(nodes)
    groups: dict[tuple[str, str, str], list[HiddenElement]] = defaultdict(list)
    for one in asked:
        if one.how != "dialog" and _is_opened(nodes, one, links, controls):
            stay.add(one.node)
        elif one.how != "aria" or has_sentence(nodes, one.node):
            groups[_look(nodes, one)].append(one)
    for group in groups.values():
        stay.update(one.node for one in _series(nodes, group))
    for is_dialog, share in ((False, LEAST_SHARE), (True, 1.0)):
        some = [
            [one for one in group if one.node not in stay]
            for (_, _, how), group in groups.items()
            if (how == "dialog") is is_dialog
        ]
        if any(some):
            hidden = [one for one in tops if one.node not in stay]
            stay.update(one.node for one in _page_text(nodes, hidden, some, mask, share))
    return stay


def _is_opened(nodes: Nodes, one: HiddenElement, links: set[str], controls: set[str]) -> bool:
    """Return whether a control opens an element.

    ``links`` and ``controls`` are the ids that links and other controls name. Links count only if
    the element has a sentence.
    """
    ids = set(_ids(nodes, one))
    if _is_panel(nodes, one) or not controls.isdisjoint(ids):
        return True
    if has_sentence(nodes, one.node) and not links.isdisjoint(ids):
        return True
    opener = _opener(nodes, one.node)
    is_toggle = opener >= 0 and nodes.attributes.get(opener, "aria-expanded") != ""
    is_styled = opener >= 0 and one.how == "faded"
    return (is_toggle or is_styled) and _is_answer(nodes, one)


def _series(nodes: Nodes, group: Group) -> Group:
    """Return the elements of a group of similar elements that are a series; empty if too few."""
    if len(group) < SERIES or group[0].how == "dialog":
        return []
    openers = {one.node: _opener(nodes, one.node) for one in group}
    long = [one for one in group if has_sentence(nodes, one.node)]
    opened = [one for one in group if openers[one.node] >= 0]
    are_sure = bool(long) or all(_is_titled(nodes, openers[one.node]) for one in opened)
    if len(opened) >= SERIES and are_sure and all(openers[one.node] >= 0 for one in long):
        return opened
    return long if len(long) >= SERIES and group[0].how != "hidden" else []


def _is_answer(nodes: Nodes, one: HiddenElement) -> bool:
    """Return whether an element has text, most of it outside links, and is no form or menu."""
    names, name, texts, tails = nodes.names, nodes.name, nodes.text, nodes.tail
    node, get = one.node, nodes.attributes.get
    is_sign = one.how == "aria" and not get(node, "id") and _opener(nodes, node) < 0
    if get(node, "role") not in _ANSWER_ROLES or is_sign:
        return False
    chars = linked = 0
    end, in_link = nodes.end[node], 0
    for i in range(node, end):
        tag = names[name[i]]
        if tag in _OPERATED:
            return False
        if tag == "a":
            in_link = max(in_link, nodes.end[i])
        own = texts.chars(i) if texts.has_words(i) else 0
        linked += own if i < in_link else 0
        chars += own + (tails.chars(i) if i > node and tails.has_words(i) else 0)
    return chars > 2 * linked


def _tag(nodes: Nodes, node: int) -> str:
    return nodes.names[nodes.name[node]]


def _is_dialog(nodes: Nodes, one: HiddenElement) -> bool:
    get = nodes.attributes.get
    return (
        _tag(nodes, one.node) == "dialog"
        or get(one.node, "role") in DIALOGS
        or get(one.node, "aria-modal") == "true"
    )


def _look(nodes: Nodes, one: HiddenElement) -> tuple[str, str, str]:
    """Return the key of similar elements: tag, first class without digits, how hidden."""
    names = nodes.attributes.get(one.node, "class")[:_MAX_NAMES_CHARS].split()
    return _tag(nodes, one.node), _DIGITS.sub("", names[0]) if names else "", one.how


def _is_panel(nodes: Nodes, one: HiddenElement) -> bool:
    names = nodes.attributes.get(one.node, "class")[:_MAX_NAMES_CHARS].lower()
    return nodes.attributes.get(one.node, "role") == "tabpanel" or bool(_PANEL.search(names))


def _opener(nodes: Nodes, node: int) -> int:
    """Return the element right before a node, or an ancestor of it, that can open it; else -1."""
    before = node - 1
    for _ in range(_REACH):
        if before < 0 or before == nodes.parent[node]:
            return -1
        if _tag(nodes, before) in _OPENERS:
            return before
        before = nodes.parent[before]
    return -1


def _is_titled(nodes: Nodes, opener: int) -> bool:
    """Return whether an opener or its parent is a heading, <summary> or <dt>."""
    return _tag(nodes, opener) in _TITLES or _tag(nodes, nodes.parent[opener]) in _TITLES


def _ids(nodes: Nodes, one: HiddenElement) -> Iterator[str]:
    """Yield the ids of an element and of its first child: some controls name the child."""
    yield nodes.attributes.get(one.node, "id")
    if one.node + 1 < nodes.end[one.node]:
        yield nodes.attributes.get(one.node + 1, "id")


def _opened_ids(nodes: Nodes) -> tuple[set[str], set[str]]:
    """Return the ids in the addresses of links, and the ids in attributes of controls."""
    attributes = nodes.attributes
    links = {value[1:] for _, _, value in attributes.named({"href"}, start="#")}
    controls: set[str] = set()
    for _, _, value in attributes.named(_CONTROLS):
        if len(value) <= _MAX_NAMES_CHARS:
            controls.update(value.replace("#", " ").split())
    return links - {""}, controls


def _page_text(
    nodes: Nodes, hidden: Group, groups: Iterable[Group], mask: bytearray, share: float
) -> Group:
    """Return the elements of the groups that are a main part of the page.

    A main part has at least ``share`` times the text that the page shows outside links. ``hidden``
    are all hidden elements.
    """
    linked = nodes.inside(tags.LINK)
    unseen = either(mask, nodes.below(one.node for one in hidden))
    page = [range(len(nodes))]
    shown, all_shown = _weigh(nodes, linked, unseen, page)
    large: list[tuple[Group, list[str]]] = []
    for group in groups:
        own = [range(one.node, nodes.end[one.node]) for one in group]
        plain, every = _weigh(nodes, linked, mask, own)
        if (plain and plain >= share * shown) or every >= LEAST_SHARE_OF_ALL * all_shown:
            text = _letters(nodes, mask, own)
            parts = [text[k : k + PART] for k in range(0, len(text) - PART + 1, PART)]
            large.append((group, parts))
    if not large:
        return []
    asked = set(chain.from_iterable(parts for _, parts in large))
    text = _letters(nodes, unseen, page)
    again = asked.intersection(text[k : k + PART] for k in range(len(text) - PART + 1))
    return [
        one
        for group, parts in large
        if 2 * sum(map(again.__contains__, parts)) <= len(parts)
        for one in group
    ]


def _letters(nodes: Nodes, mask: bytearray, parts: Iterable[range]) -> str:
    """Return the text in these nodes without white space, at most `MAX_COMPARED` characters."""
    texts, tails, parent = nodes.text, nodes.tail, arrays.longs(nodes.parent)
    unread = arrays.octets(mask)
    pieces: list[str] = []
    left = MAX_COMPARED
    for part in parts:
        first, end = part.start, part.stop
        for i in range(first, end):
            if left > 0 and not unread[i] and texts.has_words(i):
                text = texts.letters(i)
                pieces.append(text)
                left -= len(text)
        for i in range(first + 1, end):
            up = parent[i]
            if left > 0 and up >= 0 and not unread[up] and tails.has_words(i):
                text = tails.letters(i)
                pieces.append(text)
                left -= len(text)
    return "".join(pieces)[:MAX_COMPARED]


def _weigh(
    nodes: Nodes, linked: bytearray, mask: bytearray, parts: Iterable[range]
) -> tuple[int, int]:
    """Count the characters of these nodes: of long pieces outside links; of all pieces.

    A long piece has at least `_PIECE` characters.

    White space at the ends of a piece does not count.
    """
    texts, tails, parent = nodes.text, nodes.tail, arrays.longs(nodes.parent)
    in_link, unread = arrays.octets(linked), arrays.octets(mask)
    plain = every = 0
    for part in parts:
        first, end = part.start, part.stop
        for i in range(first, end):
            if not unread[i] and texts.has_words(i):
                chars = texts.chars(i)
                every += chars
                plain += chars if chars >= _PIECE and not in_link[i] else 0
            up = parent[i]
            if i > first and up >= 0 and not unread[up] and tails.has_words(i):
                chars = tails.chars(i)
                every += chars
                plain += chars if chars >= _PIECE and not in_link[up] else 0
    return plain, every
