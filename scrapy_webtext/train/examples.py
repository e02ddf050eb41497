"""Labelled pages as training examples of ``fusion``: features, labels, statistics of names."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Any, Final

from scrapy_webtext.corpus import LabelledPage, match_words, read_corpus
from scrapy_webtext.errors import MissingExtraError
from scrapy_webtext.extractors.fusion.bags import NO_BAGS, meta_fields, terms
from scrapy_webtext.extractors.fusion.features import BLOCK_FEATURES, Reading, read
from scrapy_webtext.extractors.fusion.names import NO_NAMES, name_tokens
from scrapy_webtext.extractors.fusion.pages import PAGE_FEATURES, page_features
from scrapy_webtext.extractors.fusion.wording import KINDS, NO_WORDING, text_tokens
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
    kind: int  #: place in ``KINDS``
    gold: str
    words: list[int]  #: per visible block, as the corpus counts them
    labels: list[bool]  #: per visible block; empty where only the kind is known
    names: NameCounts
    tokens: TokenCounts  #: of short texts
    bags: tuple[frozenset[str], ...]  #: tokens of each of ``BAGS``
    page: Any  #: array of the page's features; what words and bags say is filled in later
    url: str | None
    blocks: Any = None  #: array, visible blocks by block features
    kinds: Any = None  #: array (2, kinds): out of fold, with and without the address
    scores: Any = None  #: out of fold, an array as `train.exits.stages` gives it
    probabilities: list[float] = field(default_factory=list)  #: of the blocks, out of fold
    settled: list[float] = field(default_factory=list)  #: the same with the forest's exits

    @property
    def kinds_without_url(self) -> list[float]:
        """The kinds that blocks are told of."""
        return self.kinds[1].tolist()  # type: ignore[no-any-return]

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


def kind_of(page: LabelledPage) -> int:
    """Return the kind of a labelled page as a place in ``KINDS``."""
    return KINDS.index(page.type) if page.type in KINDS else len(KINDS) - 1


def fold_of(domain: str, folds: int, seed: int) -> int:
    """Return the fold of a domain: the same for its pages in all corpora."""
    return zlib.crc32(f"{seed}:{domain}".encode()) % folds


def corpus_name(path: str | PathLike[str]) -> str:
    """Return the name of a corpus: its file's without endings."""
    return Path(path).name.split(".")[0]


#: Which pages of corpora are read.
Wanted = Callable[[LabelledPage], bool]


def every_page(_page: LabelledPage) -> bool:
    """Want all pages."""
    return True


def labelled_pages(
    paths: Iterable[str | PathLike[str]], wanted: Wanted = every_page
) -> Iterator[tuple[str, LabelledPage, Page]]:
    """Yield the wanted pages of corpora, parsed, each with the name of its corpus."""
    for path in paths:
        for labelled in read_corpus(path):
            if wanted(labelled):
                yield corpus_name(path), labelled, parse(labelled.html, url=labelled.url)


def example(corpus: str, labelled: LabelledPage, page: Page) -> Example | None:
    """Return the example of one page, without block features; None for a page without text."""
    reading = read(page, NO_NAMES, NO_WORDING)
    if not reading.texts.numbers:
        return None
    words: list[int] = []
    labels: list[bool] = []
    names: NameCounts = {}
    if labelled.text:
        matches = match_words(page.blocks.text, labelled.text)
        seen = [matches[b] for b in reading.texts.numbers]
        words = [match.words for match in seen]
        labels = [match.share > 0.5 for match in seen]
        names = count_names(page, reading, words, labels)
    features = page_features(page, reading, NO_BAGS)
    vector = numpy().array([features[name] for name in PAGE_FEATURES], dtype="float32")
    return Example(
        id=labelled.id,
        corpus=corpus,
        domain=labelled.domain,
        kind=kind_of(labelled),
        gold=labelled.text,
        words=words,
        labels=labels,
        names=names,
        tokens=count_tokens(reading.texts.text, labels or [False] * len(reading.texts.text)),
        bags=(page_names(reading), frozenset(terms(page, reading, meta_fields(page)))),
        page=vector,
        url=labelled.url,
    )


def page_names(reading: Reading) -> frozenset[str]:
    """Return the distinct tokens of the names of a page's elements."""
    elements = set(reading.elements.names)
    return frozenset(token for names in elements for token in name_tokens(names))


def count_names(
    page: Page, reading: Reading, words: Sequence[int], labels: Sequence[bool]
) -> NameCounts:
    """Return per token of names the content words and all words below elements named so."""
    capped = [min(n, NAME_WORDS) for n in words]
    content = [n if label else 0 for n, label in zip(capped, labels, strict=True)]
    np = numpy()
    all_sums, content_sums = (np.concatenate([[0], np.cumsum(c)]) for c in (capped, content))
    counts: NameCounts = {}
    at, first, end = reading.texts.at, page.runs.first, page.runs.end
    for i in reading.elements.live:
        names = reading.elements.names[i]
        a, z = at[first[i]], at[end[i]]
        if names and a < z:
            good, total = content_sums[z] - content_sums[a], all_sums[z] - all_sums[a]
            for token in name_tokens(names):
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


def block_matrix(reading: Reading) -> Any:
    """Return the block features of a page as an array, one row per visible block."""
    columns = reading.columns
    return numpy().array([columns[name] for name in BLOCK_FEATURES], dtype="float32").T
