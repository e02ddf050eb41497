"""The extractor ``fusion`` and the judge ``learned``: one model, two uses.

Both use the same prediction of a page, which is computed once and kept with the page.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from os import PathLike
from typing import ClassVar, Final

from scrapy_webtext.errors import SettingsError
from scrapy_webtext.extractors.fusion.expected_f1 import expected_f1
from scrapy_webtext.extractors.fusion.filters.comments import comment_texts
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

#: Score of a text that comes from JSON-LD: the model knows nothing about it.
JSON_LD_SCORE: Final = 0.5


@dataclass(frozen=True)
class FusionExtractor:
    """Main text by a model of all signals. ``score`` is the expected word F1, in [0, 1].

    ``comments``
        False (default) leaves out readers' comments below articles. True adds them; ``score``
        is still that of the text without comments. Posts of a forum are text, not comments.
    ``model``
        Path of a model file; None (default) is the model in the package.
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

        If the page shows hardly any text but has an ``articleBody`` in JSON-LD, the result is that
        text, without blocks and with the score 0.5.
        """
        model, prediction = load_fusion(self.model), self._read(page)
        texts = prediction.table.texts
        inside = select(page, prediction) if texts.numbers else []
        chosen = [texts.numbers[k] for k in inside]
        if self.comments:
            chosen = sorted({*chosen, *comment_texts(page, prediction)})
        chosen = with_terms(page, prediction, chosen)
        text = render_blocks(page, chosen)
        from_json_ld = json_ld_text(page, text, texts.text)
        if from_json_ld:
            return Extraction(from_json_ld, JSON_LD_SCORE, self.name)
        expected = expected_f1(prediction.probabilities, texts.words, inside)
        score = model.score(expected) if inside else 0.0
        return Extraction(text, score, self.name, tuple(chosen))

    def signals(self, page: Page) -> tuple[Signal, ...]:
        """Return two signals: the probabilities of the blocks, with reasons, and the first pass'.

        Blocks that are no candidates have the probability 0.
        """
        model, prediction = load_fusion(self.model), self._read(page)
        numbers = prediction.table.texts.numbers
        if not numbers:
            return ()
        why: list[tuple[Reason, ...]] = [()] * len(page.blocks)
        for k, block_why in zip(numbers, block_reasons(model, page, prediction), strict=True):
            why[k] = block_why
        chosen, threshold = self.extract(page).chosen, page_threshold(prediction)
        second, first = (
            _over_page(page, numbers, values)
            for values in (prediction.probabilities, prediction.first_pass)
        )
        return (
            Signal("fusion", "block", second, threshold, chosen, reasons=tuple(why)),
            Signal("first_pass", "block", first, None, chosen),
        )

    def _read(self, page: Page) -> PagePrediction:
        return predict(page, load_fusion(self.model))


def _over_page(page: Page, numbers: Sequence[int], values: Sequence[float]) -> tuple[float, ...]:
    """Return one value per block of the page: those of the blocks ``numbers``, else 0."""
    over_page = [0.0] * len(page.blocks)
    for k, value in zip(numbers, values, strict=True):
        over_page[k] = value
    return tuple(over_page)


@dataclass(frozen=True)
class LearnedJudge:
    """A page has an article if its article probability is at least the threshold.

    ``probability`` is calibrated: of the pages with 0.8, four in five are articles. It uses the
    page's URL if there is one. ``model`` is a path, or None for the model in the package.
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
