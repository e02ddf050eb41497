"""Finds the short blocks near headline and text, in which bylines and dates are searched."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final, NamedTuple

from scrapy_webtext.core.texts import Signs
from scrapy_webtext.metadata.dates import TABLES, has_year
from scrapy_webtext.metadata.sources import Sources, once
from scrapy_webtext.metadata.title import find_headline

#: Maximum number of blocks before the headline, between headline and text, at the start of the
#: text, and after the text.
BEFORE: Final = 8
BETWEEN: Final = 25
INTO: Final = 4
AFTER: Final = 6
#: Maximum number of characters of a byline.
MAX_CHARS: Final = 200


_OF_OTHERS: Final = frozenset({"nav", "figcaption"})
_OF_ARTICLES: Final = frozenset({"article", "main"})
#: Kind of elements whose dates are not of the article -> their names.
_ELEMENTS: Final = {
    kind: dict.fromkeys(("class", "id"), Signs(*TABLES.words(f"elements {kind}")))
    for kind in ("comments", "others", "outside")
}
#: Matches a class or id of a part of an article, such as "entry-footer".
_OF_ENTRIES: Final = re.compile(r"(?:entry|post|article|story|content|card|meta)[\w-]{0,9}footer")
#: Matches the text of a footer that has a date of the page, not of the site.
_OF_PAGE: Final = re.compile("|".join(TABLES["this page"]), re.IGNORECASE)
#: Elements whose text the cell before explains, such as "Born" in an infobox.
_LABELLED: Final = frozenset({"td", "dd"})
#: Maximum number of characters of such an explanation.
MAX_LABEL: Final = 40


class Place:
    """Names of the places around headline and text."""

    ABOVE: Final = "above the headline"
    BELOW: Final = "below the headline"
    INSIDE: Final = "in the text"
    AFTER: Final = "after the text"


class Bounds(NamedTuple):
    """The blocks at the boundaries between places, in document order."""

    headline: int  #: block of the headline; if it is not near the text, 9 blocks above the text
    start: int  #: first block of the text, not counting the headline
    end: int  #: index after the last block of the text

    @property
    def places(self) -> dict[str, range]:
        """Place -> its blocks, nearest first; the headline is above itself."""
        return {
            Place.BELOW: range(self.headline + 1, self.start),
            Place.ABOVE: range(self.headline, max(-1, self.headline - 1 - BEFORE), -1),
            Place.INSIDE: range(self.start, self.start + INTO),
            Place.AFTER: range(self.end, self.end + AFTER),
        }

    def place_of(self, block: int) -> str:
        """Return the place of a block; empty if it is far away."""
        return next((place for place, blocks in self.places.items() if block in blocks), "")


@once
def find_bounds(sources: Sources) -> Bounds | None:
    """Return the boundaries of headline and text; None if the page has neither."""
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
def find_nearby(sources: Sources) -> list[tuple[int, str]]:
    """Return (block, place) of the visible short blocks near the headline, nearest first."""
    blocks, bounds = sources.page.blocks, find_bounds(sources)
    return [
        (block, place)
        for place, span in (bounds.places if bounds else {}).items()
        for block in span
        if bounds and block != bounds.headline and block < len(blocks)
        if blocks.chars[block] <= MAX_CHARS and not sources.is_hidden(block)
    ]


@once
def find_dated(sources: Sources) -> list[tuple[int, str]]:
    """Return (block, place) of the nearby short blocks that may have the page's date."""
    near = find_nearby(sources)
    own = set(own_dated(sources, (block for block, _ in near)))
    return [(block, place) for block, place in near if block in own]


def own_dated(sources: Sources, some: Iterable[int]) -> list[int]:
    """Return the blocks in ``some`` that may have the date of the page's article."""
    node, text, excluded = sources.page.blocks.node, sources.page.blocks.text, find_others(sources)
    return [
        block
        for block in some
        if has_year(text[block])
        and (not excluded[node[block]] or _OF_PAGE.search(text[block][:MAX_CHARS]))
    ]


def labelled_text(sources: Sources, block: int) -> str:
    """Return the text of a block; in a cell, the short cell before is put in front of it."""
    tag, blocks = sources.page.nodes.tag, sources.page.blocks
    is_cell = block > 0 and tag[blocks.node[block]] in _LABELLED
    label = (
        f"{blocks.text[block - 1]}: " if is_cell and blocks.chars[block - 1] <= MAX_LABEL else ""
    )
    return label + blocks.text[block]


@once
def find_others(sources: Sources) -> bytearray:
    """Return a mask over nodes: 1 in elements whose dates are not of the article.

    These are stories, pictures, infoboxes, comments, and what is above the headline or below the
    text and not in the article: bars, which may have today's date, and footers. An <aside> counts
    only after the text: before it, an article may have its date there.
    """
    page, bounds = sources.page, find_bounds(sources)
    nodes, runs, first_run = page.nodes, page.runs, page.blocks.first_run
    after = first_run[bounds.end] if bounds and bounds.end < len(page.blocks) else len(runs)
    headline = first_run[max(0, bounds.headline)] if bounds else 0
    chosen = sources.extraction.chosen
    middle = first_run[chosen[len(chosen) // 2]] if chosen else len(runs)
    is_in_article = nodes.inside(_OF_ARTICLES)
    some = {*nodes.tagged(_OF_OTHERS)}
    some.update(i for i in sources.tagged("aside") if runs.first[i] >= after)
    outside = [*sources.tagged("header"), *sources.tagged("footer")]
    for kind, signs in _ELEMENTS.items():
        found = nodes.attributes.with_signs(signs)
        named = [node for node, _, name in found if not _OF_ENTRIES.search(name.lower())]
        if kind == "outside":
            outside += named
        elif kind == "comments":
            some.update(i for i in named if runs.first[i] >= after)
        else:
            some.update(i for i in named if not runs.first[i] <= middle < runs.end[i])
    far = (i for i in outside if runs.end[i] <= headline or runs.first[i] >= after)
    some.update(i for i in far if not is_in_article[i])
    return nodes.below(nodes.outermost(sorted(some)))
