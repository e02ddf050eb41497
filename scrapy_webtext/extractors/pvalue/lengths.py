"""Step 1 of the P value and the lengths of all elements (definitions 1 to 3).

A length of an element is a difference of two prefix sums over the page, so all lengths together
take linear time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import Final, Literal

from scrapy_webtext.compiled import compiled
from scrapy_webtext.extractors.pvalue.entities import entity_chars, escaped_chars
from scrapy_webtext.page import Nodes, Page, either, prefix_sums, tags

#: Step 1: elements removed with their content.
REMOVED_TAGS: Final = frozenset(
    "script noscript style embed label form input iframe head meta link object aside "
    "channel".split()
)
_FORMS: Final = frozenset({"form"})
_REMOVED_BUT_FORMS: Final = REMOVED_TAGS - _FORMS
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
    """How lengths are measured, by default as in the judge; values as in `PValueExtractor`."""

    attributes: Attributes = "none"
    whitespace: Whitespace = "folded"
    entities: Entities = "characters"
    forms: Forms = "unless_main"
    empty: Empty = "kept"
    hidden: Hidden = "skipped"


class _TagChars(dict[str, int]):
    """Characters of the start tag and end tag by name, without attributes: "<p></p>" has 7.

    Common names are filled in at import, which is faster; others are computed and not stored.
    """

    def __missing__(self, tag: str) -> int:
        return 2 * len(tag) + 5


_TAG_CHARS: Final = _TagChars({tag: len(tag) + 2 for tag in tags.VOID})  # no end tag
_TAG_CHARS.update(
    (tag, _TAG_CHARS[tag])
    for tag in (*tags.BLOCK, *tags.HIDDEN, *"a b i u em strong span small time path g".split())
)


@dataclass(frozen=True, slots=True)
class Lengths:
    """Definitions 1 to 3 after step 1, as prefix sums over the page's text and nodes."""

    removed: bytearray  #: per node, 1 if step 1 removed it, or attributes hide it
    excluded: bytearray  #: per node, 1 if its text does not count: removed, or not shown
    first: Sequence[int]  #: per node, the index in ``text`` and ``valid`` where it begins
    last: Sequence[int]  #: and where it ends
    text: Sequence[int]  #: for l_t
    valid: Sequence[int]  #: for l_vt
    tags: Sequence[int]  #: for l_s, the tags of nodes without attributes
    total: int  #: L_VT; 0 also where white space is the only text

    def kept(self, chars: Sequence[int], nodes: range) -> list[int]:
        """Return prefix sums of ``chars`` over these nodes, without those that step 1 removed."""
        rows = zip(
            chars[nodes.start : nodes.stop], self.removed[nodes.start : nodes.stop], strict=True
        )
        return prefix_sums(0 if gone else n for n, gone in rows)


@compiled
def read_lengths(page: Page, measuring: Measuring) -> Lengths:
    """Return the lengths of a page's elements; l_s is without the part of `add_more`."""
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
        rows = range(len(runs)) if measuring.whitespace == "folded" else runs.node
        for row, n in zip(rows, entity_chars(page), strict=True):
            text[row] += n
    excluded = either(removed, page.hidden) if skips_hidden else removed
    text = [0 if excluded[i] else n for n, i in zip(text, owner, strict=True)]
    valid = [0 if linked[i] else n for n, i in zip(text, owner, strict=True)]
    tag_chars = list(map(_TAG_CHARS.__getitem__, nodes.tag))
    for i in tops:
        tag_chars[i : nodes.end[i]] = [0] * (nodes.end[i] - i)
    has_text = not all(excluded[i] or linked[i] for i in runs.node)
    return Lengths(
        removed=removed,
        excluded=excluded,
        first=first,
        last=last,
        text=prefix_sums(text),
        valid=prefix_sums(valid),
        tags=prefix_sums(tag_chars),
        total=sum(valid) if has_text else 0,
    )


def add_more(chars: list[int], nodes: Nodes, measuring: Measuring, some: range) -> None:
    """Add to ``chars``, for the nodes ``some``, the parts of l_s that are neither tags nor text.

    These are attributes and, if white space is folded, white space at the edges of tags: one
    character at each edge with white space.
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
    """Return per node the length of the attributes that step 1 does not remove.

    Entities in attributes are counted as a serializer writes them.
    """
    value_chars: Callable[[str], int] = len
    if measuring.entities == "source":
        value_chars = _spelled_chars
    starts = nodes.attributes.first[first : end + 1]
    begin = starts[0]
    flat = nodes.attributes.flat[begin : starts[-1]]
    sums = prefix_sums(
        0 if name in REMOVED_ATTRIBUTES else len(name) + value_chars(value) + 4  # ' name="value"'
        for name, value in zip(flat[::2], flat[1::2], strict=True)
    )
    return [sums[(z - begin) // 2] - sums[(a - begin) // 2] for a, z in pairwise(starts)]


def _spelled_chars(value: str) -> int:
    return len(value) + escaped_chars(value)


@compiled
def _removed_tops(page: Page, forms: Forms, concealed: list[int]) -> list[int]:
    """Return the topmost nodes that step 1 removes or that attributes hide.

    With ``"unless_main"`` a form with more than half of the page's valid text is not removed.
    """
    nodes, runs, linked = page.nodes, page.runs, page.is_link
    if forms == "removed":
        return nodes.tops(REMOVED_TAGS) + concealed
    tops = nodes.tops(_REMOVED_BUT_FORMS) + concealed
    found = nodes.tops(_FORMS)
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
    """Return the nodes without text after step 1, such as pictures and icons, except <br>."""
    runs = page.runs
    held = prefix_sums(not removed[i] for i in runs.node)
    rows = zip(page.nodes.tag, runs.first, runs.end, strict=True)
    return [i for i, (tag, a, z) in enumerate(rows) if held[a] == held[z] and tag != "br"]


def _literal_chars(page: Page) -> list[int]:
    """Return per node the characters of the text directly below it, with all white space."""
    chars = [len(text or "") for text in page.nodes.text]
    for parent, tail in zip(page.nodes.parent, page.nodes.tail, strict=True):
        if tail and parent >= 0:
            chars[parent] += len(tail)
    return chars
