"""Bags of names and of terms: what they say of a page being an article.

``byline``, ``single-post`` and ``comment-form`` are names of elements on articles, ``price``,
``facet`` and ``tagline`` on other pages. Terms are the words of the title and of the page's first
prose, the keys of its <meta> elements and the types of its JSON-LD. Each has a weight, learned by
logistic regression over pages. The score of a bag is the sum of the weights of what a page has,
divided by the square root of their number.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from itertools import compress
from math import fsum, sqrt
from typing import Final

from scrapy_webtext.extractors.fusion.features.block_features import FeatureTable
from scrapy_webtext.extractors.fusion.features.class_names import NO_CLASS_NAMES
from scrapy_webtext.extractors.fusion.features.short_texts import words_of
from scrapy_webtext.extractors.fusion.features.structured_data import structured_data
from scrapy_webtext.extractors.fusion.features.tables import ClassNameScore
from scrapy_webtext.models import ModelFile
from scrapy_webtext.page import Page

BAGS_OF_WORDS: Final = ("class_names", "terms")
BAG_FEATURES: Final = tuple(f"bag_of_{bag}" for bag in BAGS_OF_WORDS)
#: Of the page's prose so many words are looked at, and so many characters.
OPENING_WORDS: Final = 100
OPENING_CHARS: Final = 2_000
#: Fields of <meta> whose content is a term, too: so many characters of it.
_TELLING: Final = frozenset(
    "generator og:type robots twitter:card twitter:label1 twitter:label2".split()
)
_CONTENT_CHARS: Final = 30
_WORD: Final = re.compile(r"\w+")
_META: Final = frozenset({"meta"})
#: Names and contents of <meta> elements.
Fields = list[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class BagOfWords:
    """The weights of names and of terms."""

    names: ClassNameScore
    terms: Mapping[str, float]

    def scores(self, page: Page, table: FeatureTable, fields: Fields) -> dict[str, float]:
        """Return the scores of a page's bags by the names of `BAG_FEATURES`."""
        names: dict[str, float] = {}
        for _, _, own in map(self.names, set(table.elements.names)):
            names.update(own)
        found = [self.terms.get(term) for term in terms(page, table, fields)]
        known = [weight for weight in found if weight is not None]
        return dict(zip(BAG_FEATURES, map(bag_score, (names.values(), known)), strict=True))


NO_BAG_OF_WORDS: Final = BagOfWords(NO_CLASS_NAMES, {})


def bag_score(weights: Collection[float]) -> float:
    """Return what the weights of a bag's distinct tokens say together, around 0."""
    # Exactly rounded, since the order of a set is another in each process.
    return fsum(weights) / sqrt(len(weights)) if weights else 0.0


def terms(page: Page, table: FeatureTable, fields: Fields) -> set[str]:
    """Return the distinct terms of a page, those of its title, prose and declarations apart.

    ``fields`` are those that `meta_fields` gives.
    """
    found = {f"title {word}" for word in words_of(page.title.lower())}
    found.update(_opening(table))
    for key, content in fields:
        key = key.lower()
        found.add(f"meta {key}")
        if key in _TELLING:
            found.add(f"meta {key}={content.lower()[:_CONTENT_CHARS]}")
    found.update(filter(_WORD.fullmatch, structured_data(page).only_types))
    return found


def _opening(table: FeatureTable) -> list[str]:
    """Return the first words of the page's prose, in order."""
    words: list[str] = []
    for text in compress(table.texts.text, table.texts.prose):
        words += words_of(text[:OPENING_CHARS].lower())
        if len(words) >= OPENING_WORDS:
            break
    return words[:OPENING_WORDS]


def meta_fields(page: Page) -> Fields:
    """Return name and content of the <meta> elements of a page that have a name."""
    fields = []
    for i in page.nodes.tagged(_META):
        own = dict(page.nodes.attributes[i]).get
        name = own("property") or own("name") or own("itemprop")
        if name:
            fields.append((name, own("content", "")))
    return fields


def read_weights(model: ModelFile) -> dict[str, float]:
    """Return the weights of a bag's section of a model file; ModelError where they do not fit."""
    tokens = model.distinct_strings("tokens")
    return dict(zip(tokens, model.numbers("weights", length=len(tokens)), strict=True))


def write_bag_of_words(
    weights: Iterable[Mapping[str, float]],
) -> dict[str, dict[str, list[str] | list[float]]]:
    """Return the section of a model file whose parts, one per bag, :func:`read_weights` reads."""
    return {
        bag: {"tokens": list(own), "weights": list(own.values())}
        for bag, own in zip(BAGS_OF_WORDS, weights, strict=True)
    }
