"""Microdata and RDFa: what elements declare of the article that they show.

Only the properties of articles are read, each from the innermost thing that it belongs to.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from typing import Final, NamedTuple

from scrapy_webtext.page import Page

#: Properties by their name in the vocabulary, lower-cased, without prefixes.
PROPERTIES: Final = {
    "headline": "title",
    "author": "authors",
    "creator": "authors",
    "datepublished": "published",
    "datecreated": "published",
    "issued": "published",
    "datemodified": "modified",
    "modified": "modified",
    "inlanguage": "language",
    "keywords": "tags",
}
_ARTICLES: Final = ("article", "posting", "review", "report", "webpage", "creativework", "recipe")
#: A thing around a property is looked for so many levels up.
_REACH: Final = 64
MAX_PROPERTIES: Final = 500


class Property(NamedTuple):
    """A property of an article, and the element that has it."""

    field: str
    node: int
    name: str  #: as the page has it
    is_own: bool  #: of an article that is declared, not of a comment or nothing at all


def read_properties(page: Page) -> tuple[Property, ...]:
    """Return the properties of the page's articles in document order."""
    nodes = page.nodes
    names = nodes.attributes.flat[::2]
    # OpenGraph's <meta property>, in most heads, is none of RDFa.
    body = nodes.tag.index("body") if "body" in nodes.tag else 0
    return (
        *_declared(page, "itemprop", "itemtype", names, 0),
        *_declared(page, "property", "typeof", names, nodes.attributes.first[body] // 2),
    )


def _declared(
    page: Page, attribute: str, typed: str, names: list[str], start: int
) -> Iterator[Property]:
    nodes = page.nodes
    flat, first = nodes.attributes.flat, nodes.attributes.first
    count = 0
    for place in _places(names, attribute, start):
        node = bisect_right(first, 2 * place) - 1
        if nodes.tag[node] == "meta" and attribute == "property":
            continue
        count += 1
        if count > MAX_PROPERTIES:
            return
        for name in flat[2 * place + 1].split()[:4]:
            field = PROPERTIES.get(name.lower().rpartition(":")[2])
            if field:
                yield Property(field, node, name, _is_of_article(page, node, typed))


def _places(names: list[str], attribute: str, start: int) -> Iterator[int]:
    """Yield where an attribute stands among the names of all."""
    try:
        while True:
            start = names.index(attribute, start) + 1
            yield start - 1
    except ValueError:
        return


def _is_of_article(page: Page, node: int, typed: str) -> bool:
    """Whether the thing around a property is an article, and not a comment on it."""
    parent, attributes = page.nodes.parent, page.nodes.attributes
    for _ in range(_REACH):
        node = parent[node]
        if node < 0:
            return False
        row = dict(attributes[node])
        kind = row.get(typed, "").lower()
        if kind:
            return kind.endswith(_ARTICLES)
    return False
