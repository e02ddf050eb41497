"""The P value of tags (Lv, Cao, Wang, Yin, Zheng 2017).

The main text is taken to be exactly the content of one element. What is surely not main text
is removed first: comments, a list of tags with all that they hold, three attributes. Then each
element has

* ``l_s``, the length of its HTML, markup included (definition 1);
* ``l_t``, the length of its text (definition 2);
* ``l_vt``, the length of its text outside links (definition 3);

and, with ``L_VT`` the text outside links of the whole page, the probability of being the main
text is ``P = (l_t / l_s) * (l_vt / L_VT)`` (eq. 1): mostly text inside, and most of the page's
text. The element with the greatest P is the main text; its P is the P value of the page
(definition 4), read as the probability that the page has an article at all.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, pairwise
from operator import add, or_
from typing import ClassVar, Final, Literal, get_args

from scrapy_webtext.errors import check_choice
from scrapy_webtext.page import Nodes, Page, prefix_sums, tags
from scrapy_webtext.results import Extraction, Judgement, Signal

#: Step 1: elements removed with their content.
REMOVED_TAGS: Final = frozenset(
    "script noscript style embed label form input iframe head meta link object aside "
    "channel".split()
)
#: Step 1: attributes removed from the elements that stay.
REMOVED_ATTRIBUTES: Final = frozenset({"id", "class", "style"})


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

Attributes = Literal["paper", "none"]
Whitespace = Literal["folded", "literal"]
Hidden = Literal["skipped", "read"]


@dataclass(frozen=True)
class PValues:
    """P of the elements of a page and where it is greatest."""

    best: int  #: the node with the greatest P, the first of equals; -1 without valid text
    page: float  #: P value of the page (definition 4); 0 for a page without valid text
    removed: bytearray  #: per node, 1 if step 1 removed it or its text is not shown
    _column: Callable[[], list[float]] = field(repr=False, compare=False)

    @cached_property
    def p(self) -> list[float]:
        """P per node, in [0, 1]; 0 for removed nodes. Computed when asked for."""
        return self._column()


@dataclass(frozen=True)
class PValueExtractor:
    """Main text by P value. ``score`` is the P value of the chosen element, in [0, 1].

    ``attributes``
        ``"paper"`` (default) removes ``id``, ``class`` and ``style`` before lengths are taken,
        as step 1 has it; ``"none"`` removes all attributes, as the judge does.
    ``whitespace``
        ``"folded"`` (default) counts a run of white space as one character and none at the
        edges of tags: indentation is no text, and P would prefer badly indented elements.
        ``"literal"`` counts every character, the paper's letter.
    ``hidden``
        ``"skipped"`` (default): text that a browser does not show (`Page.hidden`) has no length
        and is not extracted; what attributes hide is removed like what step 1 names. ``"read"``
        is the paper's letter.

    Departure: a ``<form>`` that holds more than half of the page's text outside links is
    kept as any other tag. ASP.NET puts the whole page into one.
    """

    name: ClassVar[str] = "pvalue"

    attributes: Attributes = "paper"
    whitespace: Whitespace = "folded"
    hidden: Hidden = "skipped"

    def __post_init__(self) -> None:
        check_choice("attributes", self.attributes, get_args(Attributes))
        check_choice("whitespace", self.whitespace, get_args(Whitespace))
        check_choice("hidden", self.hidden, get_args(Hidden))

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
        return p_values(page, self.attributes, self.whitespace, self.hidden)

    def signals(self, page: Page) -> tuple[Signal, ...]:
        """Return P per node; selected is the chosen element."""
        values = self.values(page)
        selected = () if values.best < 0 else (values.best,)
        return (Signal("p_value", "node", tuple(values.p), None, selected),)


@dataclass(frozen=True)
class PValueJudge:
    """A page has an article if its P value is at least the threshold (the paper's: 0.5).

    Departure: all attributes are removed by default, not three. Today's pages carry their
    weight in ``data-*``, ``srcset`` and ``aria-*``, which push l_t / l_s of every article below
    one half. ``attributes="paper"`` is the paper's letter.
    """

    name: ClassVar[str] = "pvalue"

    attributes: Attributes = "none"
    whitespace: Whitespace = "folded"
    hidden: Hidden = "skipped"

    def __post_init__(self) -> None:
        check_choice("attributes", self.attributes, get_args(Attributes))
        check_choice("whitespace", self.whitespace, get_args(Whitespace))
        check_choice("hidden", self.hidden, get_args(Hidden))

    def judge(self, page: Page, threshold: float = 0.5) -> Judgement:
        """Return the judgement; ``probability`` is the page's P value."""
        p = p_values(page, self.attributes, self.whitespace, self.hidden).page
        return Judgement(p >= threshold, p, p)


def p_values(
    page: Page, attributes: Attributes, whitespace: Whitespace, hidden: Hidden = "skipped"
) -> PValues:
    """Return P for every element of a page (eq. 1), in time linear in the page."""
    key = ("p_values", attributes, whitespace, hidden)
    return page.remember(key, lambda: _p_values(page, attributes, whitespace, hidden))


def _p_values(
    page: Page, attributes: Attributes, whitespace: Whitespace, hidden: Hidden
) -> PValues:
    key = ("lengths", whitespace, hidden)
    lengths = page.remember(key, lambda: _lengths(page, whitespace, hidden))
    nodes = page.nodes
    # Of the nodes, not of the page: what a page remembers must not hold the page.
    best, p = _greatest(nodes, lengths, attributes)
    return PValues(best, p, lengths.unread, lambda: _column(nodes, lengths, attributes))


@dataclass(frozen=True, slots=True)
class _Lengths:
    """Definitions 1 to 3 after step 1, as prefix sums over the page's text and nodes."""

    removed: bytearray  #: per node
    unread: bytearray  #: per node, 1 also where its text is not shown
    first: Sequence[int]  #: per node, where its part of ``text`` and ``valid`` begins
    last: Sequence[int]  #: and where it ends
    text: list[int]  #: for l_t
    valid: list[int]  #: for l_vt
    tags: list[int]  #: for l_s, the tags of nodes without attributes
    total: int  #: L_VT; 0 also where white space is the only text
    has_blanks: bool  #: l_s also has white space that is no text: one at each edge of a tag


def _greatest(nodes: Nodes, lengths: _Lengths, attributes: Attributes) -> tuple[int, float]:
    """Return the first of the nodes with the greatest P, and that P; (-1, 0.0) without text.

    Few nodes can have it: P is at most what it is without attributes and blanks, and that is at
    most the node's share of the valid text. So the search goes by the tree from above and leaves
    out what is below a share too small (on real pages, nine of ten nodes).
    """
    if not lengths.total:
        return -1, 0.0
    node = _steepest(nodes.end, lengths)
    end, chars = nodes.end[node], [0] * len(nodes)
    _add_more(chars, nodes, lengths, attributes, range(node, end))
    more = _sums(chars, lengths, range(node, end))
    least = _p(lengths, node, end, more[-1])
    rivals = _rivals(nodes.end, lengths, least, (node, more[-1]))
    if rivals == [node]:
        return node, least
    first, last = rivals[0], max(nodes.end[i] for i in rivals)
    _add_more(chars, nodes, lengths, attributes, range(first, node))
    _add_more(chars, nodes, lengths, attributes, range(end, last))
    more = _sums(chars, lengths, range(first, last))
    p = [_p(lengths, i, nodes.end[i], more[nodes.end[i] - first] - more[i - first]) for i in rivals]
    greatest = max(p)
    return rivals[p.index(greatest)], greatest


def _p(lengths: _Lengths, node: int, end: int, more: int) -> float:
    """Return P (eq. 1) of a node with valid text, ``more`` being what l_s has besides tags."""
    a, z = lengths.first[node], lengths.last[node]
    text = lengths.text[z] - lengths.text[a]
    valid = lengths.valid[z] - lengths.valid[a]
    length = text + lengths.tags[end] - lengths.tags[node] + more
    return text * valid / (length * lengths.total) if valid else 0.0


def _steepest(ends: Sequence[int], lengths: _Lengths) -> int:
    """Return the first node with the greatest bound on P."""
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
    ends: Sequence[int], lengths: _Lengths, least: float, known: tuple[int, int]
) -> list[int]:
    """Return the nodes whose bound on P is at least this.

    ``known`` is a node and what its l_s has besides tags: so much, those around it have too.
    """
    first, last, valid = lengths.first, lengths.last, lengths.valid
    chars = least * lengths.total
    node, more = known
    found = []
    i = 0
    while i < len(ends):
        end = ends[i]
        if valid[last[i]] - valid[first[i]] <= chars:  # every tag counts: P is less than its share
            i = end
            continue
        if _p(lengths, i, end, more if i <= node < end else 0) >= least:
            found.append(i)
        i += 1
    return found


def _column(nodes: Nodes, lengths: _Lengths, attributes: Attributes) -> list[float]:
    """P of every node."""
    if not lengths.total:
        return [0.0] * len(nodes)
    chars = [0] * len(nodes)
    _add_more(chars, nodes, lengths, attributes, range(len(nodes)))
    more = _sums(chars, lengths, range(len(nodes)))
    length = list(map(add, lengths.tags, more))
    text, valid, total = lengths.text, lengths.valid, lengths.total
    rows = zip(nodes.end, lengths.first, lengths.last, range(len(nodes)), strict=True)
    return [
        (text[z] - text[a]) * v / ((text[z] - text[a] + length[end] - length[i]) * total)
        if (v := valid[z] - valid[a])
        else 0.0
        for end, a, z, i in rows
    ]


def _sums(chars: Sequence[int], lengths: _Lengths, nodes: range) -> list[int]:
    """Prefix sums over these nodes, those that step 1 removes left out."""
    rows = zip(
        chars[nodes.start : nodes.stop], lengths.removed[nodes.start : nodes.stop], strict=True
    )
    return prefix_sums(0 if gone else n for n, gone in rows)


def _add_more(
    chars: list[int], nodes: Nodes, lengths: _Lengths, attributes: Attributes, some: range
) -> None:
    """Add to ``chars``, per node, what l_s has besides tags and text, of some of the nodes."""
    first, end = some.start, some.stop
    if attributes == "paper":
        for i, n in zip(some, _attribute_chars(nodes, first, end), strict=True):
            chars[i] += n
    if lengths.has_blanks:
        texts = zip(some, nodes.text[first:end], strict=True)
        tails = zip(nodes.parent[first:end], nodes.tail[first:end], strict=True)
        for i, text in chain(texts, tails):
            if text and i >= 0:
                chars[i] += 1 if text.isspace() else text[0].isspace() + text[-1].isspace()


def _attribute_chars(nodes: Nodes, first: int, end: int) -> list[int]:
    """Per node of these, the length of the attributes that step 1 leaves it."""
    places = nodes.attributes.first[first : end + 1]
    begin = places[0]
    flat = nodes.attributes.flat[begin : places[-1]]
    sums = prefix_sums(
        0 if name in REMOVED_ATTRIBUTES else len(name) + len(value) + 4  # ' name="value"'
        for name, value in zip(flat[::2], flat[1::2], strict=True)
    )
    return [sums[(z - begin) // 2] - sums[(a - begin) // 2] for a, z in pairwise(places)]


def _lengths(page: Page, whitespace: Whitespace, hidden: Hidden) -> _Lengths:
    """Return the lengths that all readings of the attributes share."""
    nodes, runs, linked = page.nodes, page.runs, page.is_link
    concealed = page.concealed if hidden == "skipped" else []
    tops = _removed_tops(page, concealed)
    removed = nodes.below(tops)
    unread = bytearray(map(or_, removed, page.hidden)) if hidden == "skipped" else removed
    owner: Sequence[int]
    first: Sequence[int]
    if whitespace == "folded":
        owner, first, last = runs.node, runs.first, runs.end
        text = list(map(len, runs.text))
    else:
        owner, first, last = range(len(nodes)), range(len(nodes)), nodes.end
        text = _literal_chars(page)
    text = [0 if unread[i] else n for n, i in zip(text, owner, strict=True)]
    valid = [0 if linked[i] else n for n, i in zip(text, owner, strict=True)]
    own = list(map(_TAG_CHARS.__getitem__, nodes.tag))
    for i in tops:
        own[i : nodes.end[i]] = [0] * (nodes.end[i] - i)
    has_text = not all(unread[i] or linked[i] for i in runs.node)
    return _Lengths(
        removed=removed,
        unread=unread,
        first=first,
        last=last,
        text=prefix_sums(text),
        valid=prefix_sums(valid),
        tags=prefix_sums(own),
        total=sum(valid) if has_text else 0,
        has_blanks=whitespace == "folded",
    )


def _removed_tops(page: Page, concealed: list[int]) -> list[int]:
    """Return the nodes that step 1 removes with all below them, less the page's own form.

    And those of ``concealed``.
    """
    nodes, runs, linked = page.nodes, page.runs, page.is_link
    tops = nodes.tops(REMOVED_TAGS - {"form"}) + concealed
    forms = nodes.tops(frozenset({"form"}))
    if not forms:
        return tops
    removed = nodes.below(tops)
    valid = prefix_sums(
        0 if removed[i] or linked[i] else len(text)
        for text, i in zip(runs.text, runs.node, strict=True)
    )
    small = [i for i in forms if 2 * (valid[runs.end[i]] - valid[runs.first[i]]) <= valid[-1]]
    return tops + small


def _literal_chars(page: Page) -> list[int]:
    """Per node, characters of the text directly below it, white space as it stands."""
    chars = [len(text or "") for text in page.nodes.text]
    for parent, tail in zip(page.nodes.parent, page.nodes.tail, strict=True):
        if tail and parent >= 0:
            chars[parent] += len(tail)
    return chars
