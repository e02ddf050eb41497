"""Blocks that were not chosen by themselves and belong to those that were.

The standfirst is short and stands apart from the text, but the page names it as its description.
Pieces of one element that <br> parts are read together.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from scrapy_webtext.extractors.fusion.features.bag_of_words import meta_fields
from scrapy_webtext.extractors.fusion.features.tables import BlockTable
from scrapy_webtext.page import Page

_DESCRIPTIONS: Final = frozenset({"description", "og:description", "twitter:description"})
#: A standfirst stands at most so many visible blocks above the text.
MAX_ABOVE: Final = 25
#: Letters and digits that a standfirst has at least, and so many are compared.
MIN_LETTERS: Final = 30
COMPARED: Final = 400

#: Pieces of an element, and the share of its words that is chosen, for the rest to be taken.
MIN_PIECES: Final = 3
MIN_SHARE: Final = 2 / 3
#: Elements that hold what does not belong together.
_MIXED: Final = frozenset({"body", "td", "th", "form"})
_NO_STANDFIRST: Final = frozenset({"h1", "figure", "figcaption"})


def with_standfirst(page: Page, texts: BlockTable, chosen: Sequence[int]) -> list[int]:
    """Return these places of visible blocks with that of the standfirst above them, if any.

    It is the page's own description, or begins it, or is what a shortened one begins with.
    """
    if not chosen or chosen[0] == 0:
        return list(chosen)
    described = [
        letters
        for name, content in meta_fields(page)
        if name.lower() in _DESCRIPTIONS and len(letters := _letters(content)) >= MIN_LETTERS
    ]
    for k in range(chosen[0] - 1, max(chosen[0] - MAX_ABOVE, 0) - 1, -1):
        if described and page.nodes.tag[texts.node[k]] not in _NO_STANDFIRST:
            own = _letters(texts.text[k])
            if len(own) >= MIN_LETTERS and any(
                one.startswith(own) or own.startswith(one) for one in described
            ):
                return [k, *chosen]
    return list(chosen)


def with_pieces(page: Page, texts: BlockTable, chosen: Sequence[int]) -> list[int]:
    """Return these places with those between them in an element of which most was chosen."""
    inside = set(chosen)
    for run in _elements(page, texts):
        first, last = run.start, run.stop - 1
        while first <= last and first not in inside:
            first += 1
        while last >= first and last not in inside:
            last -= 1
        if last - first + 1 <= sum(k in inside for k in range(first, last + 1)):
            continue
        words = sum(texts.words[k] for k in run)
        if sum(texts.words[k] for k in run if k in inside) >= MIN_SHARE * words:
            inside.update(range(first, last + 1))
    return sorted(inside) if len(inside) > len(chosen) else list(chosen)


def _elements(page: Page, texts: BlockTable) -> Iterator[range]:
    """Yield the places of the pieces of each element that has `MIN_PIECES` in a row."""
    for node, places in groupby(range(len(texts.node)), key=texts.node.__getitem__):
        run = list(places)
        if len(run) >= MIN_PIECES and page.nodes.tag[node] not in _MIXED:
            yield range(run[0], run[-1] + 1)


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text[: 2 * COMPARED].lower()))[:COMPARED]
