# cython: infer_types=True
"""Features of headings: the distance from them, their sections, the headline.

The headline is the heading that shares most words with the page's title.
"""

from __future__ import annotations

from typing import Final

from scrapy_webtext.core import arrays
from scrapy_webtext.extractors.fusion.features.tables import BlockTable, Columns
from scrapy_webtext.page import Page

#: Distance from the headline if there is none.
NO_HEADLINE: Final = 999


def add_headings(columns: Columns, page: Page, texts: BlockTable) -> None:
    """Add the distances from the last heading and from the headline, and features of sections."""
    n, prose = len(texts.node), arrays.longs(texts.prose_sums)
    tag_class = arrays.doubles(columns["tag_class"])
    since = arrays.column(columns, "since_heading", n)
    heading_level = arrays.column(columns, "heading_level", n)
    similarity = arrays.column(columns, "title_similarity", n)
    from_headline = arrays.column(columns, "from_headline", n)
    prose_from = arrays.column(columns, "prose_from_headline", n)
    title = _Title(page.title.lower(), texts.is_unspaced)
    chars, link_density = arrays.longs(texts.chars), arrays.doubles(texts.link_density)
    text, current, last, headline = texts.text, 0.0, 0, 0
    top = 0.0
    for k in range(n):
        level = 19 - tag_class[k] if tag_class[k] > 12 else 0.0  # the class of <h1> is 18
        if level:
            current, last = level, k
        since[k], heading_level[k] = k - last, current
        if 8 <= chars[k] <= 250 and (level or link_density[k] < 0.5):
            similarity[k] = title.similarity(text[k])
        rank = similarity[k] + (0.5 if level == 1 else 0.25 if level else 0.0)
        if rank > top:
            top, headline = rank, k
    nowhere = NO_HEADLINE
    for k in range(n):
        from_headline[k] = k - headline if top >= 0.4 else nowhere
        prose_from[k] = prose[k] - prose[headline] if top >= 0.4 else -1
    _add_sections(columns, texts)


def _add_sections(columns: Columns, texts: BlockTable) -> None:
    """Add features of the section of each block: from its heading to the next heading."""
    n, since = len(texts.node), arrays.doubles(columns["since_heading"])
    unlinked_chars, chars = arrays.longs(texts.unlinked_sums), arrays.longs(texts.chars_sums)
    unlinked = arrays.column(columns, "section_unlinked", n)
    blocks = arrays.column(columns, "section_blocks", n)
    link_density = arrays.column(columns, "section_link_density", n)
    begin = 0
    while begin < n:
        end = begin + 1
        while end < n and since[end] != 0:
            end += 1
        held = unlinked_chars[end] - unlinked_chars[begin]
        share = 1 - float(held) / float((chars[end] - chars[begin]) or 1)
        for k in range(begin, end):
            unlinked[k], blocks[k], link_density[k] = held, end - begin, share
        begin = end


class _Title:
    """The words of a title; in scripts without spaces, its characters."""

    def __init__(self, title: str, is_unspaced: bool) -> None:
        self.is_unspaced = is_unspaced
        self.words = set(title if is_unspaced else title.split())

    def similarity(self, text: str) -> float:
        """Return the Jaccard similarity of a text's words and the title's, in [0, 1]."""
        low = text.lower()
        found = list(low) if self.is_unspaced else low.split()
        if self.words.isdisjoint(found):
            return 0.0
        words = set(found)
        shared = len(words & self.words)
        return float(shared) / float(len(words) + len(self.words) - shared)
