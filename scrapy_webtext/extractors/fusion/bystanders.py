"""Text that stands on a page for another reason, told by the name of its element.

The text of a consent dialog is long and well written, and customers' reviews are longer than what
they are about: on pages of few words they win. Their elements are named by the shops' and the
dialogs' makers, alike on all sites.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from scrapy_webtext.extractors.fusion.features import Reading
from scrapy_webtext.extractors.fusion.names import MAX_KNOWN_ELEMENTS
from scrapy_webtext.extractors.fusion.neighbours import is_shop
from scrapy_webtext.extractors.fusion.remembering import remembering
from scrapy_webtext.page import Page, prefix_sums

#: Names of consent dialogs: those of their makers, and words for them.
_CONSENT: Final = re.compile(
    "onetrust|cookiebot|didomi|usercentrics|qc-cmp|borlabs|cmplz|(?:cookie|consent|gdpr)s?[-_ ]?"
    "(?:consent|banner|notice|law|bar|popup|modal|message|dialog|overlay|manager|wall|settings"
    "|preferences)"
)
_REVIEW: Final = re.compile("(?<!p)review")  # no preview
#: An element with a block at least as likely to be content is no consent dialog.
MAX_CONSENT: Final = 0.6
#: An element with more of the page's words holds no reviews alone.
MAX_REVIEW_SHARE: Final = 0.8


def without_bystanders(
    page: Page, reading: Reading, kinds: Sequence[float], probabilities: list[float]
) -> list[float]:
    """Return the probabilities with 0 for consent dialogs, and reviews where products are shown.

    Unchanged where nothing would be left.
    """
    shows_products = is_shop(kinds)
    at, first, end = reading.texts.at, page.runs.first, page.runs.end
    names, containers = reading.elements.names, page.containers
    words = likely = None
    found, outside = probabilities.copy(), 0
    for i in reading.elements.live:
        if not names[i] or i < outside or containers[i] != i:
            continue
        kind = _bystander(names[i])
        if not kind or (kind == "review" and not shows_products):
            continue
        if words is None or likely is None:
            words = prefix_sums(reading.texts.words)
            likely = prefix_sums([p >= MAX_CONSENT for p in probabilities])
        a, z = at[first[i]], at[end[i]]
        if (
            likely[a] == likely[z]
            if kind == "consent"
            else words[z] - words[a] < MAX_REVIEW_SHARE * words[-1]
        ):
            found[a:z] = [0.0] * (z - a)
            outside = page.nodes.end[i]
    return found if any(found) else probabilities


@remembering(MAX_KNOWN_ELEMENTS)
def _bystander(names: str) -> str:
    low = names.lower()
    return "consent" if _CONSENT.search(low) else "review" if _REVIEW.search(low) else ""
