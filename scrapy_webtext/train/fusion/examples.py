"""Labelled pages as training examples of ``fusion``: features, labels, statistics of names."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Any, Final

from scrapy_webtext.corpus import LabelledPage, match_words, read_corpus, tokens
from scrapy_webtext.corpus.scripts import script_of
from scrapy_webtext.errors import MissingExtraError
from scrapy_webtext.extractors.fusion.features.bag_of_words import (
    NO_BAG_OF_WORDS,
    meta_fields,
    terms,
)
from scrapy_webtext.extractors.fusion.features.block_features import (
    BLOCK_FEATURES,
    FeatureTable,
    read,
)
from scrapy_webtext.extractors.fusion.features.class_names import NO_CLASS_NAMES, class_name_tokens
from scrapy_webtext.extractors.fusion.features.context import Groups
from scrapy_webtext.extractors.fusion.features.page_features import PAGE_FEATURES, page_features
from scrapy_webtext.extractors.fusion.features.short_texts import NO_TOKEN_SCORES, text_tokens
from scrapy_webtext.page import Page, parse

FOLDS: Final = 5
#: Of a block's words, so that one long block does not speak for its whole site.
NAME_WORDS: Final = 60

#: Content words and words below a token, on one page.
NameCounts = dict[str, tuple[float, float]]
#: Content texts and texts with a token, on one page.
TokenCounts = dict[str, tuple[int, int]]


@dataclass(slots=True)
class Example:
    """One labelled page as numbers."""

    id: str
    corpus: str
    domain: str
    is_article: bool
    script: str  #: as `corpus.scripts.script_of` tells it
    gold_words: int
    words: list[int]  #: per visible block, as the corpus counts them
    matched: list[int]  #: of these, words that stand in the gold text
    labels: list[bool]  #: per visible block; empty where only the kind is known
    names: NameCounts
    tokens: TokenCounts  #: of short texts
    bag_of_words: tuple[frozenset[str], ...]  #: tokens of each of ``BAGS_OF_WORDS``
    page: Any  #: array of the page's features; what words and bags say is filled in later
    groups: Groups | None = None  #: of its blocks
    blocks: Any = None  #: array, visible blocks by block features
    #: Out of fold, by pass: arrays as `train.exits.stages` gives them, and probabilities with the
    #: forest's exits.
    scores: dict[str, Any] = field(default_factory=dict)
    probabilities: dict[str, list[float]] = field(default_factory=dict)

    @property
    def features(self) -> dict[str, float]:
        """The page's features by name."""
        return dict(zip(PAGE_FEATURES, self.page.tolist(), strict=True))


def numpy() -> Any:
    """Return the module numpy; MissingExtraError without it."""
    try:
        import numpy as module
    except ImportError as error:
        raise MissingExtraError("Training", "numpy", "lab") from error
    return module


def fold_of(domain: str, folds: int, seed: int) -> int:
    """Return the fold of a domain: the same for its pages in all corpora."""
    return zlib.crc32(f"{seed}:{domain}".encode()) % folds


def corpus_name(path: str | PathLike[str]) -> str:
    """Return the name of a corpus: its file's without endings."""
    return Path(path).name.split(".")[0]


#: Which pages of corpora are read, by the name of the corpus and the page.
Wanted = Callable[[str, LabelledPage], bool]


def every_page(_corpus: str, _page: LabelledPage) -> bool:
    """Want all pages."""
    return True


def labelled_pages(
    paths: Iterable[str | PathLike[str]], wanted: Wanted = every_page
) -> Iterator[tuple[str, LabelledPage, Page]]:
    """Yield the wanted pages of corpora, parsed, each with the name of its corpus."""
    for path in paths:
        for labelled in read_corpus(path):
            if wanted(corpus_name(path), labelled):
                yield corpus_name(path), labelled, parse(labelled.html, url=labelled.url)


def example(corpus: str, labelled: LabelledPage, page: Page) -> Example | None:
    """Return the example of one page, without block features; None for a page without text."""
    table = read(page, NO_CLASS_NAMES, NO_TOKEN_SCORES)
    if not table.texts.numbers:
        return None
    words: list[int] = []
    matched: list[int] = []
    labels: list[bool] = []
    names: NameCounts = {}
    if labelled.text:
        matches = match_words(page.blocks.text, labelled.text)
        seen = [matches[b] for b in table.texts.numbers]
        words = [match.words for match in seen]
        matched = [match.matched for match in seen]
        labels = [match.share > 0.5 for match in seen]
        names = count_names(page, table, words, labels)
    features = page_features(page, table, NO_BAG_OF_WORDS)
    vector = numpy().array([features[name] for name in PAGE_FEATURES], dtype="float32")
    return Example(
        id=labelled.id,
        corpus=corpus,
        domain=labelled.domain,
        is_article=labelled.type == "article",
        script=script_of(labelled.text or "\n".join(table.texts.text)),
        gold_words=len(tokens(labelled.text)),
        words=words,
        matched=matched,
        labels=labels,
        names=names,
        tokens=count_tokens(table.texts.text, labels or [False] * len(table.texts.text)),
        bag_of_words=(page_names(table), frozenset(terms(page, table, meta_fields(page)))),
        page=vector,
    )


def page_names(table: FeatureTable) -> frozenset[str]:
    """Return the distinct tokens of the names of a page's elements."""
    elements = set(table.elements.names)
    return frozenset(token for names in elements for token in class_name_tokens(names))


def count_names(
    page: Page, table: FeatureTable, words: Sequence[int], labels: Sequence[bool]
) -> NameCounts:
    """Return per token of names the content words and all words below elements named so."""
    capped = [min(n, NAME_WORDS) for n in words]
    content = [n if label else 0 for n, label in zip(capped, labels, strict=True)]
    np = numpy()
    all_sums, content_sums = (np.concatenate([[0], np.cumsum(c)]) for c in (capped, content))
    counts: NameCounts = {}
    at, first, end = table.texts.at, page.runs.first, page.runs.end
    for i in table.elements.kept_nodes:
        names = table.elements.names[i]
        a, z = at[first[i]], at[end[i]]
        if names and a < z:
            good, total = content_sums[z] - content_sums[a], all_sums[z] - all_sums[a]
            for token in class_name_tokens(names):
                had = counts.get(token, (0.0, 0.0))
                counts[token] = (had[0] + float(good), had[1] + float(total))
    return counts


def count_tokens(texts: Sequence[str], labels: Sequence[bool]) -> TokenCounts:
    """Return per token of short texts the content texts and all texts that have it.

    A text that stands on the page again counts once.
    """
    counts: TokenCounts = {}
    first: dict[str, bool] = {}
    for text, label in zip(texts, labels, strict=True):
        first.setdefault(text, label)
    for text, label in first.items():
        for token in dict.fromkeys(text_tokens(text)):
            good, total = counts.get(token, (0, 0))
            counts[token] = (good + label, total + 1)
    return counts


def block_matrix(table: FeatureTable) -> Any:
    """Return the block features of a page as an array, one row per visible block."""
    columns = table.columns
    return numpy().array([columns[name] for name in BLOCK_FEATURES], dtype="float32").T
