"""The extractor ``fusion`` and the judge ``learned``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from os import PathLike
from typing import ClassVar, Final

from scrapy_webtext.errors import SettingsError
from scrapy_webtext.extractors.fusion.expected_f1 import expected_f1
from scrapy_webtext.extractors.fusion.filters.comments import comments_proper
from scrapy_webtext.extractors.fusion.model import load_fusion
from scrapy_webtext.extractors.fusion.prediction import (
    PagePrediction,
    article_probability,
    block_reasons,
    predict,
)
from scrapy_webtext.extractors.fusion.selection.definition_terms import with_terms
from scrapy_webtext.extractors.fusion.selection.json_ld_text import json_ld_text
from scrapy_webtext.extractors.fusion.selection.select import page_threshold, select
from scrapy_webtext.page import Page, render_blocks
from scrapy_webtext.results import Extraction, Judgement, Reason, Signal

#: Score of a text that was not seen on the page.
DECLARED_SCORE: Final = 0.5


@dataclass(frozen=True)
class FusionExtractor:
    """Main text by a model over all signals. ``score`` is the expected word F1, in [0, 1].

    ``comments``
        False (default) leaves readers' comments below articles out; True adds them, ``score``
        stays that of the text without. The posts of a forum are no comments, they are its text.
    ``model``
        Path of a model file; None (default) is the one that the package ships.
    """

    name: ClassVar[str] = "fusion"

    comments: bool = False
    model: str | PathLike[str] | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.comments, bool):
            raise SettingsError(f"comments={self.comments!r} is not allowed; use True or False")
        if self.model is not None and not isinstance(self.model, str | PathLike):
            raise SettingsError(f"model={self.model!r} is not allowed; give a path or None")
        load_fusion(self.model)  # a bad model fails here, not on the first page

    def extract(self, page: Page) -> Extraction:
        """Return the chosen blocks, one line each.

        Where the article is only declared (JSON-LD's ``articleBody``) and cannot be seen, the
        declared text with no blocks and the score 0.5: nobody knows what to expect of it.
        """
        model, prediction = load_fusion(self.model), self._read(page)
        texts = prediction.table.texts
        inside = select(page, prediction) if texts.numbers else []
        chosen = [texts.numbers[k] for k in inside]
        if self.comments:
            chosen = sorted({*chosen, *comments_proper(page, prediction)})
        chosen = with_terms(page, prediction, chosen)
        text = render_blocks(page, chosen)
        declared = json_ld_text(page, text, texts.text)
        if declared:
            return Extraction(declared, DECLARED_SCORE, self.name)
        expected = expected_f1(prediction.probabilities, texts.words, inside)
        score = model.score(expected) if inside else 0.0
        return Extraction(text, score, self.name, tuple(chosen))

    def signals(self, page: Page) -> tuple[Signal, ...]:
        """Return per block of the page its probability, with reasons, and the first pass'.

        A block has 0 where it is not read.
        """
        model, prediction = load_fusion(self.model), self._read(page)
        numbers = prediction.table.texts.numbers
        if not numbers:
            return ()
        whys: list[tuple[Reason, ...]] = [()] * len(page.blocks)
        for k, why in zip(numbers, block_reasons(model, page, prediction), strict=True):
            whys[k] = why
        chosen, threshold = self.extract(page).chosen, page_threshold(prediction)
        second, first = (
            _over_page(page, numbers, values)
            for values in (prediction.probabilities, prediction.first)
        )
        return (
            Signal("fusion", "block", second, threshold, chosen, reasons=tuple(whys)),
            Signal("first_pass", "block", first, None, chosen),
        )

    def _read(self, page: Page) -> PagePrediction:
        return predict(page, load_fusion(self.model))


def _over_page(page: Page, numbers: Sequence[int], values: Sequence[float]) -> tuple[float, ...]:
    """Return the values of these blocks as values of all blocks of the page, else 0."""
    found = [0.0] * len(page.blocks)
    for k, value in zip(numbers, values, strict=True):
        found[k] = value
    return tuple(found)


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
        model = load_fusion(self.model)
        prediction = predict(page, model)
        probability = article_probability(model, prediction)
        has_article = bool(prediction.probabilities) and probability >= threshold
        return Judgement(has_article, probability, prediction.table.p.page)
