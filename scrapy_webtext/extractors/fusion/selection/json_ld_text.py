"""The text of JSON-LD's ``articleBody``, a last resort for pages that show hardly any text.

Pages that scripts fill in the browser often have their article in JSON-LD for search engines.
Readers do not see JSON-LD, and it can hold anything; so it is only used if the page itself shows
almost nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from scrapy_webtext.extractors.fusion.features.structured_data import structured_data
from scrapy_webtext.page import Page, has_more_elements, parse

MIN_CHARS: Final = 400
#: An ``articleBody`` is used if it is this many times longer than the text of the page.
LONGER: Final = 2
#: The ``articleBody`` is not used if the page shows this many characters.
MAX_SHOWN_CHARS: Final = 500
#: An ``articleBody`` of HTML with more elements is not used.
MAX_ELEMENTS: Final = 5_000


def json_ld_text(page: Page, found: str, visible: Sequence[str]) -> str:
    """Return the page's longest ``articleBody`` if the page shows hardly any text, else "".

    ``found`` is the main text that was chosen from the ``visible`` blocks.
    """
    if sum(map(len, visible)) >= MAX_SHOWN_CHARS:
        return ""
    body = max(structured_data(page).bodies, key=len, default="")
    if len(body) < max(MIN_CHARS, LONGER * len(found)):
        return ""
    if "<" not in body:
        return _folded(body)
    if has_more_elements(body.encode("utf-8", "replace"), MAX_ELEMENTS):
        return ""
    return "\n".join(parse(body).blocks.text)


def _folded(text: str) -> str:
    return "\n".join(line for line in (" ".join(row.split()) for row in text.split("\n")) if line)
