"""Trains `naive_bayes`: counts the feature levels of web blocks on labelled pages.

The model consists of counts, and counts are sums over pages. So the same pages in any order give
the same model, byte for byte. A web block is content if the gold text of the page has most of its
words, in the same order (`corpus`). Levels are counted for every way to divide a page into web
blocks (`Blocking`): most ways count web blocks, ``modern`` counts the words in them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Any, Final

from scrapy_webtext.errors import CorpusError
from scrapy_webtext.extractors import naive_bayes as nb
from scrapy_webtext.lab.corpus import LabelledPage, match_words
from scrapy_webtext.page import parse
from scrapy_webtext.page.nodes import prefix_sums

_CLASSES: Final = ("rest", "content")

#: Number of web blocks (``modern``: of their words) by blocking, class, feature and level.
LevelCounts = Counter[tuple[nb.Blocking, str, str, int]]


def train(pages: Iterable[LabelledPage]) -> dict[str, Any]:
    """Return the content of a model file, which `scrapy_webtext.models.dump_model` writes.

    Pages without gold text are left out. Raise CorpusError if no page has a gold text, or if no
    gold text is found on its page.
    """
    counts: LevelCounts = Counter()
    used = total = 0
    for page in pages:
        total += 1
        if page.text.strip():
            used += 1
            counts.update(count_levels(page))
    if not used:
        raise CorpusError(f"Nothing to train on: none of {total} pages has a gold text")
    return model_content(counts, used)


def count_levels(page: LabelledPage) -> LevelCounts:
    """Count how often each level occurs in content and in other web blocks of one page."""
    parsed = parse(page.html, url=page.url)
    counts: LevelCounts = Counter()
    for reading, of_reading in groupby(nb.BLOCKINGS, attrgetter("reading")):
        read = nb.page_as_read(parsed, reading)
        noise = nb.noise_of(read, reading)
        shown = [not noise[node] for node in read.blocks.node]
        matches = match_words(read.blocks.text, page.text)
        words = prefix_sums(m.words * n for m, n in zip(matches, shown, strict=True))
        matched = prefix_sums(m.matched * n for m, n in zip(matches, shown, strict=True))
        for blocking in of_reading:
            for block in nb.web_blocks(read, blocking):
                held = _held(block, words)
                if held:
                    kind = _CLASSES[2 * _held(block, matched) > held]
                    for feature, level in block.counts.levels._asdict().items():
                        number = held if reading == "modern" else 1
                        counts[blocking, kind, feature, level] += number
    return counts


def _held(block: nb.WebBlock, sums: Sequence[int]) -> int:
    """Return the sum over the blocks of a web block; ``sums`` are prefix sums over all blocks."""
    return sum(sums[held.stop] - sums[held.start] for held in block.held)


def model_content(counts: LevelCounts, pages: int) -> dict[str, Any]:
    """Return the content of a model file with these counts, which come from ``pages`` pages."""
    tables: dict[str, Any] = {}
    for blocking in nb.BLOCKINGS:
        by_kind: dict[str, Any] = {}
        for kind in _CLASSES[::-1]:
            by_feature = {
                feature: [counts[blocking, kind, feature, level] for level in range(levels)]
                for feature, levels in nb.LEVEL_COUNTS._asdict().items()
            }
            by_kind[kind] = {"total": sum(by_feature["link_ratio"]), **by_feature}
        tables[blocking.key] = by_kind
    if not any(kind == "content" for _, kind, _, _ in counts):
        raise CorpusError(f"Nothing to learn: no gold text appears on any of {pages} pages")
    return {"kind": nb.KIND, "version": nb.VERSION, "pages": pages, "tables": tables}
