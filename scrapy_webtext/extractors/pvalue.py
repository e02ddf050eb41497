# cython: infer_types=True
"""The P value of elements (Lv, Cao, Wang, Yin, Zheng 2017).

The method assumes that the main text is the content of one element. Step 1 removes comments, some
elements (`REMOVED_TAGS`) with their content, and three attributes. Then each element has

* ``l_s``, the length of its HTML with markup (definition 1);
* ``l_t``, the length of its text (definition 2);
* ``l_vt``, the length of its text outside links (definition 3);

``L_VT`` is the length of the whole page's text outside links. The probability that an element is
the main text is ``P = (l_t / l_s) * (l_vt / L_VT)`` (eq. 1). P is great for an element that is
mostly text and has most of the page's text. The element with the greatest P is the main text. Its P
is the P value of the page (definition 4), which estimates the probability that the page has an
article.

The length of an element is a difference of two prefix sums over the page, so computing all lengths
takes linear time.
"""

from __future__ import annotations

import html
import re
from array import array
from dataclasses import dataclass, replace
from typing import ClassVar, Final, NamedTuple

from scrapy_webtext.core import arrays
from scrapy_webtext.extractors.readings import (
    TAG,
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

#: Paper reading: private characters that replace "&" and the quotation marks of attributes.
_AMPERSAND, _QUOTE = "\U000ffffc", "\U000ffffd"
_QUOTED: Final = re.compile(r"""=(\s*)(?:"([^"]*)"|'([^']*)')""")


# Step 1 and definitions 1 to 3


def _text_sums(
    owners: array[int], chars: array[int], excluded: bytearray, linked: bytearray
) -> tuple[array[int], array[int]]:
    """Return two prefix sums over pieces of text: all characters, characters outside links."""
    text, valid = arrays.new_longs(len(chars) + 1), arrays.new_longs(len(chars) + 1)
    text_before, valid_before = arrays.longs(text), arrays.longs(valid)
    owner, own = arrays.longs(owners), arrays.longs(chars)
    out, in_link = arrays.octets(excluded), arrays.octets(linked)
    for k in range(len(chars)):
        n = 0 if out[owner[k]] else own[k]
        text_before[k + 1] = text_before[k] + n
        valid_before[k + 1] = valid_before[k] + (0 if in_link[owner[k]] else n)
    return text, valid


def _markup(nodes: Nodes, removed: bytearray, folds_space: bool) -> array[int]:
    """Return, per node, the characters of its tags in l_s: "<p></p>" has 7, "<br>" 4.

    A removed node has 0. With ``folds_space``, white space next to a tag counts as one character.
    """
    column = arrays.new_longs(len(removed))
    known = arrays.as_longs(
        [len(tag) + 2 if tag in tags.VOID else 2 * len(tag) + 5 for tag in nodes.names]
    )
    own, chars, name = arrays.longs(column), arrays.longs(known), arrays.longs(nodes.name)
    parent, text, tail = arrays.longs(nodes.parent), nodes.text, nodes.tail
    gone = arrays.octets(removed)
    for i in range(len(column)):
        if not gone[i]:
            own[i] += chars[name[i]] + (text.edges(i) if folds_space else 0)
        if folds_space and parent[i] >= 0 and not gone[parent[i]]:
            own[parent[i]] += tail.edges(i)
    return column


def _with_attributes(
    markup: array[int], attributes: Attributes, removed: bytearray, quotes: int
) -> array[int]:
    """Return, per node, its markup plus the attributes that step 1 does not remove.

    ``quotes`` is the number of quotation marks around a value: 2, or 0 if the values include them.
    If the value is empty and ``quotes`` is 0, the "=" of the attribute does not count.
    """
    column = markup[:]
    known = arrays.as_longs(
        [0 if key in REMOVED_ATTRIBUTES else len(key) + len(" =") for key in attributes.names]
    )
    own, name_chars = arrays.longs(column), arrays.longs(known)
    begin, name = arrays.longs(attributes.first), arrays.longs(attributes.name)
    values, gone = attributes.values, arrays.octets(removed)
    for i in range(len(column)):
        for k in range(begin[i], begin[i] if gone[i] else begin[i + 1]):
            if name_chars[name[k]]:
                chars = values.length(k) + quotes
                own[i] += name_chars[name[k]] + (chars if chars else -1)
    return column


def _removed_tops(page: Page) -> list[int]:
    """Return the topmost nodes that are removed in the modern reading.

    Step 1 removes them, or an attribute hides them. A form with more than half of the page's text
    outside links is not removed.
    """
    nodes, runs = page.nodes, page.runs
    tops = nodes.tops(_REMOVED_BUT_FORMS) + page.hidden_elements
    forms = nodes.tops(_FORMS)
    if not forms:
        return tops
    chars, owner = arrays.as_longs([*map(len, runs.text)]), arrays.as_longs(runs.node)
    _, valid = _text_sums(owner, chars, nodes.below(tops), page.is_link)
    for i in forms:
        if 2 * (valid[runs.end[i]] - valid[runs.first[i]]) <= valid[len(chars)]:
            tops.append(i)
    return tops


# Lengths in the paper's reading: characters of the source


def read_source(page: Page) -> LiteralPage:
    """Return the page, parsed so that each character of the source counts as one character.

    The parser would resolve entities and drop the quotation marks of attributes. So both are
    replaced by private characters before parsing. A page without source keeps its tree, in which an
    entity is one character.
    """
    return read_literally(page, _as_literals)


def _as_literals(source: str) -> str:
    marked = source.replace("&", _AMPERSAND)
    return TAG.sub(lambda tag: _QUOTED.sub(_with_quotes, tag[0]), marked)


def _with_quotes(value: re.Match[str]) -> str:
    quote = '"' if value[2] is not None else "'"
    return f"={value[1]}{quote}{_QUOTE * 2}{value[2] or value[3] or ''}{quote}"


def _literal_chars(nodes: Nodes) -> list[int]:
    """Return, per node, the number of characters of the texts directly in it."""
    chars = [len(text or "") for text in nodes.text]
    for parent, tail in zip(nodes.parent, nodes.tail, strict=True):
        if tail and parent >= 0:
            chars[parent] += len(tail)
    return chars


# Equation 1 and definition 4


@dataclass(frozen=True)
class PValues:
    """P of each element of a page, and the maximum."""

    best: int  #: first node with the greatest P; -1 without text outside links
    page: float  #: P value of the page (definition 4); 0 without text outside links
    p: array[float]  #: per node, in [0, 1]; 0 for removed nodes
    removed: bytearray  #: per node, 1 if step 1 removed it or its text is not shown


def _p_column(
    ends: array[int],
    firsts: array[int],
    lasts: array[int],
    texts: array[int],
    valids: array[int],
    markups: array[int],
) -> tuple[int, array[float]]:
    """Return the first node with the greatest P (eq. 1), and P per node.

    The node is -1 if the page has no text outside links. ``firsts`` and ``lasts`` have, per node,
    the index of its first piece of text, and the index after its last piece. ``texts``, ``valids``
    and ``markups`` are prefix sums for l_t, l_vt and l_s.
    """
    column = arrays.new_doubles(len(ends))
    p, end, markup = arrays.doubles(column), arrays.longs(ends), arrays.longs(markups)
    first, last = arrays.longs(firsts), arrays.longs(lasts)
    text, valid = arrays.longs(texts), arrays.longs(valids)
    total = valid[len(valids) - 1]  # the L_VT of eq. 1
    node, greatest = -1, 0.0
    for i in range(len(column)):
        l_vt = valid[last[i]] - valid[first[i]]
        if l_vt:
            l_t = text[last[i]] - text[first[i]]
            l_s = l_t + markup[end[i]] - markup[i]
            p[i] = float(l_t) * float(l_vt) / (float(l_s) * float(total))
            if p[i] > greatest:
                node, greatest = i, p[i]
    return node, column


def p_values(page: Page, reading: Reading = "modern", *, has_attributes: bool = False) -> PValues:
    """Return P for every element of a page (eq. 1), in time linear in the page.

    Paper: the elements are the elements of `read_source`. ``has_attributes`` adds the attributes
    that step 1 keeps to l_s. The extractor and the judge in the paper's reading count them; the
    judge in the modern reading does not.
    """
    key = "p_values", reading, has_attributes
    return page.cached(key, lambda: _p_values(page, reading, has_attributes))


def _p_values(page: Page, reading: Reading, has_attributes: bool) -> PValues:
    # The result must not hold the page, since the page caches it.
    read = page if reading == "modern" else read_source(page)
    of: _Lengths = page.cached(("lengths", reading), lambda: _lengths(read, reading))
    markup = of.markup
    if has_attributes:
        quotes = 0 if reading == "paper" and read.body else 2
        markup = _with_attributes(markup, read.nodes.attributes, of.removed, quotes)
    sums = arrays.sums(markup)
    best, p = _p_column(read.nodes.end, of.first, of.last, of.text, of.valid, sums)
    return PValues(best, 0.0 if best < 0 else p[best], p, of.excluded)


class _Lengths(NamedTuple):
    """Columns from which lengths are computed (definitions 1 to 3), after step 1."""

    first: array[int]  #: per node, index of its first piece of text
    last: array[int]  #: per node, index after its last piece
    text: array[int]  #: prefix sums of the characters of the pieces
    valid: array[int]  #: prefix sums of the characters outside links
    markup: array[int]  #: per node, characters of markup without attributes
    removed: bytearray  #: per node, 1 if step 1 removed it
    excluded: bytearray  #: per node, 1 if step 1 removed it or its text is not shown


def _lengths(read: Page, reading: Reading) -> _Lengths:
    """Return the lengths of a page as a reading counts them."""
    nodes, runs = read.nodes, read.runs
    if reading == "modern":
        removed = nodes.below(_removed_tops(read))
        excluded = either(removed, read.hidden)
        owner, first, last = map(arrays.as_longs, (runs.node, runs.first, runs.end))
        chars = arrays.as_longs([*map(len, runs.text)])
    else:
        removed = excluded = nodes.below(nodes.tops(REMOVED_TAGS))
        owner = first = arrays.as_longs(range(len(nodes)))
        last, chars = nodes.end, arrays.as_longs(_literal_chars(nodes))
    text, valid = _text_sums(owner, chars, excluded, read.is_link)
    markup = _markup(nodes, removed, reading == "modern")
    return _Lengths(first, last, text, valid, markup, removed, excluded)


# The extractor and the judge


@dataclass(frozen=True)
class PValueExtractor:
    """Main text by P value; ``score`` is the P value of the chosen element, in [0, 1].

    ``reading``
        ``"paper"`` follows the paper to the letter. Lengths are counted in the source, with white
        space, entities and quotation marks; if a page has no source, in its tree, where an entity
        is one character. Every ``<form>`` and ``<script>`` is removed. Hidden text is read. The
        text has no list markers.
        ``"modern"`` (default): a sequence of white space counts as one character, because else P
        would depend on the indentation of the source. An entity counts as one character. A
        ``<form>`` with more than half of the page's text outside links is kept, because ASP.NET
        puts the whole page into a form. Text that a browser does not show (`Page.hidden`) has no
        length and is not extracted.

    Both readings remove the attributes id, class and style before lengths are counted.
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
        owners, removed = arrays.as_longs(read.runs.node), values.removed
        owner, gone = arrays.longs(owners), arrays.octets(removed)
        inside = range(read.runs.first[values.best], read.runs.end[values.best])
        chosen = [k for k in inside if not gone[owner[k]]]
        if self.reading == "modern":
            return Extraction.of_runs(page, chosen, values.page, self.name)
        texts = [html.unescape(text.replace(_AMPERSAND, "&")) for text in read.runs.text]
        runs = replace(read.runs, text=texts)
        return literal_extraction(page, runs, chosen, values.page, self.name)

    def values(self, page: Page) -> PValues:
        """Return P (eq. 1) for every element; in the paper's reading, of `read_source`."""
        return p_values(page, self.reading, has_attributes=True)

    def signals(self, page: Page) -> tuple[Signal, ...]:
        """Return P per node; the chosen element is selected.

        In the paper's reading, return no signal if the page has scripts with markup that the parser
        read as elements, because its nodes then differ.
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
        ``"paper"`` follows definition 4 to the letter, with lengths as in `PValueExtractor`.
        ``"modern"`` (default) leaves out all attributes, folds white space and skips hidden text.
        Today's pages have long attributes (``data-*``, ``srcset``, ``aria-*``), which would make
        l_t / l_s of every article less than one half.
    """

    name: ClassVar[str] = "pvalue"

    reading: Reading = "modern"

    def __post_init__(self) -> None:
        check_reading(self.reading)

    def judge(self, page: Page, threshold: float = 0.5) -> Judgement:  # noqa: ARG002
        """Return the judgement; ``probability`` is the page's P value."""
        p = p_values(page, self.reading, has_attributes=self.reading == "paper").page
        return Judgement(None, p, p)
