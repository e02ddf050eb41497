"""Pages that are no articles, made from articles where a script has few others.

An article's page without its text is no article: its address, names, words and declarations are
what they were, so that these alone do not make an article, in any language.
"""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from scrapy_webtext.corpus import LabelledPage, match_words
from scrapy_webtext.page import Page
from scrapy_webtext.train.fusion.examples import Example

#: Ends the id of a page whose text was taken out.
WITHOUT_TEXT: Final = " without text"
#: Pages that are no articles, for each article of their script, that are made up to.
LEAST_OTHERS: Final = 0.5
#: A block is of the text that is taken out if so much of it is.
_LEAST_SHARE: Final = 0.3


def unlabelled(labelled: LabelledPage) -> LabelledPage:
    """Return the label of an article's page without its text."""
    return replace(labelled, id=labelled.id + WITHOUT_TEXT, text="", type="other")


def without_text(labelled: LabelledPage, page: Page) -> Page:
    """Return an article's page with the blocks of its gold text emptied; its elements stay."""
    matches = match_words(page.blocks.text, labelled.text)
    emptied = {
        page.runs.node[k]
        for block, match in enumerate(matches)
        if match.share > _LEAST_SHARE
        for k in page.blocks.runs(block)
    }
    nodes = page.nodes
    text = [None if i in emptied else own for i, own in enumerate(nodes.text)]
    tail = [None if i in emptied else own for i, own in zip(nodes.parent, nodes.tail, strict=True)]
    return replace(page, nodes=replace(nodes, text=text, tail=tail))


def as_found(examples: Iterable[Example]) -> list[Example]:
    """Return the examples without those that were made: names and words are learned of these."""
    return [e for e in examples if not e.id.endswith(WITHOUT_TEXT)]


def articles_to_empty(examples: Iterable[Example]) -> Iterator[Example]:
    """Yield the articles that are to teach without their text, too.

    They are of scripts with few other pages, and drawn by chance, always the same.
    """
    examples = sorted(examples, key=_chance)
    number = Counter((e.script, e.is_article) for e in examples)
    missing = {
        script: int(LEAST_OTHERS * number[script, True]) - number[script, False]
        for script, _ in number
    }
    for e in examples:
        if e.is_article and e.labels and missing[e.script] > 0:
            missing[e.script] -= 1
            yield e


def _chance(e: Example) -> int:
    return zlib.crc32(f"{e.corpus}:{e.id}".encode())
