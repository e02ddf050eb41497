"""Text that stands on a page more than once: what is a copy of it, and what is said again.

Pages carry posts for phones, quote boxes, slides and notices a second time; labelled texts have
them once. A refrain, a line of code or a quotation in an answer is read each time.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from scrapy_webtext.extractors.fusion.features.block_features import FeatureTable
from scrapy_webtext.extractors.fusion.features.tables import BlockTable
from scrapy_webtext.page import Page, tags

#: Shorter texts are taken as often as they stand there.
COPY_WORDS: Final = 8
#: Where texts with more of the words than this are there again, the page carries its text twice.
MAX_SAID_AGAIN: Final = 0.5
#: Elements around a block that are looked at for a quotation.
_REACH: Final = 8


def without_duplicates(page: Page, table: FeatureTable, chosen: Sequence[int]) -> list[int]:
    """Return these places of visible blocks, ascending, without copies of others."""
    texts = table.texts
    first: dict[str, int] = {}
    again: list[int] = []
    for k in chosen:
        if texts.words[k] >= COPY_WORDS and first.setdefault(texts.text[k], k) != k:
            again.append(k)
    if not again:
        return list(chosen)
    gone = set(again)
    repeated = sum(texts.words[k] for k in {first[texts.text[k]] for k in again})
    if repeated <= MAX_SAID_AGAIN * sum(texts.words[k] for k in chosen if k not in gone):
        gone = {k for k in again if not _is_said_again(page, table, first[texts.text[k]], k)}
    gone |= _headings_of(gone, texts, chosen)
    return [k for k in chosen if k not in gone]


def _headings_of(gone: set[int], texts: BlockTable, chosen: Sequence[int]) -> set[int]:
    """Return the short copies right before copies: the heading of a text comes with it."""
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


def _is_said_again(page: Page, table: FeatureTable, first: int, again: int) -> bool:
    """Whether a text is read twice: with others in between, or quoted in another place."""
    node, parent = table.texts.node, page.nodes.parent
    one, other = node[first], node[again]
    if again > first + 1 and page.nodes.tag[one] == page.nodes.tag[other]:
        if parent[one] == parent[other]:
            return True
        template_id = table.elements.template_id
        if page.nodes.tag[one] in tags.PREFORMATTED and template_id[one] == template_id[other]:
            return True
    return _is_quoted(page, one, other)


def _is_quoted(page: Page, first: int, again: int) -> bool:
    """Whether a block stands in a quotation whose surroundings do not hold the other block."""
    tag, parent = page.nodes.tag, page.nodes.parent
    node = again
    for _ in range(_REACH):
        if node < 0 or tag[node] == "blockquote":
            break
        node = parent[node]
    if node < 0 or tag[node] != "blockquote" or parent[node] < 0:
        return False
    around = parent[node]
    return not around <= first < page.nodes.end[around]
