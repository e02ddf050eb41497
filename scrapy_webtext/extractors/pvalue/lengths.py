"""Step 1 of the P value and the lengths of elements (definitions 1 to 3)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from operator import or_
from typing import Final, Literal

from scrapy_webtext.compiled import compiled
from scrapy_webtext.extractors.pvalue.entities import entity_chars, escaped_chars
from scrapy_webtext.page import Nodes, Page, prefix_sums, tags

#: Step 1: elements removed with their content.
REMOVED_TAGS: Final = frozenset(
    "script noscript style embed label form input iframe head meta link object aside "
    "channel".split()
)
#: Step 1: attributes removed from the elements that stay.
REMOVED_ATTRIBUTES: Final = frozenset({"id", "class", "style"})

Attributes = Literal["paper", "none"]
Whitespace = Literal["folded", "literal"]
Entities = Literal["characters", "source"]
Forms = Literal["unless_main", "removed"]
Empty = Literal["kept", "dropped"]
Hidden = Literal["skipped", "read"]


@dataclass(frozen=True, slots=True)
class Measuring:
    """How lengths are taken, by default as the judge does; `PValueExtractor` says what is what."""

    attributes: Attributes = "none"
    whitespace: Whitespace = "folded"
    entities: Entities = "characters"
    forms: Forms = "unless_main"
    empty: Empty = "kept"
    hidden: Hidden = "skipped"


class _TagChars(dict[str, int]):
    """Characters of start and end tag by name, without attributes: "<p>" and "</p>" are 7.

    Common names are there from the start, which is faster; others are computed, and not kept.
    """

    def __missing__(self, tag: str) -> int:
        return 2 * len(tag) + 5


_TAG_CHARS: Final = _TagChars({"": 0, **{tag: len(tag) + 2 for tag in tags.VOID}})  # no end tag
_TAG_CHARS.update(
    (tag, _TAG_CHARS[tag])
    for tag in (*tags.BLOCK, *tags.HIDDEN, *"a b i u em strong span small time path g".split())
)


@dataclass(frozen=True, slots=True)
class Lengths:
    """Definitions 1 to 3 after step 1, as prefix sums over the page's text and nodes."""

    removed: bytearray  #: per node, 1 if step 1 removed it, or attributes hide it
    unread: bytearray  #: per node, 1 also where its text is not shown for another reason
    first: Sequence[int]  #: per node, where its part of ``text`` and ``valid`` begins
    last: Sequence[int]  #: and where it ends
    text: list[int]  #: for l_t
    valid: list[int]  #: for l_vt
    tags: list[int]  #: for l_s, the tags of nodes without attributes
    total: int  #: L_VT; 0 also where white space is the only text

    @compiled
    def kept(self, chars: Sequence[int], nodes: range) -> list[int]:
        """Prefix sums of ``chars`` over these nodes, those that step 1 removed left out."""
        rows = zip(
            chars[nodes.start : nodes.stop], self.removed[nodes.start : nodes.stop], strict=True
        )
        return prefix_sums(0 if gone else n for n, gone in rows)


@compiled
def read_lengths(page: Page, measuring: Measuring) -> Lengths:
    """Return the lengths of a page's elements, but for what `add_more` adds to l_s."""
    nodes, runs, linked = page.nodes, page.runs, page.is_link
    skips_hidden = measuring.hidden == "skipped"
    tops = _removed_tops(page, measuring.forms, page.concealed if skips_hidden else [])
    removed = nodes.below(tops)
    if measuring.empty == "dropped":
        tops = [*tops, *_without_text(page, removed)]
        removed = nodes.below(tops)
    owner: Sequence[int]
    first: Sequence[int]
    if measuring.whitespace == "folded":
        owner, first, last = runs.node, runs.first, runs.end
        text = list(map(len, runs.text))
    else:
        owner, first, last = range(len(nodes)), range(len(nodes)), nodes.end
        text = _literal_chars(page)
    if measuring.entities == "source":
        places = range(len(runs)) if measuring.whitespace == "folded" else runs.node
        for place, n in zip(places, entity_chars(page), strict=True):
            text[place] += n
    unread = bytearray(map(or_, removed, page.hidden)) if skips_hidden else removed
    text = [0 if unread[i] else n for n, i in zip(text, owner, strict=True)]
    valid = [0 if linked[i] else n for n, i in zip(text, owner, strict=True)]
    own = list(map(_TAG_CHARS.__getitem__, nodes.tag))
    for i in tops:
        own[i : nodes.end[i]] = [0] * (nodes.end[i] - i)
    has_text = not all(unread[i] or linked[i] for i in runs.node)
    return Lengths(
        removed=removed,
        unread=unread,
        first=first,
        last=last,
        text=prefix_sums(text),
        valid=prefix_sums(valid),
        tags=prefix_sums(own),
        total=sum(valid) if has_text else 0,
    )


@compiled
def add_more(chars: list[int], nodes: Nodes, measuring: Measuring, some: range) -> None:
    """Add to ``chars``, per node, what l_s has besides tags and text, of some of the nodes.

    These are attributes and, where white space is folded, the white space that is no text: one
    character at each edge of a tag that has any.
    """
    first, end = some.start, some.stop
    if measuring.attributes == "paper":
        for i, n in zip(some, _attribute_chars(nodes, measuring, first, end), strict=True):
            chars[i] += n
    if measuring.whitespace == "folded":
        texts = zip(some, nodes.text[first:end], strict=True)
        tails = zip(nodes.parent[first:end], nodes.tail[first:end], strict=True)
        for i, text in chain(texts, tails):
            if text and i >= 0:
                chars[i] += 1 if text.isspace() else text[0].isspace() + text[-1].isspace()


def _attribute_chars(nodes: Nodes, measuring: Measuring, first: int, end: int) -> list[int]:
    """Per node of these, the length of the attributes that step 1 leaves it.

    Entities in them are those of a serializer.
    """
    value_chars: Callable[[str], int] = len
    if measuring.entities == "source":
        value_chars = _spelled_chars
    places = nodes.attributes.first[first : end + 1]
    begin = places[0]
    flat = nodes.attributes.flat[begin : places[-1]]
    sums = prefix_sums(
        0 if name in REMOVED_ATTRIBUTES else len(name) + value_chars(value) + 4  # ' name="value"'
        for name, value in zip(flat[::2], flat[1::2], strict=True)
    )
    return [sums[(z - begin) // 2] - sums[(a - begin) // 2] for a, z in pairwise(places)]


def _spelled_chars(value: str) -> int:
    return len(value) + escaped_chars(value)


@compiled
def _removed_tops(page: Page, forms: Forms, concealed: list[int]) -> list[int]:
    """Return the nodes that step 1 removes with all below them, and those that attributes hide.

    By ``"unless_main"`` less the page's own form, one with more than half of its valid text.
    """
    nodes, runs, linked = page.nodes, page.runs, page.is_link
    if forms == "removed":
        return nodes.tops(REMOVED_TAGS) + concealed
    tops = nodes.tops(REMOVED_TAGS - {"form"}) + concealed
    found = nodes.tops(frozenset({"form"}))
    if not found:
        return tops
    removed = nodes.below(tops)
    valid = prefix_sums(
        0 if removed[i] or linked[i] else len(text)
        for text, i in zip(runs.text, runs.node, strict=True)
    )
    small = [i for i in found if 2 * (valid[runs.end[i]] - valid[runs.first[i]]) <= valid[-1]]
    return tops + small


def _without_text(page: Page, removed: Sequence[int]) -> list[int]:
    """Return the nodes without text after step 1, such as pictures and icons, but no line break."""
    runs = page.runs
    held = prefix_sums(not removed[i] for i in runs.node)
    rows = zip(page.nodes.tag, runs.first, runs.end, strict=True)
    return [i for i, (tag, a, z) in enumerate(rows) if held[a] == held[z] and tag != "br"]


def _literal_chars(page: Page) -> list[int]:
    """Per node, characters of the text directly below it, white space as it stands."""
    chars = [len(text or "") for text in page.nodes.text]
    for parent, tail in zip(page.nodes.parent, page.nodes.tail, strict=True):
        if tail and parent >= 0:
            chars[parent] += len(tail)
    return chars
