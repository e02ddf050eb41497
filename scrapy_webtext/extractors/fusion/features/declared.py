# cython: infer_types=True
"""What a page declares about itself: bags of words, JSON-LD, the shape of its URL.

Bags of words show whether a page has the class names and terms of an article. ``byline``,
``single-post`` and ``comment-form`` are class names of articles; ``price``, ``facet`` and
``tagline`` are class names of other pages. Terms are the words of the title and of the first prose,
the keys of <meta> elements and the types of JSON-LD. Each token has a weight, learned by logistic
regression over pages. The score of a bag is the sum of the weights of the page's distinct tokens,
divided by the square root of their number.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from itertools import compress
from math import fsum, sqrt
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from scrapy_webtext.core import arrays
from scrapy_webtext.core.distinct import DistinctTexts, TokenTable
from scrapy_webtext.core.texts import Texts
from scrapy_webtext.core.words import ROOM, words_of
from scrapy_webtext.extractors.fusion.features.tables import BlockTable, Columns
from scrapy_webtext.models import ModelFile
from scrapy_webtext.page import Page
from scrapy_webtext.page.scripts import Items, Number, json_ld_items

if TYPE_CHECKING:
    from scrapy_webtext.extractors.fusion.features.block_features import FeatureTable

BAGS_OF_WORDS: Final = ("class_names", "terms")
BAG_FEATURES: Final = tuple(f"bag_of_{bag}" for bag in BAGS_OF_WORDS)
#: The opening is the first `OPENING_WORDS` words of the page's prose, of which at most
#: `OPENING_CHARS` characters per block are read.
OPENING_WORDS: Final = 100
OPENING_CHARS: Final = 2_000
#: Fields of <meta> whose content is a term, too, and the maximum length of such a term.
_CONTENT_FIELDS: Final = frozenset(
    "generator og:type robots twitter:card twitter:label1 twitter:label2".split()
)
_CONTENT_CHARS: Final = 30
_WORD: Final = re.compile(r"\w+")


#: An empty table, which training uses before scores and weights are learned.
NO_TOKENS: Final = TokenTable({}, {})


def bag_scores(page: Page, table: FeatureTable, terms: TokenTable) -> dict[str, float]:
    """Return the scores of a page's bags, keyed by ``BAG_FEATURES``.

    ``terms`` has the weights of terms; ``table`` has the weights of the page's class names.
    """
    both = table.elements.name_weights, term_weights(terms, table, declared_terms(page))
    return dict(zip(BAG_FEATURES, map(bag_score, both), strict=True))


def bag_score(weights: Collection[float]) -> float:
    """Return the score of a bag from the weights of its distinct tokens; 0 is neutral."""
    # fsum, because the order of a set differs between processes.
    return fsum(weights) / sqrt(len(weights)) if weights else 0.0


def declared_terms(page: Page) -> set[str]:
    """Return the terms of the title, <meta> and JSON-LD."""
    found = {f"title {word}" for word in words_of(page.title.lower())}
    for key, content in meta_fields(page):
        key = key.lower()
        found.add(f"meta {key}")
        if key in _CONTENT_FIELDS:
            found.add(f"meta {key}={content.lower()[:_CONTENT_CHARS]}")
    found.update(filter(_WORD.fullmatch, structured_data(page).only_types))
    return found


def term_weights(terms: TokenTable, table: FeatureTable, declared: set[str]) -> list[float]:
    """Return the weights of the distinct terms in ``declared`` and in the prose, in any order."""
    found: list[float] = []
    is_seen, left, texts = bytearray(len(terms.has_weight)), OPENING_WORDS, table.texts
    for term in declared:
        _add_weight(terms, terms.number(term), is_seen, found)
    tokens = arrays.longs(terms.found)
    for text in compress(texts.text, texts.prose):
        n = terms.read_words(Texts([text[:OPENING_CHARS].lower()]), 0, left, False)
        for k in range(n):
            _add_weight(terms, tokens[k], is_seen, found)
        left -= n
        if not left:
            break
    return found


def _add_weight(terms: TokenTable, token: int, is_seen: bytearray, found: list[float]) -> None:
    has_weight, seen = arrays.octets(terms.has_weight), arrays.octets(is_seen)
    if has_weight[token] and not seen[token]:
        seen[token] = 1
        found.append(arrays.doubles(terms.weights)[token])


def meta_fields(page: Page) -> list[tuple[str, str]]:
    """Return (name, content) of the page's <meta> elements with a name; cached with the page."""

    def read() -> list[tuple[str, str]]:
        return [
            (name, row.get("content", ""))
            for row in page.metas
            if (name := row.get("property") or row.get("name") or row.get("itemprop"))
        ]

    return page.cached("meta fields", read)


def read_weights(model: ModelFile) -> dict[str, float]:
    """Return the weights in a bag's section of a model file; raise ModelError if damaged."""
    tokens = model.strings("tokens")
    return dict(zip(tokens, model.numbers("weights", length=len(tokens)), strict=True))


# JSON-LD: types of objects, ``articleBody``.

#: Key of JSON-LD -> types of objects whose value is text of the page; without types, all.
_TEXTS: Final[Mapping[str, frozenset[str]]] = {
    "articleBody": frozenset(),
    "recipeIngredient": frozenset(),
    "recipeInstructions": frozenset(),
    "text": frozenset(("HowToStep", "HowToDirection", "HowToTip", "Answer", "Question")),
    "name": frozenset(("HowToStep", "HowToSection", "Question")),
}
#: At most this many characters of these texts are read.
MAX_NAMED_CHARS: Final = 100_000
#: Names of types that are not shorter than this are left out.
MAX_TYPE_CHARS: Final = 100


@dataclass(frozen=True, slots=True)
class StructuredData:
    """The parts of a page's JSON-LD that are used."""

    types: frozenset[str]  #: the type of each object; the first of several
    only_types: frozenset[str]  #: the types of objects with exactly one type
    bodies: tuple[str, ...]  #: every ``articleBody``
    texts: tuple[str, ...]  #: every text of ``_TEXTS`` of the page's own content


def structured_data(page: Page) -> StructuredData:
    """Return the structured data of a page; it is cached with the page."""
    return page.cached("structured data", lambda: read_structured_data(json_ld_items(page)))


def read_structured_data(scripts: Iterable[Items]) -> StructuredData:
    """Return the structured data of these JSON-LD scripts, in linear time."""
    types: set[str] = set()
    only_types: set[str] = set()
    bodies: list[str] = []
    texts: list[str] = []
    for items in scripts:
        for values, _, _ in items:
            named, body = values.get("@type"), values.get("articleBody")
            if isinstance(named, Number):
                continue
            one = named[0] if isinstance(named, list) and named else named
            if isinstance(one, str) and len(one) < MAX_TYPE_CHARS:
                types.add(one)
                if not isinstance(named, list):
                    only_types.add(one)
            if isinstance(body, str) and not isinstance(body, Number):
                bodies.append(body)
            for key, of_types in _TEXTS.items():
                found = values.get(key)
                if found and (not of_types or one in of_types):
                    texts += [
                        text
                        for text in (found if isinstance(found, list) else [found])
                        if isinstance(text, str)
                    ]
    return StructuredData(frozenset(types), frozenset(only_types), tuple(bodies), tuple(texts))


def add_named(columns: Columns, page: Page, texts: BlockTable) -> None:
    """Add the share of each block's first words that are in texts of the page's JSON-LD.

    These texts are an ``articleBody``, the ingredients and steps of a recipe, the steps of
    instructions, questions and their answers. The share is 0 on pages without them.
    """
    share, some = arrays.column(columns, "named_share", texts.n), structured_data(page).texts
    if not some:
        return
    named, room = DistinctTexts(), ROOM
    named.add_words(" ".join(some)[:MAX_NAMED_CHARS])
    for k in range(texts.n):
        share[k] = named.share_of_words(texts.low, k, room)


# The shape of a URL: the segments of its path suggest the type of page, on any site.

#: Type of page -> path segments that suggest it.
_SEGMENTS: Final = {
    "forum": "forum forums thread threads topic topics t showthread viewtopic question questions "
    "discussion discussions d comments board boards community talk",
    "product": "product products p dp item itm pd prod buy",
    "collection": "collection collections category categories c cat shop store product-category",
    "documentation": "doc docs documentation reference api learn guide guides tutorial tutorials "
    "manual wiki help support kb",
    "listing": "tag tags search archive archives author authors section hub jobs events list "
    "directory",
    "article": "blog blogs news article articles story stories post posts press insights magazine "
    "opinion feature features",
    "service": "service services solution solutions about pricing company industries platform "
    "contact",
}
_TYPE_OF: Final = {
    segment: page_type for page_type, segments in _SEGMENTS.items() for segment in segments.split()
}
_DATE: Final = re.compile(r"/(?:19|20)\d\d[/-]?\d\d")
_NUMBER: Final = re.compile(r"\d+")

URL_FEATURES: Final = (
    "url_depth",
    "url_last_chars",
    "url_hyphens",
    "url_digits",
    "url_has_date",
    "url_query_fields",
    "url_longest_number",
    "url_is_file",
    *(f"url_{page_type}" for page_type in _SEGMENTS),
)


def url_features(url: str | None) -> dict[str, float]:
    """Return the features of a URL; all are -1 if the URL is unknown.

    The feature of a page type is 1 if the first label of the host or a segment of the path except
    the last suggests this type, 0.5 if only the last segment does, else 0.
    """
    try:
        parts = urlsplit((url or "").lower())
    except ValueError:  # an invalid URL such as "http://["
        parts = urlsplit("")
    if not parts.path and not parts.netloc:
        return dict.fromkeys(URL_FEATURES, -1.0)
    path = parts.path[:2000]
    segments = [segment for segment in path.split("/") if segment]
    last = segments[-1] if segments else ""
    numbers = _NUMBER.findall(path)
    features = dict.fromkeys(URL_FEATURES, 0.0)
    features["url_depth"] = len(segments)
    features["url_last_chars"] = len(last)
    features["url_hyphens"] = max(last.count("-"), last.count("_"))
    features["url_digits"] = sum(map(len, numbers))
    features["url_has_date"] = _DATE.search(path) is not None
    features["url_query_fields"] = parts.query.count("=")
    features["url_longest_number"] = max(map(len, numbers), default=0)
    features["url_is_file"] = last.endswith((".html", ".htm", ".shtml"))
    if last in _TYPE_OF:
        features[f"url_{_TYPE_OF[last]}"] = 0.5
    for segment in (parts.netloc.partition(".")[0], *segments[:-1]):
        if segment in _TYPE_OF:
            features[f"url_{_TYPE_OF[segment]}"] = 1.0
    return features
