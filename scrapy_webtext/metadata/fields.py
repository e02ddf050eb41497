"""The fields of an article's metadata: a table of the candidates of each and how one is read."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import fields
from operator import itemgetter
from typing import Any, Final, NamedTuple

from scrapy_webtext.metadata.authors import find_authors
from scrapy_webtext.metadata.comments import find_comments
from scrapy_webtext.metadata.dates import read_date
from scrapy_webtext.metadata.language import find_language
from scrapy_webtext.metadata.names import names_in
from scrapy_webtext.metadata.published import find_modified, find_published
from scrapy_webtext.metadata.sources import (
    JSON_LD,
    META,
    Candidate,
    Sources,
    split_address,
    value_in,
)
from scrapy_webtext.metadata.text import clean, fingerprint, first_of, folded, plain_text
from scrapy_webtext.metadata.title import declared_site_names, find_headline, host_names
from scrapy_webtext.page import Page
from scrapy_webtext.results import Breadcrumb, Extraction, FieldSource, WebTextResult

#: Minimum number of characters of a description.
MIN_DESCRIPTION: Final = 8
#: Maximum number of characters of a site's name; a longer text is a slogan or a sentence.
MAX_SITE_NAME: Final = 80
#: Maximum number of tags, and of steps of breadcrumbs.
MAX_TAGS: Final = 100
#: Maximum number of characters of a tag; longer texts are sentences.
MAX_TAG: Final = 100
_BETWEEN_TAGS: Final = re.compile(r"\s{0,9}[,;，、|]\s{0,9}")
#: The last part of a declared value (schema.org, ``article:content_tier``) -> whether it is free.
_FREE: Final = {"true": True, "false": False, "free": True, "metered": False, "locked": False}
RULE: Final = "rule of the site"
RESERVED: Final = "tdm-reservation"
#: Addresses whose scheme is not http(s).
_OTHER_SCHEME: Final = re.compile(r"(?!https?:)[a-z][a-z0-9+.-]{0,30}:\S", re.IGNORECASE)

#: The beginning of an address without a host.
_RELATIVE: Final = re.compile(r"(?:\.{0,2}/|#|\?)\S|[\w-]{1,100}\.(?:html?|php|aspx?|txt|md)\Z")
#: The result fields that are tuples. A missing one is empty; any other missing field is None.
SEQUENCES: Final = {one.name for one in fields(WebTextResult) if str(one.type).startswith("tuple")}


def _descriptions(sources: Sources) -> list[Candidate]:
    """Return the declared descriptions; objects that describe the page are the last choice."""
    return sorted(sources.declarations("description"), key=lambda one: one.is_of_page)


def _description(_: Sources, one: Candidate) -> str:
    text: str = one.value if one.kind == META else plain_text(one.value)
    return text if len(text) >= MIN_DESCRIPTION else ""


def _address(sources: Sources, one: Candidate) -> str:
    """Return an absolute address; the value may be an object or a reference."""
    value = sources.json_ld.resolved(first_of(one.value))
    return sources.absolute_address(first_of(value_in(value, "url", "contenturl", "@id")))


def _image(sources: Sources, one: Candidate) -> str:
    """Return the address of a picture; empty for the start of a site."""
    address = "" if one.is_of_page else _address(sources, one)
    return address if split_address(address).path.strip("/") else ""


def _site_name(sources: Sources, one: Candidate) -> str:
    """Return the name of a site; empty for an address, a sentence and the name of a section."""
    name: str = one.value
    values = (first_of(section.value) for section in sources.declarations("section"))
    is_section = folded(name) in set(map(folded, map(plain_text, values)))
    if len(name) > MAX_SITE_NAME or name.startswith(("http:", "https:")):
        return ""
    return "" if is_section and folded(name) not in host_names(sources) else name


def _tags(_: Sources, one: Candidate) -> tuple[str, ...]:
    """Return the tags in a value, without duplicates."""
    parts = (
        part
        for value in (one.value if isinstance(one.value, list) else [one.value])
        for part in _BETWEEN_TAGS.split(plain_text(value_in(value, "name")))
        if 0 < len(part) <= MAX_TAG and ":" not in part[:12]
    )
    return tuple(dict.fromkeys(parts))[:MAX_TAGS]


def _breadcrumbs(sources: Sources) -> list[Candidate]:
    """Return the longest breadcrumbs that JSON-LD declares."""
    found = sources.json_ld.of_type("breadcrumblist")
    lists = (_steps(sources, one.values.get("itemlistelement")) for one in found)
    return [Candidate(max(lists, key=len, default=()), JSON_LD, "BreadcrumbList")]


def _steps(sources: Sources, elements: Any) -> tuple[Breadcrumb, ...]:
    steps: list[tuple[int, Breadcrumb]] = []
    for element in elements[:MAX_TAGS] if isinstance(elements, list) else [elements]:
        step = sources.json_ld.resolved(element)
        if not isinstance(step, dict):
            continue
        item = sources.json_ld.resolved(step.get("item"))
        inner = item if isinstance(item, dict) else {}
        address = value_in(item, "@id", "url")
        if name := plain_text(step.get("name")) or plain_text(inner.get("name")):
            place = str(step.get("position"))
            crumb = Breadcrumb(name, sources.absolute_address(address) or None)
            steps.append((int(place) if place.isdecimal() and len(place) < 9 else 0, crumb))
    return tuple(crumb for _, crumb in sorted(steps, key=itemgetter(0)))


def _is_free(_: Sources, one: Candidate) -> bool | None:
    """Return whether an article is free to read; the value may be http://schema.org/False."""
    return _FREE.get(str(one.value).strip().lower().rpartition("/")[2])


def _licence(sources: Sources, one: Candidate) -> str:
    """Return the name or the address of a licence; empty for an address of another scheme."""
    if one.name == RESERVED:
        return RESERVED if one.value == "1" else ""
    value = sources.json_ld.resolved(first_of(one.value))
    text = plain_text(first_of(value_in(value, "url", "@id", "name")))
    if one.kind != JSON_LD or _RELATIVE.match(text):
        text = sources.absolute_address(text) or text
    return "" if _OTHER_SCHEME.match(text) else text


class Field(NamedTuple):
    """The candidates of a field, most trusted first, and a function that reads one.

    The value of the field is the first that is read and is not None, empty or ().
    """

    candidates: Callable[[Sources], Iterable[Candidate | None]]
    read: Callable[[Sources, Candidate], Any] = lambda _, one: one.value

    def find(self, sources: Sources) -> Candidate | None:
        """Return the value of the field and its source; None if missing."""
        for one in self.candidates(sources):
            if one and (value := self.read(sources, one)) not in (None, "", ()):
                return one._replace(value=value)
        return None


def _declared(name: str) -> Callable[[Sources], Iterator[Candidate]]:
    return lambda sources: sources.declarations(name)


#: A field is either elected among declared and visible candidates, or the first valid declaration.
FIELDS: Final[Mapping[str, Field]] = {
    "title": Field(lambda sources: find_headline(sources)[:1]),
    "authors": Field(lambda sources: [find_authors(sources)]),
    "published": Field(lambda sources: [find_published(sources)]),
    "modified": Field(lambda sources: [find_modified(sources)]),
    "language": Field(lambda sources: [find_language(sources)]),
    "description": Field(_descriptions, _description),
    "image": Field(_declared("image"), _image),
    "site_name": Field(declared_site_names, _site_name),
    "canonical_url": Field(_declared("canonical_url"), _address),
    "tags": Field(_declared("tags"), _tags),
    "breadcrumbs": Field(_breadcrumbs),
    "is_free": Field(_declared("is_free"), _is_free),
    "licence": Field(_declared("licence"), _licence),
    "fingerprint": Field(lambda sources: [Candidate(fingerprint(sources.extraction.text), "text")]),
    "comments": Field(lambda sources: [find_comments(sources)]),
    "sources": Field(lambda _: []),  # see `describe_article`
}


def _selected(sources: Sources, name: str) -> Candidate | None:
    """Return the value of a field that the site's rule selects; None if it selects nothing."""
    page = sources.page
    texts = [
        page.nodes.attributes.get(node, attribute) if attribute else sources.text_of(node)
        for node, attribute in page.values.get(name, ())[:MAX_TAGS]
    ]
    found = list(filter(None, map(clean, texts)))
    if name == "authors" and found:
        return Candidate(names_in(found) or tuple(found), RULE)
    if name == "published":
        dates = (read_date(text, sources.language) for text in found)
        found = [str(date) for date in dates if date is not None]
    return Candidate(found[0], RULE) if found else None


def describe_article(
    page: Page, extraction: Extraction, names: Collection[str] = FIELDS
) -> dict[str, Candidate]:
    """Return the named fields of the article; names that are not in `FIELDS` are ignored.

    A missing field has the value None or () and an empty source. The time is linear in the page.
    """
    sources = Sources(page, extraction)
    found = {
        name: _selected(sources, name)
        or field.find(sources)
        or Candidate(() if name in SEQUENCES else None, "")
        for name, field in FIELDS.items()
        if name in names
    }
    rows = tuple(FieldSource(name, one.source) for name, one in found.items() if one.source)
    return found | {"sources": Candidate(rows, "")} if "sources" in found else found


def find_shown_headline(page: Page, extraction: Extraction) -> tuple[str, int]:
    """Return the visible headline and its block; ("", -1) if missing."""
    title, block = find_headline(Sources(page, extraction))
    return (title.value, block) if title and block >= 0 else ("", -1)
