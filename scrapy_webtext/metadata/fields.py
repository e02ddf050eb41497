"""The fields of an article's metadata and their functions; simple functions are defined here."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import fields
from operator import itemgetter
from typing import Any, Final

from scrapy_webtext.metadata.authors import find_authors, names_in
from scrapy_webtext.metadata.comments import find_comments
from scrapy_webtext.metadata.dates import read_date
from scrapy_webtext.metadata.language import find_language
from scrapy_webtext.metadata.published import find_modified, find_published
from scrapy_webtext.metadata.sources import JSON_LD, META, Candidate, Sources, value_in
from scrapy_webtext.metadata.text import clean, fingerprint, first_of, plain_text
from scrapy_webtext.metadata.title import find_headline, find_site_name
from scrapy_webtext.page import Page
from scrapy_webtext.results import Breadcrumb, Extraction, WebTextResult

#: Minimum number of characters of a description.
MIN_DESCRIPTION: Final = 8
#: Maximum number of tags, and of steps of breadcrumbs.
MAX_TAGS: Final = 100
#: Maximum number of characters of a tag; longer texts are sentences.
MAX_TAG: Final = 100
_BETWEEN_TAGS: Final = re.compile(r"\s{0,9}[,;，、|]\s{0,9}")
#: Values of ``article:content_tier`` (Facebook).
_TIERS: Final = {"free": True, "metered": False, "locked": False}
RULE: Final = "rule of the site"
RESERVED: Final = "tdm-reservation"
#: Addresses whose scheme is not http(s).
_OTHER_SCHEME: Final = re.compile(r"(?!https?:)[a-z][a-z0-9+.-]{0,30}:\S", re.IGNORECASE)


#: The result fields that are tuples. A missing one is empty; any other missing field is None.
SEQUENCES: Final = {one.name for one in fields(WebTextResult) if str(one.type).startswith("tuple")}


def find_description(sources: Sources) -> Candidate | None:
    """Return the description as one line; objects that describe the page are the last choice."""
    candidates = sources.declarations("description")
    for one in sorted(candidates, key=lambda one: one.is_of_page):
        text = one.value if one.kind == META else plain_text(one.value)
        if len(text) >= MIN_DESCRIPTION:
            return one._replace(value=text)
    return None


def find_canonical(sources: Sources) -> Candidate | None:
    """Return the page's canonical address."""
    link = Candidate(sources.links.get("canonical"), "<link rel=canonical>")
    return _first_address(sources, (link, *sources.of_meta("url")))


def find_image(sources: Sources) -> Candidate | None:
    """Return the address of the article's main picture."""
    return _first_address(sources, _images(sources))


def _images(sources: Sources) -> Iterator[Candidate]:
    json_ld = sources.json_ld
    for one in sources.of_json_ld("image"):
        if one.is_of_page:
            continue
        value = json_ld.resolved(first_of(one.value))
        yield one._replace(value=first_of(value_in(value, "url", "contenturl", "@id")))
    yield from sources.of_meta("image")
    yield Candidate(sources.links.get("image_src"), "<link rel=image_src>")


def _first_address(sources: Sources, candidates: Iterable[Candidate]) -> Candidate | None:
    for one in candidates:
        if address := sources.absolute_address(one.value):
            return one._replace(value=address)
    return None


def find_tags(sources: Sources) -> Candidate | None:
    """Return the tags in the first source with tags, without duplicates."""
    for one in sources.declarations("tags"):
        values = one.value if isinstance(one.value, list) else [one.value]
        names = dict.fromkeys(
            part
            for value in values
            for part in _BETWEEN_TAGS.split(plain_text(value_in(value, "name")))
            if 0 < len(part) <= MAX_TAG and ":" not in part[:12]
        )
        if names:
            return one._replace(value=tuple(names)[:MAX_TAGS])
    return None


def find_breadcrumbs(sources: Sources) -> Candidate | None:
    """Return the longest breadcrumbs that JSON-LD declares."""
    found = sources.json_ld.of_type("breadcrumblist")
    lists = [_steps(sources, one.values.get("itemlistelement")) for one in found]
    steps = max(lists, key=len, default=())
    return Candidate(steps, JSON_LD, "BreadcrumbList") if steps else None


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


def find_is_free(sources: Sources) -> Candidate | None:
    """Return whether an article is free to read, as declared for search engines."""
    for one in sources.main:
        # The value may be http://schema.org/False.
        value = str(one.values.get("isaccessibleforfree", "")).strip().lower().rpartition("/")[2]
        if value in ("true", "false"):
            return Candidate(value == "true", JSON_LD, one.kind)
    for tier in sources.of_meta("is_free"):
        if tier.value.lower() in _TIERS:
            return tier._replace(value=_TIERS[tier.value.lower()])
    return None


def find_licence(sources: Sources) -> Candidate | None:
    """Return the licence in JSON-LD, else of the first ``rel=license``, else `RESERVED`."""
    for one in sources.main:
        value = sources.json_ld.resolved(first_of(one.values.get("license")))
        if text := _licence(first_of(value_in(value, "url", "@id", "name"))):
            return Candidate(text, JSON_LD, one.kind)
    attributes = sources.page.nodes.attributes
    for node, _, relation in attributes.named({"rel"}):
        is_licence = "license" in relation.lower().split()
        if is_licence and (text := _licence(attributes.get(node, "href"))):
            return Candidate(text, "rel=license")
    if sources.texts_of_meta(RESERVED)[:1] == ["1"]:
        return Candidate(RESERVED, META, RESERVED)
    return None


def _licence(value: Any) -> str:
    """Return the name or the address of a licence; empty for an address of another scheme."""
    text = plain_text(value)
    return "" if _OTHER_SCHEME.match(text) else text


def find_fingerprint(sources: Sources) -> Candidate | None:
    """Return the fingerprint of the text."""
    found = fingerprint(sources.extraction.text)
    return Candidate(found, "text") if found else None


#: Field -> function that finds its value.
FIELDS: Final[Mapping[str, Callable[[Sources], Candidate | None]]] = {
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
    "is_free": find_is_free,
    "licence": find_licence,
    "fingerprint": find_fingerprint,
    "comments": find_comments,
}


def find_selected(sources: Sources, name: str) -> Candidate | None:
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
    return {
        name: find_selected(sources, name)
        or find(sources)
        or Candidate(() if name in SEQUENCES else None, "")
        for name, find in FIELDS.items()
        if name in names
    }


def find_shown_headline(page: Page, extraction: Extraction) -> tuple[str, int]:
    """Return the visible headline and its block; ("", -1) if missing."""
    title, block = find_headline(Sources(page, extraction))
    return (title.value, block) if title and block >= 0 else ("", -1)
