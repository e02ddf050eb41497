"""From probabilities to the chosen blocks and their text: threshold, rules, parts, JSON-LD."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from scrapy_webtext.extractors.fusion.expected_f1 import best_threshold
from scrapy_webtext.extractors.fusion.features.declared import structured_data
from scrapy_webtext.extractors.fusion.prediction import PagePrediction
from scrapy_webtext.extractors.fusion.rules import (
    comment_mask,
    with_standfirst,
    with_units_between,
    without_duplicates,
    without_next_articles,
    without_teasers,
)
from scrapy_webtext.page import Page, parse, tags
from scrapy_webtext.page.script_text import find_script_text
from scrapy_webtext.page.size_limits import has_more_elements
from scrapy_webtext.render.outline import blocks_in_tables
from scrapy_webtext.results import Extraction


def select(
    page: Page, prediction: PagePrediction, beta: float = 1.0, copies: bool = False
) -> list[int]:
    """Return the positions of the chosen blocks among the candidate blocks, ascending.

    ``beta`` above 1 favours recall, below 1 precision. ``copies`` keeps what the page has twice.
    """
    threshold = page_threshold(prediction, beta)
    chosen = [k for k, p in enumerate(prediction.probabilities) if p >= threshold]
    if prediction.article >= 0.5:
        chosen = with_units_between(prediction, chosen)
    if not copies:
        chosen = without_duplicates(page, prediction, chosen)
    comments = comment_mask(page, prediction)
    chosen = [k for k in chosen if not comments[k]] or chosen
    chosen = without_next_articles(page, prediction.table.texts, chosen)
    chosen = without_teasers(page, prediction, chosen)
    if prediction.article >= 0.5:
        chosen = with_standfirst(page, prediction.table.texts, chosen)
    return chosen


def page_threshold(prediction: PagePrediction, beta: float = 1.0) -> float:
    """Return the lowest probability of a chosen block, where the expected F-beta is greatest.

    At least the most likely block of a page is chosen.
    """
    probabilities = prediction.probabilities
    threshold = best_threshold(probabilities, prediction.table.texts.words, beta)
    return min([p for p in probabilities if p > threshold] or [max(probabilities)])


# Parts of an article that a user asks for or asks to leave out: its headline, its tables.

#: Without a heading's element, the headline is one of the first lines, and a short one.
_LINES_ABOVE: Final = 2
_MAX_HEADLINE: Final = 200


def with_headline(page: Page, chosen: Sequence[int]) -> list[int]:
    """Return the blocks ``chosen`` with that of the headline, the block of the ``title``."""
    from scrapy_webtext.metadata import find_shown_headline  # only if asked

    # Its words are looked for in the blocks, not in the text.
    block = find_shown_headline(page, Extraction("", 0.0, "fusion", tuple(chosen)))[1]
    return sorted({block, *chosen} - {-1}) if chosen else []


def without_headline(page: Page, chosen: Sequence[int]) -> list[int]:
    """Return the blocks ``chosen`` without that of the headline; all where nothing else is left."""
    if not _has_heading(page, chosen):
        return list(chosen)
    from scrapy_webtext.metadata import find_chosen_headline  # of many pages it is not needed

    block = find_chosen_headline(page, chosen)
    return [b for b in chosen if b != block] or list(chosen)


def _has_heading(page: Page, chosen: Sequence[int]) -> bool:
    """Return whether one of the first blocks may be a headline, or any is in a heading."""
    texts, node, tag, parent = page.blocks.text, page.blocks.node, page.nodes.tag, page.nodes.parent
    for block in chosen[:_LINES_ABOVE]:
        if len(texts[block]) <= _MAX_HEADLINE and texts[block][-1] not in ".。":
            return True
    for block in chosen:
        i = node[block]
        if tag[i] in tags.HEADINGS or (parent[i] >= 0 and tag[parent[i]] in tags.HEADINGS):
            return True
    return False


def without_tables(page: Page, chosen: Sequence[int]) -> list[int]:
    """Return the blocks ``chosen`` that are in no table; all where nothing else is left.

    A table that lays out the page is none: it is the one that Markdown has no table for.
    """
    inside = blocks_in_tables(page, chosen)
    return [b for b in chosen if b not in inside] or list(chosen)


# The text of JSON-LD's ``articleBody``, a last resort for pages that show hardly any text. Pages
# that scripts fill in the browser often have their article in JSON-LD for search engines. Readers
# do not see JSON-LD, and it can hold anything; so it is only used if the page itself shows almost
# nothing.

MIN_CHARS: Final = 400
#: An ``articleBody`` is used if it is this many times longer than the text of the page.
LONGER: Final = 2
#: The ``articleBody`` is not used if the page shows this many characters.
MAX_SHOWN_CHARS: Final = 500
#: An ``articleBody`` of HTML with more elements is not used.
MAX_ELEMENTS: Final = 5_000


def json_ld_text(page: Page, found: str, visible: Sequence[str]) -> str:
    """Return an article that the page does not show, if it shows hardly any text, else "".

    It is the longest ``articleBody``, or what the data of scripts hold.

    ``found`` is the main text that was chosen from the ``visible`` blocks.
    """
    if sum(map(len, visible)) >= MAX_SHOWN_CHARS:
        return ""
    body = max(structured_data(page).bodies, key=len, default="")
    if not body:
        body = find_script_text(page)
        return body if len(body) >= LONGER * len(found) else ""
    if len(body) < max(MIN_CHARS, LONGER * len(found)):
        return ""
    if "<" not in body:
        return "\n".join(filter(None, (" ".join(row.split()) for row in body.split("\n"))))
    if has_more_elements(body.encode("utf-8", "replace"), MAX_ELEMENTS):
        return ""
    return "\n".join(parse(body).blocks.text)
