"""Finds the article of a page whose scripts contain it as data.

Frameworks send a page's data as JSON (``__NEXT_DATA__``, ``window.__NUXT__``, Apollo's state), as
JSON in a string, or as JavaScript literals, and build the page in the browser. All of these contain
texts as strings in double quotes, mostly after a key. So all strings are read, without parsing the
code around them. The article is one long text, or a series of texts with the same key and little
between them.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Final

from scrapy_webtext.page.page import Page
from scrapy_webtext.page.parse import parse, scripts_in

#: Maximum number of characters of scripts per page.
MAX_CHARS: Final = 5_000_000
#: Maximum depth of JSON in strings of JSON.
_LEVELS: Final = 3
#: Minimum length of an article and of a paragraph in characters; a string shorter than `_NAME` is a
#: name.
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
    #: Key -> text -> its start and end, in characters of all strings.
    rows: defaultdict[str, dict[str, tuple[int, int]]] = defaultdict(dict)
    longest, left, place = "", MAX_CHARS, 0
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
    """Return the series of texts with most characters, minus the characters of strings between."""
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
    """Yield (key, string) for the strings of a script, and of JSON in strings, without names."""
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
