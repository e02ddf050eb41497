"""Removes readers' comments below an article, recognised by their class names."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import compress
from operator import mul
from typing import Final

from scrapy_webtext.extractors.fusion.features.class_names import names_with
from scrapy_webtext.extractors.fusion.features.tables import SENTENCE_ENDS
from scrapy_webtext.extractors.fusion.prediction import PagePrediction
from scrapy_webtext.page import Block, Page, prefix_sums

#: Parts of the class names of elements that hold readers' comments.
COMMENT_NAMES: Final = ("comment", "disqus", "kommentar", "commentaire")
#: A text with fewer words that does not end like a sentence is a name, a date or a button.
LEAST_WORDS: Final = 6
#: Pages that are less likely an article are forums and the like. Higher, from .2 on, more articles
#: of eras and languages that the model does not know are lost among their comments; lower, below
#: .07, forums lose their posts.
LEAST_ARTICLE: Final = 0.15


def comment_mask(page: Page, prediction: PagePrediction) -> bytearray:
    """Return a mask over candidate blocks: 1 below elements with class names of comments.

    Class names here are class, id, role and itemprop. An element with at least half of the expected
    words is not removed, because some sites give the article such a name. Only articles have
    comments: the posts of a forum are its text.
    """
    texts = prediction.table.texts
    mask = bytearray(len(texts.node))
    if not _has_comments(prediction):
        return mask
    elements = prediction.table.elements
    names = set(names_with(elements.distinct_class_names, COMMENT_NAMES))
    if not names:
        return mask
    first, end, containers = page.runs.first, page.runs.end, page.containers
    class_names, outside = elements.class_names, 0
    sums = prefix_sums(map(mul, prediction.probabilities, texts.words))
    for i in elements.kept_nodes:
        # Inline elements with such names are comments in source code.
        if class_names[i] not in names or i < outside or containers[i] != i:
            continue
        a, z = texts.at[first[i]], texts.at[end[i]]
        if 2 * (sums[z] - sums[a]) < sums[-1]:
            mask[a:z] = b"\x01" * (z - a)
            outside = page.nodes.end[i]
    return mask


def comment_texts(page: Page, prediction: PagePrediction) -> list[int]:
    """Return the numbers of the page's blocks that are text of comments, ascending.

    Links, buttons and names of authors are left out. Comments in excluded nodes, such as a sidebar
    or outside <main>, are among them.
    """
    if not _has_comments(prediction):
        return []
    texts = prediction.table.texts
    numbers = [
        *compress(texts.numbers, comment_mask(page, prediction)),
        *_comments_in_excluded_nodes(page, prediction),
    ]
    return sorted(b for b in numbers if _is_comment_text(page.blocks[b], texts.is_unspaced))


def _has_comments(prediction: PagePrediction) -> bool:
    return prediction.article >= LEAST_ARTICLE


def _comments_in_excluded_nodes(page: Page, prediction: PagePrediction) -> Iterator[int]:
    """Yield the blocks of comments in excluded nodes.

    Here only class and id count: `element_table` did not read these elements.
    """
    nodes = page.nodes
    kept_nodes, outside = frozenset(prediction.table.elements.kept_nodes), 0
    for i, container in enumerate(page.containers):
        if i < outside or i in kept_nodes or page.hidden[i] or container != i:
            continue
        if is_comment_name(" ".join(v for k, v in nodes.attributes[i] if k in ("class", "id"))):
            outside = nodes.end[i]
            yield from page.blocks_in(i)


def _is_comment_text(block: Block, is_unspaced: bool) -> bool:
    words = block.chars if is_unspaced else block.text.count(" ") + 1
    is_text = block.text[-1] in SENTENCE_ENDS or words >= LEAST_WORDS
    return is_text and block.link_density < 0.5


def is_comment_name(class_names: str) -> bool:
    """Return whether the class names of an element are those of readers' comments."""
    low = class_names.lower()
    return any(name in low for name in COMMENT_NAMES)
