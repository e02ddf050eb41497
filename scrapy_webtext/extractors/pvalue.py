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

from dataclasses import dataclass
from operator import add
from typing import ClassVar, Final, Literal, get_args

from scrapy_webtext.errors import SettingsError
from scrapy_webtext.page import Page, prefix_sums, render_runs, subtree_sums, tags
from scrapy_webtext.results import Extraction, Judgement, Signal

#: Step 1: elements removed with their content.
REMOVED_TAGS: Final = frozenset(
    "script noscript style embed label form input iframe head meta link object aside "
    "channel".split()
)
#: Step 1: attributes removed from the elements that stay.
REMOVED_ATTRIBUTES: Final = frozenset({"id", "class", "style"})

Attributes = Literal["paper", "none"]
Whitespace = Literal["folded", "literal"]


@dataclass(frozen=True, slots=True)
class PValues:
    """P of every element of a page and where it is greatest."""

    p: list[float]  #: per node, in [0, 1]; 0 for removed nodes
    best: int  #: the node with the greatest P, the first of equals; -1 without valid text
    removed: bytearray  #: per node, 1 if step 1 removed it

    @property
    def page(self) -> float:
        """P value of the page (definition 4); 0 for a page without valid text."""
        return self.p[self.best] if self.best >= 0 else 0.0


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

    Departure: a ``<form>`` that holds more than half of the page's text outside links is
    kept as any other tag. ASP.NET puts the whole page into one.
    """

    name: ClassVar[str] = "pvalue"

    attributes: Attributes = "paper"
    whitespace: Whitespace = "folded"

    def __post_init__(self) -> None:
        _check("attributes", self.attributes, get_args(Attributes))
        _check("whitespace", self.whitespace, get_args(Whitespace))

    def extract(self, page: Page) -> Extraction:
        """Return the text of the element with the greatest P, without what step 1 removes."""
        values = self.values(page)
        if values.best < 0:
            return Extraction("", 0.0, self.name)
        owner, removed = page.runs.node, values.removed
        inside = range(page.runs.first[values.best], page.runs.end[values.best])
        runs = [k for k in inside if not removed[owner[k]]]
        return Extraction(
            render_runs(page, runs), values.page, self.name, page.blocks_of_runs(runs)
        )

    def values(self, page: Page) -> PValues:
        """Return P for every element (eq. 1)."""
        return p_values(page, self.attributes, self.whitespace)

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

    def __post_init__(self) -> None:
        _check("attributes", self.attributes, get_args(Attributes))
        _check("whitespace", self.whitespace, get_args(Whitespace))

    def judge(self, page: Page, threshold: float = 0.5) -> Judgement:
        """Return the judgement; ``probability`` is the page's P value."""
        p = p_values(page, self.attributes, self.whitespace).page
        return Judgement(p >= threshold, p, p)


def p_values(page: Page, attributes: Attributes, whitespace: Whitespace) -> PValues:
    """Return P for every element of a page (eq. 1), in time linear in the page."""
    key = ("p_values", attributes, whitespace)
    return page.remember(key, lambda: _p_values(page, attributes, whitespace))


def _p_values(page: Page, attributes: Attributes, whitespace: Whitespace) -> PValues:
    end = page.nodes.end
    lengths = page.remember(("lengths", whitespace), lambda: _lengths(page, whitespace))
    if not lengths.total:
        return PValues([0.0] * len(end), -1, lengths.removed)
    l_s = lengths.bare
    if attributes == "paper":
        kept = subtree_sums(_attribute_chars(page, lengths.removed), end)
        l_s = list(map(add, l_s, kept))
    total = lengths.total
    rows = zip(lengths.text, lengths.valid, l_s, strict=True)
    p = [t * v / (s * total) if v else 0.0 for t, v, s in rows]
    return PValues(p, p.index(max(p)), lengths.removed)


@dataclass(frozen=True, slots=True)
class _Lengths:
    """Definitions 1 to 3 for every node, after step 1."""

    removed: bytearray
    text: list[int]  #: l_t
    valid: list[int]  #: l_vt
    bare: list[int]  #: l_s, attributes not counted
    total: int  #: L_VT; 0 also where white space is the only text


def _lengths(page: Page, whitespace: Whitespace) -> _Lengths:
    """Return the lengths that all readings of the attributes share."""
    end, linked = page.nodes.end, page.is_link
    removed = _removed(page)
    direct = page.direct_chars if whitespace == "folded" else _literal_chars(page)
    chars = [0 if gone else n for n, gone in zip(direct, removed, strict=True)]
    valid = [0 if link else n for n, link in zip(chars, linked, strict=True)]
    own = _tag_chars(page, removed)
    if whitespace == "folded":
        # White space at the edges of tags is part of an element's length but of no text.
        blanks = zip(page.direct_blanks, removed, strict=True)
        own = list(map(add, own, [0 if gone else n for n, gone in blanks]))
        has_text = any(valid)
    else:
        rows = zip(page.direct_chars, removed, linked, strict=True)
        has_text = any(n and not gone and not link for n, gone, link in rows)
    l_t = subtree_sums(chars, end)
    return _Lengths(
        removed=removed,
        text=l_t,
        valid=subtree_sums(valid, end),
        bare=list(map(add, l_t, subtree_sums(own, end))),
        total=sum(valid) if has_text else 0,
    )


def _removed(page: Page) -> bytearray:
    """Mask over nodes: 1 for what step 1 removes, less the forms that are the page itself."""
    nodes = page.nodes
    removed = nodes.inside(REMOVED_TAGS - {"form"})
    forms = nodes.tops(frozenset({"form"}))
    if forms:
        valid = prefix_sums(
            0 if gone or link else n
            for n, gone, link in zip(page.direct_chars, removed, page.is_link, strict=True)
        )
        for i in forms:
            if 2 * (valid[nodes.end[i]] - valid[i]) <= valid[-1]:
                removed[i : nodes.end[i]] = b"\x01" * (nodes.end[i] - i)
    return removed


def _literal_chars(page: Page) -> list[int]:
    """Per node, characters of the text directly below it, white space as it stands."""
    chars = [len(text or "") for text in page.nodes.text]
    for parent, tail in zip(page.nodes.parent, page.nodes.tail, strict=True):
        if tail:
            chars[parent] += len(tail)
    return chars


def _tag_chars(page: Page, removed: bytearray) -> list[int]:
    """Per node, the length of its own start and end tag without attributes; 0 if removed."""
    void = tags.VOID
    # "<p>" and "</p>": twice the name and five more; a void element has no end tag.
    return [
        0 if gone or not tag else len(tag) + 2 if tag in void else 2 * len(tag) + 5
        for tag, gone in zip(page.nodes.tag, removed, strict=True)
    ]


def _attribute_chars(page: Page, removed: bytearray) -> list[int]:
    """Per node, the length of the attributes that step 1 leaves it; 0 if removed."""
    chars = [0] * len(removed)
    for i, pairs in enumerate(page.nodes.attributes):
        if pairs and not removed[i]:
            for name, value in pairs:
                if name not in REMOVED_ATTRIBUTES:
                    chars[i] += len(name) + len(value) + 4  # ' name="value"'
    return chars


def _check(name: str, value: object, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise SettingsError(f"{name}={value!r} is not allowed; use one of: {', '.join(allowed)}")
