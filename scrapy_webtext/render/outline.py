"""The outline of chosen text: its blocks in order, each with the containers that it stands in.

All renderings (text, Markdown, HTML, rows) are made of one outline, so that they hold the same
words in the same order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import compress
from typing import Final, NamedTuple

from scrapy_webtext.page import storable_text
from scrapy_webtext.page.text import SEPARATORS, Runs
from scrapy_webtext.page.tree import Page
from scrapy_webtext.render.containers import (
    CAPTION,
    CELL,
    CODE,
    DEFINITION,
    ITEM,
    MAX_DEPTH,
    QUOTE,
    TERM,
    Path,
    complete,
    read_containers,
)
from scrapy_webtext.render.layout import layout_tables

#: Quotes that are all of their entries are posts where there are so many.
MIN_POSTS: Final = 3
#: Where one of these is around all of the text, it says nothing of the text.
_AROUND_ALL: Final = frozenset({ITEM, CELL, TERM, DEFINITION, QUOTE, CAPTION})


class Leaf(NamedTuple):
    """One block of the text, whole or in part."""

    text: str  #: its lines; white space folded, except in code
    path: Path = ()  #: the containers that it stands in
    block: int = -1  #: of the page; -1 where the text is not the page's
    runs: Sequence[int] = ()  #: of the page, ascending


@dataclass(frozen=True)
class Outline:
    """The blocks of a text, in order: columns of equal length. Not slotted: `leaves` are cached."""

    texts: Sequence[str]  #: `Leaf.text`
    paths: Sequence[Path]  #: `Leaf.path`
    role: Mapping[int, str]  #: of the containers
    page: Page | None  #: None where the text is not the page's
    blocks: Sequence[int] = ()  #: `Leaf.block`
    chosen: Sequence[int] | None = None  #: runs of the page; None where blocks are there whole
    left_out: frozenset[int] = frozenset()  #: containers that say nothing of this text
    lines_of: str = ""  #: the text, where it is not the page's
    links: bool = True  #: whether renderings say where links lead
    is_storable: bool = True  #: no run has characters that texts are cleaned of

    @cached_property
    def leaves(self) -> Sequence[Leaf]:
        """The rows of the columns. Plain text is made without them."""
        page, chosen = self.page, self.chosen
        if page is None:
            return list(map(Leaf, self.texts))
        runs: Iterable[Sequence[int]] = map(page.blocks.runs, self.blocks)
        if chosen is not None:
            runs = map(dict(_by_block(page.blocks.end_run, chosen)).__getitem__, self.blocks)
        return list(map(Leaf, self.texts, self.paths, self.blocks, runs))

    def kind(self, leaf: Leaf) -> str:
        """Return the role of the innermost container of a block, "" where there is none."""
        return self.role[leaf.path[-1]] if leaf.path else ""


def outline_of_blocks(page: Page, chosen: Iterable[int]) -> Outline:
    """Return the outline of whole blocks, given in ascending order."""
    return _outline(page, [(b, page.blocks.runs(b)) for b in chosen])


def outline_of_runs(page: Page, chosen: Iterable[int]) -> Outline:
    """Return the outline of these runs, given in ascending order."""
    runs = list(chosen)
    return _outline(page, list(_by_block(page.blocks.end_run, runs)), runs)


def blocks_in_tables(page: Page, chosen: Iterable[int]) -> frozenset[int]:
    """Return those of the chosen blocks that are cells or captions of a table.

    A table that lays out the page, or that is around all of them, is none.
    """
    outline = outline_of_blocks(page, chosen)
    nodes = page.nodes
    return frozenset(
        block
        for block, path in zip(outline.blocks, outline.paths, strict=True)
        if any(outline.role[i] == CELL or nodes.tag[i] == "caption" for i in path)
    )


def outline_of_lines(text: str) -> Outline:
    """Return the outline of a text of which only its lines are known: a paragraph each."""
    lines = list(filter(None, map(str.strip, text.split("\n"))))
    return Outline(lines, [()] * len(lines), {}, None, lines_of=text)


def _by_block(end_run: Sequence[int], chosen: Iterable[int]) -> Iterator[tuple[int, list[int]]]:
    """Yield the blocks of these runs, each with its runs among them."""
    block = 0
    some: list[int] = []
    for k in chosen:
        if k >= end_run[block]:
            if some:
                yield block, some
                some = []
            while k >= end_run[block]:
                block += 1
        some.append(k)
    if some:
        yield block, some


def _outline(
    page: Page, parts: Sequence[tuple[int, Sequence[int]]], chosen: Sequence[int] | None = None
) -> Outline:
    """Return the outline of blocks, each with those of its runs that are in the text."""
    node = page.runs.node
    paths, role = read_containers(page.nodes, [node[some[0]] for _, some in parts])
    left_out = frozenset[int]()
    texts = [
        _text(page, b, some, bool(path) and role[path[-1]] == CODE)
        for (b, some), path in zip(parts, paths, strict=True)
    ]
    blocks = [b for b, _ in parts]
    if any(paths):
        paths, left_out = _meaningful(page, role, paths, texts)
    whole = "".join(texts)
    is_storable = storable_text(whole) == whole
    if not is_storable:
        texts = [
            storable_text(text) if path and role[path[-1]] == CODE else _folded(storable_text(text))
            for text, path in zip(texts, paths, strict=True)
        ]
        kept = [bool(text.strip()) for text in texts]
        texts, paths = list(compress(texts, kept)), list(compress(paths, kept))
        blocks = list(compress(blocks, kept))
    return Outline(texts, paths, role, page, blocks, chosen, left_out, is_storable=is_storable)


def _meaningful(
    page: Page, role: Mapping[int, str], paths: Sequence[Path], texts: Sequence[str]
) -> tuple[list[Path], frozenset[int]]:
    """Return the containers of each block without those that tell nothing, and which these are."""
    left_out = layout_tables(page.nodes, role, paths, texts)
    left_out |= _posts(role, paths)
    if left_out:
        paths = [tuple(i for i in path if i not in left_out) for path in paths]
    around = _around_all(paths, role)
    left_out.update(around)
    paths = [complete(path[len(around) :][:MAX_DEPTH], role) for path in paths]
    return paths, frozenset(left_out)


def _posts(role: Mapping[int, str], paths: Sequence[Path]) -> set[int]:
    """Return the quotes that are posts: each is all of its entry, in `MIN_POSTS` entries."""
    if QUOTE not in role.values():
        return set()
    held: dict[int, list[int]] = {}  # entry -> blocks in it, and in its last quote
    quotes: dict[int, int] = {}
    for path in paths:
        for depth, i in enumerate(path):
            if role[i] != ITEM:
                continue
            inner = path[depth + 1] if depth + 1 < len(path) else -1
            is_quoted = inner >= 0 and role[inner] == QUOTE and quotes.setdefault(i, inner) == inner
            counts = held.setdefault(i, [0, 0])
            counts[0] += 1
            counts[1] += is_quoted
    found = {quotes[i] for i, (whole, quoted) in held.items() if whole == quoted}
    return found if len(found) >= MIN_POSTS else set()


def _text(page: Page, block: int, chosen: Sequence[int], is_code: bool) -> str:
    """Text of a block, of which these runs were chosen."""
    runs, blocks = page.runs, page.blocks
    is_whole = len(chosen) == len(blocks.runs(block))
    if is_whole and (is_code or not runs.preformatted):
        text = blocks.text[block]
    else:
        text = _joined(runs, chosen, is_code)
    return text.replace("\r\n", "\n").replace("\r", "\n") if is_code else text


def _folded(text: str) -> str:
    """Return lines of text without the blanks that characters left which are no more."""
    return "\n".join(" ".join(line.split()) for line in text.split("\n"))


def _around_all(paths: Sequence[Path], role: Mapping[int, str]) -> Path:
    """Return the containers around all of the text, up to the last that tells nothing of it."""
    one, other = min(paths), max(paths)  # what these have in common, all have
    last = 0
    for depth, (i, j) in enumerate(zip(one, other, strict=False), 1):
        if i != j:
            break
        if role[i] in _AROUND_ALL:
            last = depth
    return one[:last]


def _joined(runs: Runs, chosen: Sequence[int], is_code: bool) -> str:
    """Text of some runs of one block, set off by the widest gap between each two."""
    as_it_stands = runs.preformatted if is_code else {}
    parts: list[str] = []
    last = chosen[0]
    for k in chosen:
        if parts:
            parts.append(SEPARATORS[widest_gap(runs, last, k)])
        parts.append(as_it_stands.get(k) or runs.text[k])
        last = k
    text = "".join(parts)
    return text.strip("\r\n").rstrip() if is_code else text


def widest_gap(runs: Runs, one: int, other: int) -> int:
    """Return how two chosen runs are set off, so that what is left out joins no words."""
    gap = runs.gap
    return gap[other] if other == one + 1 else max(gap[one + 1 : other + 1])
