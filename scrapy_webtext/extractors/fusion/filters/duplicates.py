"""Removes copies: text that stands on a page a second time.

Pages repeat text for phones and in quote boxes, slides and notices; labelled texts have it once.
Some repetitions are meant: a refrain, a line of code, a quotation in an answer. They stay.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from scrapy_webtext.extractors.fusion.features.block_features import FeatureTable
from scrapy_webtext.extractors.fusion.features.tables import BlockTable
from scrapy_webtext.page import Page, tags

#: Shorter texts may be repeated.
COPY_WORDS: Final = 8
#: If texts with a greater share of the words are repeated, the page holds its whole text twice.
MAX_REPEATED_SHARE: Final = 0.5
#: Ancestors of a block that are searched for a <blockquote>.
_REACH: Final = 8


def without_duplicates(page: Page, table: FeatureTable, chosen: Sequence[int]) -> list[int]:
    """Return the positions ``chosen`` (ascending) without copies of other blocks."""
    texts = table.texts
    first: dict[str, int] = {}
    copies: list[int] = []
    for k in chosen:
        if texts.words[k] >= COPY_WORDS and first.setdefault(texts.text[k], k) != k:
            copies.append(k)
    if not copies:
        return list(chosen)
    gone = set(copies)
    repeated = sum(texts.words[k] for k in {first[texts.text[k]] for k in copies})
    if repeated <= MAX_REPEATED_SHARE * sum(texts.words[k] for k in chosen if k not in gone):
        gone = {k for k in copies if not _is_meant_twice(page, table, first[texts.text[k]], k)}
    gone |= _headings_of(gone, texts, chosen)
    return [k for k in chosen if k not in gone]


def _headings_of(gone: set[int], texts: BlockTable, chosen: Sequence[int]) -> set[int]:
    """Return the short copies right before removed copies, such as their headings."""
    if not gone:
        return gone
    first: dict[str, int] = {}
    for k, text in enumerate(texts.text):
        first.setdefault(text, k)
    found: set[int] = set()
    is_before = False
    for k in reversed(chosen):
        is_copy = is_before and texts.words[k] < COPY_WORDS and first[texts.text[k]] < k
        if is_copy:
            found.add(k)
        is_before = is_copy or k in gone
    return found


def _is_meant_twice(page: Page, table: FeatureTable, first: int, copy: int) -> bool:
    """Return whether a repetition is meant: among siblings, in code, or in a quotation."""
    node, parent = table.texts.node, page.nodes.parent
    original, repeated = node[first], node[copy]
    if copy > first + 1 and page.nodes.tag[original] == page.nodes.tag[repeated]:
        if parent[original] == parent[repeated]:
            return True
        template_id = table.elements.template_id
        is_code = page.nodes.tag[original] in tags.PREFORMATTED
        if is_code and template_id[original] == template_id[repeated]:
            return True
    return _is_quoted(page, original, repeated)


def _is_quoted(page: Page, original: int, repeated: int) -> bool:
    """Return whether a node is in a <blockquote> whose parent does not hold the original."""
    tag, parent = page.nodes.tag, page.nodes.parent
    node = repeated
    for _ in range(_REACH):
        if node < 0 or tag[node] == "blockquote":
            break
        node = parent[node]
    if node < 0 or tag[node] != "blockquote" or parent[node] < 0:
        return False
    holder = parent[node]
    return not holder <= original < page.nodes.end[holder]
