"""JSON-LD of a page: the types of the objects that it describes, and ``articleBody``.

Scripts are read as JSON, within bounds. Broken JSON and scripts beyond the bounds are left out.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from scrapy_webtext.page import Page
from scrapy_webtext.page.json_ld import MAX_DEPTH, bounded, without_cdata

#: Longer names of types are left out.
MAX_TYPE_CHARS: Final = 100


@dataclass(frozen=True, slots=True)
class StructuredData:
    """The parts of a page's JSON-LD that are used."""

    types: frozenset[str]  #: the type of each object, or its first type
    only_types: frozenset[str]  #: the types of objects with one type
    bodies: tuple[str, ...]  #: every ``articleBody``


def structured_data(page: Page) -> StructuredData:
    """Return the structured data of a page; it is cached with the page."""
    return page.cached("structured data", lambda: read_structured_data(page.json_ld))


def read_structured_data(scripts: Iterable[str]) -> StructuredData:
    """Return the structured data of these scripts, in time linear in them."""
    types: set[str] = set()
    only_types: set[str] = set()
    bodies: list[str] = []
    for item in _objects(scripts):
        named, body = item.get("@type"), item.get("articleBody")
        if isinstance(named, list):
            named = named[0] if named else None
        elif isinstance(named, str) and len(named) < MAX_TYPE_CHARS:
            only_types.add(named)
        if isinstance(named, str) and len(named) < MAX_TYPE_CHARS:
            types.add(named)
        if isinstance(body, str):
            bodies.append(body)
    return StructuredData(frozenset(types), frozenset(only_types), tuple(bodies))


def _objects(scripts: Iterable[str]) -> Iterator[dict[str, Any]]:
    """Yield the objects of all scripts within the bounds, at any depth."""
    for script in bounded(scripts):
        try:
            value = json.loads(
                without_cdata(script), strict=False, parse_int=_none, parse_float=_none
            )
        except (ValueError, RecursionError):
            continue
        yield from _objects_in(value)


def _none(digits: str) -> None:
    """Return None: numbers are not needed, and long ones take quadratic time."""


def _objects_in(value: Any) -> list[dict[str, Any]]:
    """Return the objects in a value, level by level; none if the nesting is too deep."""
    found: list[dict[str, Any]] = []
    level = [value]
    for _ in range(MAX_DEPTH):
        below: list[Any] = []
        for value in level:
            if isinstance(value, dict):
                found.append(value)
                below += value.values()
            elif isinstance(value, list):
                below += value
        level = below
        if not level:
            return found
    return []
