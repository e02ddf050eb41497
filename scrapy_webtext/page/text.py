"""The text of a page as columns in document order: runs, and blocks of runs.

A run is a piece of text directly below one node, with folded white space, never empty. A block is a
maximal series of runs without a block-level tag or a double <br> between them. Hidden elements do
not end a block. An element of `tags.INLINE` ends a block only if it is not part of a line
(`.inline`).
"""

from __future__ import annotations

import re
from array import array
from collections.abc import MutableSequence, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from scrapy_webtext.core import arrays
from scrapy_webtext.core.texts import Signs, Texts
from scrapy_webtext.page import tags
from scrapy_webtext.page.hidden import Hidden
from scrapy_webtext.page.inline import find_inline
from scrapy_webtext.page.nodes import Nodes

#: The gap between a run and the previous run (values of ``Runs.gap``), ordered by size.
_JOINED: Final = 0  #: nothing in between: "foo<b>bar</b>" is one word
_SPACE: Final = 1  #: white space
_LINE: Final = 2  #: one <br>
_BREAK: Final = 3  #: a block-level tag begins or ends, or two <br>
BREAK: Final = 3

#: White space, control characters and characters of no width. A text of only these is empty.
INVISIBLE: Final = "".join(
    [
        *filter(str.isspace, map(chr, range(0x3001))),
        *map(chr, range(0x20)),
        *map(chr, range(0xE0000, 0xE0080)),
        "\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff\ufffe\uffff",
    ]
)

#: Characters of no width that only mark where a line may break. Joiners are kept, because Persian,
#: Indic scripts and emoji need them; after a Latin letter they only separate a ligature.
_SOFT: Final = re.compile(
    "[\u00ad\u200b\u2060\ufeff]|(?<=[A-Za-z\u00c0-\u024f\u200c\u200d])[\u200c\u200d]"
)

#: The separator of each gap in rendered text.
SEPARATORS: Final = ("", " ", "\n", "\n")


@dataclass(frozen=True, slots=True)
class Runs:
    """The pieces of text of a page: columns of equal length K, in document order."""

    node: array[int]  #: the element directly above the text
    text: list[str]  #: text with folded white space, never empty
    gap: array[int]  #: 0 joined, 1 space, 2 one <br>, 3 break
    tags_before: array[int]  #: number of start and end tags before the run
    preformatted: dict[int, str]  #: run in <pre> -> its text with all white space
    first: array[int]  #: per node, the first run of its subtree
    end: array[int]  #: per node, the index after the last run of its subtree
    inline: frozenset[int]  #: elements of `tags.INLINE` that are part of a line

    def __len__(self) -> int:
        return len(self.node)


class Block(NamedTuple):
    """One block, as a row of :class:`Blocks`."""

    number: int
    node: int
    text: str
    chars: int
    link_chars: int

    @property
    def link_density(self) -> float:
        """Share of the block's characters in links, in [0, 1]."""
        return self.link_chars / self.chars if self.chars else 0.0


@dataclass(frozen=True, slots=True)
class Blocks(Sequence[Block]):
    """The blocks of a page: columns of equal length B, in document order.

    Hidden runs in a block that is shown do not belong to its text, and their characters do not
    count.
    """

    #: The nearest block-level element above the block's first run. If only one of the run and the
    #: text directly in this element is hidden, it is the element directly above the run.
    node: array[int]
    first_run: array[int]  #: of a block that is shown, the first run that is shown
    end_run: array[int]
    text: list[str]  #: text; lines of <br> and <pre> are kept
    chars: array[int]  #: number of characters of the runs, without separators
    link_chars: array[int]  #: number of these characters inside <a>
    unshown: frozenset[int] = frozenset()  #: hidden runs in blocks that are shown

    def __len__(self) -> int:
        return len(self.node)

    def runs(self, block: int) -> Sequence[int]:
        """Return the runs of a block's text, ascending."""
        runs = range(self.first_run[block], self.end_run[block])
        return [k for k in runs if k not in self.unshown] if self.unshown else runs

    def __getitem__(self, k: int) -> Block:  # type: ignore[override]
        """Return block ``k``; for slices, use the columns."""
        k += len(self.node) if k < 0 else 0
        return Block(k, self.node[k], self.text[k], self.chars[k], self.link_chars[k])


#: Kinds of tags, as bits.
_PARTING: Final = 1  #: separates text
_FLOWING: Final = 2  #: separates text, but may be in a line
_APART: Final = 4
_PREFORMATTED: Final = 8
_VOID: Final = 16
_BREAKING: Final = 32
_KINDS: Final = tags.bits(
    tags.BLOCK | tags.APART,
    tags.APART,
    tags.APART,
    tags.PREFORMATTED,
    tags.VOID,
    {"br"},
)
#: Kinds of nodes that depend on where the node is.
_IN_LINE: Final = 64
_UNSHOWN: Final = 128
_WRAPPED: Final = 256  #: keeps the ends of lines in its text
_OWN_LINE: Final = 512
#: Bits that a node keeps if it does not end a line.
_KEPT: Final = _PREFORMATTED | _VOID | _IN_LINE | _WRAPPED
#: Styles that keep the ends of lines, and styles of inline elements that are lines of their own.
_STYLE_SIGNS: Final = {"style": Signs("white-space", "display")}
_WHITE_SPACE: Final = re.compile(r"white-space\s{0,9}:\s{0,9}(?:(pre(?!\w)|break-spaces)|\w)")
_LINE_STYLE: Final = re.compile(
    r"display(?<![\w-]display)\s{0,9}:\s{0,9}(?:block|flex|grid|list-item)\s{0,9}(?:$|[;!])"
)
_FLOATS: Final = re.compile(r"float\s{0,9}:\s{0,9}[lr]|absolute")


class _Reading:
    """The runs that are read so far, and the gap between the last run and the next."""

    def __init__(self, most: int) -> None:
        self.node, self.gaps = arrays.unset_longs(most), arrays.unset_longs(most)
        self.tags_before = arrays.unset_longs(most)
        self.texts: list[str] = arrays.untracked([])
        self.preformatted: dict[int, str] = {}
        self.count = 0  #: number of runs
        self.seen = 0  #: number of start and end tags
        self.gap = _BREAK
        self.pre = 0  #: number of open <pre>
        self.blanks: list[str] = []  #: white space in <pre> since the last run

    def add(self, texts: Texts, k: int, owner: int, kind: int) -> None:
        """Add a run if the text is not empty, and note the gap after it.

        ``kind`` is that of the owner. With kept ends of lines, add a run for each line.
        """
        if kind & _WRAPPED and not self.pre:
            self.add_lines(texts.at(k), owner)
            return
        if not texts.has_words(k):
            if self.pre:
                self.blanks.append(texts.at(k))
            elif self.gap == _JOINED:
                self.gap = _SPACE
            return
        text, begins, ends = texts.folded(k), texts.begins_blank(k), texts.ends_blank(k)
        if _is_soft(text):
            raw = _SOFT.sub("", texts.at(k))
            text, begins, ends = " ".join(raw.split()), raw[:1].isspace(), raw[-1:].isspace()
        if not texts.is_seen(k, INVISIBLE):
            if self.gap == _JOINED and begins and not self.pre:
                self.gap = _SPACE
            return
        if self.pre:
            self.preformatted[self.count] = "".join([*self.blanks, _SOFT.sub("", texts.at(k))])
            self.blanks = []
        elif self.gap == _JOINED and begins:
            self.gap = _SPACE
        self.append(text, owner)
        self.gap = _SPACE if not self.pre and ends else _JOINED

    def append(self, text: str, owner: int) -> None:
        """Add a run."""
        self.texts.append(text)
        node, gaps = arrays.longs(self.node), arrays.longs(self.gaps)
        tags_before = arrays.longs(self.tags_before)
        node[self.count], gaps[self.count] = owner, self.gap
        tags_before[self.count] = self.seen
        self.count += 1

    def add_lines(self, text: str, owner: int) -> None:
        """Add a run for each line of a text; an empty line ends the block."""
        for number, line in enumerate(text.split("\n")):
            if number:
                self.break_line()
            if self.gap == _JOINED and line[:1].isspace():
                self.gap = _SPACE
            folded = " ".join(_SOFT.sub("", line).split())
            if folded.strip(INVISIBLE):
                self.append(folded, owner)
                self.gap = _SPACE if line[-1:].isspace() else _JOINED

    def break_line(self) -> None:
        """End the line, or the block if the line has ended."""
        self.gap = _LINE if self.gap < _LINE else _BREAK

    def end_line(self) -> None:
        """End the line if it has not ended; not in <pre>."""
        if self.gap < _LINE and not self.pre:
            self.gap = _LINE


def _is_soft(text: str) -> bool:
    """Return whether a text may contain characters that `_SOFT` matches."""
    if text.isascii():
        return False
    if "\u00ad" in text or "\u200b" in text or "\u2060" in text or "\ufeff" in text:
        return True
    return "\u200c" in text or "\u200d" in text


def read_runs(nodes: Nodes, hidden: Hidden) -> Runs:
    """Return the runs of these nodes, in one pass.

    Hidden elements do not end a line: the text around them is joined as if they were missing.
    """
    kinds = nodes.kinds(_KINDS)
    inline = find_inline(nodes, hidden.mask)
    _mark(kinds, nodes.parent, hidden, inline)
    ends = _mark_styled(nodes, kinds, hidden.mask)
    n = len(nodes)
    text, tail = nodes.text, nodes.tail
    first_run, end_run = arrays.unset_longs(n), arrays.unset_longs(n)
    first, end = arrays.longs(first_run), arrays.longs(end_run)
    kind_of, parent = arrays.longs(kinds), arrays.longs(nodes.parent)
    node_end = arrays.longs(nodes.end)
    to = _Reading(text.with_words() + tail.with_words() + ends)
    current = closes = -1  # the innermost open node, and its end
    blanks: list[str] = []
    gap, pre = _BREAK, 0  # state before a hidden element
    unshown: list[range] = []  # runs in hidden elements
    # One more iteration than there are nodes: the last one closes the open nodes.
    for i in range(n + 1):
        while current >= 0 and closes == i:
            kind = kind_of[current]
            if kind & _PARTING:
                if kind & _FLOWING:
                    if kind & _UNSHOWN:
                        to.gap, to.pre, to.blanks = gap, pre, blanks
                        unshown.append(range(first[current], to.count))  # objects
                    if kind & _OWN_LINE:
                        to.end_line()
                    elif to.gap == _JOINED and (kind & _APART or _goes_on(kind, tail, current)):
                        to.gap = _SPACE
                else:
                    to.gap = _BREAK
                    if to.blanks:
                        to.blanks = []
                    to.pre -= 1 if kind & _PREFORMATTED else 0
            to.seen += 0 if kind & _VOID else 1
            end[current] = to.count
            closed, current = current, parent[current]
            if current >= 0:
                closes = node_end[current]
                if not tail.is_empty(closed):
                    to.add(tail, closed, current, kind_of[current])
        if i == n:
            break
        first[i] = to.count
        current, closes = i, node_end[i]
        kind = kind_of[i]
        if kind & _PARTING:
            if kind & _UNSHOWN:
                gap, pre, blanks = to.gap, to.pre, to.blanks
                to.gap, to.pre, to.blanks = _BREAK, 1 if kind & _PREFORMATTED else 0, []
            elif not kind & _FLOWING:
                to.gap = _BREAK
                to.pre += 1 if kind & _PREFORMATTED else 0
            elif kind & _OWN_LINE:
                to.end_line()
            elif to.gap == _JOINED and (kind & _APART or _ends_in_word(to.texts)):
                to.gap = _SPACE
        elif kind & _BREAKING:
            to.break_line()
        to.seen += 1
        if not text.is_empty(i):
            to.add(text, i, i, kind)
    for column in (to.node, to.gaps, to.tags_before):
        del column[to.count :]
    _join_across(to.gaps, unshown)
    columns = to.node, to.texts, to.gaps, to.tags_before, to.preformatted
    return Runs(*columns, first_run, end_run, inline)


def _mark(kinds: array[int], parent: Sequence[int], hidden: Hidden, inline: frozenset[int]) -> None:
    """Set the bits of nodes that do not end a line: inline elements and hidden elements."""
    for i in inline:
        kinds[i] = kinds[i] & _KEPT | _PARTING | _FLOWING | _IN_LINE
    for i in inline.union(hidden.elements):
        if hidden.mask[i] and not (parent[i] >= 0 and hidden.mask[parent[i]]):
            kinds[i] = kinds[i] & _KEPT | _PARTING | _FLOWING | _UNSHOWN


def _mark_styled(nodes: Nodes, kinds: array[int], hidden: bytearray) -> int:
    """Set the bits of nodes whose style keeps ends of lines or makes a line of its own.

    Return the number of ends of lines that are kept.
    """
    count, wraps = 0, dict[int, bool]()
    for i, _, given in nodes.attributes.with_signs(_STYLE_SIGNS):
        style = given.lower()
        is_line = _LINE_STYLE.search(style) and not _FLOATS.search(style)
        if is_line and not hidden[i] and not kinds[i] & (_PARTING | _VOID):
            kinds[i] |= _PARTING | _FLOWING | _OWN_LINE
        if space := _WHITE_SPACE.search(style):
            wraps[i] = bool(space[1])
    for top in nodes.outermost(wraps) if True in wraps.values() else ():
        for i in range(top, nodes.end[top]):
            is_within = i > top and kinds[nodes.parent[i]] & _WRAPPED
            count += nodes.tail.at(i).count("\n") if is_within else 0
            if wraps.get(i, is_within):
                kinds[i] |= _WRAPPED
                count += nodes.text.at(i).count("\n")
    return count


def _goes_on(kind: int, tail: Texts, node: int) -> bool:
    """Return whether an element is part of a line and a letter or digit directly follows it."""
    return kind & _IN_LINE != 0 and tail.at(node)[:1].isalnum()


def _ends_in_word(texts: list[str]) -> bool:
    text = texts[len(texts) - 1]
    return text[len(text) - 1].isalnum()


def _join_across(gaps: MutableSequence[int], unshown: Sequence[range]) -> None:
    """Put hidden runs into the surrounding block if its text continues after them."""
    after, gap = -1, _BREAK
    for runs in reversed(unshown):
        if runs.stop != after:
            gap = gaps[runs.stop] if runs.stop < len(gaps) else _BREAK
        after = runs.start
        if gap != _BREAK:
            for k in runs:
                gaps[k] = min(gaps[k], gap)


def read_blocks(
    runs: Runs, containers: array[int], is_link: bytearray, hidden: bytearray
) -> Blocks:
    """Return the blocks of these runs.

    Per node, ``containers`` has the nearest block-level element at or above it, ``is_link`` is 1 if
    it is in a link, ``hidden`` is 1 if its text is not shown.
    """
    texts, preformatted, gaps = runs.text, runs.preformatted, runs.gap
    owner, gap = arrays.longs(runs.node), arrays.longs(gaps)
    container = arrays.longs(containers)
    linked, unread = arrays.octets(is_link), arrays.octets(hidden)
    n, blocks = len(texts), 0
    for k in range(n):
        blocks += gap[k] == _BREAK
    nodes, firsts = arrays.unset_longs(blocks), arrays.unset_longs(blocks)
    ends, all_chars = arrays.unset_longs(blocks), arrays.new_longs(blocks)
    all_link_chars = arrays.new_longs(blocks)
    node, first, end = arrays.longs(nodes), arrays.longs(firsts), arrays.longs(ends)
    chars, link_chars = arrays.longs(all_chars), arrays.longs(all_link_chars)
    text: list[str] = arrays.untracked([])
    unshown: set[int] = set()
    begin = 0
    while begin < n and gap[begin] != _BREAK:
        begin += 1
    for block in range(blocks):
        last = begin + 1
        while last < n and gap[last] != _BREAK:
            last += 1
        shown = begin
        while shown < last and unread[owner[shown]]:
            shown += 1
        is_shown = shown < last
        if is_shown:
            begin = shown
        around = container[owner[begin]]
        if unread[around] != unread[owner[begin]]:
            around = owner[begin]
        for k in range(begin, last):
            if k > begin and is_shown and unread[owner[k]]:
                unshown.add(k)
                continue
            length = len(texts[k])  # objects
            chars[block] += length
            if linked[owner[k]]:
                link_chars[block] += length
        text.append(_joined(texts, gaps, preformatted, begin, last, unshown))
        node[block], first[block], end[block] = around, begin, last
        begin = last
    columns = nodes, firsts, ends, text, all_chars, all_link_chars
    return Blocks(*columns, frozenset(unshown))


def _joined(
    texts: list[str],
    gaps: array[int],
    preformatted: dict[int, str],
    first: int,
    end: int,
    without: set[int],
) -> str:
    """Join the runs of one block, except ``without``, with the separators of their gaps."""
    if end - first == 1 and not preformatted:
        return texts[first]
    gap = arrays.longs(gaps)
    parts = [preformatted.get(first) or texts[first]]
    apart = _JOINED  # the greatest gap since the last part
    for k in range(first + 1, end):
        apart = max(apart, gap[k])
        if without and k in without:
            continue
        if apart != _JOINED:
            parts.append(" " if apart == _SPACE else "\n")
        apart = _JOINED
        parts.append(preformatted.get(k) or texts[k])
    text = "".join(parts)
    return text.strip("\r\n").rstrip() if first in preformatted else text
