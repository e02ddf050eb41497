"""The text as a tree: containers, with the parts of the text as leaves.

A part is a block, in whole or in part, a formula or a picture. The tree is at most
`containers.MAX_DEPTH` deep, not counting callouts, so functions over it may be recursive.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from scrapy_webtext.page import Page, Runs
from scrapy_webtext.page.text import SEPARATORS
from scrapy_webtext.render.containers import Path, Role, Roles, count_shared


class Formula(NamedTuple):
    """A formula; its elements are ``node <= i < end``."""

    node: int
    end: int
    first_run: int  #: first run of its elements; without runs, the run after them
    end_run: int
    tex: str
    is_display: bool  #: whether it is shown on a line of its own
    before: str  #: separator between the formula and the text before it
    after: str  #: separator between the formula and the text after it

    @property
    def text(self) -> str:
        """The TeX between delimiters."""
        return rf"\[{self.tex}\]" if self.is_display else rf"\({self.tex}\)"


@dataclass(frozen=True, slots=True)
class Image:
    """A picture."""

    node: int
    source: str  #: address; absolute if the page's address is known
    alt: str  #: alternative text, white space folded
    width: int | None
    height: int | None
    is_player: bool = False  #: a video or sound at ``source``


class Part(NamedTuple):
    """A block of the text, in whole or in part, or a formula or picture between blocks."""

    text: str  #: lines with folded white space; code keeps its white space
    path: Path = ()  #: containers of the part, outermost first
    block: int = -1  #: block of the page; -1 if the text is not from a block
    runs: Sequence[int] = ()  #: runs of the page, ascending
    #: (index in ``runs``, formula before that run)
    formulas: Sequence[tuple[int, Formula]] = ()
    image: Image | None = None

    def node(self, page: Page) -> int:
        """Return the element of the first run or formula; -1 if missing."""
        if self.runs:
            return page.runs.node[self.runs[0]]
        return self.formulas[0][1].node if self.formulas else -1

    @property
    def first_run(self) -> int:
        """The first run, or the first run of a formula at the start."""
        if self.formulas and self.formulas[0][0] == 0:
            return self.formulas[0][1].first_run
        return self.runs[0]


def read_pieces(runs: Runs, part: Part) -> Iterator[tuple[str, int, Formula | None]]:
    """Yield separator, run and formula of each piece of a part; a formula has run -1."""
    formulas = deque(part.formulas)
    last, before = -1, None  # the previous run, or the previous formula
    for place, k in enumerate(part.runs):
        while formulas and formulas[0][0] <= place:
            formula = formulas.popleft()[1]
            yield formula.before if last >= 0 or before else "", -1, formula
            before = formula
        separator = SEPARATORS[widest_gap(runs, last, k)] if last >= 0 else ""
        if before:
            separator = "\n" if separator == "\n" else before.after
        yield separator, k, None
        last, before = k, None
    for _, formula in formulas:
        yield formula.before if last >= 0 or before else "", -1, formula
        before = formula


def join_runs(
    runs: Runs, chosen: Sequence[int], formulas: Sequence[tuple[int, Formula]] = ()
) -> str:
    """Return the text of runs with formulas between them; ``chosen`` ascends."""
    pieces = read_pieces(runs, Part("", runs=chosen, formulas=formulas))
    return "".join([gap + (one.text if one else runs.text[k]) for gap, k, one in pieces])


def widest_gap(runs: Runs, one: int, other: int) -> int:
    """Return the widest gap between two chosen runs, so that omitted text does not join words."""
    gap = runs.gap
    return gap[other] if other == one + 1 else max(gap[one + 1 : other + 1])


class Node:
    """A container; ``key`` is its number, ``children`` are containers and parts in order."""

    def __init__(self, role: Role, key: int, children: list[Node | Part]) -> None:
        self.role = role
        self.key = key
        self.children = children

    @property
    def inner(self) -> list[Node]:
        """The children that are containers."""
        return [child for child in self.children if isinstance(child, Node)]


def tree_of(parts: Iterable[Part], role: Roles) -> Node:
    """Return the root of the tree of parts."""
    opened = [Node("", -1, [])]
    last: Path = ()
    for part in parts:
        path = part.path
        if path != last:
            shared = count_shared(last, path)
            del opened[shared + 1 :]
            for key in path[shared:]:
                node = Node(role[key], key, [])
                opened[-1].children.append(node)
                opened.append(node)
            last = path
        opened[-1].children.append(part)
    return opened[0]


def leaves(node: Node) -> Iterator[Part]:
    """Yield the parts in a node."""
    for child in node.children:
        if isinstance(child, Part):
            yield child
        else:
            yield from leaves(child)
