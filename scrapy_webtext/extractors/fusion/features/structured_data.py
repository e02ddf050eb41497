"""What a page declares in JSON-LD: types of what it describes, and ``articleBody``.

Read as JSON, within bounds: what is broken, or beyond them, declares nothing.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

from scrapy_webtext.page import Page

#: Of a page so many scripts are read, and so many characters (104 and 105,886 at most on 4,638
#: pages).
MAX_SCRIPTS: Final = 500
MAX_CHARS: Final = 500_000
#: A script nested deeper is not read (12 levels at most on the same pages).
MAX_DEPTH: Final = 64
#: A type has fewer characters.
MAX_TYPE_CHARS: Final = 100

_CDATA: Final = "<![CDATA["


@dataclass(frozen=True, slots=True)
class StructuredData:
    """What the JSON-LD of a page holds."""

    types: frozenset[str]  #: per object its type, or the first of several
    only_types: frozenset[str]  #: of the objects that have one type
    bodies: tuple[str, ...]  #: every ``articleBody``


def structured_data(page: Page) -> StructuredData:
    """Return what a page declares in JSON-LD, computed once per page."""
    return page.cached("structured data", lambda: read_structured_data(page.json_ld))


def read_structured_data(scripts: Iterable[str]) -> StructuredData:
    """Return what these scripts hold, in time linear in them."""
    types: set[str] = set()
    only_types: set[str] = set()
    bodies: list[str] = []
    for one in _objects(scripts):
        named, body = one.get("@type"), one.get("articleBody")
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
    """Yield the objects of all scripts within the bounds, wherever they stand."""
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
    """Return None: no number is wanted, and long ones cost the square of their digits."""


def _objects_in(value: Any) -> list[dict[str, Any]]:
    """Return the objects in a value, level by level; none if it is too deep."""
    found: list[dict[str, Any]] = []
    level = [value]
    for _ in range(MAX_DEPTH):
        below: list[Any] = []
        for one in level:
            if isinstance(one, dict):
                found.append(one)
                below += one.values()
            elif isinstance(one, list):
                below += one
        level = below
        if not level:
            return found
    return []


def _bare(script: str) -> str:
    """Return a script without the CDATA marks that XHTML asks for, in JavaScript's comments."""
    before, mark, text = script.partition(_CDATA)
    if not mark or before.strip() not in ("", "//", "/*"):
        return script
    text = text.rpartition("]]>")[0] or text
    return text.strip().removeprefix("*/").removesuffix("//").removesuffix("/*")
