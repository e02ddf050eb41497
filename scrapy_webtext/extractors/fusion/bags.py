"""Bags of names and of terms: what they say of a page being an article.

``byline``, ``single-post`` and ``comment-form`` are names of elements on articles, ``price``,
``facet`` and ``tagline`` on other pages. Terms are the words of the title and of the page's first
prose, the keys of its <meta> elements and the types of its JSON-LD. Each has a weight, learned by
logistic regression over pages. The score of a bag is the sum of the weights of what a page has,
divided by the square root of their number.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import compress
from math import fsum, sqrt
from typing import Final

from scrapy_webtext.extractors.fusion.features import Reading
from scrapy_webtext.extractors.fusion.names import MAX_KNOWN_ELEMENTS, name_tokens
from scrapy_webtext.extractors.fusion.reading import MAX_NAMES_CHARS
from scrapy_webtext.extractors.fusion.remembering import remembering
from scrapy_webtext.extractors.fusion.wording import words_of
from scrapy_webtext.models import ModelFile
from scrapy_webtext.page import Page

BAGS: Final = ("names", "terms")
BAG_FEATURES: Final = tuple(f"bag_of_{bag}" for bag in BAGS)
#: Of the page's prose so many words are looked at, and so many characters.
OPENING_WORDS: Final = 100
OPENING_CHARS: Final = 2_000
#: Fields of <meta> whose content is a term, too: so many characters of it.
_TELLING: Final = frozenset(
    "generator og:type robots twitter:card twitter:label1 twitter:label2".split()
)
_CONTENT_CHARS: Final = 30
#: Of JSON-LD so many characters are looked at.
_JSON_LD_CHARS: Final = 200_000
_TYPE: Final = re.compile(r'"@type"\s*:\s*"(\w+)"')
_META: Final = frozenset({"meta"})
#: Names and contents of <meta> elements.
Fields = list[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Bags:
    """One function per bag: of what a page has, to the bag's score, around 0."""

    names: Callable[[Iterable[str]], float]  #: of the names of elements
    terms: Callable[[Iterable[str]], float]

    def scores(self, page: Page, reading: Reading, fields: Fields) -> dict[str, float]:
        """Return the scores of a page's bags by the names of `BAG_FEATURES`."""
        found = (self.names(element_names(reading)), self.terms(terms(page, reading, fields)))
        return dict(zip(BAG_FEATURES, found, strict=True))


def bag_score(tokens: Iterable[str], weights: Mapping[str, float]) -> float:
    """Return what these distinct tokens say together; 0 where none is known."""
    found = [weight for weight in map(weights.get, tokens) if weight is not None]
    # Exactly rounded, since the order of a set is another in each process.
    return fsum(found) / sqrt(len(found)) if found else 0.0


def weighed(names: Mapping[str, float], terms: Mapping[str, float]) -> Bags:
    """Return the functions that these weights give.

    What is known of an element's names is remembered beyond the page, in a bounded memory.
    """

    @remembering(MAX_KNOWN_ELEMENTS)
    def known(element: str) -> tuple[str, ...]:
        return tuple(token for token in name_tokens(element) if token in names)

    return Bags(
        names=lambda elements: bag_score(set().union(*map(known, elements)), names),
        terms=lambda found: bag_score(found, terms),
    )


NO_BAGS: Final = weighed({}, {})


def element_names(reading: Reading) -> set[str]:
    """Return the distinct names of elements that hold visible text, those of one joined."""
    return {names[:MAX_NAMES_CHARS] for names in reading.elements.names if names}


def terms(page: Page, reading: Reading, fields: Fields) -> set[str]:
    """Return the distinct terms of a page, those of its title, prose and declarations apart.

    ``fields`` are those that `meta_fields` gives.
    """
    found = {f"title {word}" for word in words_of(page.title.lower())}
    found.update(_opening(reading))
    for key, content in fields:
        key = key.lower()
        found.add(f"meta {key}")
        if key in _TELLING:
            found.add(f"meta {key}={content.lower()[:_CONTENT_CHARS]}")
    for text in page.json_ld:
        found.update(_TYPE.findall(text[:_JSON_LD_CHARS]))
    return found


def _opening(reading: Reading) -> list[str]:
    """Return the first words of the page's prose, in order."""
    words: list[str] = []
    for text in compress(reading.texts.text, reading.texts.prose):
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


def read_bags(model: ModelFile) -> Bags:
    """Return the bags of a section of a model file; ModelError where they do not fit."""
    return weighed(*(_read_weights(model.section(bag)) for bag in BAGS))


def _read_weights(model: ModelFile) -> dict[str, float]:
    tokens = model.distinct_strings("tokens")
    weights = model.numbers("weights", length=len(tokens))
    return dict(zip(tokens, weights, strict=True))


def write_bags(
    weights: Iterable[Mapping[str, float]],
) -> dict[str, dict[str, list[str] | list[float]]]:
    """Return the section of a model file that :func:`read_bags` reads.

    ``weights`` has one mapping per bag.
    """
    return {
        bag: {"tokens": list(own), "weights": list(own.values())}
        for bag, own in zip(BAGS, weights, strict=True)
    }
