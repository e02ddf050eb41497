"""The content of a report: the judgement of the page and a view of each extractor."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from scrapy_webtext.page import Page
from scrapy_webtext.results import Extraction, Judgement, Signal


@dataclass(frozen=True)
class ExtractorView:
    """One extractor's extraction of a page and the signals behind it, if it has any.

    Not slotted: the set of chosen blocks is cached.
    """

    extraction: Extraction
    signals: tuple[Signal, ...] = ()

    @property
    def name(self) -> str:
        """The extractor's name."""
        return self.extraction.extractor

    @cached_property
    def chosen(self) -> frozenset[int]:
        """Numbers of the blocks that it took."""
        return frozenset(self.extraction.chosen)


@dataclass(frozen=True, slots=True)
class PageJudgement:
    """A judgement with what it was compared with and who made it."""

    judgement: Judgement
    threshold: float
    judge: str


def agreement(page: Page, first: ExtractorView, second: ExtractorView) -> float:
    """Return how far two extractors took the same text, in [0, 1].

    The F1 of the characters of their blocks; 1 where both took nothing.
    """
    chars = page.blocks.chars
    both = sum(chars[b] for b in first.chosen & second.chosen)
    total = sum(chars[b] for b in first.chosen) + sum(chars[b] for b in second.chosen)
    return 2 * both / total if total else 1.0


def votes(page: Page, views: Sequence[ExtractorView]) -> list[int]:
    """Return per block how many extractors took it."""
    return [sum(b in view.chosen for view in views) for b in range(len(page.blocks))]
