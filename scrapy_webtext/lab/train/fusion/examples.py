"""Labelled pages as training examples: features, labels, counts of class names and tokens."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Any, Final

from scrapy_webtext.errors import MissingExtraError
from scrapy_webtext.extractors.fusion.features.bag_of_words import (
    NO_BAG_OF_WORDS,
    meta_fields,
    terms,
)
from scrapy_webtext.extractors.fusion.features.block_features import (
    BLOCK_FEATURES,
    FeatureTable,
    compute_features,
)
from scrapy_webtext.extractors.fusion.features.class_names import NO_CLASS_NAMES, class_name_tokens
from scrapy_webtext.extractors.fusion.features.context import Groups
from scrapy_webtext.extractors.fusion.features.page_features import PAGE_FEATURES, page_features
from scrapy_webtext.extractors.fusion.features.short_texts import NO_TOKEN_SCORES, text_tokens
from scrapy_webtext.lab.corpus import LabelledPage, match_words, read_corpus, tokens
from scrapy_webtext.lab.corpus.scripts import script_of
from scrapy_webtext.page import Page, parse

FOLDS: Final = 5
#: Words of a block that count, so that one long block does not decide the score of a class name.
MAX_BLOCK_WORDS: Final = 60

#: Content words and all words below elements with a token, on one page.
ClassNameCounts = dict[str, tuple[float, float]]
#: Content texts and all texts with a token, on one page.
TokenCounts = dict[str, tuple[int, int]]


@dataclass(slots=True)
class Example:
    """One labelled page, ready for training."""

    id: str
    corpus: str
    domain: str
    is_article: bool
    script: str  #: as `corpus.scripts.script_of` returns it
    gold_words: int
    words: list[int]  #: per candidate block, counted as in the corpus
    matched: list[int]  #: of these, the words in the gold text
    labels: list[bool]  #: per candidate block; empty if only the page type is known
    class_names: ClassNameCounts
    tokens: TokenCounts  #: of short texts
    bag_of_words: tuple[frozenset[str], ...]  #: tokens of each of ``BAGS_OF_WORDS``
    page: Any  #: array of the page's features; scores of words are filled in later
    groups: Groups | None = None  #: of its blocks
    blocks: Any = None  #: array, candidate blocks by block features
    #: By pass, out of fold: the result of `early_exits.stages`, and probabilities with early exits.
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


def corpus_name(path: str | PathLike[str]) -> str:
    """Return the name of a corpus: its file's without endings."""
    return Path(path).name.split(".")[0]


#: Returns whether a page is wanted, from the name of its corpus and the page.
Wanted = Callable[[str, LabelledPage], bool]


def every_page(_corpus: str, _page: LabelledPage) -> bool:
    """Return True: all pages are wanted."""
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
    """Return one page as an example, without block features; None for a page without text."""
    table = compute_features(page, NO_CLASS_NAMES, NO_TOKEN_SCORES)
    if not table.texts.numbers:
        return None
    words: list[int] = []
    matched: list[int] = []
    labels: list[bool] = []
    class_names: ClassNameCounts = {}
    if labelled.text:
        matches = match_words(page.blocks.text, labelled.text)
        of_candidates = [matches[b] for b in table.texts.numbers]
        words = [match.words for match in of_candidates]
        matched = [match.matched for match in of_candidates]
        labels = [match.share > 0.5 for match in of_candidates]
        class_names = count_class_names(page, table, words, labels)
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
        class_names=class_names,
        tokens=count_tokens(table.texts.text, labels or [False] * len(table.texts.text)),
        bag_of_words=(page_class_names(table), frozenset(terms(page, table, meta_fields(page)))),
        page=vector,
    )


def page_class_names(table: FeatureTable) -> frozenset[str]:
    """Return the distinct tokens of a page's class names."""
    of_elements = set(table.elements.class_names)
    return frozenset(token for names in of_elements for token in class_name_tokens(names))


def count_class_names(
    page: Page, table: FeatureTable, words: Sequence[int], labels: Sequence[bool]
) -> ClassNameCounts:
    """Return per token of class names the content words and all words below its elements."""
    capped = [min(n, MAX_BLOCK_WORDS) for n in words]
    content = [n if label else 0 for n, label in zip(capped, labels, strict=True)]
    np = numpy()
    all_sums, content_sums = (np.concatenate([[0], np.cumsum(c)]) for c in (capped, content))
    counts: ClassNameCounts = {}
    at, first, end = table.texts.at, page.runs.first, page.runs.end
    for i in table.elements.kept_nodes:
        class_names = table.elements.class_names[i]
        a, z = at[first[i]], at[end[i]]
        if class_names and a < z:
            good, total = content_sums[z] - content_sums[a], all_sums[z] - all_sums[a]
            for token in class_name_tokens(class_names):
                before = counts.get(token, (0.0, 0.0))
                counts[token] = (before[0] + float(good), before[1] + float(total))
    return counts


def count_tokens(texts: Sequence[str], labels: Sequence[bool]) -> TokenCounts:
    """Return per token of short texts the content texts and all texts with it.

    Repeated texts of a page count once.
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
    """Return the block features of a page as an array, one row per candidate block."""
    columns = table.columns
    return numpy().array([columns[name] for name in BLOCK_FEATURES], dtype="float32").T
