"""Finds the text of a page that a browser does not show.

Some elements are never shown (`tags.HIDDEN`). Others are hidden by ``hidden``, ``popover``,
``aria-hidden="true"`` or ``style`` (`_HIDING_STYLES`, such as ``display: none``). A <dialog>
without ``open`` is closed. Some of these elements are kept, because scripts or readers show them
(:mod:`scrapy_webtext.page.shown_later`). Style sheets are not read: a quarter of the text that they
hide by class or id is main text.

An open dialog (<dialog>, ``role="dialog"``, ``aria-modal``) covers the page. It counts as hidden,
too, unless it contains more text than the rest of the page.

Permalinks ("#", "¶", "Section titled ...") count as hidden. A link in a heading is a permalink if
it has no letters and digits. A link in a heading or right after it is one if it leads to an id of
the heading, its parent or the link, unless the text of the heading begins with it. Elsewhere a link
within the page is a permalink if its text is one of `_MARKS`. Links in a heading that edit the
section are hidden with the brackets around them.

Small elements of a paywall that lead to an offer or a login are hidden, too.
"""

from __future__ import annotations

import re
import sys
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain
from typing import Final

from scrapy_webtext.core import arrays
from scrapy_webtext.core.texts import Signs, Texts
from scrapy_webtext.page import tags
from scrapy_webtext.page.nodes import Nodes
from scrapy_webtext.page.shown_later import (
    DIALOGS,
    SENTENCE,
    HiddenElement,
    How,
    find_shown_later,
    sum_of_texts,
)

#: A page is built by its scripts if it shows fewer characters than this and <noscript> has more, or
#: if <noscript> has this many times as many characters in sentences as the page shows.
SCRIPTED_CHARS: Final = 500
SCRIPTED_TIMES: Final = 2
#: Maximum depth of hidden elements inside hidden elements that are kept.
LEVELS: Final = 8
#: Maximum number of a heading's nodes that are searched for permalinks; maximum length of a text.
_REACH: Final = 64
_MAX_CHARS: Final = 200
#: Texts of permalinks, and of links from notes to their marks; their maximum length; the maximum
#: number of nodes of a permalink, or of a link that edits a section with its brackets.
_MARKS: Final = frozenset(
    "# ¶ ⁋ ❡ § ∞ ⚓ ⚓\ufe0e 🔗 🔗\ufe0e \uf0c1 ↩ ↩\ufe0e ↩\ufe0f ⤴ ⤴\ufe0e ⏎ ↵ ^ ↑ ⇑ ⬆".split()
)
_MARK_CHARS: Final = 2
_NODES: Final = 12
#: Sides of a link in a heading, as bits.
_BEFORE: Final = 1
_AFTER: Final = 2
#: Class names that hide an element on all pages of a publishing system (Webflow; LaTeXML: notes,
#: until their mark is touched), or of links for editing and links back from notes (MediaWiki).
_CLASSES: Final = {"w-condition-invisible", "mw-editsection", "mw-cite-backlink", "ltx_note_outer"}
#: Parts of class names and ids of paywalls. Both offers and the articles below them have such
#: names.
_WALLS: Final = ("paywall", "regwall")
_NAME_SIGNS: Final = {"class": Signs(*_CLASSES, *_WALLS), "id": Signs(*_WALLS)}
#: Maximum number of nodes and characters of an offer.
_OFFER_NODES: Final = 64
_OFFER_CHARS: Final = 800
#: No offer is an element with two paragraphs of this many characters, or with one of these tags.
_PROSE_CHARS: Final = 100
_ARTICLE_TAGS: Final = frozenset({"p", "article", "main"})
#: Pattern of addresses of offers and logins.
_OFFER: Final = re.compile(
    r"subscri|abonn|\babos?\b|log-?in\b|sign-?(?:in|up)\b|\bregist|anmeld|account|checkout|suscri|abbon"
    r"|\bassin|prenum|\b(?:offer|offre|angebot|premium)"
)

#: Bits of attributes that may hide an element or open a dialog.
_HIDDEN: Final = 1
_POPOVER: Final = 2
_ARIA: Final = 4
_STYLE: Final = 8
_OPEN: Final = 16
_ROLE: Final = 32
_MODAL: Final = 64
_ATTRIBUTES: Final = {
    "hidden": _HIDDEN,
    "popover": _POPOVER,
    "aria-hidden": _ARIA,
    "style": _STYLE,
    "open": _OPEN,
    "role": _ROLE,
    "aria-modal": _MODAL,
}
_DIALOG: Final = {"dialog": 1}
_HOW: Final[tuple[How, ...]] = ("hidden", "aria", "faded", "dialog")
_FADED: Final = 3
_DIALOG_OPEN: Final = 4

# A style is read with single spaces, and each number of a value is rounded: to the entry of
# `_ROUNDED` for the greatest of `_LIMITS` that is not above it. So the patterns repeat no digits.
_LIMITS: Final = (0, 0.05, 1.01, 50, 100, 200, 1000, 9000)
_ROUNDED: Final = ("0", "1", "9", "50", "100", "200", "1000", "9000")
_NUMBER: Final = re.compile(r"(?<![\w#.])(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?")
#: A length of at most 1 pixel; a number below 0.05; a length of 1,000 pixels or more to the left.
_TINY: Final = r"(?:0(?:[a-z]{1,4}|%)?|1p[xt])(?![\w%])"
_FAINT: Final = r"0%?(?![\w%])"
_FAR: Final = r"(?:calc\( ?)?-(?:[19]000|[12]00(?:r?em|ch|ex|vw|vh)|200%)"
#: Property of CSS -> pattern of values that hide an element.
_HIDING_STYLES: Final = {
    name: re.compile(value)
    for names, value in {
        "display": r"\Anone",
        "visibility": r"\A(?:hidden|collapse)",
        "content-visibility": r"\Ahidden",
        "font-size": rf"\A{_TINY}",
        "font": rf"(?:\A| ){_TINY} ?[/ ]",
        "zoom scale": rf"\A{_FAINT}",
        "transform": rf"scale(?:3d|x|y)?\( ?{_FAINT}|scale\([^,()]*, ?{_FAINT}|rotate[xy]\(-?50deg"
        r"|translate(?:3d|x|y)?\((?:[^,()]*,)? ?-?(?:9000|(?:[12]00|1000)r?em)",
        "translate": r"(?:\A| )-?(?:9000|(?:[12]00|1000)r?em)",
        "text-indent": rf"\A-(?:[12]00|[19]000)|\A{_FAR}|\A[19]000px",
        "left top right bottom margin-left margin-top": rf"\A{_FAR}",
        "inset-inline-start inset-block-start margin-inline-start margin-block-start": rf"\A{_FAR}",
        "inset margin": rf"\A(?:[^ ]+ (?:[^ ]+ [^ ]+ )?)?{_FAR}",  # on top, or on the left
        "clip": r"\Arect\( ?[01](?:px)?[ ,]",
        "clip-path": r"inset\( ?(?:50|[12]00)%|polygon\((?:[ ,]|0(?:px|%)?)*\)"
        rf"|(?:circle|ellipse)\( ?{_FAINT}",
        "color text-fill-color": r"\A(?:transparent|#(?:[\da-f]{3}0|[\da-f]{6}0[\da-c])(?!\w))"
        rf"|\A(?:rgb|hsl)a?\([^,/)]*(?:,[^,/)]*,[^,/)]*,|/) ?{_FAINT}",
        "opacity": rf"\A{_FAINT}",
        "filter": rf"opacity\( ?{_FAINT}",
    }.items()
    for name in names.split()
}
#: Properties that hide an element only together with a hidden overflow.
_HIDING_SIZES: Final = {
    **dict.fromkeys(
        ("height", "max-height", "width", "max-width", "line-height"), re.compile(rf"\A{_TINY}")
    ),
    "text-indent": re.compile(r"\A[12]00%"),
}
_OVERFLOW: Final = ("overflow", "overflow-x", "overflow-y")
_BACKGROUNDS: Final = ("background", "background-color")
#: Properties that scripts do not change to fade an element in.
_NOT_FADING: Final = frozenset(
    {"display", "visibility", "content-visibility", "font-size", "font", "zoom"}
)
_READ: Final = frozenset({*_HIDING_STYLES, *_HIDING_SIZES, *_OVERFLOW, *_BACKGROUNDS})
_COMMENT: Final = re.compile(r"/\*.*?(?:\*/|$)", re.DOTALL)
_ESCAPE: Final = re.compile(r"\\(?:([0-9a-f]{1,6})\s?|(.))", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Hidden:
    """The nodes of a page that are not shown."""

    mask: bytearray  #: per node, 1 if no text of the node is shown
    elements: list[int]  #: nodes that attributes hide, and permalinks


def find_hidden(nodes: Nodes, left_out: Sequence[int] = (), around: Sequence[int] = ()) -> Hidden:
    """Return the nodes that a browser does not show, in time linear in the page.

    ``left_out`` are further nodes to hide, ``around`` nodes of which only the text directly in them
    is hidden. If no text would be left, elements that attributes hide count as shown.
    """
    never = nodes.inside(tags.HIDDEN)
    nodes.cover(never, left_out)
    for i in around:
        never[i] = 1
    mask = never[:]
    covered = nodes.outermost(
        i
        for i, _, names in nodes.attributes.with_signs(_NAME_SIGNS)
        if not never[i]
        and (not _CLASSES.isdisjoint(names.split()) or _is_offer(nodes, i, names.lower()))
    )
    nodes.cover(mask, covered)
    covered += _hide(nodes, find_hidden_elements(nodes, mask), mask)
    if covered and few_shown(nodes, mask, 0) == 0:
        mask, covered = never, []
    covered += left_out
    if nodes.tagged(tags.SPARE):
        _show_spare(nodes, mask, left_out, around)
    for node in chain(_children_without_slot(nodes), find_permalinks(nodes)):
        if not mask[node]:
            nodes.cover(mask, [node])
            covered.append(node)
    return Hidden(mask, covered)


def _hide(nodes: Nodes, found: list[HiddenElement], mask: bytearray) -> list[int]:
    """Add to ``mask`` the hidden elements that are not shown later, and return them."""
    covered: list[int] = []
    for level in range(LEVELS if found else 0):
        outer = set(nodes.outermost([one.node for one in found]))
        tops = [one for one in found if one.node in outer]
        stay = find_shown_later(nodes, tops, mask) if level < LEVELS - 1 else set()
        gone = [one.node for one in tops if one.node not in stay]
        nodes.cover(mask, gone)
        covered += gone
        found = [one for one in found if one.node not in outer and not mask[one.node]]
        if not found:
            break
    return covered


def _show_spare(
    nodes: Nodes, mask: bytearray, left_out: Sequence[int], around: Sequence[int]
) -> None:
    """Show the content of <noscript> and <template> on a page with little other text.

    Scripts build such a page in the browser, and its text is in these elements.
    """
    # In other hidden elements, such as <head>, <noscript> and <template> stay hidden.
    inside = nodes.inside(tags.HIDDEN - tags.SPARE)
    nodes.cover(inside, left_out)
    spare = [i for i in nodes.tops(tags.SPARE) if not inside[i]]
    for i in around:
        inside[i] = 1
    chars = sum(sum_of_texts(nodes, i) for i in spare)
    sentences = sum(sum_of_texts(nodes, i, SENTENCE) for i in spare)
    shown = few_shown(nodes, mask, sentences)
    if shown is not None and chars > shown:
        for i in spare:
            mask[i : nodes.end[i]] = inside[i : nodes.end[i]]


def _children_without_slot(nodes: Nodes) -> Iterator[int]:
    """Yield the children of elements whose shadow root has no <slot> in which to show them."""
    slots, roots = nodes.tagged(frozenset({"slot"})), nodes.tagged(frozenset({"template"}))
    hosts: dict[int, int] = {}  # host -> its first shadow root
    for root in roots:
        if "shadowrootmode" in dict(nodes.attributes[root]):
            hosts.setdefault(nodes.parent[root], root)
    for host, root in hosts.items():
        slot = bisect_left(slots, root)
        if host < 0 or (slot < len(slots) and slots[slot] < nodes.end[root]):
            continue
        child = host + 1
        while child < nodes.end[host]:
            if child != root:
                yield child
            child = nodes.end[child]


def few_shown(nodes: Nodes, mask: bytearray, sentences: int) -> int | None:
    """Return the number of characters that a page shows; None if it shows enough text."""
    texts, tails, parent = nodes.text, nodes.tail, arrays.longs(nodes.parent)
    gone, shown, enough, times = arrays.octets(mask), 0, SCRIPTED_CHARS, SCRIPTED_TIMES
    for i in range(len(nodes)):
        if not gone[i] and texts.has_words(i):
            shown += texts.chars(i)
        up = parent[i]
        if up >= 0 and not gone[up] and tails.has_words(i):
            shown += tails.chars(i)
        if shown >= enough and sentences < times * shown:
            return None
    return shown


def _is_offer(nodes: Nodes, node: int, name: str) -> bool:
    """Return whether a node is a small element of a paywall with a button or a link to an offer.

    Sites also give these names to the paid text of an article and to its paragraphs: no offers.
    """
    end = nodes.end[node]
    if not any(wall in name for wall in _WALLS) or end > node + _OFFER_NODES:
        return False
    if sum_of_texts(nodes, node, 0, _OFFER_CHARS) >= _OFFER_CHARS:
        return False
    paragraphs = (i for i in range(node, end) if nodes.tag[i] == "p")
    prose = [i for i in paragraphs if sum_of_texts(nodes, i, 0, _PROSE_CHARS) >= _PROSE_CHARS]
    if nodes.tag[node] in _ARTICLE_TAGS or len(prose) > 1:
        return False
    leads = (value.lower() for _, _, value in nodes.attributes.named({"href"}, node, end))
    is_button = any(nodes.names[nodes.name[i]] == "button" for i in range(node, end))
    return is_button or any(map(_OFFER.search, leads))


def find_permalinks(nodes: Nodes) -> list[int]:
    """Return the permalinks of a page, and its links that edit a section, ascending."""
    links, found = nodes.tagged(tags.LINK), list[int]()
    headings = nodes.tops(tags.HEADINGS)
    for heading in headings:
        k = bisect_right(links, heading)
        if k < len(links) and links[k] <= nodes.end[heading]:
            found += _of_heading(nodes, heading, links[k : k + _REACH])
    in_heading = nodes.below(headings)
    for link, _, address in nodes.attributes.named({"href"}, start="#"):
        end = nodes.end[link]
        if len(address) == 1 or in_heading[link] or end > link + _NODES:
            continue
        if nodes.text.chars(link) <= _MARK_CHARS and _text(nodes, link, end) in _MARKS:
            found.append(link)
    return sorted(set(found))


def _edits_of_section(nodes: Nodes, heading: int, links: list[int]) -> Iterator[int]:
    """Yield the outermost elements in a heading that contain nothing but links for editing."""
    within = {i for link in links for i in range(link, min(nodes.end[link], link + _NODES))}
    for link in links:
        node = link
        while nodes.parent[node] != heading and not _has_words(nodes, nodes.parent[node], within):
            node = nodes.parent[node]
        yield node


def _has_words(nodes: Nodes, node: int, without: set[int]) -> bool:
    """Return whether an element has letters or digits outside ``without``, or many nodes."""
    end = nodes.end[node]
    if end > node + _NODES:
        return True
    pieces = [nodes.text[i] for i in range(node, end) if i not in without]
    pieces += [nodes.tail[i] for i in range(node + 1, end) if nodes.parent[i] not in without]
    return any(map(str.isalnum, "".join(filter(None, pieces))))


def _of_heading(nodes: Nodes, heading: int, links: list[int]) -> Iterator[int]:
    """Yield the permalinks of a heading; ``links`` are the links after its start, ascending."""
    end, outside, whole = nodes.end[heading], heading, ""
    edits: list[int] = []
    for link in links:
        if link >= min(end, heading + _REACH):
            break
        if link < outside:
            continue
        outside = nodes.end[link]
        beside = _words_beside(nodes, heading, link)
        if not beside:
            continue
        if "action=edit" in nodes.attributes.get(link, "href"):
            edits.append(link)
        whole = whole or _text(nodes, heading, end)
        text = _text(nodes, link, outside)
        if not text or len(text) >= len(whole):
            continue
        has_words = any(map(str.isalnum, text))
        is_start = has_words and not beside & _BEFORE  # as in a module's name of Sphinx
        if not has_words or (not is_start and _leads_to(nodes, link, heading)):
            yield link
    yield from _edits_of_section(nodes, heading, edits)
    is_link = end < len(nodes) and nodes.names[nodes.name[end]] == "a"
    is_next = is_link and nodes.parent[end] == nodes.parent[heading]
    if is_next and _leads_to(nodes, end, heading) and (whole or _text(nodes, heading, end)):
        yield end


def _words_beside(nodes: Nodes, heading: int, link: int) -> int:
    """Return where a heading has words outside a link: `_BEFORE`, `_AFTER`, both or 0."""
    texts, tails, end = nodes.text, nodes.tail, arrays.longs(nodes.end)
    after, found = end[link], 0
    for i in range(heading, end[heading]):
        if (i < link or i >= after) and texts.has_words(i):
            found |= _BEFORE if i < link else _AFTER
        if heading < i and (i <= link or i >= after) and tails.has_words(i):
            found |= _BEFORE if end[i] <= link else _AFTER
    return found


def _leads_to(nodes: Nodes, link: int, heading: int) -> bool:
    """Return whether a link leads to an id of a heading, of its parent, or of the link itself."""
    get, up = nodes.attributes.get, nodes.parent[heading]
    ids = {get(heading, "id"), get(up, "id") if up >= 0 else "", get(link, "id"), get(link, "name")}
    ids.update(get(i, "id") for i in range(heading + 1, min(nodes.end[heading], heading + _NODES)))
    return get(link, "href") in {f"#{one}" for one in ids if one}


def _text(nodes: Nodes, node: int, end: int) -> str:
    """Return the first characters of an element's text, without white space."""
    pieces: list[str] = []
    chars = 0
    for i in range(node, end):
        for piece in (nodes.text[i], nodes.tail[i] if i > node else None):
            if piece and chars <= _MAX_CHARS:
                pieces += piece.split()
                chars += len(piece)
    return "".join(pieces)[:_MAX_CHARS]


def find_hidden_elements(nodes: Nodes, mask: bytearray) -> list[HiddenElement]:
    """Return the hidden elements with text that are not in ``mask``, in document order."""
    attributes, values = nodes.attributes, nodes.attributes.values
    kinds, dialogs = attributes.kinds(_ATTRIBUTES), nodes.kinds(_DIALOG)
    kind, is_dialog = arrays.longs(kinds), arrays.longs(dialogs)
    first, gone = arrays.longs(attributes.first), arrays.octets(mask)
    how_by_style = cache(_how_by_style)
    some: list[int] = []
    for node in range(len(nodes)):
        bits = is_dialog[node]
        for k in range(first[node], first[node + 1]):
            bits |= kind[k]
        if bits and not gone[node]:
            some.append(node)
    found: list[HiddenElement] = []
    for node in _with_words(nodes, some):
        bits, by_style = 0, 0
        for k in range(first[node], first[node + 1]):
            if kind[k] == 0:
                continue
            value = values.at(k).strip().lower()  # objects
            if kind[k] == _STYLE:
                by_style = how_by_style(value)  # objects
            elif kind[k] == _ROLE:
                bits |= _ROLE if value in DIALOGS else 0  # objects
            elif kind[k] == _HIDDEN:
                bits |= 0 if value == "until-found" else _HIDDEN  # objects
            elif kind[k] & (_POPOVER | _OPEN) or value == "true":  # objects
                bits |= kind[k]
        is_closed = is_dialog[node] and not bits & _OPEN
        how = 0
        if bits & (_HIDDEN | _POPOVER) or by_style == 1 or is_closed:
            how = 1
        elif bits & _ARIA and not (
            nodes.tag[node] == "rb" or nodes.tag[max(nodes.parent[node], 0)] == "ruby"
        ):  # screen readers read the annotation in place of the base text of a ruby annotation
            how = 2
        elif by_style:
            how = _FADED
        elif bits & (_ROLE | _MODAL) or is_dialog[node]:
            how = _DIALOG_OPEN
        if how:
            found.append(HiddenElement(node, _HOW[how - 1]))
    return found


def _how_by_style(style: str) -> int:
    """Return how a style hides its element (index in `_HOW` plus 1); 0 if it does not."""
    hiding = _hiding_properties(style)
    return 1 if hiding & _NOT_FADING else _FADED if hiding else 0


def _with_words(nodes: Nodes, some: list[int]) -> list[int]:
    """Return the nodes in ``some``, which ascends, that have text other than white space."""
    texts, tails, node_end = nodes.text, nodes.tail, arrays.longs(nodes.end)
    found: list[int] = []
    text = tail = 0  # indices of the next text and the next tail with words
    for node in some:
        end = node_end[node]
        text = _next_words(texts, max(text, node), end)
        tail = _next_words(tails, max(tail, node + 1), end)
        if text < end or tail < end:
            found.append(node)
    return found


def _next_words(texts: Texts, k: int, end: int) -> int:
    while k < end and not texts.has_words(k):
        k += 1
    return k


def _hiding_properties(style: str) -> set[str]:
    """Return the properties of a style that hide its element; the last declaration counts."""
    if "\\" in style or "/*" in style:
        style = _ESCAPE.sub(_unescaped, _COMMENT.sub("", style))
    last: dict[str, str] = {}
    for declaration in " ".join(style.split()).split(";"):
        name, _, value = declaration.partition(":")
        name = name.strip().rpartition(" ")[2].removeprefix("-webkit-")
        name = name.removeprefix("-moz-").removeprefix("-ms-")
        if name in _READ and ("!" in value or "!" not in last.get(name, "")):
            last[name] = value.strip()
    is_cut = any(last.get(name, "").startswith(("hidden", "clip")) for name in _OVERFLOW)
    tables = [_HIDING_STYLES, _HIDING_SIZES] if is_cut else [_HIDING_STYLES]
    found = {
        name
        for table in tables
        for name, value in last.items()
        if name in table and table[name].search(_NUMBER.sub(_size, value))
    }
    if "background-clip" in style:  # transparent letters show the background
        found -= {"color", "text-fill-color"}
    elif "color" in last and last["color"] in [last.get(name) for name in _BACKGROUNDS]:
        found.add("color")
    return found


def _size(number: re.Match[str]) -> str:
    value = float("0" + number[0].lstrip("0")[:30].rstrip("e+-"))
    return _ROUNDED[bisect_right(_LIMITS, value) - 1]


def _unescaped(escape: re.Match[str]) -> str:
    code = int(escape[1] or "0", 16)
    return escape[2] or (chr(code).lower() if code < sys.maxunicode else "")
