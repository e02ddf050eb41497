"""A page's JSON-LD as objects: the bounds within which it is read, and the marks around it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, Final, NamedTuple

from scrapy_webtext.page.tree import Page

#: Scripts and characters that are read of a page. (The maximum on 4,638 pages: 104 and 105,886.)
MAX_SCRIPTS: Final = 500
MAX_CHARS: Final = 500_000
#: Deeper nesting is not read. (The maximum on the same pages: 12 levels.)
MAX_DEPTH: Final = 64

_CDATA: Final = "<![CDATA["
_CONTAINERS: Final = (dict, list)


class Number(str):
    """A number as it is written: to read a long one costs the square of its digits."""

    __slots__ = ()


_DECODER: Final = json.JSONDecoder(strict=False, parse_int=Number, parse_float=Number)


class Item(NamedTuple):
    """An object, and its place in the value of its script."""

    values: dict[str, Any]
    key: str  #: of the object around it whose value it is, or is listed in; empty without one
    around: int  #: the index of that object among the items; -1 without one


class Script(NamedTuple):
    """One script of JSON-LD, read."""

    text: str
    items: list[Item]  #: empty where it is not JSON
    is_json: bool


def json_ld_scripts(page: Page) -> tuple[Script, ...]:
    """Return the page's scripts, each read once; they are cached with the page."""
    return page.cached("JSON-LD", lambda: read_scripts(page.json_ld))


def read_scripts(texts: Iterable[str]) -> tuple[Script, ...]:
    """Return the scripts within the bounds; their numbers are text, of the class `Number`."""
    return tuple(map(_read, _bounded(texts)))


def _read(script: str) -> Script:
    text = _without_cdata(script)
    try:
        value = _DECODER.decode(text)
    except ValueError:
        return Script(text, [], False)
    except RecursionError:  # too deep: nothing to repair
        return Script("", [], False)
    return Script(text, items_in(value), True)


def items_in(value: Any) -> list[Item]:
    """Return the objects in a value, level by level; none if the nesting is too deep."""
    found: list[Item] = []
    level = [(value, "", -1)]
    for _ in range(MAX_DEPTH):
        below: list[tuple[Any, str, int]] = []
        for one, key, around in level:
            if isinstance(one, dict):
                for name, inner in one.items():
                    if isinstance(inner, _CONTAINERS):
                        below.append((inner, name, len(found)))
                found.append(Item(one, key, around))
            elif isinstance(one, list):
                for inner in one:
                    if isinstance(inner, _CONTAINERS):
                        below.append((inner, key, around))
        level = below
        if not level:
            return found
    return []


def _bounded(scripts: Iterable[str]) -> Iterator[str]:
    """Yield the scripts of a page within the bounds; one that is too long is left out."""
    left = MAX_CHARS
    for script in islice(scripts, MAX_SCRIPTS):
        if len(script) <= left:
            left -= len(script)
            yield script


def _without_cdata(script: str) -> str:
    """Return a script without the CDATA marks of XHTML, which may be in comments."""
    before, mark, text = script.partition(_CDATA)
    if not mark or before.strip() not in ("", "//", "/*"):
        return script
    text = text.rpartition("]]>")[0] or text
    return text.strip().removeprefix("*/").removesuffix("//").removesuffix("/*")
