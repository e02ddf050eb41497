"""JSON-LD of a page: the types of the objects that it describes, and ``articleBody``.

Scripts are read as JSON, within bounds. Broken JSON and scripts beyond the bounds are left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from scrapy_webtext.page import Page
from scrapy_webtext.page.json_ld import MAX_DEPTH, Number, Script, json_ld_scripts

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
    return page.cached("structured data", lambda: read_structured_data(json_ld_scripts(page)))


def read_structured_data(scripts: Iterable[Script]) -> StructuredData:
    """Return the structured data of these scripts, in time linear in them."""
    types: set[str] = set()
    only_types: set[str] = set()
    bodies: list[str] = []
    for item in _objects(scripts):
        named, body = item.get("@type"), item.get("articleBody")
        if isinstance(named, Number):
            continue
        if isinstance(named, list):
            named = named[0] if named else None
        elif isinstance(named, str) and len(named) < MAX_TYPE_CHARS:
            only_types.add(named)
        if isinstance(named, str) and len(named) < MAX_TYPE_CHARS:
            types.add(named)
        if isinstance(body, str) and not isinstance(body, Number):
            bodies.append(body)
    return StructuredData(frozenset(types), frozenset(only_types), tuple(bodies))


def _objects(scripts: Iterable[Script]) -> Iterator[dict[str, Any]]:
    """Yield the objects of all scripts, at any depth."""
    for script in scripts:
        if script.is_json:
            yield from _objects_in(script.value)


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
