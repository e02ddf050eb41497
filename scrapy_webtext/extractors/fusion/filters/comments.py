"""Readers' comments below an article, told by the names of their elements."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import compress
from operator import mul
from typing import Final

from scrapy_webtext.extractors.fusion.features.tables import SENTENCE_ENDS
from scrapy_webtext.extractors.fusion.prediction import PagePrediction
from scrapy_webtext.page import Block, Page, prefix_sums

#: Parts of names of elements that hold readers' comments.
COMMENT_NAMES: Final = ("comment", "disqus", "kommentar", "commentaire")
#: Text of fewer words that does not end as a sentence does is a name, a date or a button.
LEAST_WORDS: Final = 6
#: Pages that are less likely an article are forums and the like. Higher, from .2 on, more articles
#: of eras and languages that the model does not know are lost among their comments; lower, below
#: .07, forums lose their posts.
LEAST_ARTICLE: Final = 0.15


def comment_mask(page: Page, prediction: PagePrediction) -> bytearray:
    """Mask over visible blocks: 1 below elements whose class or id names them comments.

    An element that holds half of the expected words is no comment: some sites name the body so.
    Only articles have comments: the posts of a forum are its text, whatever they are called.
    """
    texts = prediction.table.texts
    mask = bytearray(len(texts.node))
    if not _has_comments(prediction):
        return mask
    first, end, containers = page.runs.first, page.runs.end, page.containers
    names, sums, outside = prediction.table.elements.names, None, 0
    for i in prediction.table.elements.kept_nodes:
        # Inline elements named so are comments in code, coloured.
        if not names[i] or i < outside or containers[i] != i or not names_comments(names[i]):
            continue
        if sums is None:
            sums = prefix_sums(map(mul, prediction.probabilities, texts.words))
        a, z = texts.at[first[i]], texts.at[end[i]]
        if 2 * (sums[z] - sums[a]) < sums[-1]:
            mask[a:z] = b"\x01" * (z - a)
            outside = page.nodes.end[i]
    return mask


def comments_proper(page: Page, prediction: PagePrediction) -> list[int]:
    """Return the page's blocks that are text of comments: no link, no button and no name.

    Those that stand outside the main element, or in a sidebar, are among them.
    """
    if not _has_comments(prediction):
        return []
    texts = prediction.table.texts
    numbers = [
        *compress(texts.numbers, comment_mask(page, prediction)),
        *_unread_comments(page, prediction),
    ]
    return sorted(b for b in numbers if _is_proper(page.blocks[b], texts.is_unspaced))


def _has_comments(prediction: PagePrediction) -> bool:
    return prediction.article >= LEAST_ARTICLE


def _unread_comments(page: Page, prediction: PagePrediction) -> Iterator[int]:
    """Yield the blocks of comments that were left out with what is around them."""
    nodes = page.nodes
    kept_nodes, outside = frozenset(prediction.table.elements.kept_nodes), 0
    for i, container in enumerate(page.containers):
        if i < outside or i in kept_nodes or page.hidden[i] or container != i:
            continue
        if names_comments(" ".join(v for k, v in nodes.attributes[i] if k in ("class", "id"))):
            outside = nodes.end[i]
            yield from page.blocks_in(i)


def _is_proper(block: Block, is_unspaced: bool) -> bool:
    words = block.chars if is_unspaced else block.text.count(" ") + 1
    is_text = block.text[-1] in SENTENCE_ENDS or words >= LEAST_WORDS
    return is_text and block.link_density < 0.5


def names_comments(names: str) -> bool:
    """Whether the class or id of an element names it readers' comments."""
    low = names.lower()
    return any(name in low for name in COMMENT_NAMES)
