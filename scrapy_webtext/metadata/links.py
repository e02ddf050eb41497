"""Addresses that a page declares: its own, and that of its picture; absolute, of the web alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final
from urllib.parse import urljoin, urlsplit

from scrapy_webtext.metadata.found import Found
from scrapy_webtext.metadata.sources import Sources
from scrapy_webtext.metadata.words import plain_text

#: An address that is whole, as most are.
_ABSOLUTE: Final = re.compile(r"https?://[\w-]+(?:\.[\w-]+)+(?:/[^\s\\]*)?", re.ASCII)


def find_canonical(sources: Sources) -> Found | None:
    """Return the address by which the page wants to be known."""
    canonical = sources.head.links.get("canonical")
    if found := _found(sources, canonical, "<link rel=canonical>"):
        return found
    for source, texts in sources.head.values("url"):
        if found := _found(sources, texts[0], source):
            return found
    return None


def find_image(sources: Sources) -> Found | None:
    """Return the address of the article's main picture."""
    for address, source in _images(sources):
        if found := _found(sources, address, source):
            return found
    return None


def _images(sources: Sources) -> Iterator[tuple[Any, str]]:
    for source, value in sources.values("image", "thumbnailUrl"):
        if "webpage" in source:
            continue
        if isinstance(value, list):
            value = value[0] if value else None
        value = sources.json_ld.resolved(value)
        if isinstance(value, str) and value in sources.json_ld.by_id:
            value = sources.json_ld.by_id[value]
        if isinstance(value, dict):
            value = value.get("url") or value.get("contenturl") or value.get("@id")
        if isinstance(value, list):
            value = value[0] if value else None
        yield value, source
    for source, texts in sources.head.values("image"):
        yield texts[0], source
    yield sources.head.links.get("image_src"), "<link rel=image_src>"


def _found(sources: Sources, address: Any, source: str) -> Found | None:
    absolute = absolute_address(address, sources.page.url)
    return Found(absolute, source) if absolute else None


def absolute_address(address: Any, base: str | None) -> str:
    """Return an address with scheme and host, empty for what is none of the web."""
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
    if parts.scheme not in ("http", "https") or "." not in parts.netloc:
        return ""
    return absolute
