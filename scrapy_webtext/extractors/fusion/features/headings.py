"""Features of headings: the distance from them, their sections, the headline.

The headline is the heading that shares most words with the page's title.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from scrapy_webtext.compiled import compiled
from scrapy_webtext.extractors.fusion.features.tables import BlockTable, Columns
from scrapy_webtext.page import Page

#: Distance from the headline if there is none.
NO_HEADLINE: Final = 999

_LEVELS: Final = {"h1": 1, "h2": 2, "h3": 3, "h4": 4, "h5": 5, "h6": 6}


@compiled
def add_headings(columns: Columns, page: Page, texts: BlockTable) -> None:
    """Add the distances from the last heading and from the headline, and features of sections."""
    levels = [_LEVELS.get(page.nodes.tag[i], 0) for i in texts.node]
    since, current_levels, current, last = [], [], 0, 0
    for i, level in enumerate(levels):
        if level:
            current, last = level, i
        since.append(i - last)
        current_levels.append(current)
    columns["since_heading"] = since
    _add_sections(columns, texts, since)
    columns["heading_level"] = current_levels
    columns["title_similarity"] = similarity = _similarities(page.title, texts, levels)
    ranks = [
        s + (0.5 if level == 1 else 0.25 if level else 0.0)
        for s, level in zip(similarity, levels, strict=True)
    ]
    top = max(ranks, default=0.0)
    if top < 0.4:
        columns["from_headline"] = [NO_HEADLINE] * len(levels)
        columns["prose_from_headline"] = [-1] * len(levels)
        return
    headline, sums = ranks.index(top), texts.prose_sums
    columns["from_headline"] = list(range(-headline, len(levels) - headline))
    columns["prose_from_headline"] = [n - sums[headline] for n in sums[:-1]]


def _add_sections(columns: Columns, texts: BlockTable, since: Sequence[int]) -> None:
    """Add features of the section of each block: from its heading to the next heading."""
    starts = [i for i, distance in enumerate(since) if i == 0 or distance == 0]
    unlinked_chars, chars = texts.unlinked_sums, texts.chars_sums
    unlinked: list[int] = []
    blocks: list[int] = []
    link_densities: list[float] = []
    for a, z in pairwise([*starts, len(since)]):
        n = z - a
        held = unlinked_chars[z] - unlinked_chars[a]
        unlinked += [held] * n
        blocks += [n] * n
        link_densities += [1 - held / ((chars[z] - chars[a]) or 1)] * n
    columns["section_unlinked"] = unlinked
    columns["section_blocks"] = blocks
    columns["section_link_density"] = link_densities


def _similarities(title: str, texts: BlockTable, levels: Sequence[int]) -> list[float]:
    """Return per block the Jaccard similarity of its words and the title's, in [0, 1].

    It is 0 for very short and long blocks and for links. In scripts without spaces characters are
    compared instead of words.
    """
    title_words = set(title.lower() if texts.is_unspaced else title.lower().split())
    if not title_words:
        return [0.0] * len(texts.text)
    column = []
    for text, chars, level, link_density in zip(
        texts.text, texts.chars, levels, texts.link_density, strict=True
    ):
        if 8 <= chars <= 250 and (level or link_density < 0.5):
            low = text.lower()
            words = set(low if texts.is_unspaced else low.split())
            shared = len(words & title_words)
            column.append(shared / (len(words) + len(title_words) - shared) if shared else 0.0)
        else:
            column.append(0.0)
    return column
