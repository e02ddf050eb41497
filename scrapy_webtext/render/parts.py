"""The parts of a text: blocks in whole or in part, and the text of some of their runs."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from scrapy_webtext.page import Page, Runs
from scrapy_webtext.page.text import SEPARATORS
from scrapy_webtext.render.containers import Path
from scrapy_webtext.render.pictures import Image


class Formula(NamedTuple):
    """A formula, in the elements from ``node`` on and before ``end``."""

    node: int
    end: int
    first_run: int  #: of those that it takes the place of, or the run that it is before
    end_run: int
    tex: str
    is_display: bool  #: on a line of its own
    before: str  #: separator between the text before and the formula
    after: str

    @property
    def text(self) -> str:
        """The TeX between signs that scripts look for."""
        return rf"\[{self.tex}\]" if self.is_display else rf"\({self.tex}\)"


class Part(NamedTuple):
    """A block of the text, whole or in part, or a picture of its own."""

    text: str  #: its lines; white space folded, except in code
    path: Path = ()  #: the containers that it is in
    block: int = -1  #: of the page; -1 where the text is not the page's
    runs: Sequence[int] = ()  #: of the page, ascending
    image: Image | None = None
    formulas: Sequence[
        tuple[int, Formula]
    ] = ()  #: each with the place in ``runs`` that it is before

    def node(self, page: Page) -> int:
        """Return the element that the part begins in, -1 if it has no text of the page."""
        if self.runs:
            return page.runs.node[self.runs[0]]
        return self.formulas[0][1].node if self.formulas else -1

    @property
    def first_run(self) -> int:
        """The run that the part begins with, or that its first formula is before."""
        if self.formulas and self.formulas[0][0] == 0:
            return self.formulas[0][1].first_run
        return self.runs[0]


def pieces_of(runs: Runs, part: Part) -> Iterator[tuple[str, int, Formula | None]]:
    """Yield the separators, runs and formulas of a part; -1 in place of the run for a formula."""
    formulas = deque(part.formulas)
    last, before = -1, None  # the run or the formula before
    for place, k in enumerate((*part.runs, -1)):
        while formulas and formulas[0][0] <= place:
            formula = formulas.popleft()[1]
            yield formula.before if last >= 0 or before else "", -1, formula
            before = formula
        if k >= 0:
            separator = SEPARATORS[widest_gap(runs, last, k)] if last >= 0 else ""
            if before:
                separator = "\n" if separator == "\n" else before.after
            yield separator, k, None
            last, before = k, None


def joined(runs: Runs, chosen: Sequence[int], is_code: bool) -> str:
    """Return the text of some runs of one block, set off by the widest gap between each two."""
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
    """Return how two chosen runs are set off, so that left out text joins no words."""
    gap = runs.gap
    return gap[other] if other == one + 1 else max(gap[one + 1 : other + 1])
