"""The text of a page as flat columns in document order: runs, and the blocks made of them.

A run is a piece of text directly below one node, white space folded, never empty. A block is a
maximal series of runs that no block-level tag and no double <br> interrupts. What is hidden
interrupts nothing, and what may stand in a line of text only if it does not.

An element of `tags.INLINE` may be part of the line around it, as a word is, or a block of its own.
A browser decides by style sheets. Here it is part of a line if text of the same block comes after
it, and one of these holds:

* the block is one that holds a line of text (<p>, a heading);
* text comes before it too, and at least one of the two texts is directly in the block, not in an
  inline element. (Menus and rows of icons have each label in an inline element.)
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterator, MutableSequence, Sequence
from dataclasses import dataclass, fields
from typing import Final, NamedTuple

from scrapy_webtext.compiled import compiled
from scrapy_webtext.page import tags
from scrapy_webtext.page.hidden import Hidden
from scrapy_webtext.page.nodes import Nodes, prefix_sums

#: The gap between a run and the run before it (values of ``Runs.gap``), in ascending order.
JOINED: Final = 0  #: nothing between them: "foo<b>bar</b>" is one word
SPACE: Final = 1  #: white space
LINE: Final = 2  #: one <br>
BREAK: Final = 3  #: a block-level tag begins or ends, or two <br>

#: White space, control characters, characters of no width: a text of these only is empty.
INVISIBLE: Final = "".join(
    [
        *filter(str.isspace, map(chr, range(0x3001))),
        *map(chr, range(0x20)),
        "\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff\ufffe\uffff",
    ]
)

#: The separator of each gap in rendered text.
SEPARATORS: Final = ("", " ", "\n", "\n")


@dataclass(frozen=True, slots=True, eq=False)
class Runs:
    """The pieces of text of a page: columns of equal length K, in document order."""

    node: Sequence[int]  #: the element directly above the text
    text: list[str]  #: white space folded, never empty
    gap: Sequence[int]  #: JOINED, SPACE, LINE or BREAK
    tags_before: Sequence[int]  #: start and end tags that come before it
    preformatted: dict[int, str]  #: run -> its text as it stands, inside <pre>
    first: Sequence[int]  #: per node, the first run of its subtree
    end: Sequence[int]  #: per node, the run after the last of its subtree
    inline: frozenset[int]  #: of the elements of `tags.INLINE`, those in a line of text

    def __len__(self) -> int:
        return len(self.node)

    def __eq__(self, other: object) -> bool:
        return _columns(self) == _columns(other) if isinstance(other, Runs) else NotImplemented


class Block(NamedTuple):
    """One block, as a row of :class:`Blocks`."""

    number: int
    node: int
    text: str
    chars: int
    link_chars: int

    @property
    def link_density(self) -> float:
        """Share of the block's characters that stand in links, in [0, 1]."""
        return self.link_chars / self.chars if self.chars else 0.0


@dataclass(frozen=True, slots=True, eq=False)
class Blocks(Sequence[Block]):
    """The blocks of a page: columns of equal length B, in document order.

    Hidden runs within a block that is shown are not part of its text and characters.
    """

    #: The nearest block-level element around the block's first run; of a block that is hidden
    #: within one that is shown, the element directly above that run.
    node: Sequence[int]
    first_run: Sequence[int]
    end_run: Sequence[int]
    text: list[str]  #: lines of <br> and <pre> kept
    chars: Sequence[int]  #: characters of the runs (separators between runs not counted)
    link_chars: Sequence[int]  #: of these, inside <a>
    unshown: frozenset[int] = frozenset()  #: hidden runs within blocks that are shown

    def __len__(self) -> int:
        return len(self.node)

    def runs(self, block: int) -> Sequence[int]:
        """Return the runs that a block's text is made of, ascending."""
        runs = range(self.first_run[block], self.end_run[block])
        return [k for k in runs if k not in self.unshown] if self.unshown else runs

    def __getitem__(self, number: int) -> Block:  # type: ignore[override]
        """Return row ``number``. For slices, use the columns."""
        if number < 0:
            number += len(self.node)
        return Block(
            number,
            self.node[number],
            self.text[number],
            self.chars[number],
            self.link_chars[number],
        )

    def __eq__(self, other: object) -> bool:
        return _columns(self) == _columns(other) if isinstance(other, Blocks) else NotImplemented


def _columns(table: Runs | Blocks) -> list[object]:
    """Return the columns in a form in which those are equal that hold the same."""
    columns = (getattr(table, field.name) for field in fields(table))
    return [list(column) if isinstance(column, Sequence) else column for column in columns]


#: What elements are called while runs are read that part no line; no page names one so.
_UNSHOWN: Final = "\0hidden"
_IN_LINE: Final = "\0inline"
#: Elements that may stand within a line, and those that begin or end something.
_FLOWING: Final = tags.APART | {_UNSHOWN, _IN_LINE}
_PARTING: Final = tags.BLOCK | _FLOWING
_BLOCK: Final = tags.BLOCK - tags.INLINE
#: Elements around and beside one that are searched; others are in another line.
_REACH: Final = 32


@compiled
def read_runs(nodes: Nodes, hidden: Hidden) -> Runs:
    """Return the pieces of text of these nodes, in one pass.

    What is hidden parts no line: the text around it is set off as if nothing were there.
    """
    node: list[int] = []
    texts: list[str] = []
    gaps: list[int] = []
    tags_before: list[int] = []
    preformatted: dict[int, str] = {}
    first: list[int] = []
    end = [0] * len(nodes)
    inline = find_inline(nodes, hidden.mask)
    tag, parent, node_end, tail = nodes.tag, nodes.parent, nodes.end, nodes.tail
    names, closed = _names(tag, hidden, inline), hidden.closed
    gap = BREAK  # what stands between the last run and the next
    seen = 0  # start and end tags so far
    pre = 0  # open <pre>
    blank: list[str] = []  # white space in <pre> since the last run
    current = -1  # the innermost open node
    around = (gap, pre, blank)  # these three around what is hidden
    unshown: list[range] = []  # runs in it

    def add(piece: str, owner: int) -> int:
        """Record a piece of text; return the gap that it leaves behind."""
        words = piece.split()
        if owner in closed or (words and not piece.strip(INVISIBLE)):
            return gap
        if pre:
            if not words:
                blank.append(piece)
                return gap
            preformatted[len(node)] = "".join([*blank, piece])
            blank.clear()
        node.append(owner)
        texts.append(" ".join(words))
        tags_before.append(seen)
        gaps.append(SPACE if gap == JOINED and not pre and piece[0].isspace() else gap)
        return SPACE if not pre and piece[-1].isspace() else JOINED

    # One turn more than there are nodes: the last closes what is still open.
    for i, (name, text) in enumerate(zip([*names, ""], [*nodes.text, None], strict=True)):
        while current >= 0 and node_end[current] == i:
            ended = names[current]
            if ended in _PARTING:
                if ended in _FLOWING:
                    if ended == _UNSHOWN:
                        gap, pre, blank = around
                        unshown.append(range(first[current], len(node)))
                    if gap == JOINED and (ended in tags.APART or _goes_on(inline, current, tail)):
                        gap = SPACE
                else:
                    gap = BREAK
                    pre -= ended in tags.PREFORMATTED
                    blank = []
            seen += tag[current] not in tags.VOID
            end[current] = len(node)
            piece = tail[current]
            current = parent[current]
            if piece and current >= 0:
                if pre or not piece.isspace():
                    gap = add(piece, current)
                elif gap == JOINED:
                    gap = SPACE
        if i == len(tag):
            break
        first.append(len(node))
        current = i
        if name in _PARTING:
            if name == _UNSHOWN:
                around = (gap, pre, blank)
                gap, pre, blank = BREAK, int(tag[i] in tags.PREFORMATTED), []
            elif name not in _FLOWING:
                gap = BREAK
                pre += name in tags.PREFORMATTED
            elif gap == JOINED and (name in tags.APART or texts[-1][-1].isalnum()):
                gap = SPACE
        elif name == "br":
            gap = LINE if gap < LINE else BREAK
        seen += 1
        if text:
            if pre or not text.isspace():
                gap = add(text, i)
            elif gap == JOINED:
                gap = SPACE
    _join_across(gaps, unshown)
    return Runs(node, texts, gaps, tags_before, preformatted, first, end, inline)


def _names(tag: list[str], hidden: Hidden, inline: frozenset[int]) -> list[str]:
    """Return what each node is called while runs are read."""
    parting_nothing = inline.union(hidden.elements)
    unshown = [i for i in hidden.tops if i in parting_nothing]
    if not unshown and not inline:
        return tag
    names = tag.copy()
    for i in inline:
        names[i] = _IN_LINE
    for i in unshown:
        names[i] = _UNSHOWN
    return names


def _goes_on(inline: Collection[int], node: int, tail: Sequence[str | None]) -> bool:
    """Whether a word follows right on an element in a line."""
    piece = tail[node]
    return node in inline and piece is not None and piece[:1].isalnum()


def _join_across(gaps: MutableSequence[int], unshown: Sequence[range]) -> None:
    """Let hidden runs lie in the block around them, if text of it goes on behind them."""
    after, gap = -1, BREAK
    for runs in reversed(unshown):
        if runs.stop != after:
            gap = gaps[runs.stop] if runs.stop < len(gaps) else BREAK
        after = runs.start
        if gap != BREAK:
            for k in runs:
                gaps[k] = min(gaps[k], gap)


@compiled
def read_blocks(
    runs: Runs, containers: Sequence[int], is_link: Sequence[int], hidden: bytearray
) -> Blocks:
    """Return the blocks of these runs.

    ``containers`` has per node the nearest block-level element at or above it, ``is_link`` per
    node whether it is in a link, ``hidden`` whether its text is not shown.
    """
    first = [k for k, gap in enumerate(runs.gap) if gap == BREAK]
    end = [*first[1:], len(runs)] if first else []
    lengths = list(map(len, runs.text))
    unshown: set[int] = set()
    node = [containers[runs.node[k]] for k in first]
    for k in (k for k, i in enumerate(runs.node) if hidden[i]):
        block = bisect_right(first, k) - 1
        if first[block] == k:
            if not hidden[node[block]]:
                node[block] = runs.node[k]
        elif not hidden[runs.node[first[block]]]:
            unshown.add(k)
            lengths[k] = 0
    chars = prefix_sums(lengths)
    link_chars = prefix_sums(
        n if is_link[i] else 0 for n, i in zip(lengths, runs.node, strict=True)
    )
    return Blocks(
        node=node,
        first_run=first,
        end_run=end,
        text=[_joined(runs, k, z, unshown) for k, z in zip(first, end, strict=True)],
        chars=[chars[z] - chars[k] for k, z in zip(first, end, strict=True)],
        link_chars=[link_chars[z] - link_chars[k] for k, z in zip(first, end, strict=True)],
        unshown=frozenset(unshown),
    )


def _joined(runs: Runs, first: int, end: int, without: Collection[int]) -> str:
    """Text of the runs of one block, each set off as its gap says."""
    if end - first == 1 and not runs.preformatted:
        return runs.text[first]
    as_it_stands = runs.preformatted.get
    parts = [as_it_stands(first) or runs.text[first]]
    for k in range(first + 1, end):
        if k not in without:
            parts += (SEPARATORS[runs.gap[k]], as_it_stands(k) or runs.text[k])
    text = "".join(parts)
    return text.strip("\r\n").rstrip() if first in runs.preformatted else text


@compiled
def find_inline(nodes: Nodes, hidden: bytearray) -> frozenset[int]:
    """Return which elements of `tags.INLINE` stand in a line of text; none inside ``hidden``."""
    if tags.INLINE.isdisjoint(nodes.tag):
        return frozenset()
    parent = nodes.parent
    candidates = (i for i in nodes.tagged(tags.INLINE) if parent[i] >= 0 and not hidden[parent[i]])
    return frozenset(i for i in candidates if _is_in_line(nodes, hidden, i))


def _is_in_line(nodes: Nodes, hidden: bytearray, node: int) -> bool:
    around = list(_inline_around(nodes, node))
    block = nodes.parent[around[-1]]
    if block < 0 or nodes.tag[block] not in _BLOCK:
        return False
    if not any(map(_is_text, _text_after(nodes, hidden, around, block))):
        return False
    if nodes.tag[block] in tags.PARAGRAPH:
        return True
    own = any(map(_is_text, _beside(nodes, around[-1])))
    return own and any(map(_is_text, _text_before(nodes, hidden, around, block)))


def _inline_around(nodes: Nodes, node: int) -> Iterator[int]:
    """Yield an element and the inline elements around it, outwards."""
    for _ in range(_REACH):
        yield node
        node = nodes.parent[node]
        if node < 0 or nodes.tag[node] in _BLOCK:
            return


def _beside(nodes: Nodes, node: int) -> tuple[str | None, str | None]:
    """Return the text directly before and after an element."""
    parent, before = nodes.parent, node - 1
    if before == parent[node]:
        return nodes.text[before], nodes.tail[node]
    for _ in range(_REACH):
        if parent[before] == parent[node]:
            return nodes.tail[before], nodes.tail[node]
        before = parent[before]
    return None, nodes.tail[node]


def _text_after(
    nodes: Nodes, hidden: bytearray, around: list[int], block: int
) -> Iterator[str | None]:
    """Yield the text after an element, up to the end of its block."""
    for i in around:
        yield nodes.tail[i]
    first = nodes.end[around[0]]
    for i in range(first, min(nodes.end[block], first + _REACH)):
        if not hidden[i]:
            yield nodes.text[i]
        yield nodes.tail[i]


def _text_before(
    nodes: Nodes, hidden: bytearray, around: list[int], block: int
) -> Iterator[str | None]:
    """Yield the text before an element, from the beginning of its block."""
    node = around[0]
    yield nodes.text[block]
    for i in around[1:]:
        yield nodes.text[i]
    for i in range(max(block + 1, node - _REACH), node):
        if not hidden[i]:
            yield nodes.text[i]
        if nodes.end[i] <= node:
            yield nodes.tail[i]


def _is_text(piece: str | None) -> bool:
    return bool(piece) and not piece.isspace()  # type: ignore[union-attr]
