"""Reads data in the scripts of a page: JSON-LD, and articles that frameworks send as JSON.

Both are read within limits. Broken JSON-LD is repaired.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from html import unescape
from itertools import islice
from typing import Any, Final, NamedTuple

from scrapy_webtext.page.page import Page
from scrapy_webtext.page.parse import parse, scripts_in

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
    level = [(value, "", -1)] if isinstance(value, _CONTAINERS) else []
    for _ in range(MAX_DEPTH):
        below: list[tuple[Any, str, int]] = []
        for one, key, around in level:
            if isinstance(one, dict):
                below += [(inner, name, len(found)) for name, inner in one.items()]
                found.append(Item(one, key, around))
            else:
                below += [(inner, key, around) for inner in one]
        level = [row for row in below if isinstance(row[0], _CONTAINERS)]
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


# The article of a page whose scripts contain it as data.
#
# Frameworks send a page's data as JSON (``__NEXT_DATA__``, ``window.__NUXT__``, Apollo's state), as
# JSON in a string, or as JavaScript literals, and build the page in the browser. All of these
# contain texts as strings in double quotes, mostly after a key. So all strings are read, without
# parsing the code around them. The article is one long text, or a series of texts with the same key
# and little between them.

#: Maximum number of characters of scripts per page.
MAX_DATA_CHARS: Final = 5_000_000
#: Maximum depth of JSON in strings of JSON.
_LEVELS: Final = 3
#: Minimum length of an article and of a paragraph in characters; a string shorter than `_NAME` is
#: skipped as a name.
_ARTICLE: Final = 400
_PARAGRAPH: Final = 60
_NAME: Final = 20

#: Characters that can begin or end a string. The end of a line ends a string, so that quotes in
#: comments and regular expressions of JavaScript affect only their line.
_MARK: Final = re.compile(r'\\.|["\n]', re.DOTALL)
_KEY_CHARS: Final = 80
#: The start of JSON in a string; React's server components write a row number before it.
_JSON: Final = re.compile(r"\A(?:[0-9a-f]{1,8}:[A-Z]?)?[\[{]")
_ROW: Final = re.compile(r"\A[0-9a-f]{1,8}:T[0-9a-f]{1,8},")
#: Escapes of JavaScript that JSON does not have.
_ESCAPE: Final = re.compile(r"\\(?:x([0-9a-fA-F]{2})|u\{([0-9a-fA-F]{1,6})\}|([^\"\\/bfnrtux]))")
_SENTENCE: Final = re.compile(
    "[.!?\u2026\u061f\u06d4\u0964][\\s\"'\u201d\u00bb)<]|[\u3002\uff01\uff1f]"
)
_CODE: Final = re.compile(r"\A\s*(?:https?:|data:|[.#@\w-]+\s*\{|!?function\b|import\b)|;\s*\}")


def find_script_text(page: Page) -> str:
    """Return the article in a page's scripts, one line per paragraph; empty if missing."""
    #: Key -> text -> start and end of the text. Positions count the characters of all strings
    #: before.
    rows: defaultdict[str, dict[str, tuple[int, int]]] = defaultdict(dict)
    longest, left, place = "", MAX_DATA_CHARS, 0
    for script in scripts_in(page.source):
        if len(script) > left:
            continue
        left -= len(script)
        for key, string in _strings(script, _LEVELS):
            end = place + len(string)
            if len(string) >= _PARAGRAPH and " " not in key and _is_prose(string):
                text = _plain(string)
                rows[key].setdefault(text, (place, end))
                longest = max(longest, text, key=len)
            place = end
    if len(longest) >= 2 * _ARTICLE:
        return longest
    row = max(map(_best_row, rows.values()), key=_sum_chars, default=[])
    found = "\n".join(row) if _sum_chars(row) > 2 * len(longest) else longest
    return found if len(found) >= _ARTICLE and found.count("\n") >= 2 else ""


def _best_row(texts: dict[str, tuple[int, int]]) -> list[str]:
    """Return the consecutive texts with most characters, minus the characters between them."""
    best, inside = 0, range(0)
    first = total = before = 0
    for k, (text, (start, end)) in enumerate(texts.items()):
        total -= start - before
        if total <= 0:
            first, total = k, 0
        total, before = total + len(text), end
        if total > best:
            best, inside = total, range(first, k + 1)
    return list(texts)[inside.start : inside.stop]


def _sum_chars(texts: Sequence[str]) -> int:
    return sum(map(len, texts))


def _strings(script: str, levels: int) -> Iterator[tuple[str, str]]:
    """Yield (key, string) for the strings of a script, and of JSON in strings.

    Keys and strings shorter than `_NAME` are left out.
    """
    start = -1
    for mark in _MARK.finditer(script):
        if mark[0] == "\n":
            start = -1
        elif mark[0] == '"' and start < 0:
            start = mark.end()
        elif mark[0] == '"':
            begin, start = start, -1
            if mark.start() - begin < _NAME:
                continue
            string = _ROW.sub("", _unescaped(script[begin : mark.start()]))
            if levels and _JSON.match(string.lstrip()):
                yield from _strings(string, levels - 1)
            elif script[mark.end() : mark.end() + 1] != ":":
                yield _key_before(script[max(0, begin - _KEY_CHARS) : begin - 1]), string


def _key_before(before: str) -> str:
    """Return the key at the end of ``before``; empty if there is none.

    In a table of translations the key may be a sentence.
    """
    before = before.rstrip()
    if not before.endswith(":"):
        return ""
    before = before[:-1].rstrip()
    if before[-1:] in ('"', "'"):
        return before[:-1].rpartition(before[-1])[2]
    end = len(before)
    while end and (before[end - 1].isalnum() or before[end - 1] in "_$"):
        end -= 1
    return before[end:]


def _is_prose(string: str) -> bool:
    return bool(_SENTENCE.search(f"{string} ")) and not _CODE.search(string)


def _unescaped(literal: str) -> str:
    try:
        return str(json.loads(f'"{_ESCAPE.sub(_as_json, literal)}"', strict=False))
    except ValueError:
        return ""


def _as_json(escape: re.Match[str]) -> str:
    code = escape[1] or escape[2]
    return escape[3] if code is None else json.dumps(chr(min(int(code, 16), 0x10FFFF)))[1:-1]


def _plain(text: str) -> str:
    """Return a string, which may be HTML, as text with one line per paragraph."""
    if "</" in text or "<br" in text:
        return "\n".join(parse(text).blocks.text)
    return "\n".join(filter(None, (" ".join(line.split()) for line in text.split("\n"))))
