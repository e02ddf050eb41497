"""The P value of elements (Lv, Cao, Wang, Yin, Zheng 2017).

The method assumes that the main text is the content of one element. Step 1 removes comments, a list
of tags with their content, and three attributes. Then each element has

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
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar, Final

from scrapy_webtext.core import arrays
from scrapy_webtext.extractors.lines import TAG
from scrapy_webtext.extractors.readings import (
    LiteralPage,
    Reading,
    check_reading,
    literal_extraction,
    read_literally,
)
from scrapy_webtext.page import Page, tags
from scrapy_webtext.page.nodes import Attributes, Nodes, either
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

#: Paper: the characters that replace "&" and each quotation mark of an attribute.
_AMPERSAND, _QUOTE = "\U000ffffc", "\U000ffffd"
_QUOTED: Final = re.compile(r"""=(\s*)(?:"([^"]*)"|'([^']*)')""")


# Step 1 and definitions 1 to 3


class Lengths:
    """Definitions 1 to 3 after step 1, as prefix sums over the page's text and nodes."""

    def __init__(
        self,
        end: array[int],
        first: array[int],
        last: array[int],
        text: array[int],
        valid: array[int],
        markup: array[int],
    ) -> None:
        self.end = end
        #: Per node the first piece of text in it, and the piece after the last.
        self.first, self.last = first, last
        #: Prefix sums for l_t and l_vt, with one value more than pieces.
        self.text, self.valid = text, valid
        self.markup = markup  #: prefix sums for l_s, with one value more than nodes
        self.total = valid[len(valid) - 1]  #: L_VT

    def p(self, node: int) -> float:
        """Return P (eq. 1) of a node."""
        first, last, end = arrays.longs(self.first), arrays.longs(self.last), arrays.longs(self.end)
        text_before, valid_before = arrays.longs(self.text), arrays.longs(self.valid)
        markup_before = arrays.longs(self.markup)
        valid = valid_before[last[node]] - valid_before[first[node]]  # l_vt
        if not valid:
            return 0.0
        text = text_before[last[node]] - text_before[first[node]]  # l_t
        length = text + markup_before[end[node]] - markup_before[node]  # l_s
        return float(text) * float(valid) / (float(length) * float(self.total))

    def best(self) -> int:
        """Return the first node with the greatest P; -1 without valid text."""
        node, greatest = -1, 0.0
        for i in range(len(self.end)):
            p = self.p(i)
            if p > greatest:
                node, greatest = i, p
        return node


def _text_sums(
    owners: array[int], chars: array[int], excluded: bytearray, linked: bytearray
) -> tuple[array[int], array[int]]:
    """Return prefix sums over pieces of text: all characters, and characters outside links."""
    text, valid = arrays.new_longs(len(chars) + 1), arrays.new_longs(len(chars) + 1)
    text_before, valid_before = arrays.longs(text), arrays.longs(valid)
    owner, own = arrays.longs(owners), arrays.longs(chars)
    out, in_link = arrays.octets(excluded), arrays.octets(linked)
    for k in range(len(chars)):
        n = 0 if out[owner[k]] else own[k]
        text_before[k + 1] = text_before[k] + n
        valid_before[k + 1] = valid_before[k] + (0 if in_link[owner[k]] else n)
    return text, valid


def _markup_sums(nodes: Nodes, removed: bytearray, folds_space: bool) -> array[int]:
    """Return prefix sums of the markup in l_s: "<p></p>" has 7 characters, "<br>" 4.

    With ``folds_space``, white space at an edge of a tag is one character.
    """
    column, n = arrays.new_longs(len(nodes)), len(removed)
    known = arrays.as_longs(
        [len(tag) + 2 if tag in tags.VOID else 2 * len(tag) + 5 for tag in nodes.names]
    )
    own, chars, name = arrays.longs(column), arrays.longs(known), arrays.longs(nodes.name)
    parent, text, tail = arrays.longs(nodes.parent), nodes.text, nodes.tail
    for i in range(n):
        own[i] += chars[name[i]]
        if folds_space:
            own[i] += text.edges(i)
            if parent[i] >= 0:
                own[parent[i]] += tail.edges(i)
    return _summed(column, removed)


def _summed(column: array[int], removed: bytearray) -> array[int]:
    """Return the prefix sums over nodes; a removed node has length 0."""
    sums = arrays.new_longs(len(column) + 1)
    own, before, gone = arrays.longs(column), arrays.longs(sums), arrays.octets(removed)
    for i in range(len(column)):
        before[i + 1] = before[i] + (0 if gone[i] else own[i])
    return sums


def _with_attributes(
    markup: array[int], attributes: Attributes, removed: bytearray, quotes: int
) -> array[int]:
    """Return prefix sums of markup with the attributes that step 1 does not remove.

    ``quotes`` is the number of quotation marks around a value (2), or 0 if the value includes
    them. Then an attribute without value has no "=".
    """
    column = arrays.new_longs(len(removed))
    known = arrays.as_longs(
        [0 if key in REMOVED_ATTRIBUTES else len(key) + len(" =") for key in attributes.names]
    )
    own, name_chars = arrays.longs(column), arrays.longs(known)
    begin, name = arrays.longs(attributes.first), arrays.longs(attributes.name)
    values = attributes.values
    for i in range(len(column)):
        for k in range(begin[i], begin[i + 1]):
            if name_chars[name[k]]:
                chars = values.length(k) + quotes
                own[i] += name_chars[name[k]] + (chars if chars else -1)
    summed = _summed(column, removed)
    sums, without = arrays.longs(summed), arrays.longs(markup)
    for i in range(len(summed)):
        sums[i] += without[i]
    return summed


def _chars(texts: list[str]) -> array[int]:
    column = arrays.new_longs(len(texts))
    chars = arrays.longs(column)
    for k in range(len(texts)):
        chars[k] = len(texts[k])  # objects
    return column


def _removed_tops(page: Page) -> list[int]:
    """Return the topmost nodes that step 1 removes or that attributes hide, in the modern reading.

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


# Lengths in the paper's reading: characters of the source


def read_source(page: Page) -> LiteralPage:
    """Return a page with each character of the source as one character of a text or attribute.

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
    """P of the elements of a page, and its maximum."""

    best: int  #: the first node with the greatest P; -1 without valid text
    page: float  #: P value of the page (definition 4); 0 for a page without valid text
    removed: bytearray  #: per node, 1 if step 1 removed it or its text is not shown
    lengths: Lengths

    @cached_property
    def p(self) -> array[float]:
        """P per node, in [0, 1]; 0 for removed nodes. Computed at the first use."""
        return _column(self.lengths)


def _column(lengths: Lengths) -> array[float]:
    column = arrays.new_doubles(len(lengths.end))
    p = arrays.doubles(column)
    for i in range(len(column)):
        p[i] = lengths.p(i)
    return column


def p_values(page: Page, reading: Reading = "modern", *, has_attributes: bool = False) -> PValues:
    """Return P for every element of a page (eq. 1), in time linear in the page.

    Paper: `read_source` reads the elements. ``has_attributes`` adds to l_s the attributes that step
    1 keeps; the extractor and the paper's judge count them, the modern judge does not.
    """
    key = "p_values", reading, has_attributes
    return page.cached(key, lambda: _p_values(page, reading, has_attributes))


def _p_values(page: Page, reading: Reading, has_attributes: bool) -> PValues:
    # The result must not hold the page, since the page caches it.
    read = page if reading == "modern" else read_source(page)
    lengths, removed, excluded = page.cached(("lengths", reading), lambda: _lengths(read, reading))
    if has_attributes:
        quotes = 0 if reading == "paper" and page.source else 2
        markup = _with_attributes(lengths.markup, read.nodes.attributes, removed, quotes)
        columns = lengths.first, lengths.last, lengths.text, lengths.valid
        lengths = Lengths(lengths.end, *columns, markup)
    best = lengths.best()
    return PValues(best, 0.0 if best < 0 else lengths.p(best), excluded, lengths)


def _lengths(read: Page, reading: Reading) -> tuple[Lengths, bytearray, bytearray]:
    """Return the lengths without attributes, and per node whether it and its text are removed."""
    nodes, runs = read.nodes, read.runs
    if reading == "modern":
        removed = nodes.below(_removed_tops(read))
        excluded = either(removed, read.hidden)
        owner, first, last = map(arrays.as_longs, (runs.node, runs.first, runs.end))
        chars = _chars(runs.text)
    else:
        removed = excluded = nodes.below(nodes.tops(REMOVED_TAGS))
        owner = first = arrays.as_longs(range(len(nodes)))
        last, chars = nodes.end, arrays.as_longs(_literal_chars(nodes))
    text, valid = _text_sums(owner, chars, excluded, read.is_link)
    markup = _markup_sums(nodes, removed, reading == "modern")
    return Lengths(nodes.end, first, last, text, valid, markup), removed, excluded


# The extractor and the judge


@dataclass(frozen=True)
class PValueExtractor:
    """Main text by P value. ``score`` is the P value of the chosen element, in [0, 1].

    ``reading``
        ``"paper"`` is the letter: lengths are lengths of source, with its white space, entities
        and quotation marks. Every ``<form>`` and ``<script>`` is removed, hidden text is read, and
        the text has no markers of lists. (A page without source has the lengths of its tree, where
        an entity is one character.)
        ``"modern"`` (default): a run of white space has one character, none at the edges of tags,
        since P would prefer badly indented elements. An entity has one character. A ``<form>`` with
        more than half of the page's text outside links is kept, since ASP.NET puts the whole page
        into a form. Text that a browser does not show (`Page.hidden`) has no length and is not
        extracted.

    Both readings remove three attributes before lengths are taken.
    """

    name: ClassVar[str] = "pvalue"

    reading: Reading = "modern"

    def __post_init__(self) -> None:
        check_reading(self.reading)

    def extract(self, page: Page) -> Extraction:
        """Return the text of the element with the greatest P, after step 1."""
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
        """Return P (eq. 1) for every element; paper: of `read_source`."""
        return p_values(page, self.reading, has_attributes=True)

    def signals(self, page: Page) -> tuple[Signal, ...]:
        """Return P per node; selected is the chosen element.

        No signal in the paper's reading of a page on which scripts with markup were read as
        elements.
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
        today's pages have long ``data-*``, ``srcset`` and ``aria-*``, which make l_t / l_s of every
        article less than one half.
    """

    name: ClassVar[str] = "pvalue"

    reading: Reading = "modern"

    def __post_init__(self) -> None:
        check_reading(self.reading)

    def judge(self, page: Page, threshold: float = 0.5) -> Judgement:  # noqa: ARG002
        """Return the judgement; ``probability`` is the page's P value."""
        p = p_values(page, self.reading, has_attributes=self.reading == "paper").page
        return Judgement(None, p, p)
