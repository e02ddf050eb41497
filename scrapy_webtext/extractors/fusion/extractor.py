"""The extractor ``fusion`` and the judge ``learned``, which use the same model.

Both use the same prediction of a page. It is computed once and cached with the page.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import unescape
from os import PathLike
from typing import ClassVar, Final, TypeVar

from scrapy_webtext.errors import SettingsError
from scrapy_webtext.extractors.fusion.choose import comment_texts, page_threshold, select
from scrapy_webtext.extractors.fusion.features.context import expected_f1
from scrapy_webtext.extractors.fusion.features.declared import structured_data
from scrapy_webtext.extractors.fusion.model import load_fusion
from scrapy_webtext.extractors.fusion.options import (
    with_headline,
    without_headline,
    without_pull_quotes,
    without_tables,
)
from scrapy_webtext.extractors.fusion.prediction import PagePrediction, block_reasons, predict
from scrapy_webtext.extractors.notice import find_notice
from scrapy_webtext.page import Page, parse
from scrapy_webtext.page.parser_limits import has_more_elements
from scrapy_webtext.page.scripts import find_script_text
from scrapy_webtext.render.captions import without_captions
from scrapy_webtext.render.outline import with_captions
from scrapy_webtext.render.text import render_blocks
from scrapy_webtext.results import Extraction, Judgement, Signal

T = TypeVar("T")

#: ``favour`` -> beta: recall counts beta times as much as precision.
BETAS: Final[Mapping[str | None, float]] = {None: 1.0, "precision": 0.5, "recall": 2.0}

#: Maximum score and maximum article probability of a page that is a notice (`find_notice`).
NOTICE_SCORE: Final = 0.2
NOTICE_PROBABILITY: Final = 0.05
#: Score of a text from JSON-LD or scripts, for which the model computes no score.
UNSHOWN_SCORE: Final = 0.5


@dataclass(frozen=True)
class FusionExtractor:
    """Main text by a trained model; ``score`` is the expected word F1, in [0, 1].

    ``favour``
        None (default) chooses the blocks with the greatest expected F1. "precision" chooses fewer
        blocks, with the greatest expected F0.5; "recall" chooses more blocks, with the greatest
        expected F2. ``score`` is always the expected F1 of the chosen blocks.
    ``headline``
        False (default) leaves out the headline, which is the result's ``title``. True adds it.
    ``tables``
        True (default) keeps blocks in tables. False leaves them out, except in layout tables.
    ``captions``
        False (default) leaves captions to the pictures in Markdown, HTML and ``images``. True adds
        the captions of the text's pictures.
    ``links``
        True (default) keeps the addresses of links in Markdown and HTML. False leaves them out; the
        words of the links are kept.
    ``copies``
        False (default) leaves out repetitions of a text of eight or more words. True keeps them.
    ``comments``
        False (default) leaves out readers' comments below articles. True adds them; ``score`` is
        then the score of the text without comments. Posts of a forum are text, not comments.
    ``model``
        Path of a model file; None (default) for the model in the package.
    """

    name: ClassVar[str] = "fusion"

    favour: str | None = None
    headline: bool = False
    tables: bool = True
    captions: bool = False
    links: bool = True
    copies: bool = False
    comments: bool = False
    model: str | PathLike[str] | None = None

    def __post_init__(self) -> None:
        if self.favour not in tuple(BETAS):
            known = ", ".join(map(repr, BETAS))
            raise SettingsError(f"favour={self.favour!r} is not allowed; use one of: {known}")
        for name in ("headline", "tables", "captions", "links", "copies", "comments"):
            value = getattr(self, name)
            if not isinstance(value, bool):
                raise SettingsError(f"{name}={value!r} is not allowed; use True or False")
        if self.model is not None and not isinstance(self.model, str | PathLike):
            raise SettingsError(f"model={self.model!r} is not allowed; give a path or None")
        load_fusion(self.model)  # so that a wrong model raises now, not on the first page

    def extract(self, page: Page) -> Extraction:
        """Return the text of the chosen blocks, one line per block, and the article probability.

        If the page shows hardly any text, but its JSON-LD has an ``articleBody`` or the data of its
        scripts have an article, return that text, without blocks and with the score 0.5.
        """
        model = load_fusion(self.model)
        prediction = predict(page, model)
        probability = _article_probability(page, prediction)
        texts, beta = prediction.table.texts, BETAS[self.favour]
        inside = select(page, prediction, beta, self.copies) if texts.n else []
        numbers = texts.numbers
        chosen = [numbers[k] for k in inside]
        if self.comments:
            chosen = sorted({*chosen, *comment_texts(page, prediction)})
        if not self.tables:
            chosen = without_tables(page, chosen)
        if not self.copies:
            chosen = without_pull_quotes(page, chosen)
        chosen = (with_captions if self.captions else without_captions)(page, chosen)
        chosen = (with_headline if self.headline else without_headline)(page, chosen)
        text = render_blocks(page, chosen)
        unshown = unshown_text(page, text, texts.text)
        if unshown:
            return Extraction(unshown, UNSHOWN_SCORE, self.name, article_probability=probability)
        expected = expected_f1(prediction.probabilities, texts.words, inside)
        score = model.score(expected) if inside else 0.0
        if find_notice(page):
            score = min(score, NOTICE_SCORE)
        return Extraction(
            text, score, self.name, tuple(chosen), links=self.links, article_probability=probability
        )

    def signals(self, page: Page) -> tuple[Signal, ...]:
        """Return two signals with reasons: the final and the first probabilities of the blocks.

        Blocks that are no candidates have the probability 0 and no reasons.
        """
        model = load_fusion(self.model)
        prediction = predict(page, model)
        numbers = prediction.table.texts.numbers
        if not numbers:
            return ()
        chosen = self.extract(page).chosen
        threshold = page_threshold(prediction, BETAS[self.favour])
        second = _over_page(page, numbers, prediction.probabilities, 0.0)
        first = _over_page(page, numbers, prediction.first_pass, 0.0)
        why_second, why_first = (
            _over_page(page, numbers, why, ()) for why in block_reasons(model, prediction)
        )
        return (
            Signal("fusion", "block", second, threshold, chosen, reasons=why_second),
            Signal("first_pass", "block", first, None, chosen, reasons=why_first),
        )


def _over_page(
    page: Page, numbers: Sequence[int], values: Sequence[T], otherwise: T
) -> tuple[T, ...]:
    """Return a value per block of the page: ``values`` for ``numbers``, else ``otherwise``."""
    found = dict(zip(numbers, values, strict=True))
    return tuple(found.get(block, otherwise) for block in range(len(page.blocks)))


def _article_probability(page: Page, prediction: PagePrediction) -> float:
    """Return the page's article probability; low for a notice."""
    most = NOTICE_PROBABILITY if find_notice(page) else 1.0
    return min(prediction.article_with_url, most)


@dataclass(frozen=True)
class LearnedJudge:
    """A page has an article if its article probability is at least the threshold.

    ``probability`` is calibrated: of the pages with probability 0.8, four in five are articles. The
    page's URL, if known, is a feature. ``model`` is a path, or None for the model in the package.
    """

    name: ClassVar[str] = "learned"

    model: str | PathLike[str] | None = None

    def __post_init__(self) -> None:
        load_fusion(self.model)

    def judge(self, page: Page, threshold: float = 0.5) -> Judgement:  # noqa: ARG002
        """Return the judgement of a page; a page without text has no article."""
        prediction = predict(page, load_fusion(self.model))
        probability = _article_probability(page, prediction)
        has_article = None if prediction.probabilities else False
        return Judgement(has_article, probability, prediction.table.p.page, probability)


# Text that a page does not show is a fallback for pages that show hardly any text. If scripts fill
# a page in the browser, its article is often in JSON-LD (``articleBody``) for search engines, or in
# the data of its scripts. Readers see neither, and both can contain anything, so they are used only
# if the page shows almost no text. A shorter ``articleBody`` (characters) is not used.

MIN_CHARS: Final = 400
#: An ``articleBody`` is used only if it is this many times as long as the chosen text.
LONGER: Final = 2
#: An ``articleBody`` is not used if the visible blocks have at least this many characters.
MAX_SHOWN_CHARS: Final = 500
#: An ``articleBody`` that is HTML with more elements than this is not used.
MAX_ELEMENTS: Final = 5_000


def unshown_text(page: Page, found: str, visible: Sequence[str]) -> str:
    """Return an article from JSON-LD or script data if the page shows hardly any text, else "".

    It is not known whether such text is in elements that a site's rule leaves out, so it is not
    returned if there are any.
    The article is the longest ``articleBody``; without one, the text that `find_script_text` finds.
    ``found`` is the main text that was chosen from the ``visible`` blocks.
    """
    if page.is_limited or sum(map(len, visible)) >= MAX_SHOWN_CHARS:
        return ""
    body = max(structured_data(page).bodies, key=len, default="")
    if not body:
        body = find_script_text(page)
        return body if len(body) >= LONGER * len(found) else ""
    if len(body) < max(MIN_CHARS, LONGER * len(found)):
        return ""
    if "<" not in body:
        rows = unescape(body).split("\n")
        return "\n".join(filter(None, (" ".join(row.split()) for row in rows)))
    if has_more_elements(body.encode("utf-8", "replace"), MAX_ELEMENTS):
        return ""
    return "\n".join(parse(body).blocks.text)
