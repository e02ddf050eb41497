"""Makes pages that are no articles from articles, for scripts with few other pages.

An article's page without its text is no article. Its URL, class names, words and metadata stay as
they are, so the classifier learns that these alone do not make an article, in any language.
"""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from scrapy_webtext.lab.corpus import LabelledPage, match_words
from scrapy_webtext.lab.train.fusion.examples import Example
from scrapy_webtext.page import Page
from scrapy_webtext.page.nodes import Nodes, compact

#: End of the id of a made page.
WITHOUT_TEXT: Final = " without text"
#: Pages are made until a script has this many other pages per article.
LEAST_OTHERS: Final = 0.5
#: A block is emptied if this share of its words is in the gold text.
_LEAST_SHARE: Final = 0.3


def as_other_page(labelled: LabelledPage) -> LabelledPage:
    """Return the labels of an article's page without its text."""
    return replace(labelled, id=labelled.id + WITHOUT_TEXT, text="", type="other")


def without_text(labelled: LabelledPage, page: Page) -> Page:
    """Return an article's page with the blocks of its gold text emptied; the elements stay."""
    matches = match_words(page.blocks.text, labelled.text)
    emptied = {
        page.runs.node[k]
        for block, match in enumerate(matches)
        if match.share > _LEAST_SHARE
        for k in page.blocks.runs(block)
    }
    nodes = page.nodes
    text = [None if i in emptied else string for i, string in enumerate(nodes.text)]
    tails = zip(nodes.parent, nodes.tail, strict=True)
    tail = [None if i in emptied else string for i, string in tails]
    emptied_nodes = Nodes(nodes.tag, nodes.parent, nodes.end, nodes.attributes, text, tail)
    return replace(page, nodes=compact(emptied_nodes))


def real_pages(examples: Iterable[Example]) -> list[Example]:
    """Return the examples without made pages; class names and words are learned from these."""
    return [e for e in examples if not e.id.endswith(WITHOUT_TEXT)]


def articles_to_empty(examples: Iterable[Example]) -> Iterator[Example]:
    """Yield the articles that are also used without their text.

    They are drawn at random, but always the same, from scripts with few other pages.
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
