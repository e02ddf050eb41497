"""Where bylines and dates stand: the short blocks around the headline, and those after the text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from scrapy_webtext.metadata.dates import has_year
from scrapy_webtext.metadata.headline import find_headline
from scrapy_webtext.metadata.sources import Sources, once

#: Blocks looked at before the headline, between it and the text, in the text's beginning, after it.
BEFORE: Final = 8
BETWEEN: Final = 25
INTO: Final = 4
AFTER: Final = 6
#: A block with more is no byline.
MAX_CHARS: Final = 200


#: Places, as provenance tells of them.
PLACES: Final = {
    "below": "below the headline",
    "above": "above the headline",
    "in": "in the text",
    "after": "after the text",
}


class Nearby(NamedTuple):
    """A short block near the headline."""

    text: str
    block: int
    place: str  #: of `PLACES`


class Bounds(NamedTuple):
    """Blocks that part the surroundings: all in document order."""

    headline: int  #: the last block of the headline, or the one before the surroundings begin
    start: int  #: the text's first block, the headline left out
    end: int  #: the block after the text's last


@once
def find_bounds(sources: Sources) -> Bounds | None:
    """Return where the headline and the text stand, None where neither is known."""
    chosen = sources.extraction.chosen
    headline = find_headline(sources)[1]
    if not chosen:
        return Bounds(headline, headline + 1, headline + 1) if headline >= 0 else None
    start = next((block for block in chosen if block > headline), chosen[-1] + 1)
    if not 0 <= headline < start <= headline + 1 + BETWEEN:
        start = chosen[0]
        headline = max(-1, start - 9)
    return Bounds(headline, start, chosen[-1] + 1)


@once
def find_nearby(sources: Sources) -> tuple[Nearby, ...]:
    """Return the short blocks that are shown near the article's headline, the nearest first."""
    return tuple(_nearby(sources))


@once
def find_dated(sources: Sources) -> tuple[Nearby, ...]:
    """Return those of the short blocks near the headline that may name a date."""
    return tuple([near for near in find_nearby(sources) if has_year(near.text)])


def _nearby(sources: Sources) -> Iterator[Nearby]:
    found = find_bounds(sources)
    if found is None:
        return
    headline, start, end = found
    spans = (
        (range(headline + 1, start), "below"),
        (range(headline - 1, max(-1, headline - 1 - BEFORE), -1), "above"),
        (range(start, start + INTO), "in"),
        (range(end, end + AFTER), "after"),
    )
    page = sources.page
    hidden, node, blocks = page.hidden, page.runs.node, page.blocks
    text, chars, first_run, count = blocks.text, blocks.chars, blocks.first_run, len(blocks)
    for span, place in spans:
        for block in span:
            if block < count and chars[block] <= MAX_CHARS and not hidden[node[first_run[block]]]:
                yield Nearby(text[block], block, place)


def is_hidden(sources: Sources, block: int) -> bool:
    """Whether a block is not shown."""
    page = sources.page
    return bool(page.hidden[page.runs.node[page.blocks.first_run[block]]])
