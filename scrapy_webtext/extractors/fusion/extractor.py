"""The extractor ``fusion`` and the judge ``learned``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from os import PathLike
from typing import ClassVar, Final

from scrapy_webtext.errors import SettingsError
from scrapy_webtext.extractors.fusion.model import PageReading, load_fusion, read_page
from scrapy_webtext.extractors.fusion.reading import Texts
from scrapy_webtext.page import Page, render_blocks
from scrapy_webtext.results import Extraction, Judgement, Signal

#: Least probability of a block on pages judged articles.
ARTICLE_THRESHOLD: Final = 0.55


@dataclass(frozen=True)
class FusionExtractor:
    """Main text by a model over all signals. ``score`` is the expected word F1, in [0, 1].

    ``model``
        Path of a model file; None (default) is the one that the package ships.
    """

    name: ClassVar[str] = "fusion"

    model: str | PathLike[str] | None = None

    def __post_init__(self) -> None:
        if self.model is not None and not isinstance(self.model, str | PathLike):
            raise SettingsError(f"model={self.model!r} is not allowed; give a path or None")
        load_fusion(self.model)  # a bad model fails here, not on the first page

    def extract(self, page: Page) -> Extraction:
        """Return the blocks above the page's threshold, one line each."""
        seen = self._read(page)
        texts = seen.reading.texts
        if not texts.numbers:
            return Extraction("", 0.0, self.name)
        threshold = page_threshold(seen)
        inside = [k for k, p in enumerate(seen.probabilities) if p >= threshold]
        chosen = [texts.numbers[k] for k in inside]
        score = expected_f1(seen.probabilities, texts.words, inside)
        return Extraction(render_blocks(page, chosen), score, self.name, tuple(chosen))

    def signals(self, page: Page) -> tuple[Signal, ...]:
        """Return the probability per block of the page, 0 for blocks that are not visible."""
        seen = self._read(page)
        values = [0.0] * len(page.blocks)
        for number, p in zip(seen.reading.texts.numbers, seen.probabilities, strict=True):
            values[number] = p
        chosen = self.extract(page).chosen
        return (Signal("fusion", "block", tuple(values), page_threshold(seen), chosen),)

    def _read(self, page: Page) -> PageReading:
        return read_page(page, load_fusion(self.model))


@dataclass(frozen=True)
class LearnedJudge:
    """A page has an article if the model gives it at least the threshold.

    ``probability`` is calibrated: of pages given 0.8, four in five are articles. It uses the
    page's address where there is one. ``model`` is a path, or None for the shipped model.
    """

    name: ClassVar[str] = "learned"

    model: str | PathLike[str] | None = None

    def __post_init__(self) -> None:
        load_fusion(self.model)

    def judge(self, page: Page, threshold: float = 0.5) -> Judgement:
        """Return the judgement of a page; one without text has no article."""
        seen = read_page(page, load_fusion(self.model))
        probability = seen.article_probability if seen.reading.texts.numbers else 0.0
        has_article = probability >= threshold and probability > 0
        return Judgement(has_article, probability, seen.reading.p.page)


def page_threshold(seen: PageReading) -> float:
    """Return the least probability of chosen blocks.

    On pages judged articles it is fixed; elsewhere it is the one with the greatest expected F1,
    since a list or a product page is often content in part, and the model never sure.
    """
    if seen.article_probability >= 0.5:
        return ARTICLE_THRESHOLD
    return best_threshold(seen.probabilities, seen.reading.texts)


def best_threshold(probabilities: Sequence[float], texts: Texts) -> float:
    """Return the probability of the last block to choose for the greatest expected F1."""
    order = sorted(zip(probabilities, texts.words, strict=True), reverse=True)
    total = sum(p * w for p, w in order)
    right = accumulate(p * w for p, w in order)
    taken = accumulate(w for _, w in order)
    expected = [2 * r / (t + total) for r, t in zip(right, taken, strict=True)]
    return order[expected.index(max(expected))][0]


def expected_f1(
    probabilities: Sequence[float], words: Sequence[int], chosen: Sequence[int]
) -> float:
    """Return the word F1 to expect of these blocks, in [0, 1].

    Expected words in common, twice, by the words chosen and those expected to be content.
    """
    total = sum(p * w for p, w in zip(probabilities, words, strict=True))
    right = sum(probabilities[k] * words[k] for k in chosen)
    taken = sum(words[k] for k in chosen)
    return 2 * right / (taken + total) if right else 0.0
