"""Adds the term of a chosen definition: <dt> belongs to its <dd>."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import Final

from scrapy_webtext.extractors.fusion.filters.comments import is_comment_name
from scrapy_webtext.extractors.fusion.prediction import PagePrediction
from scrapy_webtext.page import Page

_TERMS: Final = frozenset({"dt", "dd"})


def with_terms(page: Page, prediction: PagePrediction, chosen: Sequence[int]) -> list[int]:
    """Return the blocks ``chosen`` with the terms that they define; both ascending.

    A term is short, so the model seldom chooses it. Hidden terms and the names of commenters are
    not added.
    """
    nodes, hidden, class_names = page.nodes, page.hidden, prediction.table.elements.class_names
    missing: set[int] = set()
    terms: dict[int, list[int]] = {}  # list -> the terms before its next definition
    is_defined: set[int] = set()  # lists with a definition since the last term
    for i in nodes.tagged(_TERMS):
        around = nodes.parent[i]
        if around >= 0 and nodes.tag[around] in _TERMS:  # libxml2 did not close the previous term
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
                if not (
                    hidden[term] or is_comment_name(f"{class_names[around]} {class_names[term]}")
                ):
                    missing.update(page.blocks_in(term))
            terms[around] = []
    missing.difference_update(chosen)
    return sorted((*chosen, *missing)) if missing else list(chosen)
