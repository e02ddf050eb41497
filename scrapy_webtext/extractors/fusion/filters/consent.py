"""Consent dialogs, told by the names that their makers give them.

Their text is long and well written, and stands on a page for another reason: on pages of few words
it would win. Rules by name for customers' reviews, legal notices, signatures and other dialogs
gained nothing on sites that the model had not seen.
"""

from __future__ import annotations

import re
from typing import Final

from scrapy_webtext.extractors.fusion.cache import cached
from scrapy_webtext.extractors.fusion.features.class_names import MAX_KNOWN_ELEMENTS
from scrapy_webtext.extractors.fusion.prediction import PagePrediction
from scrapy_webtext.page import Page, prefix_sums

#: Names of their makers, and words for them.
_CONSENT: Final = re.compile(
    "onetrust|cookiebot|didomi|usercentrics|qc-cmp|borlabs|cmplz|(?:cookie|consent|gdpr)s?[-_ ]?"
    "(?:consent|banner|notice|law|bar|popup|modal|message|dialog|overlay|manager|wall|settings"
    "|preferences)"
)
#: A block at least as likely to be content stands in no consent dialog.
MAX_CONSENT: Final = 0.6


def without_consent(page: Page, prediction: PagePrediction, chosen: list[int]) -> list[int]:
    """Return these places of visible blocks without consent dialogs; all if nothing were left."""
    table = prediction.table
    at, first, end = table.texts.at, page.runs.first, page.runs.end
    names, containers = table.elements.names, page.containers
    sums = prefix_sums(p >= MAX_CONSENT for p in prediction.probabilities)
    mask, outside = bytearray(len(prediction.probabilities)), 0
    for i in table.elements.kept_nodes:
        if i < outside or containers[i] != i or not names[i] or not _names_consent(names[i]):
            continue
        a, z = at[first[i]], at[end[i]]
        if sums[z] == sums[a]:
            mask[a:z] = b"\x01" * (z - a)
            outside = page.nodes.end[i]
    return [k for k in chosen if not mask[k]] or chosen


@cached(MAX_KNOWN_ELEMENTS)
def _names_consent(names: str) -> bool:
    return bool(_CONSENT.search(names.lower()))
