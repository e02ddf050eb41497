"""The parts of a text: whole or partial blocks, formulas and pictures."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from scrapy_webtext.page import Page, Runs
from scrapy_webtext.page.text import SEPARATORS
from scrapy_webtext.render.containers import Path
from scrapy_webtext.render.pictures import Image


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


class Part(NamedTuple):
    """A block of the text, in whole or in part, or a formula or picture between blocks."""

    text: str  #: lines with folded white space; code keeps its white space
    path: Path = ()  #: containers of the part, outermost first
    block: int = -1  #: block of the page; -1 if the text is not from a block
    runs: Sequence[int] = ()  #: runs of the page, ascending
    image: Image | None = None
    #: (index in ``runs``, formula before that run)
    formulas: Sequence[tuple[int, Formula]] = ()

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
