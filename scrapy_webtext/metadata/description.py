"""The article's description: what the page declares for search engines and networks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from scrapy_webtext.metadata.found import Found
from scrapy_webtext.metadata.sources import Sources
from scrapy_webtext.metadata.words import plain_text

#: A shorter one describes nothing.
MIN_CHARS: Final = 8


def find_description(sources: Sources) -> Found | None:
    """Return the description, as one line."""
    for text, source in _declared(sources):
        if len(text) >= MIN_CHARS:
            return Found(text, source)
    return None


def _declared(sources: Sources) -> Iterator[tuple[str, str]]:
    for source, value in sources.values("description"):
        if "webpage" not in source:
            yield plain_text(value), source
    for source, texts in sources.head.values("description"):
        yield texts[0], source
    for source, value in sources.values("description"):
        yield plain_text(value), source
