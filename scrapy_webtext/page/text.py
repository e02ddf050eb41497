"""The text of a page as flat columns in document order: runs, and the blocks made of them.

A run is a piece of text directly below one node, white space folded, never empty. A block is a
maximal series of runs that no block-level tag and no double <br> interrupts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from scrapy_webtext.page import tags
from scrapy_webtext.page.nodes import Nodes
from scrapy_webtext.page.sums import prefix_sums

#: How a run is set off from the one before it (values of ``Runs.gap``), weakest first.
JOINED: Final = 0  #: nothing between them: "foo<b>bar</b>" is one word
SPACE: Final = 1  #: white space
LINE: Final = 2  #: one <br>
BREAK: Final = 3  #: a block-level tag begins or ends, or two <br>

#: What stands for each gap in rendered text.
SEPARATORS: Final = ("", " ", "\n", "\n")


@dataclass(frozen=True, slots=True)
class Runs:
    """The pieces of text of a page: columns of equal length K, in document order."""

    node: list[int]  #: the element directly above the text
    text: list[str]  #: white space folded, never empty
    gap: list[int]  #: JOINED, SPACE, LINE or BREAK
    tags_before: list[int]  #: start and end tags that come before it
    preformatted: dict[int, str]  #: run -> its text as it stands, inside <pre>
    first: list[int]  #: per node, the first run of its subtree
    end: list[int]  #: per node, the run after the last of its subtree

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
        """Share of the block's characters that stand in links, in [0, 1]."""
        return self.link_chars / self.chars if self.chars else 0.0


@dataclass(frozen=True, slots=True)
class Blocks(Sequence[Block]):
    """The blocks of a page: columns of equal length B, in document order."""

    node: list[int]  #: the nearest block-level element around the block's first run
    first_run: list[int]
    end_run: list[int]
    text: list[str]  #: lines of <br> and <pre> kept
    chars: list[int]  #: characters of the runs (separators between runs not counted)
    link_chars: list[int]  #: of these, inside <a>

    def __len__(self) -> int:
        return len(self.node)

    def __getitem__(self, number: int) -> Block:  # type: ignore[override]
        """Return row ``number``; slices are not offered, the columns have them."""
        if number < 0:
            number += len(self.node)
        return Block(
            number,
            self.node[number],
            self.text[number],
            self.chars[number],
            self.link_chars[number],
        )


def read_runs(nodes: Nodes) -> Runs:
    """Return the pieces of text of these nodes, in one pass."""
    node: list[int] = []
    texts: list[str] = []
    gaps: list[int] = []
    tags_before: list[int] = []
    preformatted: dict[int, str] = {}
    first: list[int] = []
    end = [0] * len(nodes)
    block_tags, pre_tags, void_tags = tags.BLOCK, tags.PREFORMATTED, tags.VOID
    apart_tags = tags.APART
    tag, parent, node_end, tail = nodes.tag, nodes.parent, nodes.end, nodes.tail
    gap = BREAK  # what stands between the last run and the next
    seen = 0  # start and end tags so far
    pre = 0  # open <pre>
    blank = ""  # white space in <pre> since the last run
    current = -1  # the innermost open node

    def add(piece: str, owner: int) -> int:
        """Record a piece of text; return the gap that it leaves behind."""
        nonlocal blank
        words = piece.split()
        if pre:
            if not words:
                blank += piece
                return gap
            preformatted[len(node)] = blank + piece
            blank = ""
        node.append(owner)
        texts.append(" ".join(words))
        tags_before.append(seen)
        gaps.append(SPACE if gap == JOINED and not pre and piece[0].isspace() else gap)
        return SPACE if not pre and piece[-1].isspace() else JOINED

    # One turn more than there are nodes: the last closes what is still open.
    for i, (name, text) in enumerate(zip([*tag, ""], [*nodes.text, None], strict=True)):
        while current >= 0 and node_end[current] == i:
            ended = tag[current]
            if ended in block_tags:
                gap = BREAK
                pre -= ended in pre_tags
                blank = ""
            elif gap == JOINED and ended in apart_tags:
                gap = SPACE
            seen += ended != "" and ended not in void_tags
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
        if name in block_tags:
            gap = BREAK
            pre += name in pre_tags
        elif name == "br":
            gap = LINE if gap < LINE else BREAK
        elif gap == JOINED and name in apart_tags:
            gap = SPACE
        seen += name != ""
        if text:
            if pre or not text.isspace():
                gap = add(text, i)
            elif gap == JOINED:
                gap = SPACE
    return Runs(node, texts, gaps, tags_before, preformatted, first, end)


def read_blocks(runs: Runs, containers: Sequence[int], is_link: Sequence[int]) -> Blocks:
    """Return the blocks of these runs.

    ``containers`` has per node the nearest block-level element at or above it, ``is_link`` per
    node whether it is in a link.
    """
    first = [k for k, gap in enumerate(runs.gap) if gap == BREAK]
    end = [*first[1:], len(runs)] if first else []
    lengths = list(map(len, runs.text))
    chars = prefix_sums(lengths)
    link_chars = prefix_sums(
        n if is_link[i] else 0 for n, i in zip(lengths, runs.node, strict=True)
    )
    return Blocks(
        node=[containers[runs.node[k]] for k in first],
        first_run=first,
        end_run=end,
        text=[_joined(runs, k, z) for k, z in zip(first, end, strict=True)],
        chars=[chars[z] - chars[k] for k, z in zip(first, end, strict=True)],
        link_chars=[link_chars[z] - link_chars[k] for k, z in zip(first, end, strict=True)],
    )


def _joined(runs: Runs, first: int, end: int) -> str:
    """Text of the runs of one block, each set off as its gap says."""
    if end - first == 1 and not runs.preformatted:
        return runs.text[first]
    as_it_stands = runs.preformatted.get
    parts = [as_it_stands(first) or runs.text[first]]
    for k in range(first + 1, end):
        parts += (SEPARATORS[runs.gap[k]], as_it_stands(k) or runs.text[k])
    text = "".join(parts)
    return text.strip("\r\n").rstrip() if first in runs.preformatted else text
