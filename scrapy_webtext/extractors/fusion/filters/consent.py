"""Removes consent dialogs, recognised by the class names of their makers.

Their text is long and well written, so the model takes it for content on pages with few words.
Similar rules for customers' reviews, legal notices, signatures and other dialogs did not improve
F1 on sites that were not in the training pages.
"""

from __future__ import annotations

import re
from typing import Final

from scrapy_webtext.extractors.fusion.features.class_names import names_with
from scrapy_webtext.extractors.fusion.prediction import PagePrediction
from scrapy_webtext.page import Page, prefix_sums

#: Names of products, and words for such dialogs.
_CONSENT: Final = re.compile(
    "onetrust|cookiebot|didomi|usercentrics|qc-cmp|borlabs|cmplz|(?:cookie|consent|gdpr)s?[-_ ]?"
    "(?:consent|banner|notice|law|bar|popup|modal|message|dialog|overlay|manager|wall|settings"
    "|preferences)"
)
#: Every such name holds one of these.
_PARTS: Final = tuple(
    "onetrust didomi usercentrics qc-cmp borlabs cmplz cookie consent gdpr".split()
)
#: An element with a block of at least this probability is no consent dialog.
MAX_CONSENT: Final = 0.6


def without_consent(page: Page, prediction: PagePrediction, chosen: list[int]) -> list[int]:
    """Return the positions ``chosen`` without consent dialogs; all if none would be left."""
    table = prediction.table
    names = set(filter(_is_consent_name, names_with(table.elements.distinct_class_names, _PARTS)))
    if not names:
        return chosen
    at, first, end = table.texts.at, page.runs.first, page.runs.end
    class_names, containers = table.elements.class_names, page.containers
    sums = prefix_sums(p >= MAX_CONSENT for p in prediction.probabilities)
    mask, outside = bytearray(len(prediction.probabilities)), 0
    for i in table.elements.kept_nodes:
        if class_names[i] not in names or i < outside or containers[i] != i:
            continue
        a, z = at[first[i]], at[end[i]]
        if sums[z] == sums[a]:
            mask[a:z] = b"\x01" * (z - a)
            outside = page.nodes.end[i]
    return [k for k in chosen if not mask[k]] or chosen


def _is_consent_name(class_names: str) -> bool:
    return bool(_CONSENT.search(class_names.lower()))
