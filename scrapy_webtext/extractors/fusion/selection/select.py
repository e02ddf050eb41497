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


def select(page: Page, prediction: PagePrediction) -> list[int]:
    """Return the positions of the chosen blocks among the candidate blocks, ascending."""
    texts = prediction.table.texts
    chosen = with_pieces(page, texts, _above_threshold(page, prediction))
    if prediction.article >= 0.5:
        chosen = with_standfirst(page, texts, chosen)
    return without_bylines(page, texts, chosen)


def _above_threshold(page: Page, prediction: PagePrediction) -> list[int]:
    """Return the positions of the blocks above the threshold, after the filters."""
    threshold = page_threshold(prediction)
    above = [k for k, p in enumerate(prediction.probabilities) if p >= threshold]
    chosen = without_duplicates(page, prediction.table, without_consent(page, prediction, above))
    comments = comment_mask(page, prediction)
    return without_teasers(page, prediction, [k for k in chosen if not comments[k]] or chosen)


def page_threshold(prediction: PagePrediction) -> float:
    """Return the lowest probability of a chosen block, where the expected F1 is greatest.

    At least the most likely block of a page is chosen.
    """
    probabilities = prediction.probabilities
    threshold = best_threshold(probabilities, prediction.table.texts.words)
    return min((p for p in probabilities if p > threshold), default=max(probabilities))
