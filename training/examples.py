"""Turns labelled pages into training examples of ``fusion``: features, labels, token counts, folds.

Additional pages are made from some of the labelled pages (`made_pages`). Those with gold text train
blocks (`LESSONS`); the others train the judge. Captions of pictures train nothing, because the gold
texts of some corpora have them and those of others have not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import compress
from os import PathLike
from typing import Any, Final
from zlib import crc32

import numpy as np

from scrapy_webtext.core.words import class_name_tokens, words_of
from scrapy_webtext.extractors.fusion.features.block_features import FeatureTable, compute_features
from scrapy_webtext.extractors.fusion.features.context import Groups
from scrapy_webtext.extractors.fusion.features.declared import (
    NO_TOKENS,
    OPENING_CHARS,
    OPENING_WORDS,
    declared_terms,
)
from scrapy_webtext.extractors.fusion.features.page_features import PAGE_FEATURES, page_features
from scrapy_webtext.extractors.fusion.features.templates import (
    MAX_CHARS,
    MAX_WHOLE_WORDS,
    MAX_WORDS,
    NO_TOKEN_SCORES,
)
from scrapy_webtext.lab.corpus import LabelledPage, corpus_name, match_words, read_corpus, tokens
from scrapy_webtext.page import Page, parse
from scrapy_webtext.render.captions import find_captions
from training import made_pages
from training.labels import domain_of, script_of
from training.made_pages import (
    GRAFTS,
    IN_LAYOUT,
    LABELLED,
    LESSONS,
    SURROUNDED,
    WEIGHTED,
    Lesson,
    kind_of,
)
from training.surroundings import ENDS

FOLDS: Final = 5
#: At most this many words of a block count, so no single long block decides a class name's score.
MAX_BLOCK_WORDS: Final = 60

#: Of a page with texts below its article, blocks train that are so near to such a text.
REACH: Final = 3

#: Token of class names -> content words, and all words, in a page's elements with this token.
ClassNameCounts = dict[str, tuple[float, float]]
#: Token of short texts -> number of content texts, and of all texts, with this token on a page.
TokenCounts = dict[str, tuple[int, int]]


def fold_of(domain: str, folds: int, seed: int) -> int:
    """Return the fold of one domain, in 0 .. folds - 1.

    The fold depends on no other domain, so it does not change when corpora are added or left out.
    """
    return crc32(f"{seed}:{domain}".encode()) % folds


@dataclass(slots=True)
class Example:
    """One labelled page, ready for training."""

    id: str
    corpus: str
    domain: str
    type: str
    script: str  #: as `labels.script_of` returns it
    gold_words: int
    words: list[int]  #: words of each candidate block, counted as in `corpus`
    matched: list[int]  #: words of each candidate block that are in the gold text
    labels: list[bool]  #: whether each candidate block is content; empty without a gold text
    class_names: ClassNameCounts
    tokens: TokenCounts  #: from short texts; on a made page with gold text only from new ones
    bag_of_words: tuple[frozenset[str], ...]  #: tokens for each bag of ``BAGS_OF_WORDS``
    page: Any  #: array of the page's features; scores of words are filled in later
    #: Whether each candidate block trains: not captions; on a page with grafts only the grafts,
    #: on a page with texts below its article only these and blocks near them.
    trains: list[bool] = field(default_factory=list)
    groups: Groups | None = None  #: groups of the page's blocks
    blocks: Any = None  #: array of shape (candidate blocks, block features)
    #: Name of a pass -> out-of-fold results: of `train_fusion.stages`, and final probabilities.
    scores: dict[str, Any] = field(default_factory=dict)
    probabilities: dict[str, list[float]] = field(default_factory=dict)

    @property
    def is_article(self) -> bool:
        """Whether the page is labelled as an article."""
        return self.type == "article"

    @property
    def lesson(self) -> Lesson:
        """How the page trains."""
        kind = kind_of(self.id)
        return LESSONS.get(kind) or WEIGHTED.get(kind or self.corpus, LABELLED)

    def fold(self, seed: int) -> int:
        """Return the fold that contains the page's site."""
        return fold_of(self.domain, FOLDS, seed)

    @property
    def features(self) -> dict[str, float]:
        """The features of the page by name."""
        return dict(zip(PAGE_FEATURES, self.page.tolist(), strict=True))


#: A function that takes the name of a corpus and a page, and returns whether the page is wanted.
Wanted = Callable[[str, LabelledPage], bool]


def labelled_pages(
    paths: Iterable[str | PathLike[str]], wanted: Wanted | None = None
) -> Iterator[tuple[str, LabelledPage, Page]]:
    """Yield (name of the corpus, labelled page, parsed page) for each wanted page."""
    for path in paths:
        for labelled in read_corpus(path):
            if wanted is None or wanted(corpus_name(path), labelled):
                yield corpus_name(path), labelled, parse(labelled.html, url=labelled.url)


def example(corpus: str, labelled: LabelledPage, page: Page) -> Example | None:
    """Make an example of a page, still without block features; None for a page without text."""
    table = compute_features(page, NO_TOKENS, NO_TOKEN_SCORES)
    if not table.texts.numbers:
        return None
    of_blocks = match_words(page.blocks.text, labelled.text)
    gold_words = len(tokens(labelled.text))
    matches = [of_blocks[b] for b in table.texts.numbers if gold_words]
    if 2 * sum(match.matched for match in matches) < gold_words:
        matches = []  # of another state of the page, or not in the candidate blocks
    words = [match.words for match in matches]
    texts, kind, captions = table.texts.text, kind_of(labelled.id), find_captions(page)
    around = frozenset(labelled.excluded if kind in SURROUNDED else ())
    labels = [m.share > 0.5 and t not in around for m, t in zip(matches, texts, strict=False)]
    trains = [b not in captions for b in table.texts.numbers]
    if kind in GRAFTS:
        new = frozenset(labelled.required)
        trains = [is_own and t in new for is_own, t in zip(trains, texts, strict=True)]
    if kind in ENDS:
        near = near_some([t in around for t in texts])
        trains = [is_own and one for is_own, one in zip(trains, near, strict=True)]
    in_captions = sum(m.matched for m, own in zip(matches, trains, strict=False) if not own)
    counted = [t in labelled.required for t in texts] if kind in SURROUNDED else trains
    of_texts = [*compress(labels or [False] * len(texts), counted)]
    features = page_features(page, table, NO_TOKENS)
    vector = np.array([features[name] for name in PAGE_FEATURES], dtype="float32")
    return Example(
        id=labelled.id,
        corpus=corpus,
        domain=domain_of(labelled),
        type=labelled.type,
        script=script_of(labelled.text or "\n".join(table.texts.text)),
        gold_words=gold_words - in_captions,
        words=words,
        matched=[match.matched for match in matches],
        labels=labels,
        class_names=count_class_names(page, table, words, labels, trains) if labels else {},
        tokens=count_tokens([*compress(texts, counted)], of_texts),
        bag_of_words=(page_class_names(table), frozenset(terms(page, table))),
        page=vector,
        trains=trains,
    )


def near_some(marks: Sequence[bool]) -> list[bool]:
    """Return whether a marked one is at most `REACH` places before or after each place."""
    return [any(marks[max(0, k - REACH) : k + REACH + 1]) for k in range(len(marks))]


def terms(page: Page, table: FeatureTable) -> set[str]:
    """Return the distinct terms of a page.

    Terms of the title and of <meta> have a prefix, so that they differ from words of the prose.
    """
    return declared_terms(page).union(_opening(table))


def _opening(table: FeatureTable) -> list[str]:
    """Return the first words of the page's prose, in order."""
    words: list[str] = []
    for text in compress(table.texts.text, table.texts.prose):
        words += words_of(text[:OPENING_CHARS].lower())
        if len(words) >= OPENING_WORDS:
            break
    return words[:OPENING_WORDS]


def page_class_names(table: FeatureTable) -> frozenset[str]:
    """Return the distinct tokens in the class names of a page."""
    of_elements = set(table.elements.class_names)
    return frozenset(token for names in of_elements for token in class_name_tokens(names))


def count_class_names(
    page: Page,
    table: FeatureTable,
    words: Sequence[int],
    labels: Sequence[bool],
    trains: Sequence[bool],
) -> ClassNameCounts:
    """Count for each token of class names the content words and all words in its elements."""
    capped = [min(n, MAX_BLOCK_WORDS) * own for n, own in zip(words, trains, strict=True)]
    content = [n if label else 0 for n, label in zip(capped, labels, strict=True)]
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


def text_tokens(text: str) -> list[str]:
    """Return the tokens of a short text; none for a long text.

    >>> text_tokens("Add to cart")
    ['add', 'to', 'cart', 'add to cart']
    """
    blanks = text.count(" ")
    if blanks >= MAX_WORDS or len(text) > MAX_CHARS:
        return []
    low = text.lower()
    tokens = words_of(low)
    if 0 < blanks < MAX_WHOLE_WORDS:
        tokens.append(low)
    return tokens


def count_tokens(texts: Sequence[str], labels: Sequence[bool]) -> TokenCounts:
    """Count for each token of short texts the content texts and all texts that contain the token.

    A text that a page repeats counts once.
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


#: Words are not learned from a script with fewer articles, or with fewer other pages.
LEAST_PAGES: Final = 3
MOST_WEIGHT: Final = 5.0


def balanced_weights(examples: Sequence[Example]) -> list[float]:
    """Return weights of pages, so that in each script articles and other pages have the same sum.

    A weight is at most ``MOST_WEIGHT``. It is 0 in scripts with fewer than ``LEAST_PAGES`` pages of
    either kind.
    """
    number = Counter((e.script, e.is_article) for e in examples)

    def weight(script: str, is_article: bool) -> float:
        same, other = number[script, is_article], number[script, not is_article]
        if min(same, other) < LEAST_PAGES:
            return 0.0
        return min((same + other) / (2 * same), MOST_WEIGHT)

    return [weight(e.script, e.is_article) for e in examples]


def real_pages(examples: Iterable[Example]) -> list[Example]:
    """Return the examples for article scores and bags of words.

    These are the labelled pages and the made pages with a layout of their own (`IN_LAYOUT`). Other
    made pages repeat the class names and words of labelled pages.
    """
    return [e for e in examples if kind_of(e.id) in ("", *IN_LAYOUT)]


def made_kinds(pages: Iterable[Example]) -> Mapping[tuple[str, str], Sequence[str]]:
    """Choose which kinds of pages are made from each page with labels: (corpus, id) -> kinds."""
    found: dict[tuple[str, str], list[str]] = {}
    ordered = sorted(pages, key=partial(_chance, "without"))
    number = Counter((page.script, page.is_article) for page in ordered)
    missing = {
        script: int(made_pages.LEAST_OTHERS * number[script, True]) - number[script, False]
        for script, _ in number
    }
    for page in ordered:
        if page.type == "recipe" and not page.labels:
            found[page.corpus, page.id] = ["card"]
        if not page.labels:
            if page.gold_words:
                found[page.corpus, page.id] = []  # in surroundings of others only
            continue
        kinds = found.setdefault((page.corpus, page.id), [])
        if page.is_article:
            if missing[page.script] > 0:
                missing[page.script] -= 1
                kinds.append("without")
            shares = made_pages.ARTICLE_SHARES.items()
            kinds += [kind for kind, share in shares if _chance(kind, page) < share]
            if _chance("posts", page) < made_pages.THREAD_SHARES.get(page.script, 0):
                kinds.append("posts")
            continue
        if _chance("old", page) < made_pages.OLD_OTHERS_SHARE:
            kinds.append("old")
        if _chance("manual", page) < made_pages.OTHERS_SHARE and page.type != "forum":
            kinds.append("category" if page.type in made_pages.LISTS else "manual")
    return found


def _chance(kind: str, page: Example) -> float:
    """Return a pseudorandom number in [0, 1) that depends only on the kind and the page."""
    return crc32(f"{kind}:{page.corpus}:{page.id}".encode()) / 2**32
