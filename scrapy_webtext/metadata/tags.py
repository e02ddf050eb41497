"""Tags, and the breadcrumbs that lead to the page: lists that a page declares."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple

from scrapy_webtext.metadata.jsonld import Object
from scrapy_webtext.metadata.links import absolute_address
from scrapy_webtext.metadata.sources import Sources
from scrapy_webtext.metadata.words import plain_text
from scrapy_webtext.results import Breadcrumb

#: Tags, and steps of breadcrumbs, that are read.
MAX_TAGS: Final = 100
#: A longer tag is a sentence.
MAX_CHARS: Final = 100

_BETWEEN: Final = re.compile(r"\s{0,9}[,;，、|]\s{0,9}")


class Tags(NamedTuple):
    """The tags of an article, and where they came from."""

    names: tuple[str, ...]
    source: str


class Crumbs(NamedTuple):
    """The way from the site's start to the page, and where it came from."""

    steps: tuple[Breadcrumb, ...]
    source: str


def find_tags(sources: Sources) -> Tags | None:
    """Return the tags of the first source that has any, each once."""
    for texts, source in _declared(sources):
        names = dict.fromkeys(
            part
            for text in texts
            for part in _BETWEEN.split(plain_text(text))
            if 0 < len(part) <= MAX_CHARS and ":" not in part[:12]
        )
        if names:
            return Tags(tuple(names)[:MAX_TAGS], source)
    return None


def _declared(sources: Sources) -> Iterator[tuple[Iterable[Any], str]]:
    for source, value in sources.values("keywords"):
        values = value if isinstance(value, list) else [value]
        yield [one.get("name") if isinstance(one, dict) else one for one in values], source
    for source, texts in sources.head.values("tags"):
        yield texts, source


def find_breadcrumbs(sources: Sources) -> Crumbs | None:
    """Return the breadcrumbs that JSON-LD declares, the longest of several."""
    lists = [_steps(sources, one) for one in sources.json_ld.of_type("breadcrumblist")]
    steps = max(lists, key=len, default=())
    return Crumbs(steps, "JSON-LD BreadcrumbList") if steps else None


def _steps(sources: Sources, one: Object) -> tuple[Breadcrumb, ...]:
    elements = one.values.get("itemlistelement")
    found: list[Breadcrumb] = []
    for element in elements[:MAX_TAGS] if isinstance(elements, list) else [elements]:
        step = sources.json_ld.resolved(element)
        if not isinstance(step, dict):
            continue
        item = sources.json_ld.resolved(step.get("item"))
        inner = item if isinstance(item, dict) else {}
        name = plain_text(step.get("name")) or plain_text(inner.get("name"))
        address = item if isinstance(item, str) else inner.get("@id") or inner.get("url")
        if name:
            found.append(Breadcrumb(name, absolute_address(address, sources.page.url) or None))
    return tuple(found)
