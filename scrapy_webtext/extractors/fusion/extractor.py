"""The extractor ``fusion`` and the judge ``learned``: one model, two uses.

Both use the same prediction of a page, which is computed once and kept with the page.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import ClassVar, Final, TypeVar

from scrapy_webtext.errors import SettingsError
from scrapy_webtext.extractors.fusion.expected_f1 import expected_f1
from scrapy_webtext.extractors.fusion.model import FusionModel, load_fusion
from scrapy_webtext.extractors.fusion.prediction import (
    PagePrediction,
    block_reasons,
    predict,
)
from scrapy_webtext.extractors.fusion.rules import comment_texts
from scrapy_webtext.extractors.fusion.select import (
    json_ld_text,
    page_threshold,
    select,
    with_headline,
    without_headline,
    without_tables,
)
from scrapy_webtext.extractors.notice import find_notice
from scrapy_webtext.page import Page
from scrapy_webtext.render import render_blocks
from scrapy_webtext.results import Extraction, Judgement, Signal

T = TypeVar("T")

#: ``favour`` -> how many times recall counts as much as precision.
BETAS: Final[Mapping[str | None, float]] = {None: 1.0, "precision": 0.5, "recall": 2.0}

#: At most these are the score and the probability of a page that is sent in an article's place.
NOTICE_SCORE: Final = 0.2
NOTICE_PROBABILITY: Final = 0.05
#: Score of a text that comes from JSON-LD: the model knows nothing about it.
JSON_LD_SCORE: Final = 0.5


@dataclass(frozen=True)
class FusionExtractor:
    """Main text by a model of all signals. ``score`` is the expected word F1, in [0, 1].

    ``favour``
        None (default) chooses the blocks with the greatest expected F1. "precision" chooses fewer,
        those with the greatest expected F0.5; "recall" chooses more, by F2. ``score`` is still the
        expected F1 of what is chosen.
    ``headline``
        False (default) leaves out the headline, which is the result's ``title``. True adds it.
    ``tables``
        True (default). False leaves out blocks in tables, but for those that lay out the page.
    ``links``
        True (default). False: Markdown and HTML have the words of links, and not where they lead.
    ``copies``
        False (default) leaves out longer texts that the page has a second time. True keeps them.
    ``comments``
        False (default) leaves out readers' comments below articles. True adds them; ``score``
        is still that of the text without comments. Posts of a forum are text, not comments.
    ``model``
        Path of a model file; None (default) is the model in the package.
    """

    name: ClassVar[str] = "fusion"

    favour: str | None = None
    headline: bool = False
    tables: bool = True
    links: bool = True
    copies: bool = False
    comments: bool = False
    model: str | PathLike[str] | None = None

    def __post_init__(self) -> None:
        if self.favour not in tuple(BETAS):
            known = ", ".join(map(repr, BETAS))
            raise SettingsError(f"favour={self.favour!r} is not allowed; use one of: {known}")
        for name in ("headline", "tables", "links", "copies", "comments"):
            value = getattr(self, name)
            if not isinstance(value, bool):
                raise SettingsError(f"{name}={value!r} is not allowed; use True or False")
        if self.model is not None and not isinstance(self.model, str | PathLike):
            raise SettingsError(f"model={self.model!r} is not allowed; give a path or None")
        load_fusion(self.model)  # a bad model fails here, not on the first page

    def extract(self, page: Page) -> Extraction:
        """Return the chosen blocks, one line each, and the model's article probability.

        If the page shows hardly any text but has an ``articleBody`` in JSON-LD, or an article in
        the data of its scripts, the result is that text, without blocks and with the score 0.5.
        """
        model = load_fusion(self.model)
        prediction = predict(page, model)
        probability = _article_probability(page, model, prediction)
        texts = prediction.table.texts
        beta = BETAS[self.favour]
        inside = select(page, prediction, beta, self.copies) if texts.numbers else []
        chosen = [texts.numbers[k] for k in inside]
        if self.comments:
            chosen = sorted({*chosen, *comment_texts(page, prediction)})
        if not self.tables:
            chosen = without_tables(page, chosen)
        chosen = (with_headline if self.headline else without_headline)(page, chosen)
        text = render_blocks(page, chosen)
        from_json_ld = json_ld_text(page, text, texts.text)
        if from_json_ld:
            return Extraction(
                from_json_ld, JSON_LD_SCORE, self.name, article_probability=probability
            )
        expected = expected_f1(prediction.probabilities, texts.words, inside)
        score = model.score(expected) if inside else 0.0
        if find_notice(page):
            score = min(score, NOTICE_SCORE)
        return Extraction(
            text,
            score,
            self.name,
            tuple(chosen),
            links=self.links,
            article_probability=probability,
        )

    def signals(self, page: Page) -> tuple[Signal, ...]:
        """Return two signals with reasons: the probabilities of the blocks, and the first pass'.

        Blocks that are no candidates have the probability 0 and no reasons.
        """
        model = load_fusion(self.model)
        prediction = predict(page, model)
        numbers = prediction.table.texts.numbers
        if not numbers:
            return ()
        chosen = self.extract(page).chosen
        threshold = page_threshold(prediction, BETAS[self.favour])
        second, first = (
            _over_page(page, numbers, values, 0.0)
            for values in (prediction.probabilities, prediction.first_pass)
        )
        why_second, why_first = (
            _over_page(page, numbers, why, ()) for why in block_reasons(model, page, prediction)
        )
        return (
            Signal("fusion", "block", second, threshold, chosen, reasons=why_second),
            Signal("first_pass", "block", first, None, chosen, reasons=why_first),
        )


def _over_page(
    page: Page, numbers: Sequence[int], values: Sequence[T], otherwise: T
) -> tuple[T, ...]:
    """Return one value per block of the page: those of the blocks ``numbers``, else another."""
    over_page = [otherwise] * len(page.blocks)
    for k, value in zip(numbers, values, strict=True):
        over_page[k] = value
    return tuple(over_page)


def _article_probability(page: Page, model: FusionModel, prediction: PagePrediction) -> float:
    """Return the article probability, computed once; low for a page in an article's place."""

    def find() -> float:
        probability = prediction.article_with_url
        return min(probability, NOTICE_PROBABILITY) if find_notice(page) else probability

    return page.cached(("article", model), find)


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

    def judge(self, page: Page, threshold: float = 0.5) -> Judgement:  # noqa: ARG002
        """Return the judgement of a page; one without text has no article."""
        model = load_fusion(self.model)
        prediction = predict(page, model)
        probability = _article_probability(page, model, prediction)
        has_article = None if prediction.probabilities else False
        return Judgement(has_article, probability, prediction.table.p.page, probability)
