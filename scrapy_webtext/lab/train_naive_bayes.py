"""Training of `naive_bayes`: counts of the feature levels of web blocks on labelled pages.

The model consists of counts, and counts are sums over pages. So the same pages give the same model,
byte for byte, in any order; nothing is random. A web block is content if most of its words are, in
order, in the page's gold text (`corpus`). Levels are counted for every way to divide a
page into web blocks (`Blocking`): by blocks, or by the words in them.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from scrapy_webtext.errors import CorpusError
from scrapy_webtext.extractors import naive_bayes as nb
from scrapy_webtext.lab.corpus import LabelledPage, match_words
from scrapy_webtext.models import dump_model
from scrapy_webtext.page import parse
from scrapy_webtext.page.nodes import prefix_sums

_CLASSES: Final = ("rest", "content")

#: Web blocks (modern: words in them) by blocking, class, feature and level.
LevelCounts = Counter[tuple[nb.Blocking, str, str, int]]


def train(pages: Iterable[LabelledPage]) -> dict[str, Any]:
    """Return the content of a model file, to be written by `scrapy_webtext.models.dump_model`.

    Pages without gold text are left out. CorpusError if no page has a gold text, or if no gold text
    is found on its page.
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


def cross_validate(
    pages: Sequence[LabelledPage], options: Sequence[Mapping[str, Any]], folds: int
) -> Iterator[tuple[LabelledPage, list[str]]]:
    """Yield each labelled page with its texts, extracted by models of the other folds' domains.

    If all pages have the same domain, they are divided page by page. An entry of ``options`` has
    the parameters of one extractor, which returns one text.
    """
    blockings = tuple(dict.fromkeys(nb.NaiveBayesExtractor(**one).blocking for one in options))
    by_group: dict[str, LevelCounts] = defaultdict(Counter)
    labelled = [page for page in pages if page.text.strip()]
    group = attrgetter("domain" if len({page.domain for page in labelled}) > 1 else "id")
    for page in labelled:
        by_group[group(page)].update(count_levels(page, blockings))
    fold_of = domain_folds(by_group, folds)
    with TemporaryDirectory() as folder:
        extractors = []
        for fold in range(folds):
            counts = sum(
                (by_group[name] for name in by_group if fold_of[name] != fold), LevelCounts()
            )
            path = Path(folder) / f"{fold}.json"
            number = sum(fold_of[group(page)] != fold for page in labelled)
            path.write_text(dump_model(model_content(counts, number, blockings)), "utf-8")
            extractors.append([nb.NaiveBayesExtractor(model=path, **one) for one in options])
    for page in labelled:
        parsed = parse(page.html, url=page.url)
        yield page, [one.extract(parsed).text for one in extractors[fold_of[group(page)]]]


def count_levels(
    page: LabelledPage, blockings: Sequence[nb.Blocking] = nb.BLOCKINGS
) -> LevelCounts:
    """Return how often each level occurs in the content and in the rest of one page."""
    parsed = parse(page.html, url=page.url)
    counts: LevelCounts = Counter()
    for reading, of_reading in groupby(blockings, attrgetter("reading")):
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
    """Return the sum over a web block, from prefix sums over the page's blocks."""
    return sum(sums[held.stop] - sums[held.start] for held in block.held)


def model_content(
    counts: LevelCounts, pages: int, blockings: Sequence[nb.Blocking] = nb.BLOCKINGS
) -> dict[str, Any]:
    """Return the content of a model file from counts over ``pages`` pages."""
    tables: dict[str, Any] = {}
    for blocking in blockings:
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


def domain_folds(domains: Iterable[str], folds: int) -> dict[str, int]:
    """Return the fold of each domain, in 0 .. folds - 1. The folds have equal numbers of domains.

    The result depends neither on the machine nor on the order. CorpusError for fewer domains than
    folds.
    """
    shuffled = sorted(set(domains), key=lambda name: sha256(f"0 {name}".encode()).digest())
    if len(shuffled) < folds:
        raise CorpusError(
            f"{folds} folds need pages of {folds} domains at least, there are {len(shuffled)}"
        )
    return {name: number % folds for number, name in enumerate(shuffled)}
