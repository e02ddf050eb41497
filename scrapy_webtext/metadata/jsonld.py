"""JSON-LD: the object that describes the page's article, whatever else a page declares.

Scripts are read as JSON, broken ones after the usual repairs; of one that is beyond repair the
strings of a few keys are read. All of it within bounds: what is larger or deeper declares nothing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from html import unescape
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

from scrapy_webtext.metadata.text import folded, load_tables, plain_text
from scrapy_webtext.page.json_ld import MAX_DEPTH, Script

#: The most objects of a page that are read.
MAX_OBJECTS: Final = 5_000

_TABLES: Final = load_tables("declared")
ARTICLES: Final = frozenset(_TABLES.words("articles"))
OTHER_TYPES: Final = _TABLES.words("other types")
_ASIDE: Final = frozenset(_TABLES.words("aside"))
#: Characters of a key that are read.
MAX_KEY: Final = 100

#: Numbers stay text: a long one costs the square of its digits.
_DECODER: Final = json.JSONDecoder(strict=False, parse_int=str, parse_float=str)
#: Ends of the parts of a type's address: "https://schema.org/NewsArticle".
_PREFIXES: Final = re.compile("[/#:]")
_TRAILING_COMMA: Final = re.compile(r",(\s*[}\]])")
_PAIR: Final = re.compile(
    r'"(headline|datePublished|dateModified|name|author|@type|description|inLanguage)"\s*:\s*'
    r'("(?:[^"\\]|\\.)*")'
)


class Object(NamedTuple):
    """One object of the JSON-LD, with its keys and types, lower-cased."""

    types: frozenset[str]
    values: Mapping[str, Any]
    is_aside: bool  #: it is in another object and describes something else than the page

    @property
    def is_article(self) -> bool:
        """Whether it is declared as some kind of article."""
        return _is_article(self.types)


@lru_cache(maxsize=256)
def _is_article(types: frozenset[str]) -> bool:
    return any(t in ARTICLES or t.endswith(("article", "posting")) for t in types)


@dataclass(frozen=True, slots=True)
class JsonLd:
    """All that a page declares in JSON-LD."""

    objects: tuple[Object, ...] = ()
    by_id: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    def of_type(self, name: str) -> Iterator[Object]:
        """Yield the objects of a type, lower-cased."""
        return (one for one in self.objects if name in one.types)

    def resolved(self, value: Any) -> Any:
        """Return the object that a reference by ``@id`` means, other values as they are."""
        if isinstance(value, dict):
            known = _by_key(value)
            reference = known.get("@id")
            if "name" not in known and isinstance(reference, str):
                return self.by_id.get(reference, known)
            return known
        return value

    def main(self, titles: Iterable[str], url: str | None) -> tuple[Object, ...]:
        """Return the objects that describe the page's article, the one to trust most first.

        ``titles`` are what else the page says that it is called, ``url`` is its address. None of
        several articles that neither names is the page's own, if they are in a list.
        """
        articles = [one for one in self.objects if one.is_article]
        if len(articles) > 1 or any(one.is_aside for one in articles):
            articles = _own(articles, frozenset(filter(None, map(folded, titles))), url)
        found = articles[:1]
        seen = [one for one in self.objects if not one.is_aside and not one.is_article]
        first = {name: one for one in reversed(seen) for name in one.types}
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
    if isinstance(address, dict):
        address = address.get("@id") or address.get("url")
    if not isinstance(address, str):
        return ""
    try:
        parts = urlsplit(address[:2000])
    except ValueError:
        return ""
    return f"{parts.path.rstrip('/') or '/'}?{parts.query}".rstrip("?")


def read_json_ld(scripts: Iterable[Script]) -> JsonLd:
    """Return what these scripts declare; linear in them, and never more than the bounds."""
    objects: list[Object] = []
    by_id: dict[str, Mapping[str, Any]] = {}
    for script in scripts:
        for value in [script.value] if script.is_json else _values(script.text):
            objects += _objects_in(value)
    del objects[MAX_OBJECTS:]
    for one in objects:
        name = one.values.get("@id")
        if isinstance(name, str) and len(one.values) > len(by_id.get(name, ())):
            by_id[name] = one.values
    return JsonLd(tuple(objects), by_id)


def _values(script: str) -> list[Any]:
    """Return the value of a broken script: the first of several in a row, or its known strings."""
    bare = _bare(script)
    quoted = unescape(bare) if "&quot;" in bare or "&#34;" in bare else ""
    for text in (bare, _TRAILING_COMMA.sub(r"\1", bare), quoted):
        try:
            return [_DECODER.raw_decode(text.lstrip())[0]]
        except RecursionError:
            return []
        except ValueError:
            continue
    return _saved(bare)


def _saved(text: str) -> list[Any]:
    """Return one object of the strings after well-known keys, the first of each."""
    found: dict[str, Any] = {}
    for key, written in _PAIR.findall(text):
        if key in found or (key == "name" and "author" not in text):
            continue
        try:
            found[key] = json.loads(written, strict=False)
        except ValueError:
            continue
    found.pop("name", None)  # of whom or what nobody knows
    return [found] if "headline" in found else []


def _objects_in(value: Any) -> list[Object]:
    """Return the objects in a value, level by level; none if it is too deep."""
    found: list[Object] = []
    level = [(value, False)]
    for _ in range(MAX_DEPTH):
        below: list[tuple[Any, bool]] = []
        for one, is_aside in level:
            if isinstance(one, dict):
                values = _by_key(one)
                found.append(Object(_types(values.get("@type")), values, is_aside))
                below += [
                    (inner, is_aside or key in _ASIDE)
                    for key, inner in values.items()
                    if isinstance(inner, dict | list)
                ]
            elif isinstance(one, list):
                below += [(inner, is_aside) for inner in one if isinstance(inner, dict | list)]
        level = below
        if not level or len(found) > MAX_OBJECTS:
            return found
    return []


def _by_key(values: dict[str, Any]) -> dict[str, Any]:
    """Return values by their keys as they are looked up."""
    return {_key(key[:MAX_KEY]): value for key, value in values.items()}


@lru_cache(maxsize=256)
def _key(key: str) -> str:
    """Return a key as it is looked up: case differs from page to page, and some have a prefix."""
    return key.lower().removeprefix("schema:")


def _types(value: Any) -> frozenset[str]:
    if isinstance(value, str):
        return _type(value[:200])
    named = value[:20] if isinstance(value, list) else ()
    return frozenset().union(*(_type(one[:200]) for one in named if isinstance(one, str)))


@lru_cache(maxsize=256)
def _type(name: str) -> frozenset[str]:
    return frozenset({_PREFIXES.split(name)[-1].lower()})


def _bare(script: str) -> str:
    """Return a script without the marks of comments and statements around it."""
    text = script.strip().removeprefix("<!--").removesuffix("-->")
    return text.strip().removesuffix(";").lstrip("\ufeff")
