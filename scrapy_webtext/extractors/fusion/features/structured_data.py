"""JSON-LD of a page: the types of the objects that it describes, and ``articleBody``.

Scripts are read as JSON, within bounds. Broken JSON and scripts beyond the bounds are left out.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

from scrapy_webtext.page import Page

#: Scripts and characters that are read of a page. (The maximum on 4,638 pages: 104 and 105,886.)
MAX_SCRIPTS: Final = 500
MAX_CHARS: Final = 500_000
#: A script with deeper nesting is left out. (The maximum on the same pages: 12 levels.)
MAX_DEPTH: Final = 64
#: Longer names of types are left out.
MAX_TYPE_CHARS: Final = 100

_CDATA: Final = "<![CDATA["


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
    left = MAX_CHARS
    for script in islice(scripts, MAX_SCRIPTS):
        if len(script) > left:
            continue
        left -= len(script)
        try:
            value = json.loads(_bare(script), strict=False, parse_int=_none, parse_float=_none)
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


def _bare(script: str) -> str:
    """Return a script without the CDATA marks of XHTML, which may stand in comments."""
    before, mark, text = script.partition(_CDATA)
    if not mark or before.strip() not in ("", "//", "/*"):
        return script
    text = text.rpartition("]]>")[0] or text
    return text.strip().removeprefix("*/").removesuffix("//").removesuffix("/*")
