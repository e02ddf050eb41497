"""Declarations of a page: JSON-LD (types of objects, ``articleBody``), and its URL's shape.

The segments of a URL's path suggest the type of page, on any site.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from scrapy_webtext.page import Page
from scrapy_webtext.page.json_ld import Items, Number, json_ld_items

# JSON-LD

#: Longer names of types are left out.
MAX_TYPE_CHARS: Final = 100


@dataclass(frozen=True, slots=True)
class StructuredData:
    """The parts of a page's JSON-LD that are used."""

    types: frozenset[str]  #: the type of each object, or its first type
    only_types: frozenset[str]  #: the types of objects with one type
    bodies: tuple[str, ...]  #: every ``articleBody``


def structured_data(page: Page) -> StructuredData:
    """Return the structured data of a page; it is cached with the page."""
    return page.cached("structured data", lambda: read_structured_data(json_ld_items(page)))


def read_structured_data(scripts: Iterable[Items]) -> StructuredData:
    """Return the structured data of these scripts, in time linear in them."""
    types: set[str] = set()
    only_types: set[str] = set()
    bodies: list[str] = []
    for items in scripts:
        for values, _, _ in items:
            named, body = values.get("@type"), values.get("articleBody")
            if isinstance(named, Number):
                continue
            if isinstance(named, list):
                named = named[0] if named else None
            elif isinstance(named, str) and len(named) < MAX_TYPE_CHARS:
                only_types.add(named)
            if isinstance(named, str) and len(named) < MAX_TYPE_CHARS:
                types.add(named)
            if isinstance(body, str) and not isinstance(body, Number):
                bodies.append(body)
    return StructuredData(frozenset(types), frozenset(only_types), tuple(bodies))


# The shape of a URL

#: Path segments by the type of page that they suggest.
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
    """Return the features of a URL; all are -1 without one.

    The feature of a page type is 1 if a segment before the last (or the first label of the host)
    suggests it, 0.5 if only the last segment does, else 0.
    """
    try:
        parts = urlsplit((url or "").lower())
    except ValueError:  # "http://[" and the like
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
