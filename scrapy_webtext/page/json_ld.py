"""Decodes the JSON-LD of a page, within limits, and repairs broken scripts."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from html import unescape
from itertools import islice
from typing import Any, Final, NamedTuple

from scrapy_webtext.page.page import Page

#: Maximum numbers of scripts and of characters per page. (The maxima on 4,638 pages are 104 and
#: 105,886.)
MAX_SCRIPTS: Final = 500
MAX_CHARS: Final = 500_000
#: Maximum depth of nesting. (The maximum on these pages is 12 levels.)
MAX_DEPTH: Final = 64

_CDATA: Final = "<![CDATA["
_CONTAINERS: Final = (dict, list)


class Number(str):
    """A number as text, because parsing a long number takes time quadratic in its digits."""

    __slots__ = ()


_DECODER: Final = json.JSONDecoder(strict=False, parse_int=Number, parse_float=Number)

_TOKEN: Final = re.compile(r"""["'{}\[\],]|//[^\n]*|/\*|[^\s"'{}\[\],:/]+""")
_KEY: Final = re.compile(r"""([^"'\\\n]{0,100})["']\s*:""")
#: A quote ends a text only if the next value, a comment or the end of its container follows.
_NEXT: Final = rf"[\]}}]|//|/\*|\Z|[\"']{_KEY.pattern}"
_ENDS: Final = {
    (quote, kind): re.compile(rf"\\.|{quote}(?=\s*(?:,\s*(?:{after})|{_NEXT}))", re.DOTALL)
    for quote in "\"'"
    for kind, after in (
        (dict, rf"[,/]|<br|{_NEXT}"),
        (list, r"""[\["'{\d,/\]}-]|true|false|null"""),
    )
}
_BARE_QUOTE: Final = re.compile(r'(?<!\\)"')
_WORDS: Final = {"true": True, "false": False}


class Item(NamedTuple):
    """An object of JSON-LD, and where it is in its script."""

    values: dict[str, Any]
    key: str  #: its key in the outer object, also if in a list; may be ""
    around: int  #: index of the outer object among the items; -1 if none


Items = list[Item]


def json_ld_items(page: Page) -> tuple[Items, ...]:
    """Return the objects of each script of a page; they are cached with the page."""
    return page.cached("JSON-LD", lambda: read_scripts(page.json_ld))


def read_scripts(texts: Iterable[str]) -> tuple[Items, ...]:
    """Return the objects of each script, within the limits; numbers are of class `Number`."""
    return tuple(items_in(_decode(script)) for script in _bounded(texts))


def _decode(script: str) -> Any:
    """Return the value of a script; if it is not valid JSON, a list of repaired values."""
    try:
        return _DECODER.decode(script)
    except ValueError:
        is_quoted = '"' not in script and "&" in script
        return _repair(unescape(script) if is_quoted else script)
    except RecursionError:  # nested too deeply to be repaired
        return []


def _repair(text: str) -> list[Any]:
    """Return the values in a script that is not valid JSON, in time linear in the script.

    Accept unescaped quotes, comments, missing and repeated commas, several values in sequence, and
    brackets that are missing or do not match. Skip other characters between values.
    """
    values: list[Any] = []
    opened: list[Any] = [values]
    key: str | None = None
    at = 0
    text = text.replace(_CDATA, "\n")
    while match := _TOKEN.search(text, at):
        token, at = match[0], match.end()
        inner = opened[-1]
        is_key = isinstance(inner, dict) and key is None
        value: Any = None
        if token == "/*":
            end = text.find("*/", at)
            at = end + 2 if end >= 0 else len(text)
        elif token in "}]":
            kind = dict if token == "}" else list
            levels = [n for n, one in enumerate(opened) if n and isinstance(one, kind)]
            opened, key = opened[: levels[-1]] if levels else opened, None
        elif token == ",":
            key = None
        elif token in "{[":
            value = {} if token == "{" else []
            opened.append(value)
            if len(opened) > MAX_DEPTH:
                return []
        elif is_key:
            named = _KEY.match(text, at) if token in "\"'" else None
            key, at = (named[1], named.end()) if named else (None, at)
        elif token in "\"'":
            ends = _ENDS[token, type(inner)].finditer(text, at)
            end = next((one.start() for one in ends if one[0] == token), len(text))
            value, at = _unescape(text[at:end]), end + 1
        else:
            value = _WORDS.get(token, Number(token) if token[0] in "-0123456789" else None)
        if value is None:
            continue
        if isinstance(inner, list):
            inner.append(value)
        elif key is not None:
            inner[key], key = value, None
        else:  # an object where a key is expected
            values.append(value)
    return values


def _unescape(text: str) -> str:
    """Decode the content of a JSON string in which quotes may be unescaped."""
    try:
        return str(_DECODER.decode(f'"{_BARE_QUOTE.sub(chr(92) + chr(34), text)}"'))
    except ValueError:
        return text.replace("\\", "")


def items_in(value: Any) -> Items:
    """Return the objects in a value, level by level; an empty list if it is nested too deeply."""
    found: Items = []
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
    """Yield the scripts within the limits; leave out a script that is too long."""
    left = MAX_CHARS
    for script in islice(scripts, MAX_SCRIPTS):
        if len(script) <= left:
            left -= len(script)
            yield script
