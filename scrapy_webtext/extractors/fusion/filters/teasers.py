"""Teasers beside a text that is sure: links to other texts, told by where they stand.

On pages unlike those that were learned from, teasers that are links as a whole may be as likely
as the entries of a list are elsewhere. If they are many and the article is short, the threshold
that promises most takes them all, and the article is lost among them. But the article's own prose
is surely content, and teasers stand before it or after it, in other containers.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum
from typing import Final

from scrapy_webtext.extractors.fusion.features.context import SURE, groups
from scrapy_webtext.extractors.fusion.prediction import PagePrediction
from scrapy_webtext.page import Page

#: Words of sure prose that bear out a text. With 20 or 60 no corpus changes by more than 0.0014.
LEAST_SURE_WORDS: Final = 30
#: Fewer links are read as a part of the text: "Read more", a source, the next page.
LEAST_TEASERS: Final = 3
#: A teaser has a greater link density: a date or a number of comments may stand beside the link.
MOSTLY_LINKS: Final = 0.5
#: Blocks of a teaser's template: links that stand alone in an introduction are its own.
LEAST_TEMPLATE: Final = 2
#: The mean score of names may be so much greater (log-odds, natural) than that of the sure prose.
#: Where it is greater still, the names say that the links are what the page is about: a list of
#: courses below its introduction.
MAX_NAMES_AHEAD: Final = 2.0


def without_teasers(page: Page, prediction: PagePrediction, chosen: Sequence[int]) -> list[int]:
    """Return these places of visible blocks, ascending, without teasers beside sure prose.

    Teasers are mostly links and of a template that repeats, are not surely content, and stand
    before or after all sure prose, in none of its containers. All places are returned where
    prose is not sure or teasers are few.
    """
    texts, probabilities = prediction.table.texts, prediction.probabilities
    sure = [k for k in chosen if texts.prose[k] and probabilities[k] >= SURE]
    if sum(texts.words[k] for k in sure) < LEAST_SURE_WORDS:
        return list(chosen)
    teasers = _outside(page, prediction, sure, [k for k in chosen if _may_be_teaser(prediction, k)])
    if len(teasers) < LEAST_TEASERS:
        return list(chosen)
    if _mean_names(prediction, teasers) > _mean_names(prediction, sure) + MAX_NAMES_AHEAD:
        return list(chosen)
    gone = frozenset(teasers)
    return [k for k in chosen if k not in gone]


def _may_be_teaser(prediction: PagePrediction, k: int) -> bool:
    table = prediction.table
    return (
        table.texts.link_density[k] > MOSTLY_LINKS
        and prediction.probabilities[k] < SURE
        and table.columns["template_count"][k] >= LEAST_TEMPLATE
    )


def _outside(
    page: Page, prediction: PagePrediction, sure: Sequence[int], places: Sequence[int]
) -> list[int]:
    """Return the places before or after all sure prose that share no container with it."""
    outside = [k for k in places if not sure[0] < k < sure[-1]]
    if len(outside) < LEAST_TEASERS:
        return outside
    containers = groups(page, prediction.table).container_id
    own = {containers[k] for k in sure}
    return [k for k in outside if containers[k] not in own]


def _mean_names(prediction: PagePrediction, places: Sequence[int]) -> float:
    """Return the mean score of names from the root to these blocks, by words."""
    words, names = prediction.table.texts.words, prediction.table.columns["class_score_sum"]
    return fsum(names[k] * words[k] for k in places) / sum(words[k] for k in places)
