"""Text that stands on a page for another reason, told by the name of its element.

The text of a consent dialog is long and well written, and customers' reviews are longer than what
they are about: on pages of few words they win. So do other dialogs, legal notices and signatures
below posts where there is no article. Their elements are named by the makers of shops, forums and
dialogs, alike on all sites.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from operator import mul
from typing import Final

from scrapy_webtext.extractors.fusion.features import Reading
from scrapy_webtext.extractors.fusion.model import PageReading
from scrapy_webtext.extractors.fusion.names import MAX_KNOWN_ELEMENTS
from scrapy_webtext.extractors.fusion.remembering import remembering
from scrapy_webtext.page import Page, prefix_sums

#: Names of consent dialogs: those of their makers, and words for them.
_CONSENT: Final = re.compile(
    "onetrust|cookiebot|didomi|usercentrics|qc-cmp|borlabs|cmplz|(?:cookie|consent|gdpr)s?[-_ ]?"
    "(?:consent|banner|notice|law|bar|popup|modal|message|dialog|overlay|manager|wall|settings"
    "|preferences)"
)
_REVIEW: Final = re.compile("review(?<!preview)")  # looked behind only where it stands
#: Names of other dialogs, and of what is said for lawyers or below every post: whole words.
_DIALOG: Final = re.compile("(?<![a-z])(?:modal|dialog|popup|pop-up|lightbox)(?:e?s)?(?![a-z])")
_NOTICE: Final = re.compile("(?<![a-z])(?:legal|signature|disclaimer)s?(?![a-z])")
_NAMES: Final = {"consent": _CONSENT, "review": _REVIEW, "dialog": _DIALOG, "notice": _NOTICE}
#: A block at least as likely to be content stands in no consent dialog.
MAX_CONSENT: Final = 0.6
#: An element of the kind holds less than this share, or nothing: of such blocks, of the page's
#: words, and of the words that are expected to be content.
MAX_SHARE: Final = {"consent": 0.0, "review": 0.8, "dialog": 0.2, "notice": 0.7}


def without_bystanders(page: Page, seen: PageReading, chosen: list[int]) -> list[int]:
    """Return these places of visible blocks without what stands there for another reason.

    That is consent dialogs, and where there is no article other dialogs, notices, signatures.
    Unchanged where nothing would be left.
    """
    reading, probabilities = seen.reading, seen.probabilities
    asked = {"consent"} if seen.article >= 0.5 else frozenset(_NAMES)
    at, first, end = reading.texts.at, page.runs.first, page.runs.end
    names, tag, containers = reading.elements.names, page.nodes.tag, page.containers
    sums: dict[str, list[float]] = {}
    mask, outside = bytearray(len(probabilities)), 0
    for i in reading.elements.live:
        if i < outside or containers[i] != i:
            continue
        kind = _bystander(names[i]) if names[i] else ""
        if not kind and tag[i] == "dialog":
            kind = "dialog"
        if kind not in asked:
            continue
        if kind not in sums:
            sums[kind] = _sums(kind, reading, probabilities)
        a, z = at[first[i]], at[end[i]]
        held = sums[kind][z] - sums[kind][a]
        if not held or held < MAX_SHARE[kind] * sums[kind][-1]:
            mask[a:z] = b"\x01" * (z - a)
            outside = page.nodes.end[i]
    return [k for k in chosen if not mask[k]] or chosen


def _sums(kind: str, reading: Reading, probabilities: Sequence[float]) -> list[float]:
    """Return prefix sums over the visible blocks of what `MAX_SHARE` is a share of."""
    held: Iterable[float] = reading.texts.words
    if kind == "consent":
        held = [p >= MAX_CONSENT for p in probabilities]
    elif kind != "review":
        held = map(mul, probabilities, held)
    return prefix_sums(held)


@remembering(MAX_KNOWN_ELEMENTS)
def _bystander(names: str) -> str:
    low = names.lower()
    return next((kind for kind, pattern in _NAMES.items() if pattern.search(low)), "")
