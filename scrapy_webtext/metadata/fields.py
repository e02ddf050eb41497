"""The fields of an article's metadata, each with its function; the simple functions are here."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any, Final
from urllib.parse import urljoin, urlsplit

from scrapy_webtext.metadata.authors import find_authors
from scrapy_webtext.metadata.jsonld import Object, value_in
from scrapy_webtext.metadata.language import find_language
from scrapy_webtext.metadata.published import find_modified, find_published
from scrapy_webtext.metadata.sources import Candidate, Sources
from scrapy_webtext.metadata.text import fingerprint, first_of, plain_text
from scrapy_webtext.metadata.title import find_headline, find_site_name
from scrapy_webtext.page import Page
from scrapy_webtext.results import Breadcrumb, Extraction, WebTextResult

#: Minimum of characters of a description.
MIN_DESCRIPTION: Final = 8
#: Maximum of tags, and of steps of breadcrumbs.
MAX_TAGS: Final = 100
#: Maximum of characters of a tag; longer texts are sentences.
MAX_TAG: Final = 100
_BETWEEN_TAGS: Final = re.compile(r"\s{0,9}[,;，、|]\s{0,9}")
#: Values of ``article:content_tier`` (Facebook).
_TIERS: Final = {"free": True, "metered": False, "locked": False}
RESERVED: Final = "tdm-reservation"
#: An absolute address; most are.
_ABSOLUTE: Final = re.compile(r"https?://[\w-]+(?:\.[\w-]+)+(?:/[^\s\\]*)?", re.ASCII)


#: The fields of results with several values; they are empty if missing, other fields are None.
SEQUENCES: Final = {one.name for one in fields(WebTextResult) if str(one.type).startswith("tuple")}


@dataclass(frozen=True)
class Metadata:
    """The metadata of an article, an attribute for each name in `FIELDS`."""

    values: Mapping[str, Any]  #: of the fields that were found
    sources: Mapping[str, str]  #: per field, its source

    def __getattr__(self, name: str) -> Any:
        """Return a field; None or empty if it is missing or was not asked for."""
        if name not in FIELDS:
            raise AttributeError(name)
        return self.values.get(name, () if name in SEQUENCES else None)


def find_description(sources: Sources) -> Candidate | None:
    """Return the description for search engines and networks, as one line; the page's own last."""
    candidates = sources.declarations("description")
    for value, source, _ in sorted(candidates, key=lambda one: "webpage" in one.source):
        text = value if source.startswith("meta ") else plain_text(value)
        if len(text) >= MIN_DESCRIPTION:
            return Candidate(text, source)
    return None


def find_canonical(sources: Sources) -> Candidate | None:
    """Return the address that the page prefers."""
    link = Candidate(sources.links.get("canonical"), "<link rel=canonical>")
    return _first_address(sources, (link, *sources.of_meta("url")))


def find_image(sources: Sources) -> Candidate | None:
    """Return the address of the article's main picture."""
    return _first_address(sources, _images(sources))


def _images(sources: Sources) -> Iterator[Candidate]:
    json_ld = sources.json_ld
    for value, source, _ in sources.of_json_ld("image"):
        if "webpage" in source:
            continue
        value = json_ld.resolved(first_of(value))
        if isinstance(value, str) and value in json_ld.by_id:
            value = json_ld.by_id[value].values
        yield Candidate(first_of(value_in(value, "url", "contenturl", "@id")), source)
    yield from sources.of_meta("image")
    yield Candidate(sources.links.get("image_src"), "<link rel=image_src>")


def _first_address(sources: Sources, candidates: Iterable[Candidate]) -> Candidate | None:
    for value, source, _ in candidates:
        if address := absolute_address(value, sources.page.url):
            return Candidate(address, source)
    return None


def absolute_address(address: Any, base: str | None) -> str:
    """Return an absolute address, empty if it is not of the web."""
    text = plain_text(address)
    if not text or " " in text:
        return ""
    if _ABSOLUTE.fullmatch(text):
        return text
    try:
        absolute = urljoin(base or "", text)
        parts = urlsplit(absolute)
    except ValueError:
        return ""
    return absolute if parts.scheme in ("http", "https") and "." in parts.netloc else ""


def find_tags(sources: Sources) -> Candidate | None:
    """Return the tags of the first source that has tags, without duplicates."""
    for value, source, _ in sources.declarations("tags"):
        values = value if isinstance(value, list) else [value]
        names = dict.fromkeys(
            part
            for value in values
            for part in _BETWEEN_TAGS.split(plain_text(value_in(value, "name")))
            if 0 < len(part) <= MAX_TAG and ":" not in part[:12]
        )
        if names:
            return Candidate(tuple(names)[:MAX_TAGS], source)
    return None


def find_breadcrumbs(sources: Sources) -> Candidate | None:
    """Return the breadcrumbs that JSON-LD declares, the longest of several."""
    lists = [_steps(sources, one) for one in sources.json_ld.of_type("breadcrumblist")]
    steps = max(lists, key=len, default=())
    return Candidate(steps, "JSON-LD BreadcrumbList") if steps else None


def _steps(sources: Sources, breadcrumbs: Object) -> tuple[Breadcrumb, ...]:
    elements = breadcrumbs.values.get("itemlistelement")
    steps: list[Breadcrumb] = []
    for element in elements[:MAX_TAGS] if isinstance(elements, list) else [elements]:
        step = sources.json_ld.resolved(element)
        if not isinstance(step, dict):
            continue
        item = sources.json_ld.resolved(step.get("item"))
        inner = item if isinstance(item, dict) else {}
        address = value_in(item, "@id", "url")
        if name := plain_text(step.get("name")) or plain_text(inner.get("name")):
            steps.append(Breadcrumb(name, absolute_address(address, sources.page.url) or None))
    return tuple(steps)


def find_is_free(sources: Sources) -> Candidate | None:
    """Return whether an article is free to read, by the declaration for search engines."""
    for one in sources.main:
        value = str(one.values.get("isaccessibleforfree", "")).strip().lower()
        value = value.rpartition("/")[2]  # http://schema.org/False
        if value in ("true", "false"):
            return Candidate(value == "true", f"JSON-LD {one.kind}")
    for tier, source, _ in sources.of_meta("is_free"):
        if tier.lower() in _TIERS:
            return Candidate(_TIERS[tier.lower()], source)
    return None


def find_licence(sources: Sources) -> Candidate | None:
    """Return the licence of an article: of JSON-LD, or the first link with ``rel=license``."""
    for one in sources.main:
        value = sources.json_ld.resolved(first_of(one.values.get("license")))
        if text := plain_text(first_of(value_in(value, "url", "@id", "name"))):
            return Candidate(text, f"JSON-LD {one.kind}")
    attributes = sources.page.nodes.attributes
    for node, _, relation in attributes.named({"rel"}):
        if "license" in relation.lower().split() and (text := attributes.get(node, "href")):
            return Candidate(plain_text(text), "rel=license")
    if sources.texts_of_meta(RESERVED)[:1] == ["1"]:
        return Candidate(RESERVED, f"meta {RESERVED}")
    return None


#: Name of a field -> its function.
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
}


def metadata(page: Page, extraction: Extraction, names: Collection[str] = FIELDS) -> Metadata:
    """Return these fields of the article that was extracted from a page; no others are computed.

    Never raises for odd pages; linear in the page. KeyError for a name that is not in `FIELDS`.
    """
    sources = Sources(page, extraction)
    found = {name: FIELDS[name](sources) for name in names}
    values = {name: one.value for name, one in found.items() if one}
    return Metadata(values, {name: one.source for name, one in found.items() if one})


def find_shown_headline(page: Page, extraction: Extraction) -> tuple[str, int]:
    """Return the article's headline and its block of the page; "" and -1 if it shows none."""
    title, block = find_headline(Sources(page, extraction))
    return (title.value, block) if title and block >= 0 else ("", -1)


def describe_article(page: Page, extraction: Extraction, names: Collection[str]) -> dict[str, Any]:
    """Return these of `results.DESCRIBED` as results have them; of other names nothing."""
    wanted = [name for name in FIELDS if name in names]
    found = metadata(page, extraction, wanted)
    values: dict[str, Any] = {name: getattr(found, name) for name in wanted}
    if "fingerprint" in names:
        values["fingerprint"] = fingerprint(extraction.text) or None
    return values
