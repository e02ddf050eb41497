"""Text that stands nowhere but in a page's JSON-LD: ``articleBody``, a careful last resort.

Pages that scripts fill in the browser often declare their article for search engines all the
same. Nobody sees what is declared, and a page can declare what it likes: so it is only read where
the page shows next to nothing of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from scrapy_webtext.extractors.fusion.features.structured_data import structured_data
from scrapy_webtext.page import Page, has_more_elements, parse

MIN_CHARS: Final = 400
#: It must be as many times longer than what was found on the page.
LONGER: Final = 2
#: A page that shows as many characters is read by what it shows.
MAX_SHOWN_CHARS: Final = 500
#: Elements of an ``articleBody`` that is HTML.
MAX_ELEMENTS: Final = 5_000


def json_ld_text(page: Page, found: str, visible: Sequence[str]) -> str:
    """Return the page's ``articleBody`` if it shows hardly any text, else nothing.

    ``found`` is the main text that was found among the ``visible`` blocks.
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
