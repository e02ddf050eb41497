"""JSON-LD: the object that describes the page's article, among all that a page declares."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, Final
from urllib.parse import urlsplit

from scrapy_webtext.metadata.text import folded, load_tables, plain_text
from scrapy_webtext.page.json_ld import Items

#: Maximum of objects of a page that are read.
MAX_OBJECTS: Final = 5_000

_TABLES: Final = load_tables("declared")
ARTICLES: Final = frozenset(_TABLES.words("articles"))
OTHER_TYPES: Final = _TABLES.words("other types")
_ASIDE: Final = frozenset(_TABLES.words("aside"))
#: Maximum of characters of a key that are read.
MAX_KEY: Final = 100

#: Ends of the parts of a type's address: "https://schema.org/NewsArticle".
_PREFIXES: Final = re.compile("[/#:]")


class Object:
    """One object of the JSON-LD: its types, lower-cased, and its values."""

    def __init__(self, written: dict[str, Any], is_aside: bool) -> None:
        self.written = written  #: the values by their keys as the page has them
        self.is_aside = is_aside  #: whether it is in another object and describes something else
        named = written.get("@type")
        self.types = _type(named[:200]) if isinstance(named, str) else _types(named)
        self.kind = min(self.types, default="object")  #: one of the types
        self.is_article = _is_article(self.types)  #: whether one of the types is a kind of article

    @cached_property
    def values(self) -> dict[str, Any]:
        """The values by their keys as they are looked up."""
        return _by_key(self.written)


@lru_cache(maxsize=256)
def _is_article(types: frozenset[str]) -> bool:
    return any(t in ARTICLES or t.endswith(("article", "posting")) for t in types)


@dataclass(frozen=True)
class JsonLd:
    """All that a page declares in JSON-LD."""

    objects: tuple[Object, ...]

    @cached_property
    def by_id(self) -> dict[str, Object]:
        """The objects by their ``@id``; of equal ids the object with most values."""
        by_id: dict[str, Object] = {}
        for one in self.objects:
            name = one.written.get("@id")
            if isinstance(name, str):
                known = by_id.get(name)
                if known is None or len(one.written) > len(known.written):
                    by_id[name] = one
        return by_id

    def of_type(self, name: str) -> Iterator[Object]:
        """Yield the objects of a type, lower-cased."""
        return (one for one in self.objects if name in one.types)

    def resolved(self, value: Any) -> Any:
        """Return the object that a reference by ``@id`` means, other values as they are."""
        if isinstance(value, dict):
            known = _by_key(value)
            reference = known.get("@id")
            if "name" not in known and isinstance(reference, str):
                return self.by_id[reference].values if reference in self.by_id else known
            return known
        return value

    def main(self, titles: Iterable[str], url: str | None) -> tuple[Object, ...]:
        """Return the objects that describe the page's article, the most trusted first.

        ``titles`` are the other titles of the page, ``url`` is its address. Articles of a list are
        used only if they have this address or one of these titles.
        """
        articles: list[Object] = []
        first: dict[str, Object] = {}
        for one in self.objects:
            if one.is_article:
                articles.append(one)
            elif not one.is_aside:
                for name in one.types:
                    first.setdefault(name, one)
        if len(articles) > 1 or any(one.is_aside for one in articles):
            articles = _own(articles, frozenset(filter(None, map(folded, titles))), url)
        found = articles[:1]
        return (*found, *(first[name] for name in OTHER_TYPES if name in first))


def _own(articles: list[Object], titles: frozenset[str], url: str | None) -> list[Object]:
    """Return the articles that may be the page's own, the most likely first."""
    path = _path(url)

    def rank(one: Object) -> int:
        called = {folded(plain_text(one.values.get(key))) for key in ("headline", "name")}
        places = (one.values.get(key) for key in ("url", "@id", "mainentityofpage"))
        is_here = path != "/" and path in set(map(_path, places))
        return 4 * is_here + 3 * bool(called & titles) + 2 * (not one.is_aside)

    ranked = sorted(articles, key=rank, reverse=True)  # stable: of equals the first
    if rank(ranked[0]) < 2:
        return []
    return ranked


def _path(address: Any) -> str:
    address = value_in(address, "@id", "url")
    if not isinstance(address, str):
        return ""
    try:
        parts = urlsplit(address[:2000])
    except ValueError:
        return ""
    return f"{parts.path.rstrip('/') or '/'}?{parts.query}".rstrip("?")


def value_in(value: Any, *keys: str) -> Any:
    """Return the value of the first of these keys that an object has, other values as they are."""
    if not isinstance(value, dict):
        return value
    return next(filter(None, map(value.get, keys)), None)


def read_json_ld(scripts: Iterable[Items]) -> JsonLd:
    """Return the objects of these scripts, with the references between them."""
    objects: list[Object] = []
    for items in scripts:
        found: list[Object] = []
        for values, key, around in items[:MAX_OBJECTS]:
            is_aside = around >= 0 and (found[around].is_aside or _key(key[:MAX_KEY]) in _ASIDE)
            found.append(Object(values, is_aside))
        objects += found
    return JsonLd(tuple(objects[:MAX_OBJECTS]))


def _by_key(values: dict[str, Any]) -> dict[str, Any]:
    """Return values by their keys as they are looked up."""
    return {_key(key[:MAX_KEY]): value for key, value in values.items()}


@lru_cache(maxsize=256)
def _key(key: str) -> str:
    """Return a key as it is looked up: case differs from page to page, and some have a prefix."""
    return key.lower().removeprefix("schema:")


def _types(value: Any) -> frozenset[str]:
    named = value[:20] if isinstance(value, list) else ()
    return frozenset().union(*(_type(one[:200]) for one in named if isinstance(one, str)))


@lru_cache(maxsize=256)
def _type(name: str) -> frozenset[str]:
    return frozenset({_PREFIXES.split(name)[-1].lower()})
