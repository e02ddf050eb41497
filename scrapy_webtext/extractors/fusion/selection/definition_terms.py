"""Terms go with their definitions: <dt> is text where its <dd> is."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import Final

from scrapy_webtext.extractors.fusion.filters.comments import names_comments
from scrapy_webtext.extractors.fusion.prediction import PagePrediction
from scrapy_webtext.page import Page

_TERMS: Final = frozenset({"dt", "dd"})


def with_terms(page: Page, prediction: PagePrediction, chosen: Sequence[int]) -> list[int]:
    """Return these blocks, given ascending, with the terms that they define; ascending.

    A term is short and says little by itself, so that it is seldom chosen for its own sake. Terms
    that the page does not show stay out, and so do the names of those who comment.
    """
    nodes, hidden, names = page.nodes, page.hidden, prediction.table.elements.names
    missing: set[int] = set()
    terms: dict[int, list[int]] = {}  # list -> the terms that the next definition has
    is_defined: set[int] = set()  # lists in which a definition came since
    for i in nodes.tagged(_TERMS):
        around = nodes.parent[i]
        if around >= 0 and nodes.tag[around] in _TERMS:  # libxml2 does not end the one before
            around = nodes.parent[around]
        if nodes.tag[i] == "dt":
            if around in is_defined:
                is_defined.discard(around)
                terms[around] = []
            terms.setdefault(around, []).append(i)
            continue
        is_defined.add(around)
        inside = page.blocks_in(i)
        at = bisect_left(chosen, inside.start)
        if at < len(chosen) and chosen[at] < inside.stop:
            for term in terms.get(around, ()):
                if not (hidden[term] or names_comments(f"{names[around]} {names[term]}")):
                    missing.update(page.blocks_in(term))
            terms[around] = []
    missing.difference_update(chosen)
    return sorted((*chosen, *missing)) if missing else list(chosen)
