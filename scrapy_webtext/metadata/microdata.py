"""Microdata and RDFa: what elements declare of the article that they show.

Only the properties of articles are read, each from the innermost thing that it belongs to.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
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
    of_items = nodes.attributes.named({"itemprop"})
    # OpenGraph's <meta property>, in most heads, is none of RDFa.
    body = nodes.tag.index("body") if "body" in nodes.tag else 0
    of_things = nodes.attributes.named({"property"}, body)
    return (
        *_declared(page, of_items, "itemtype"),
        *_declared(page, (one for one in of_things if nodes.tag[one[0]] != "meta"), "typeof"),
    )


def _declared(
    page: Page, attributes: Iterable[tuple[int, str, str]], typed: str
) -> Iterator[Property]:
    for node, _, names in islice(attributes, MAX_PROPERTIES):
        for name in names.split()[:4]:
            field = PROPERTIES.get(name.lower().rpartition(":")[2])
            if field:
                yield Property(field, node, name, _is_of_article(page, node, typed))


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
