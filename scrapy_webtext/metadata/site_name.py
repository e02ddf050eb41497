"""The name of the site: what it calls itself, and what titles are cut of."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final
from urllib.parse import urlsplit

from scrapy_webtext.metadata.found import Found
from scrapy_webtext.metadata.sources import Sources, once
from scrapy_webtext.metadata.words import folded, plain_text

#: A longer one is a claim, or a sentence.
MAX_CHARS: Final = 80
#: Characters of a host, as DNS has it.
MAX_HOST: Final = 253


def find_site_name(sources: Sources) -> Found | None:
    """Return the site's name as JSON-LD or <meta> declare it."""
    for name, source in _declared(sources):
        if len(name) <= MAX_CHARS and not name.startswith(("http:", "https:")):
            return Found(name, source)
    return None


@once
def site_names(sources: Sources) -> frozenset[str]:
    """Return all names by which the site may be called in titles, folded: its host's, too."""
    return frozenset(_names(sources))


def _names(sources: Sources) -> Iterator[str]:
    for name, _ in _declared(sources):
        if words := folded(name):
            yield words
    try:
        host = urlsplit(sources.page.url or "").hostname or ""
    except ValueError:
        return
    yield from host_names(host[:MAX_HOST])


def _declared(sources: Sources) -> Iterator[tuple[str, str]]:
    for name, texts in sources.head.values("site_name"):
        if name == "meta og:site_name":
            yield texts[0], name
    for one in sources.json_ld.of_type("website"):
        if name := plain_text(one.values.get("name")):
            yield name, "JSON-LD WebSite name"
    for source, value in sources.values("publisher"):
        if name := _name(sources.json_ld.resolved(value)):
            yield name, source
    for name, texts in sources.head.values("site_name"):
        if name not in ("meta og:site_name", "meta copyright"):
            yield texts[0].lstrip("@"), name


def _name(value: Any) -> str:
    if isinstance(value, list):
        value = value[0] if value else None
    if isinstance(value, dict):
        value = value.get("name")
        if isinstance(value, list):
            value = value[0] if value else None
    return plain_text(value)


@lru_cache(maxsize=256)
def host_names(host: str) -> tuple[str, ...]:
    """Return a host's name as titles may have it: "example com", "example"."""
    host = host.removeprefix("www.")
    if "." not in host:
        return ()
    labels = host.split(".")[:-1]
    return (folded(host), *(folded(label) for label in labels if len(label) > 3))
