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
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import ClassVar, Final, NamedTuple

from scrapy_webtext.core import arrays
from scrapy_webtext.extractors.readings import (
    LiteralPage,
    Reading,
    check_reading,
    literal_extraction,
    read_literally,
)
from scrapy_webtext.page import TAG, Page, either, tags
from scrapy_webtext.page.nodes import Attributes, Nodes
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

#: By the letter, what is read for "&" and for each quotation mark of an attribute.
_AMPERSAND, _QUOTE = "\U000ffffc", "\U000ffffd"
_QUOTED: Final = re.compile(r"""=(\s*)(?:"([^"]*)"|'([^']*)')""")


class Measuring(NamedTuple):
    """How lengths are measured, by default as in the judge."""

    reading: Reading = "modern"
    has_attributes: bool = False  #: whether l_s has the attributes that step 1 does not remove
    quotes: int = 2  #: quotation marks of an attribute, 0 if they are characters of its value


# Step 1 and definitions 1 to 3


class Lengths:
    """Definitions 1 to 3 after step 1, as prefix sums over the page's text and nodes."""

    def __init__(
        self,
        nodes: Nodes,
        removed: bytearray,
        excluded: bytearray,
        pieces: tuple[Sequence[int], Sequence[int], Sequence[int]],
        chars: Sequence[int],
        linked: bytearray,
    ) -> None:
        """Add up lengths.

        ``pieces`` are three columns: per piece of text its node, per node the first piece in it and
        the piece after the last. ``chars`` are the characters per piece.
        """
        owner, first, last = map(arrays.as_longs, pieces)
        self.end, self.first, self.last = nodes.end, first, last
        self.removed = removed  #: per node, 1 if step 1 removed it, or attributes hide it
        self.excluded = excluded  #: per node, 1 if its text does not count: removed, or not shown
        #: For l_t and l_vt, one longer than pieces.
        self.text, self.valid = _text_sums(owner, arrays.as_longs(chars), excluded, linked)
        #: For l_s, one longer than nodes: the characters of tags without attributes.
        self.tags = _tag_sums(nodes, removed)
        self.total = self.valid[len(owner)]  #: L_VT

    def valid_chars(self, node: int) -> int:
        """Return l_vt of a node."""
        first, last, valid = (
            arrays.longs(self.first),
            arrays.longs(self.last),
            arrays.longs(self.valid),
        )
        return valid[last[node]] - valid[first[node]]

    def p(self, node: int, more: int) -> float:
        """Return P (eq. 1) of a node; ``more`` is the part of l_s that `add_more` computes."""
        first, last, end = arrays.longs(self.first), arrays.longs(self.last), arrays.longs(self.end)
        text_before, tags_before = arrays.longs(self.text), arrays.longs(self.tags)
        valid = self.valid_chars(node)
        if not valid:
            return 0.0
        text = text_before[last[node]] - text_before[first[node]]
        length = text + tags_before[end[node]] - tags_before[node] + more
        return float(text) * float(valid) / (float(length) * float(self.total))

    def steepest(self) -> int:
        """Return the first node with the greatest upper bound of P; -1 without valid text."""
        end, total = arrays.longs(self.end), float(self.total)
        node, greatest = -1, 0.0
        i, n = 0, len(self.end)
        while i < n:
            if float(self.valid_chars(i)) <= greatest * total:
                i = end[i]
                continue
            bound = self.p(i, 0)
            if bound > greatest:
                node, greatest = i, bound
            i += 1
        return node

    def rivals(self, least: float, node: int, more: int) -> list[int]:
        """Return the nodes whose upper bound of P is at least ``least``.

        ``more`` is the part of l_s of ``node`` by `add_more`; its ancestors have at least as much.
        """
        end, chars = arrays.longs(self.end), least * float(self.total)
        found: list[int] = []
        i, n = 0, len(self.end)
        while i < n:
            if float(self.valid_chars(i)) <= chars:  # P < this share, as l_s > l_t
                i = end[i]
                continue
            if self.p(i, more if i <= node < end[i] else 0) >= least:
                found.append(i)
            i += 1
        return found

    def sums(self, chars: array[int]) -> array[int]:
        """Return prefix sums of a column over nodes, without those that step 1 removed."""
        column = arrays.new_longs(len(chars) + 1)
        found, own, gone = arrays.longs(column), arrays.longs(chars), arrays.octets(self.removed)
        for i in range(len(chars)):
            found[i + 1] = found[i] + (0 if gone[i] else own[i])
        return column


def _text_sums(
    owners: array[int], chars: array[int], excluded: bytearray, linked: bytearray
) -> tuple[array[int], array[int]]:
    text, valid = arrays.new_longs(len(chars) + 1), arrays.new_longs(len(chars) + 1)
    text_before, valid_before = arrays.longs(text), arrays.longs(valid)
    owner, own = arrays.longs(owners), arrays.longs(chars)
    out, in_link = arrays.octets(excluded), arrays.octets(linked)
    for k in range(len(chars)):
        n = 0 if out[owner[k]] else own[k]
        text_before[k + 1] = text_before[k] + n
        valid_before[k + 1] = valid_before[k] + (0 if in_link[owner[k]] else n)
    return text, valid


def _tag_sums(nodes: Nodes, removed: bytearray) -> array[int]:
    """Return prefix sums of the characters of tags: "<p></p>" has 7, "<br>" 4."""
    column = arrays.new_longs(len(nodes) + 1)
    known = arrays.as_longs(
        [len(tag) + 2 if tag in tags.VOID else 2 * len(tag) + 5 for tag in nodes.names]
    )
    sums, chars, name = arrays.longs(column), arrays.longs(known), arrays.longs(nodes.name)
    gone = arrays.octets(removed)
    for i in range(len(removed)):
        sums[i + 1] = sums[i] + (0 if gone[i] else chars[name[i]])
    return column


def read_lengths(page: Page, reading: Reading) -> Lengths:
    """Return the lengths of a page's elements; l_s is without the part of `add_more`."""
    nodes, runs = page.nodes, page.runs
    if reading == "modern":
        removed = nodes.below(_removed_tops(page))
        excluded = either(removed, page.hidden)
        pieces = runs.node, runs.first, runs.end
        return Lengths(nodes, removed, excluded, pieces, _chars(runs.text), page.is_link)
    removed = nodes.below(nodes.tops(REMOVED_TAGS))
    every = range(len(nodes))
    columns = every, every, nodes.end
    return Lengths(nodes, removed, removed, columns, _literal_chars(nodes), page.is_link)


def _chars(texts: list[str]) -> array[int]:
    column = arrays.new_longs(len(texts))
    chars = arrays.longs(column)
    for k in range(len(texts)):
        chars[k] = len(texts[k])  # objects
    return column


def _removed_tops(page: Page) -> list[int]:
    """Return the topmost nodes that step 1 removes or that attributes hide, by the modern reading.

    A form with more than half of the page's valid text is not removed.
    """
    nodes, runs = page.nodes, page.runs
    tops = nodes.tops(_REMOVED_BUT_FORMS) + page.hidden_elements
    forms = nodes.tops(_FORMS)
    if not forms:
        return tops
    chars, owner = _chars(runs.text), arrays.as_longs(runs.node)
    _, valid = _text_sums(owner, chars, nodes.below(tops), page.is_link)
    for i in forms:
        if 2 * (valid[runs.end[i]] - valid[runs.first[i]]) <= valid[len(chars)]:
            tops.append(i)
    return tops


def add_more(chars: array[int], nodes: Nodes, measuring: Measuring, first: int, end: int) -> None:
    """Add to ``chars``, for ``range(first, end)``, the parts of l_s that are neither tags nor text.

    These are attributes and, by the modern reading, white space at the edges of tags: one
    character at each edge with white space.
    """
    if measuring.has_attributes:
        _add_attributes(chars, nodes.attributes, measuring.quotes, first, end)
    if measuring.reading != "modern":
        return
    own, parent = arrays.longs(chars), arrays.longs(nodes.parent)
    text, tail = nodes.text, nodes.tail
    for i in range(first, end):
        own[i] += text.edges(i)
        if parent[i] >= 0:
            own[parent[i]] += tail.edges(i)


def _add_attributes(
    chars: array[int], attributes: Attributes, quotes: int, first: int, end: int
) -> None:
    """Add the length of the attributes that step 1 does not remove.

    ``quotes`` are the quotation marks that are not in the values. Without any, an attribute without
    value has no "=".
    """
    known = arrays.as_longs(
        [
            0 if one in REMOVED_ATTRIBUTES else len(one) + len(" =") + quotes
            for one in attributes.names
        ]
    )
    own, name_chars = arrays.longs(chars), arrays.longs(known)
    begin, name = arrays.longs(attributes.first), arrays.longs(attributes.name)
    values = attributes.values
    for i in range(first, end):
        for k in range(begin[i], begin[i + 1]):
            if name_chars[name[k]]:
                own[i] += name_chars[name[k]] + values.length(k)
                if not quotes and not values.length(k):
                    own[i] -= 1


# Lengths by the letter: those of the source


def read_source(page: Page) -> LiteralPage:
    """Return a page in whose texts and attributes each character of the source is one character.

    The parser resolves entities and drops quotation marks, so "&" and quotation marks of attributes
    are replaced by private characters before it reads the page. A page without source is as its
    tree has it: an entity is one character.
    """
    return read_literally(page, _as_literals)


def _as_literals(source: str) -> str:
    marked = source.replace("&", _AMPERSAND)
    return TAG.sub(lambda tag: _QUOTED.sub(_with_quotes, tag[0]), marked)


def _with_quotes(value: re.Match[str]) -> str:
    quote = '"' if value[2] is not None else "'"
    return f"={value[1]}{quote}{_QUOTE * 2}{value[2] or value[3] or ''}{quote}"


def _literal_chars(nodes: Nodes) -> list[int]:
    """Return per node the characters of the text directly below it."""
    chars = [len(text or "") for text in nodes.text]
    for parent, tail in zip(nodes.parent, nodes.tail, strict=True):
        if tail and parent >= 0:
            chars[parent] += len(tail)
    return chars


# Equation 1 and definition 4


@dataclass(frozen=True)
class PValues:
    """P of the elements of a page and where it is greatest."""

    best: int  #: the first node with the greatest P; -1 without valid text
    page: float  #: P value of the page (definition 4); 0 for a page without valid text
    removed: bytearray  #: per node, 1 if step 1 removed it or its text is not shown
    _column: Callable[[], array[float]] = field(repr=False, compare=False)

    @cached_property
    def p(self) -> array[float]:
        """P per node, in [0, 1]; 0 for removed nodes. Computed at the first use."""
        return self._column()


def p_values(page: Page, reading: Reading = "modern", *, has_attributes: bool = False) -> PValues:
    """Return P for every element of a page (eq. 1), in time linear in the page.

    By the letter the elements are those of `read_source`. By default lengths are the judge's.
    """
    read = read_source(page) if reading == "paper" else page
    quotes = 0 if reading == "paper" and page.source else 2
    measuring = Measuring(reading, has_attributes, quotes)
    return page.cached(("p_values", measuring), lambda: _p_values(read, measuring))


def _p_values(page: Page, measuring: Measuring) -> PValues:
    reading = measuring.reading
    lengths = page.cached(("lengths", reading), lambda: read_lengths(page, reading))
    nodes = page.nodes
    # The closure holds the nodes, not the page: the page caches it, and must not hold itself.
    best, p = _greatest(nodes, lengths, measuring)
    return PValues(best, p, lengths.excluded, lambda: _column(nodes, lengths, measuring))


def _greatest(nodes: Nodes, lengths: Lengths, measuring: Measuring) -> tuple[int, float]:
    """Return the first of the nodes with the greatest P, and that P; (-1, 0.0) without text.

    Few nodes can have the greatest P. Without attributes and white space, P would be greater: that
    is an upper bound, and it is at most the node's share of the valid text. So the search goes down
    the tree and leaves out all nodes below one with too small a share (nine of ten nodes on real
    pages).
    """
    if not lengths.total:
        return -1, 0.0
    node = lengths.steepest()
    end, chars = nodes.end[node], arrays.new_longs(len(nodes))
    add_more(chars, nodes, measuring, node, end)
    more = lengths.sums(chars)
    least = lengths.p(node, more[end] - more[node])
    rivals = lengths.rivals(least, node, more[end] - more[node])
    if rivals == [node]:
        return node, least
    add_more(chars, nodes, measuring, rivals[0], node)
    add_more(chars, nodes, measuring, end, max([nodes.end[i] for i in rivals]))
    more = lengths.sums(chars)
    p = [lengths.p(i, more[nodes.end[i]] - more[i]) for i in rivals]
    greatest = max(p)
    return rivals[p.index(greatest)], greatest


def _column(nodes: Nodes, lengths: Lengths, measuring: Measuring) -> array[float]:
    """Return P (eq. 1) of every node."""
    if not lengths.total:
        return arrays.new_doubles(len(nodes))
    chars, column = arrays.new_longs(len(nodes)), arrays.new_doubles(len(nodes))
    add_more(chars, nodes, measuring, 0, len(nodes))
    sums = lengths.sums(chars)
    more, end, p = arrays.longs(sums), arrays.longs(nodes.end), arrays.doubles(column)
    for i in range(len(chars)):
        p[i] = lengths.p(i, more[end[i]] - more[i])
    return column


# The extractor and the judge


@dataclass(frozen=True)
class PValueExtractor:
    """Main text by P value. ``score`` is the P value of the chosen element, in [0, 1].

    ``reading``
        ``"paper"`` is the letter: lengths are those of the source, white space, entities and
        quotation marks as they are there. Every ``<form>`` and ``<script>`` is removed, hidden text
        is read, and the text has no markers of lists. (Of a page without source, lengths are
        those of its tree, where an entity is one character.)
        ``"modern"`` (default): a run of white space has one character, none at the edges of tags,
        since P would prefer badly indented elements. An entity has one character. A ``<form>`` with
        more than half of the page's text outside links is kept, since ASP.NET puts the whole page
        into one. Text that a browser does not show (`Page.hidden`) has no length and is not
        extracted.

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
        read = read_source(page) if self.reading == "paper" else page
        owner, removed = read.runs.node, values.removed
        inside = range(read.runs.first[values.best], read.runs.end[values.best])
        chosen = [k for k in inside if not removed[owner[k]]]
        if self.reading == "modern":
            return Extraction.of_runs(page, chosen, values.page, self.name)
        texts = [html.unescape(text.replace(_AMPERSAND, "&")) for text in read.runs.text]
        runs = replace(read.runs, text=texts)
        return literal_extraction(page, runs, chosen, values.page, self.name)

    def values(self, page: Page) -> PValues:
        """Return P (eq. 1) for every element, by the letter of `read_source`."""
        return p_values(page, self.reading, has_attributes=True)

    def signals(self, page: Page) -> tuple[Signal, ...]:
        """Return P per node; selected is the chosen element.

        Empty by the letter where scripts with markup were read as elements of the page.
        """
        values = self.values(page)
        if len(values.p) != len(page.nodes):
            return ()
        selected = () if values.best < 0 else (values.best,)
        return (Signal("p_value", "node", tuple(values.p), None, selected),)


@dataclass(frozen=True)
class PValueJudge:
    """A page has an article if its P value is at least the threshold (the paper's: 0.5).

    ``reading``
        ``"paper"`` is definition 4 to the letter, lengths as in `PValueExtractor`.
        ``"modern"`` (default) leaves out all attributes, folds white space and skips hidden text:
        today's pages carry their weight in ``data-*``, ``srcset`` and ``aria-*``, which push
        l_t / l_s of every article below one half.
    """

    name: ClassVar[str] = "pvalue"

    reading: Reading = "modern"

    def __post_init__(self) -> None:
        check_reading(self.reading)

    def judge(self, page: Page, threshold: float = 0.5) -> Judgement:
        """Return the judgement; ``probability`` is the page's P value."""
        p = p_values(page, self.reading, has_attributes=self.reading == "paper").page
        return Judgement(p >= threshold, p, p)
