"""Text that stands nowhere but in a page's JSON-LD: ``articleBody``, a careful last resort.

Pages that scripts fill in the browser often declare their article for search engines all the
same. Where the text can be seen, what is seen is better: as a mask over blocks the declared text
made more pages worse than better.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final

from scrapy_webtext.page import Page, parse

MIN_CHARS: Final = 400
MAX_CHARS: Final = 2_000_000
#: It must be as many times longer than what was found on the page.
LONGER: Final = 2
_PROBE: Final = 40


def declared_text(page: Page, found: str, visible: list[str]) -> str:
    """Return the page's ``articleBody`` if it is much longer than ``found`` and not visible."""
    bodies = [body for text in page.json_ld if "articleBody" in text for body in _bodies(text)]
    body = max(bodies, key=len, default="")
    if len(body) < max(MIN_CHARS, LONGER * len(found)):
        return ""
    text = "\n".join(parse(body).blocks.text) if "<" in body else _folded(body)
    shown = " ".join(visible)
    flat = " ".join(text.split())
    places = (0, len(flat) // 3, 2 * len(flat) // 3)
    return "" if any(flat[k : k + _PROBE] in shown for k in places) else text


def _folded(text: str) -> str:
    return "\n".join(line for line in (" ".join(row.split()) for row in text.split("\n")) if line)


def _bodies(text: str) -> Iterator[str]:
    """Yield every ``articleBody`` of a JSON-LD text, wherever in it; none of a broken one."""
    if len(text) > MAX_CHARS:
        return
    try:
        level: list[Any] = [json.loads(text, strict=False)]
    except (ValueError, RecursionError):
        return
    while level:
        below: list[Any] = []
        for value in level:
            if isinstance(value, dict):
                body = value.get("articleBody")
                if isinstance(body, str):
                    yield body
                below += value.values()
            elif isinstance(value, list):
                below += value
        level = below
