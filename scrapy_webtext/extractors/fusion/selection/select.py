"""From probabilities to chosen blocks: threshold, copies, comments, completion."""

from __future__ import annotations

from scrapy_webtext.extractors.fusion.expected_f1 import best_threshold
from scrapy_webtext.extractors.fusion.filters.bylines import without_masthead
from scrapy_webtext.extractors.fusion.filters.comments import comment_mask
from scrapy_webtext.extractors.fusion.filters.consent import without_consent
from scrapy_webtext.extractors.fusion.filters.duplicates import without_copies
from scrapy_webtext.extractors.fusion.model import PageReading
from scrapy_webtext.extractors.fusion.selection.completion import with_pieces, with_standfirst
from scrapy_webtext.page import Page


def select(page: Page, seen: PageReading) -> list[int]:
    """Return the places of the chosen blocks among the visible ones, ascending."""
    texts = seen.reading.texts
    chosen = with_pieces(page, texts, _above_threshold(page, seen))
    if seen.article >= 0.5:
        chosen = with_standfirst(page, texts, chosen)
    return without_masthead(page, texts, chosen)


def _above_threshold(page: Page, seen: PageReading) -> list[int]:
    """Return the places of the blocks above the threshold, copies and comments left out."""
    threshold = page_threshold(seen)
    above = [k for k, p in enumerate(seen.probabilities) if p >= threshold]
    chosen = without_copies(page, seen.reading, without_consent(page, seen, above))
    comments = comment_mask(page, seen)
    return [k for k in chosen if not comments[k]] or chosen


def page_threshold(seen: PageReading) -> float:
    """Return the least probability of chosen blocks: that of the greatest expected F1.

    At least the likeliest block of a page is chosen.
    """
    probabilities = seen.probabilities
    threshold = best_threshold(probabilities, seen.reading.texts.words)
    return min((p for p in probabilities if p > threshold), default=max(probabilities))
