"""Adds blocks that belong to chosen blocks: the standfirst, and pieces between <br>.

A standfirst (the short introduction above the text) scores low, because it is short and far from
the text; but the page repeats it as its description in <meta>. Pieces of one element, separated by
<br>, are read as one text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import eq
from typing import Final

from scrapy_webtext.extractors.fusion.features.bag_of_words import meta_fields
from scrapy_webtext.extractors.fusion.features.tables import BlockTable
from scrapy_webtext.page import Page

_DESCRIPTIONS: Final = frozenset({"description", "og:description", "twitter:description"})
#: Candidate blocks above the text that are searched for a standfirst.
MAX_ABOVE: Final = 25
#: Letters and digits: the least of a standfirst, and the most that are compared.
MIN_LETTERS: Final = 30
COMPARED: Final = 400

#: An element is completed if it has so many pieces, and this share of its words is chosen.
MIN_PIECES: Final = 3
MIN_SHARE: Final = 2 / 3
#: Elements whose pieces do not belong together.
_MIXED: Final = frozenset({"body", "td", "th", "form"})
_NO_STANDFIRST: Final = frozenset({"h1", "figure", "figcaption"})


def with_standfirst(page: Page, texts: BlockTable, chosen: Sequence[int]) -> list[int]:
    """Return the positions ``chosen`` with that of the standfirst above them, if there is one.

    The standfirst and the description are equal, or one begins with the other.
    """
    if not chosen or chosen[0] == 0:
        return list(chosen)
    described = [
        letters
        for name, content in meta_fields(page)
        if name.lower() in _DESCRIPTIONS and len(letters := _letters(content)) >= MIN_LETTERS
    ]
    if not described:
        return list(chosen)
    for k in range(chosen[0] - 1, max(chosen[0] - MAX_ABOVE, 0) - 1, -1):
        is_long = len(texts.text[k]) >= MIN_LETTERS
        if is_long and page.nodes.tag[texts.node[k]] not in _NO_STANDFIRST:
            letters = _letters(texts.text[k])
            if len(letters) >= MIN_LETTERS and any(
                one.startswith(letters) or letters.startswith(one) for one in described
            ):
                return [k, *chosen]
    return list(chosen)


def with_pieces(page: Page, texts: BlockTable, chosen: Sequence[int]) -> list[int]:
    """Return the positions ``chosen`` with the gaps in elements of which most is chosen."""
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
    """Yield the positions of the pieces of each element with `MIN_PIECES` pieces in a row."""
    nodes = list(texts.node)
    if not any(map(eq, nodes, nodes[MIN_PIECES - 1 :])):  # on most pages
        return
    for node, positions in groupby(range(len(nodes)), key=nodes.__getitem__):
        run = list(positions)
        if len(run) >= MIN_PIECES and page.nodes.tag[node] not in _MIXED:
            yield range(run[0], run[-1] + 1)


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text[: 2 * COMPARED].lower()))[:COMPARED]
