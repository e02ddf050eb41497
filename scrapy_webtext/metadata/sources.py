"""What a page says of itself, each source read on first use: one page, several fields."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property, wraps
from typing import Any, Final, TypeVar, cast

from scrapy_webtext.metadata.jsonld import JsonLd, Object, read_json_ld
from scrapy_webtext.metadata.meta_tags import Head
from scrapy_webtext.metadata.microdata import Property, read_properties
from scrapy_webtext.metadata.words import one_line
from scrapy_webtext.page import Page
from scrapy_webtext.page.json_ld import json_ld_scripts
from scrapy_webtext.results import Extraction

#: Elements that are looked for, all in one pass.
_READ: Final = frozenset("html meta link h1 h2 h3 h4 h5 h6 time".split())


T = TypeVar("T")


def once(find: Callable[[Sources], T]) -> Callable[[Sources], T]:
    """Return a function that finds once of a page what several fields read."""

    @wraps(find)
    def found(sources: Sources) -> T:
        if find not in sources.known:
            sources.known[find] = find(sources)
        return cast("T", sources.known[find])

    return found


class Sources:
    """The sources of one page's metadata. Not frozen: what is derived is kept meanwhile."""

    def __init__(self, page: Page, extraction: Extraction) -> None:
        self.page = page
        self.extraction = extraction
        self.known: dict[Callable[[Sources], Any], Any] = {}

    @cached_property
    def _nodes(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {name: [] for name in _READ}
        tag = self.page.nodes.tag
        for node in self.page.nodes.tagged(_READ):
            found[tag[node]].append(node)
        return found

    def tagged(self, tag: str) -> list[int]:
        """Return the elements with a tag, ascending; one of those that sources are read of."""
        return self._nodes[tag]

    @cached_property
    def head(self) -> Head:
        """The page's <meta> and <link>."""
        return Head(self.page.nodes, *map(self.tagged, ("html", "meta", "link")))

    @cached_property
    def json_ld(self) -> JsonLd:
        """The page's JSON-LD."""
        return read_json_ld(json_ld_scripts(self.page))

    @cached_property
    def properties(self) -> tuple[Property, ...]:
        """The page's microdata and RDFa."""
        return read_properties(self.page)

    @cached_property
    def main(self) -> tuple[Object, ...]:
        """What JSON-LD describes the page's article with, the most trustworthy first."""
        names = [text for _, texts in self.head.values("title") for text in texts[:1]]
        return self.json_ld.main([*names, self.page.title], self.page.url)

    @cached_property
    def language(self) -> str:
        """The language that the page declares, lower-cased, for the reading of dates."""
        declared = self.head.language or next(
            (texts[0] for _, texts in self.head.values("language")), ""
        )
        return declared.strip().lower()[:20]

    def text_of(self, node: int) -> str:
        """Return the text in an element, as one line; an attribute's where it has no text."""
        runs = self.page.runs
        first, end = runs.first[node], runs.end[node]
        pieces = [
            ("" if k == first or not runs.gap[k] else " ") + runs.text[k]
            for k in range(first, min(end, first + 100))
        ]
        return one_line("".join(pieces))

    def attribute(self, node: int, name: str) -> str:
        """Return an attribute of an element, empty where it has none."""
        return dict(self.page.nodes.attributes[node]).get(name, "")

    def values(self, *keys: str) -> Iterator[tuple[str, object]]:
        """Yield what JSON-LD says of the page's article by these keys, with the type."""
        for one in self.main:
            for key in keys:
                value = one.values.get(key.lower())
                if value:
                    kind = next(iter(sorted(one.types)), "object")
                    yield f"JSON-LD {kind} {key}", value
