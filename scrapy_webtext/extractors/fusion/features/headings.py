"""Headings, the sections below them, and the headline."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from scrapy_webtext.extractors.fusion.features.tables import BlockTable, Columns
from scrapy_webtext.page import Page

#: Blocks from the headline, where there is none.
NO_HEADLINE: Final = 999

_LEVELS: Final = {"h1": 1, "h2": 2, "h3": 3, "h4": 4, "h5": 5, "h6": 6}


def add_headings(columns: Columns, page: Page, texts: BlockTable) -> None:
    """Distance from the last heading and from the headline, the heading most like the title."""
    levels = [_LEVELS.get(page.nodes.tag[i], 0) for i in texts.node]
    since, kinds, level, last = [], [], 0, 0
    for i, own in enumerate(levels):
        if own:
            level, last = own, i
        since.append(i - last)
        kinds.append(level)
    columns["since_heading"] = since
    _add_sections(columns, texts, since)
    columns["heading_level"] = kinds
    columns["title_similarity"] = similarity = _similarities(page.title, texts, levels)
    ranks = [
        s + (0.5 if own == 1 else 0.25 if own else 0.0)
        for s, own in zip(similarity, levels, strict=True)
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
    """What lies between a block's heading, or the start of the page, and the next heading."""
    starts = [i for i, distance in enumerate(since) if i == 0 or distance == 0]
    unlinked_chars, chars = texts.unlinked_sums, texts.chars_sums
    plains: list[int] = []
    blocks: list[int] = []
    densities: list[float] = []
    for a, z in pairwise([*starts, len(since)]):
        n = z - a
        held = unlinked_chars[z] - unlinked_chars[a]
        plains += [held] * n
        blocks += [n] * n
        densities += [1 - held / ((chars[z] - chars[a]) or 1)] * n
    columns["section_unlinked"] = plains
    columns["section_blocks"] = blocks
    columns["section_link_density"] = densities


def _similarities(title: str, texts: BlockTable, levels: Sequence[int]) -> list[float]:
    """Per block, words shared with the title per words of either; 0 for long blocks and links.

    Characters take the place of words in scripts without spaces.
    """
    wanted = set(title.lower() if texts.is_unspaced else title.lower().split())
    if not wanted:
        return [0.0] * len(texts.text)
    column = []
    for text, chars, level, link_density in zip(
        texts.text, texts.chars, levels, texts.link_density, strict=True
    ):
        if 8 <= chars <= 250 and (level or link_density < 0.5):
            low = text.lower()
            words = set(low if texts.is_unspaced else low.split())
            shared = len(words & wanted)
            column.append(shared / (len(words) + len(wanted) - shared) if shared else 0.0)
        else:
            column.append(0.0)
    return column
