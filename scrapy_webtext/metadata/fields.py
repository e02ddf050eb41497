"""The metadata of an article as one value, and the fields that can be asked for."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from scrapy_webtext.metadata.authors import find_authors
from scrapy_webtext.metadata.description import find_description
from scrapy_webtext.metadata.fingerprint import fingerprint
from scrapy_webtext.metadata.headline import find_headline
from scrapy_webtext.metadata.language import find_language
from scrapy_webtext.metadata.links import find_canonical, find_image
from scrapy_webtext.metadata.published import find_modified, find_published
from scrapy_webtext.metadata.site_name import find_site_name
from scrapy_webtext.metadata.sources import Sources
from scrapy_webtext.metadata.tags import find_breadcrumbs, find_tags
from scrapy_webtext.page import Page
from scrapy_webtext.results import Breadcrumb, Extraction


@dataclass(frozen=True, slots=True)
class Metadata:
    """What an article says of itself; None or empty where it does not, or nobody asked."""

    title: str | None = None
    authors: tuple[str, ...] = ()
    published: str | None = None  #: ISO 8601, as precise as declared, with the zone where known
    modified: str | None = None  #: in the same form
    language: str | None = None  #: BCP 47
    description: str | None = None
    image: str | None = None  #: absolute address
    site_name: str | None = None
    canonical_url: str | None = None  #: absolute
    tags: tuple[str, ...] = ()
    breadcrumbs: tuple[Breadcrumb, ...] = ()
    sources: Mapping[str, str] = field(default_factory=dict)  #: per field, where it came from


#: Name of a field -> what finds it: a value and its source, or None.
FIELDS: Final[Mapping[str, Callable[[Sources], tuple[Any, ...] | None]]] = {
    "title": lambda sources: find_headline(sources)[0],
    "authors": find_authors,
    "published": find_published,
    "modified": find_modified,
    "language": find_language,
    "description": find_description,
    "image": find_image,
    "site_name": find_site_name,
    "canonical_url": find_canonical,
    "tags": find_tags,
    "breadcrumbs": find_breadcrumbs,
}


def metadata(page: Page, extraction: Extraction, names: Collection[str] = FIELDS) -> Metadata:
    """Return these fields of the article that was extracted from a page; no others are computed.

    Never raises for odd pages; linear in the page. KeyError for a name that is not in `FIELDS`.
    """
    sources = Sources(page, extraction)
    values: dict[str, Any] = {}
    origins: dict[str, str] = {}
    for name in names:
        found = FIELDS[name](sources)
        if found is not None:
            values[name], origins[name] = found[0], found[1]
    return Metadata(**values, sources=origins)


def headline_block(page: Page, extraction: Extraction) -> int:
    """Return the block of the page that is the article's headline, -1 where none is shown."""
    return find_headline(Sources(page, extraction))[1]


def describe_article(page: Page, extraction: Extraction, names: Collection[str]) -> dict[str, Any]:
    """Return these of `results.DESCRIBED` as results have them; of other names nothing."""
    wanted = [name for name in FIELDS if name in names]
    values: dict[str, Any] = {}
    if wanted:
        found = metadata(page, extraction, wanted)
        values = {name: getattr(found, name) for name in wanted}
    if "fingerprint" in names:
        values["fingerprint"] = fingerprint(extraction.text) or None
    return values
