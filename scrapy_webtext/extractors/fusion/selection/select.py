"""The order of the steps of selection: threshold, filters, completion, bylines."""

from __future__ import annotations

from scrapy_webtext.extractors.fusion.expected_f1 import best_threshold
from scrapy_webtext.extractors.fusion.filters.bylines import without_bylines
from scrapy_webtext.extractors.fusion.filters.comments import comment_mask
from scrapy_webtext.extractors.fusion.filters.consent import without_consent
from scrapy_webtext.extractors.fusion.filters.duplicates import without_duplicates
from scrapy_webtext.extractors.fusion.filters.teasers import without_teasers
from scrapy_webtext.extractors.fusion.prediction import PagePrediction
from scrapy_webtext.extractors.fusion.selection.completion import with_pieces, with_standfirst
from scrapy_webtext.page import Page


def select(
    page: Page, prediction: PagePrediction, beta: float = 1.0, copies: bool = False
) -> list[int]:
    """Return the positions of the chosen blocks among the candidate blocks, ascending.

    ``beta`` above 1 favours recall, below 1 precision. ``copies`` keeps what the page has twice.
    """
    texts = prediction.table.texts
    chosen = with_pieces(page, texts, _above_threshold(page, prediction, beta, copies))
    if prediction.article >= 0.5:
        chosen = with_standfirst(page, texts, chosen)
    return without_bylines(page, texts, chosen)


def _above_threshold(
    page: Page, prediction: PagePrediction, beta: float, copies: bool
) -> list[int]:
    """Return the positions of the blocks above the threshold, after the filters."""
    threshold = page_threshold(prediction, beta)
    above = [k for k, p in enumerate(prediction.probabilities) if p >= threshold]
    chosen = without_consent(page, prediction, above)
    if not copies:
        chosen = without_duplicates(page, prediction.table, chosen)
    comments = comment_mask(page, prediction)
    return without_teasers(page, prediction, [k for k in chosen if not comments[k]] or chosen)


def page_threshold(prediction: PagePrediction, beta: float = 1.0) -> float:
    """Return the lowest probability of a chosen block, where the expected F-beta is greatest.

    At least the most likely block of a page is chosen.
    """
    probabilities = prediction.probabilities
    threshold = best_threshold(probabilities, prediction.table.texts.words, beta)
    return min([p for p in probabilities if p > threshold] or [max(probabilities)])
