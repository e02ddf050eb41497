"""The P value of elements (Lv, Cao, Wang, Yin, Zheng 2017).

The method assumes that the main text is the content of one element. Step 1 removes what cannot be
main text: comments, a list of tags with their content, three attributes. Then each element has

* ``l_s``, the length of its HTML with markup (definition 1);
* ``l_t``, the length of its text (definition 2);
* ``l_vt``, the length of its text outside links (definition 3);

and, with ``L_VT``, the length of the text outside links of the whole page, the probability of being
the main text: ``P = (l_t / l_s) * (l_vt / L_VT)`` (eq. 1). P is great for an element that is mostly
text and holds most of the page's text. The element with the greatest P is the main text. Its P is
the P value of the page (definition 4), which estimates the probability that the page has an
article.

A length of an element is a difference of two prefix sums over the page, so all lengths together
take linear time.
"""

from __future__ import annotations

import html
import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from operator import add
from typing import ClassVar, Final, NamedTuple

from scrapy_webtext.compiled import compiled
from scrapy_webtext.extractors.readings import Reading, check_reading
from scrapy_webtext.page import Nodes, Page, either, prefix_sums, source_parts, tags
from scrapy_webtext.results import Extraction, Judgement, Signal

#: Step 1: elements removed with their content.
REMOVED_TAGS: Final = frozenset(
    "script noscript style embed label form input iframe head meta link object aside "
    "channel".split()
)
_FORMS: Final = frozenset({"form"})
_REMOVED_BUT_FORMS: Final = REMOVED_TAGS - _FORMS
#: Step 1: attributes removed from the elements that stay.
REMOVED_ATTRIBUTES: Final = frozenset({"id", "class", "style"})

_ENTITY: Final = re.compile(r"&(?:#[0-9]{1,9}|#[xX][0-9a-fA-F]{1,8}|[a-zA-Z][a-zA-Z0-9]{0,32});?")
#: Characters that a serializer writes as entities, and the additional characters of each.
_ESCAPED: Final = {"&": 4, "<": 3, ">": 3, "\xa0": 5}


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


class Measuring(NamedTuple):
    """How lengths are measured, by default as in the judge."""

    reading: Reading = "modern"
    has_attributes: bool = False  #: whether l_s has the attributes that step 1 does not remove


# Step 1 and definitions 1 to 3


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
def read_lengths(page: Page, reading: Reading) -> Lengths:
    """Return the lengths of a page's elements; l_s is without the part of `add_more`."""
    nodes, runs, linked = page.nodes, page.runs, page.is_link
    owner: Sequence[int]
    first: Sequence[int]
    if reading == "modern":
        removed = nodes.below(tops := _removed_tops(page))
        excluded = either(removed, page.hidden)
        owner, first, last = runs.node, runs.first, runs.end
        text = list(map(len, runs.text))
    else:
        removed = excluded = nodes.below(tops := nodes.tops(REMOVED_TAGS))
        owner, first, last = range(len(nodes)), range(len(nodes)), nodes.end
        text = _literal_chars(page)
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


@compiled
def _removed_tops(page: Page) -> list[int]:
    """Return the topmost nodes that step 1 removes or that attributes hide, by the modern reading.

    A form with more than half of the page's valid text is not removed.
    """
    nodes, runs, linked = page.nodes, page.runs, page.is_link
    tops = nodes.tops(_REMOVED_BUT_FORMS) + page.hidden_elements
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


def add_more(chars: list[int], nodes: Nodes, measuring: Measuring, some: range) -> None:
    """Add to ``chars``, for the nodes ``some``, the parts of l_s that are neither tags nor text.

    These are attributes and, by the modern reading, white space at the edges of tags: one
    character at each edge with white space.
    """
    first, end = some.start, some.stop
    if measuring.has_attributes:
        for i, n in zip(some, _attribute_chars(nodes, measuring.reading, first, end), strict=True):
            chars[i] += n
    if measuring.reading == "modern":
        texts = zip(some, nodes.text[first:end], strict=True)
        tails = zip(nodes.parent[first:end], nodes.tail[first:end], strict=True)
        for i, text in chain(texts, tails):
            if text and i >= 0:
                chars[i] += 1 if text.isspace() else text[0].isspace() + text[-1].isspace()


def _attribute_chars(nodes: Nodes, reading: Reading, first: int, end: int) -> list[int]:
    """Return per node the length of the attributes that step 1 does not remove.

    By the letter, their entities are counted as a serializer writes them.
    """
    value_chars: Callable[[str], int] = len if reading == "modern" else _spelled_chars
    return [
        sum(
            len(name) + value_chars(value) + len(' =""')
            for name, value in nodes.attributes[node]
            if name not in REMOVED_ATTRIBUTES
        )
        for node in range(first, end)
    ]


# Lengths by the letter: all white space, and characters as the source spells them


def _literal_chars(page: Page) -> list[int]:
    """Return per node the characters of the text directly below it, as the source has them."""
    chars = [len(text or "") for text in page.nodes.text]
    for parent, tail in zip(page.nodes.parent, page.nodes.tail, strict=True):
        if tail and parent >= 0:
            chars[parent] += len(tail)
    for i, n in zip(page.runs.node, entity_chars(page), strict=True):
        chars[i] += n
    return chars


def entity_chars(page: Page) -> list[int]:
    """Return per run the additional characters of its entities.

    ``&amp;`` has five characters in the source, and one in a parsed page. Source and page have the
    same letters in the same order. So an entity belongs to the run with the same number of letters
    before it. For a page without source (a ready tree), entities are those that a serializer would
    write. If the parser moved or dropped text, later entities are assigned to runs near theirs.
    """
    texts = page.runs.text
    if not page.source:
        return list(map(escaped_chars, texts))
    more = [0] * len(texts)
    if "&" in page.source and texts:
        letters_before = prefix_sums(map(_letters, texts))
        for letters, chars in _entities(source_parts(page.source)):
            more[min(bisect_right(letters_before, letters), len(texts)) - 1] += chars
    return more


def escaped_chars(text: str) -> int:
    """Return the additional characters of a text, or an attribute, after a serializer."""
    return sum(text.count(char) * more for char, more in _ESCAPED.items())


def _spelled_chars(value: str) -> int:
    return len(value) + escaped_chars(value)


def _entities(parts: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield per entity in the text the letters before it and its additional characters."""
    letters = 0
    for part in parts[::2]:
        at = 0
        if "&" in part:
            for found in _ENTITY.finditer(part):
                character = found[0]
                with suppress(ValueError):
                    character = html.unescape(found[0])
                letters += _letters(part[at : found.start()])
                yield letters, len(found[0]) - len(character)
                letters += _letters(character)
                at = found.end()
        letters += _letters(part[at:])


def _letters(text: str) -> int:
    return sum(map(len, text.split()))


# Equation 1 and definition 4


@dataclass(frozen=True)
class PValues:
    """P of the elements of a page and where it is greatest."""

    best: int  #: the first node with the greatest P; -1 without valid text
    page: float  #: P value of the page (definition 4); 0 for a page without valid text
    removed: bytearray  #: per node, 1 if step 1 removed it or its text is not shown
    _column: Callable[[], list[float]] = field(repr=False, compare=False)

    @cached_property
    def p(self) -> list[float]:
        """P per node, in [0, 1]; 0 for removed nodes. Computed at the first use."""
        return self._column()


def p_values(page: Page, measuring: Measuring = Measuring()) -> PValues:  # noqa: B008 (immutable)
    """Return P for every element of a page (eq. 1), in time linear in the page."""
    return page.cached(("p_values", measuring), lambda: _p_values(page, measuring))


def _p_values(page: Page, measuring: Measuring) -> PValues:
    reading = measuring.reading
    lengths = page.cached(("lengths", reading), lambda: read_lengths(page, reading))
    nodes = page.nodes
    # The closure holds the nodes, not the page: the page caches it, and must not hold itself.
    best, p = _greatest(nodes, lengths, measuring)
    return PValues(best, p, lengths.excluded, lambda: _column(nodes, lengths, measuring))


@compiled
def _greatest(nodes: Nodes, lengths: Lengths, measuring: Measuring) -> tuple[int, float]:
    """Return the first of the nodes with the greatest P, and that P; (-1, 0.0) without text.

    Few nodes can have the greatest P. Without attributes and white space, P would be greater: that
    is an upper bound, and it is at most the node's share of the valid text. So the search goes down
    the tree and leaves out all nodes below one with too small a share (nine of ten nodes on real
    pages).
    """
    if not lengths.total:
        return -1, 0.0
    node = _steepest(nodes.end, lengths)
    end, chars = nodes.end[node], [0] * len(nodes)
    add_more(chars, nodes, measuring, range(node, end))
    more = lengths.kept(chars, range(node, end))
    least = _p(lengths, node, end, more[-1])
    rivals = _rivals(nodes.end, lengths, least, (node, more[-1]))
    if rivals == [node]:
        return node, least
    first, last = rivals[0], max(nodes.end[i] for i in rivals)
    add_more(chars, nodes, measuring, range(first, node))
    add_more(chars, nodes, measuring, range(end, last))
    more = lengths.kept(chars, range(first, last))
    p = [_p(lengths, i, nodes.end[i], more[nodes.end[i] - first] - more[i - first]) for i in rivals]
    greatest = max(p)
    return rivals[p.index(greatest)], greatest


def _p(lengths: Lengths, node: int, end: int, more: int) -> float:
    """Return P (eq. 1) of a node; ``more`` is the part of l_s that `add_more` computes."""
    a, z = lengths.first[node], lengths.last[node]
    text = lengths.text[z] - lengths.text[a]
    valid = lengths.valid[z] - lengths.valid[a]
    length = text + lengths.tags[end] - lengths.tags[node] + more
    return text * valid / (length * lengths.total) if valid else 0.0


def _steepest(ends: Sequence[int], lengths: Lengths) -> int:
    """Return the first node with the greatest upper bound of P."""
    first, last, valid, total = lengths.first, lengths.last, lengths.valid, lengths.total
    node, greatest = -1, 0.0
    i = 0
    while i < len(ends):
        end = ends[i]
        if valid[last[i]] - valid[first[i]] <= greatest * total:
            i = end
            continue
        bound = _p(lengths, i, end, 0)
        if bound > greatest:
            node, greatest = i, bound
        i += 1
    return node


def _rivals(
    ends: Sequence[int], lengths: Lengths, least: float, known: tuple[int, int]
) -> list[int]:
    """Return the nodes whose upper bound of P is at least ``least``.

    ``known`` is a node and its part of l_s by `add_more`; its ancestors have at least as much.
    """
    first, last, valid = lengths.first, lengths.last, lengths.valid
    chars = least * lengths.total
    node, more = known
    found = []
    i = 0
    while i < len(ends):
        end = ends[i]
        if valid[last[i]] - valid[first[i]] <= chars:  # P < this share, as l_s > l_t
            i = end
            continue
        if _p(lengths, i, end, more if i <= node < end else 0) >= least:
            found.append(i)
        i += 1
    return found


@compiled
def _column(nodes: Nodes, lengths: Lengths, measuring: Measuring) -> list[float]:
    """Return P (eq. 1) of every node, as `_p` does, but by columns: a call per node is slower."""
    if not lengths.total:
        return [0.0] * len(nodes)
    chars = [0] * len(nodes)
    add_more(chars, nodes, measuring, range(len(nodes)))
    more = lengths.kept(chars, range(len(nodes)))
    length = list(map(add, lengths.tags, more))
    text, valid, total = lengths.text, lengths.valid, lengths.total
    rows = zip(nodes.end, lengths.first, lengths.last, range(len(nodes)), strict=True)
    return [
        (text[z] - text[a]) * v / ((text[z] - text[a] + length[end] - length[i]) * total)
        if (v := valid[z] - valid[a])
        else 0.0
        for end, a, z, i in rows
    ]


# The extractor and the judge


@dataclass(frozen=True)
class PValueExtractor:
    """Main text by P value. ``score`` is the P value of the chosen element, in [0, 1].

    ``reading``
        ``"paper"`` is the letter: all white space is text, an entity has as many characters as in
        the source, every ``<form>`` is removed, hidden text is read. ``"modern"`` (default): a run
        of white space has one character, none at the edges of tags, since P would prefer badly
        indented elements. An entity has one character. A ``<form>`` with more than half of the
        page's text outside links is kept, since ASP.NET puts the whole page into one. Text that a
        browser does not show (`Page.hidden`) has no length and is not extracted.

    Both readings remove three attributes before lengths are taken.
    """

    name: ClassVar[str] = "pvalue"

    reading: Reading = "modern"

    def __post_init__(self) -> None:
        check_reading(self.reading)

    def extract(self, page: Page) -> Extraction:
        """Return the text of the element with the greatest P, without what step 1 removes."""
        values = self.values(page)
        if values.best < 0:
            return Extraction("", 0.0, self.name)
        owner, removed = page.runs.node, values.removed
        inside = range(page.runs.first[values.best], page.runs.end[values.best])
        runs = [k for k in inside if not removed[owner[k]]]
        return Extraction.of_runs(page, runs, values.page, self.name)

    def values(self, page: Page) -> PValues:
        """Return P for every element (eq. 1)."""
        return p_values(page, Measuring(self.reading, has_attributes=True))

    def signals(self, page: Page) -> tuple[Signal, ...]:
        """Return P per node; selected is the chosen element."""
        values = self.values(page)
        selected = () if values.best < 0 else (values.best,)
        return (Signal("p_value", "node", tuple(values.p), None, selected),)


@dataclass(frozen=True)
class PValueJudge:
    """A page has an article if its P value is at least the threshold (the paper's: 0.5).

    ``reading`` is as in `PValueExtractor`, but the modern one removes all attributes: today's
    pages carry their weight in ``data-*``, ``srcset`` and ``aria-*``, which push l_t / l_s of
    every article below one half.
    """

    name: ClassVar[str] = "pvalue"

    reading: Reading = "modern"

    def __post_init__(self) -> None:
        check_reading(self.reading)

    def judge(self, page: Page, threshold: float = 0.5) -> Judgement:
        """Return the judgement; ``probability`` is the page's P value."""
        p = p_values(page, Measuring(self.reading, has_attributes=self.reading == "paper")).page
        return Judgement(p >= threshold, p, p)
