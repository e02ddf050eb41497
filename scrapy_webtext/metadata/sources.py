"""Reads what a page declares about its article: JSON-LD, microdata, RDFa, ``<meta>``.

Each source is read at its first use. Each value for a field is a `Candidate`. `JsonLd.main` finds
the objects of JSON-LD that describe the article.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain, islice
from operator import itemgetter
from typing import Any, Final, NamedTuple, TypeVar, cast
from urllib.parse import SplitResult, urljoin, urlsplit

from scrapy_webtext.metadata.text import MAX_CHARS, folded, load_tables, one_line, plain_text
from scrapy_webtext.page import Page
from scrapy_webtext.page.scripts import Items, json_ld_items
from scrapy_webtext.results import Extraction

_TABLES: Final = load_tables("declared")
#: Maximum number of elements of a kind that are read.
MAX_ELEMENTS: Final = 10_000
#: Maximum number of values of one name of <meta>.
MAX_VALUES: Final = 100
MAX_PROPERTIES: Final = 500
#: Maximum number of levels that are searched for the item around a property.
MAX_LEVELS: Final = 64

_META: Final = [
    (name.rstrip("*"), table.removeprefix("meta "), "*" in name)
    for table in _TABLES
    for name in _TABLES.words(table)
    if table.startswith("meta ")
]
_LABELS: Final = [f"twitter:{kind}{number}" for kind in ("label", "data") for number in "12"]
#: Name of <meta> -> its index in the order of trust.
_PLACES: Final = {name: place for place, name in enumerate([*_LABELS, *(m[0] for m in _META)])}
#: Name of <meta> -> (field, whether the name has only this meaning).
_FIELDS: Final = {name: (field, is_marked) for name, field, is_marked in _META}
#: Fields that use all <meta> with a name, not only the first.
_LISTS: Final = frozenset({"authors", "tags"})
_META_KEYS: Final = frozenset({"property", "name", "itemprop", "http-equiv"})
#: Relation of a link -> its field. A licence may be on any element, the others are on <link>.
_RELATIONS: Final = {"canonical": "canonical_url", "image_src": "image", "license": "licence"}
#: Kinds of declarations in order of trust, of all fields and of some: methods of `Sources`.
_ORDER: Final = ("json_ld", "microdata", "meta", "links")
_ORDERS: Final = {"canonical_url": ("links", "meta"), "licence": ("json_ld", "links", "meta")}
_PROPERTIES: Final = _TABLES.pairs("properties")
_ARTICLES: Final = ("article", "posting", "review", "report", "webpage", "creativework", "recipe")
#: Field -> its keys in JSON-LD.
_JSON_LD: Final = {name: keys.split(",") for name, keys in _TABLES.pairs("json-ld").items()}
#: Maximum number of objects of a page that are read.
MAX_OBJECTS: Final = 5_000

ARTICLES: Final = frozenset(_TABLES.words("articles"))
_ARTICLE_ENDS: Final = ("article", "posting")
OTHER_TYPES: Final = _TABLES.words("other types")
_ASIDE: Final = frozenset(_TABLES.words("aside"))
#: Maximum number of characters of a key that are read.
MAX_KEY: Final = 100

#: Absolute http(s) addresses; most addresses match.
_ABSOLUTE: Final = re.compile(r"https?://[\w-]+(?:\.[\w-]+)+(?:/[^\s\\]*)?", re.ASCII)
#: Separators in the address of a type, such as "https://schema.org/NewsArticle".
_PREFIXES: Final = re.compile("[/#:]")


#: Kinds of sources (`Candidate.kind`).
JSON_LD: Final = "JSON-LD"
MICRODATA: Final = "microdata"
META: Final = "meta"
TITLE: Final = "<title>"
BYLINE: Final = "byline"


class Weights(NamedTuple):
    """The weights of a field's sources; 0 for sources that are not read."""

    json_ld: float = 1.0
    json_ld_of_page: float = 1.0  #: object that describes the page, not the article
    microdata: float = 1.0
    microdata_of_others: float = 0.0  #: property of an item that is no article
    meta: float = 1.0
    marked_meta: float = 1.0  #: <meta> whose name has only this meaning


_WEIGHTS: Final[Mapping[str, Weights]] = {
    **dict.fromkeys([*_JSON_LD, *(m[1] for m in _META), *_RELATIONS.values()], Weights()),
    "title": Weights(2.0, 2.0, 1.5, 0.0, 1.0, 2.0),
    "authors": Weights(3.0, 1.5, 2.0, 0.0, 1.5, 1.5),
    "published": Weights(3.0, 2.0, 2.5, 1.0, 1.0, 2.5),
    "modified": Weights(3.0, 2.0, 2.5, 0.0, 2.0, 2.0),
}


class Candidate(NamedTuple):
    """A value for a field, and its source."""

    value: Any
    kind: str  #: kind of source: one of the constants above, or a description
    name: str = ""  #: name of the source: a type of JSON-LD, a property, a <meta>, a place
    weight: float = 1.0
    key: str = ""  #: key in JSON-LD

    @property
    def source(self) -> str:
        """A description of the source, for the report."""
        return " ".join(filter(None, (self.kind, self.name, self.key)))

    @property
    def is_of_page(self) -> bool:
        """Whether the source is an object of JSON-LD that describes the page, not the article."""
        return self.kind == JSON_LD and self.name.endswith("webpage")


class Object:
    """One object of JSON-LD: its lower-cased types and its values."""

    def __init__(self, written: dict[str, Any], is_aside: bool) -> None:
        self.written = written  #: key as on the page -> value
        self.is_aside = is_aside  #: whether it belongs to something else, such as a related article
        named = written.get("@type")
        types = named[:20] if isinstance(named, list) else [named]
        self.types = frozenset(_type(one[:200]) for one in types if isinstance(one, str))
        self.kind = min(self.types, default="object")  #: one of the types
        #: Whether one of the types is a kind of article.
        self.is_article = any(t in ARTICLES or t.endswith(_ARTICLE_ENDS) for t in self.types)

    @cached_property
    def values(self) -> dict[str, Any]:
        """Normalized key -> value."""
        return _by_key(self.written)


@dataclass(frozen=True)
class JsonLd:
    """All objects that a page declares in JSON-LD."""

    objects: tuple[Object, ...]

    @cached_property
    def by_id(self) -> dict[str, Object]:
        """``@id`` -> object; of several objects with the same id, the one with most values."""
        by_id: dict[str, Object] = {}
        for one in self.objects:
            name = one.written.get("@id")
            if isinstance(name, str):
                by_id[name] = max(by_id.get(name, one), one, key=lambda known: len(known.written))
        return by_id

    def of_type(self, name: str) -> Iterator[Object]:
        """Yield the objects of a lower-cased type."""
        return (one for one in self.objects if name in one.types)

    def resolved(self, value: Any) -> Any:
        """Return the values of the object that a reference (``@id``) names; else the value."""
        if not isinstance(value, dict):
            return value
        known = _by_key(value)
        name: Any = known.get("@id")
        is_reference = "name" not in known and isinstance(name, str) and name in self.by_id
        return self.by_id[name].values if is_reference else known

    def main(self, titles: Iterable[str], url: str | None) -> tuple[Object, ...]:
        """Return the objects that describe the page's article, most trusted first.

        ``titles`` are the titles that other sources declare, ``url`` is the page's address. An
        article inside another object, such as a list, is used only if it has this address or one of
        these titles.
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
        return (*articles[:1], *(first[name] for name in OTHER_TYPES if name in first))


def _own(articles: list[Object], titles: frozenset[str], url: str | None) -> list[Object]:
    """Return the articles, the page's own article first; an empty list if there is none."""
    path = _path(url)

    def rank(one: Object) -> int:
        called = {folded(plain_text(one.values.get(key))) for key in ("headline", "name")}
        places = (one.values.get(key) for key in ("url", "@id", "mainentityofpage"))
        is_here = path != "/" and path in set(map(_path, places))
        return 4 * is_here + 3 * bool(called & titles) + 2 * (not one.is_aside)

    ranked = sorted(articles, key=rank, reverse=True)  # stable: equal ranks keep their order
    return ranked if rank(ranked[0]) > 1 else []


def split_address(address: Any, base: str = "") -> SplitResult:
    """Return the parts of an absolute address; empty parts for an invalid one or another value."""
    with suppress(ValueError):  # an invalid address such as "http://["
        return urlsplit(urljoin(base, address[:MAX_CHARS]) if isinstance(address, str) else "")
    return urlsplit("")


def _path(address: Any) -> str:
    address = value_in(address, "@id", "url")
    parts = split_address(address)
    return f"{parts.path.rstrip('/') or '/'}?{parts.query}".rstrip("?") if address else ""


def value_in(value: Any, *keys: str) -> Any:
    """Return the value of the first key that an object has; return other values unchanged."""
    if not isinstance(value, dict):
        return value
    return next(filter(None, map(value.get, keys)), None)


def read_json_ld(scripts: Iterable[Items]) -> JsonLd:
    """Return the JSON-LD objects in the items of each script."""
    objects: list[Object] = []
    for items in scripts:
        start = len(objects)
        for values, key, around in items[:MAX_OBJECTS]:
            is_inner = around >= 0 and objects[start + around].is_aside
            is_aside = is_inner or (around >= 0 and _key(key[:MAX_KEY]) in _ASIDE)
            objects.append(Object(values, is_aside))
    return JsonLd(tuple(objects[:MAX_OBJECTS]))


def _by_key(values: dict[str, Any]) -> dict[str, Any]:
    """Return normalized key -> value."""
    return {_key(key[:MAX_KEY]): value for key, value in values.items()}


@lru_cache(maxsize=256)
def _key(key: str) -> str:
    """Normalize a key: lower its case and remove the prefix "schema:"."""
    return key.lower().removeprefix("schema:")


@lru_cache(maxsize=256)
def _type(name: str) -> str:
    return _PREFIXES.split(name)[-1].lower()


class Property(NamedTuple):
    """A property of microdata or RDFa, and the element that has it."""

    field: str
    node: int
    name: str  #: value of the attribute
    typed: str  #: name of the attribute with the type of an item


T = TypeVar("T")


def elect(candidates: Iterable[T], score: Callable[[T], float], least: float) -> T | None:
    """Return the first candidate with the highest score; None if no score is at least ``least``."""
    scored = ((score(one), one) for one in candidates)
    most, best = max(scored, key=itemgetter(0), default=(least, None))
    return best if most >= least else None


def support(votes: Iterable[tuple[Hashable, float]]) -> float:
    """Return the sum of votes (source, weight); of a source's votes, only the greatest counts."""
    greatest: dict[Hashable, float] = {}
    for source, weight in votes:
        greatest[source] = max(weight, greatest.get(source, 0.0))
    return sum(greatest.values())


def once(find: Callable[[Sources], T]) -> Callable[[Sources], T]:
    """Decorate a function so that its value is cached in the `Sources`."""

    def find_once(sources: Sources) -> T:
        if find not in sources.values:
            sources.values[find] = find(sources)
        return cast("T", sources.values[find])

    return find_once


def once_per_page(find: Callable[[Sources], T]) -> Callable[[Sources], T]:
    """Decorate a function so that its value is cached in the page, for all extractions."""
    return lambda sources: sources.page.cached(find, lambda: find(sources))


def page_property(find: Callable[[Any], T]) -> cached_property[T]:
    """Decorate a property of `Sources` so that its value is cached in the page."""
    return cached_property(once_per_page(find))


class Sources:
    """The sources of one page's metadata; derived values are cached."""

    def __init__(self, page: Page, extraction: Extraction) -> None:
        self.page = page
        self.extraction = extraction
        self.values: dict[Callable[[Sources], Any], Any] = {}

    def declarations(self, field: str) -> Iterator[Candidate]:
        """Yield the values that the page declares for a field, in order of trust."""
        for kind in _ORDERS.get(field, _ORDER):
            yield from getattr(self, f"of_{kind}")(field)

    def of_json_ld(self, field: str) -> Iterator[Candidate]:
        """Yield the values for a field in JSON-LD of the page's article."""
        weights = _WEIGHTS[field]
        for one in self.main:
            for key in _JSON_LD.get(field, ()):
                value = one.values.get(key.lower())
                if value or value is False:
                    is_page = "webpage" in one.kind
                    weight = weights.json_ld_of_page if is_page else weights.json_ld
                    yield Candidate(value, JSON_LD, one.kind, weight, key)

    def of_microdata(self, field: str) -> Iterator[Candidate]:
        """Yield the texts for a field in microdata and RDFa."""
        weights = _WEIGHTS[field]
        for one in self.properties:
            if one.field != field:
                continue
            around = self.item_around(one.node, one.typed)
            is_own = around.endswith(_ARTICLES) or (not around and field == "published")
            weight = weights.microdata if is_own else weights.microdata_of_others
            if weight:
                content = self.attribute(one.node, "content")
                text = content or self.attribute(one.node, "datetime") or self.text_of(one.node)
                yield Candidate(text, MICRODATA, one.name, weight)

    def of_meta(self, field: str) -> Iterator[Candidate]:
        """Yield the texts for a field in <meta>: the first text of each name, or a list of all."""
        weights = _WEIGHTS[field]
        for name, is_marked in self._meta_names.get(field, ()):
            if texts := self.texts_of_meta(name):
                weight = weights.marked_meta if is_marked else weights.meta
                yield Candidate(texts if field in _LISTS else texts[0], META, name, weight)

    def of_links(self, field: str) -> Iterator[Candidate]:
        """Yield the addresses that links declare for a field."""
        return (
            Candidate(link, f"rel={relation}")
            for named, relation, link in self._links
            if named == field
        )

    def texts_of_meta(self, name: str) -> list[str]:
        """Return the texts of all <meta> with a name."""
        return list(filter(None, map(plain_text, self.meta.get(name, [])[:MAX_VALUES])))

    @page_property
    def _meta_names(self) -> dict[str, list[tuple[str, bool]]]:
        """Field -> names of the page's <meta> for it, in order of trust."""
        names: dict[str, list[tuple[str, bool]]] = {}
        for name in sorted(self.meta, key=_PLACES.__getitem__):
            field, is_marked = _FIELDS.get(name, ("", False))
            names.setdefault(field, []).append((name, is_marked))
        return names

    def tagged(self, tag: str) -> list[int]:
        """Return the elements with a tag, ascending."""
        return self.page.nodes.tagged(frozenset({tag}))

    @page_property
    def meta(self) -> dict[str, list[str]]:
        """Lower-cased name of <meta> -> contents; only names in `_PLACES`."""
        contents: dict[str, list[str]] = {}
        for row in self.page.metas[:MAX_ELEMENTS]:
            content = row.get("content") or row.get("value", "")
            for key in row if content else ():
                if key not in _META_KEYS:
                    continue
                names = row[key].lower()
                for name in (names,) if names in _PLACES else names.split()[:4]:
                    if name in _PLACES:
                        contents.setdefault(name, []).append(content)
        return contents

    @page_property
    def _base(self) -> str:
        """The address of <base>, else of the page; relative addresses begin there."""
        url = self.page.url or ""
        return split_address(self.page.base_href, url).geturl() or url

    def absolute_address(self, address: Any) -> str:
        """Return the absolute address; empty if it is not http or https."""
        text = plain_text(address)
        if not text or " " in text:
            return ""
        if _ABSOLUTE.fullmatch(text):
            return text
        parts = split_address(text, self._base)
        return parts.geturl() if parts.scheme in ("http", "https") and "." in parts.netloc else ""

    @page_property
    def _links(self) -> list[tuple[str, str, str]]:
        """(field, relation, address) of the links whose relation is in `_RELATIONS`."""
        return [
            (_RELATIONS[relation], relation, self.attribute(node, "href"))
            for node, _, relations in self.page.nodes.attributes.named({"rel"})
            for relation in relations.lower().split()[:4]
            if relation == "license"
            or (relation in _RELATIONS and self.page.nodes.tag[node] == "link")
        ]

    @page_property
    def root_language(self) -> str:
        """The language that the root element declares."""
        for node in self.tagged("html")[:1]:
            return self.attribute(node, "lang") or self.attribute(node, "xml:lang")
        return ""

    @page_property
    def language(self) -> str:
        """The language that the page declares, lower-cased; it decides how dates are read."""
        language = self.root_language or next((c.value for c in self.of_meta("language")), "")
        return str(language).strip().lower()[:20]

    @page_property
    def json_ld(self) -> JsonLd:
        """The page's JSON-LD."""
        return read_json_ld(json_ld_items(self.page))

    @page_property
    def main(self) -> tuple[Object, ...]:
        """The objects of JSON-LD that describe the page's article, in order of trust."""
        titles = (candidate.value for candidate in self.of_meta("title"))
        page_title = self.page.title[:MAX_CHARS]
        return self.json_ld.main(chain(titles, [page_title]), self.page.url)

    @page_property
    def properties(self) -> tuple[Property, ...]:
        """The properties of articles in microdata and RDFa, in document order."""
        nodes = self.page.nodes
        of_items = nodes.attributes.named({"itemprop"})
        # OpenGraph's <meta property> in <head> is not RDFa.
        body = nodes.tag.index("body") if "body" in nodes.tag else 0
        of_things = nodes.attributes.named({"property"}, body)
        of_things = [row for row in of_things if nodes.tag[row[0]] != "meta"]
        return tuple(
            Property(_PROPERTIES[key], node, name, typed)
            for attributes, typed in ((of_items, "itemtype"), (of_things, "typeof"))
            for node, _, names in islice(attributes, MAX_PROPERTIES)
            for name in names.split()[:4]
            if (key := name.lower().rpartition(":")[2]) in _PROPERTIES
        )

    def is_of_article(self, one: Property) -> bool:
        """Return whether a property belongs to an article, not to a comment on it."""
        return self.item_around(one.node, one.typed).endswith(_ARTICLES)

    def item_around(self, node: int, typed: str = "itemtype") -> str:
        """Return the lower-cased type of the item that contains an element; empty if missing."""
        parent = self.page.nodes.parent
        for _ in range(MAX_LEVELS):
            node = parent[node]
            kind = self.attribute(node, typed).lower() if node >= 0 else ""
            if kind or node < 0:
                return kind
        return ""

    def text_of(self, node: int) -> str:
        """Return the text in an element as one line, without hidden text such as permalinks."""
        runs, hidden = self.page.runs, self.page.hidden
        first, end = runs.first[node], runs.end[node]
        if end - first == 1:
            return one_line(runs.text[first])
        pieces = [
            ("" if k == first or not runs.gap[k] else " ") + runs.text[k]
            for k in range(first, min(end, first + 100))
            if not hidden[runs.node[k]] or hidden[node]
        ]
        return one_line("".join(pieces))

    def attribute(self, node: int, name: str) -> str:
        """Return an attribute of an element; empty if missing."""
        return self.page.nodes.attributes.get(node, name)

    def is_hidden(self, block: int) -> bool:
        """Return whether a block is not visible."""
        page = self.page
        return bool(page.hidden[page.runs.node[page.blocks.first_run[block]]])
