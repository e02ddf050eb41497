"""Functions for texts: plain lines, words to compare, tables of words, fingerprints."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, lru_cache
from hashlib import blake2b
from html import unescape
from importlib.resources import files
from typing import Any, Final

from scrapy_webtext.core.words import UNSPACED, has_unspaced
from scrapy_webtext.page.encoding import storable_text

Fold = Callable[[str], str]
#: Maximum number of characters of a value that are read.
MAX_CHARS: Final = 2_000

_TAG: Final = re.compile(r"</?[a-zA-Z][^<>]*>|<!--[^<>]*-->")
#: A type parameter of a programming language, as in "List<String>" and "Map<String, Integer>".
_GENERIC: Final = re.compile(
    r"<([A-Za-z_][\w.?:]{0,60})((?:\s{0,3},\s{0,3}[\w.?:]{1,60}){0,8})(?:\[\])?>"
)
#: Elements that may be next to a word, and those that run something or contain other pages.
_ELEMENTS: Final = frozenset(
    "a abbr b bdi bdo big br button center cite code data del dfn div em font h1 h2 h3 h4 h5 h6 hr"
    " i ins kbd label li mark ol p pre q s samp small span strike strong sub sup table tbody td th"
    " tr tt time u ul var wbr".split()
)
_ACTIVE: Final = frozenset(
    "applet audio base body embed form frame frameset head html iframe img input isindex link math"
    " meta noscript plaintext script select style svg template textarea title video xmp".split()
)
#: Control characters, characters without width, and marks of direction.
_INVISIBLE: Final = re.compile(
    "[\x7f-\x84\x86-\x9f\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]"
)
#: With a set before the repetition, because `re` searches three times as fast as without the set.
_NOT_ASCII: Final = re.compile(r"[^\x00-\x7f][^\x00-\x7f]*")
#: A character that belongs to no word.
_NO_WORD: Final = re.compile(r"\W")

#: Number of bits of a fingerprint.
BITS: Final = 64
#: Number of words in a shingle; in scripts without spaces, number of characters.
SHINGLE_WORDS: Final = 4
SHINGLE_CHARS: Final = 6
_HASH: Final = blake2b(digest_size=BITS // 8)
#: A text with more shingles is sampled evenly.
MAX_SHINGLES: Final = 2_000


class Tables(dict[str, list[str]]):
    """Name of a table in a data file -> its lines."""

    def words(self, name: str) -> list[str]:
        """Return the words of a table."""
        return " ".join(self[name]).split()

    def pairs(self, name: str) -> dict[str, str]:
        """Return key -> value of a table of pairs."""
        return dict(word.split("=") for word in self.words(name))

    def pattern(self, name: str) -> str:
        """Return a regular expression whose alternatives are the lines of a table."""
        return "|".join(self[name])


def load_tables(name: str) -> Tables:
    """Return the tables in a file of ``data``.

    A table is a name in brackets and the lines after it; lines that begin with # are comments.
    """
    tables = Tables()
    lines: list[str] = []
    text = files(__package__).joinpath("data", f"{name}.txt").read_text("utf-8")
    for line in text.split("\n"):
        if line.startswith("["):
            lines = tables[line[1:-1]] = []
        elif line and not line.startswith("#"):
            lines.append(line)
    return tables


def plain_text(value: Any) -> str:
    """Return a text as one line without markup, entities and control characters.

    Return "" for values that are no text.
    """
    if not isinstance(value, str):
        return ""
    text = value[: 2 * MAX_CHARS]
    if "&" not in text and "<" not in text and text.isascii() and text.isprintable():
        return " ".join(text.split())[:MAX_CHARS].rstrip()
    for _ in range(3):  # some pages escape twice; an invisible character may part an entity
        text = _INVISIBLE.sub("", text)
        if "&" not in text:
            break
        text = unescape(text)
    text = _INVISIBLE.sub("", text)
    if "<" in text:
        text = _TAG.sub(_no_tag, text)
    return clean(text)


def _no_tag(match: re.Match[str]) -> str:
    """Return a blank for markup; keep a type parameter after a word: "List<String>"."""
    generic = _GENERIC.fullmatch(match[0])
    start, text = match.start(), match.string
    if generic is None or start == 0 or not text[start - 1].isalnum():
        return " "
    name = generic[1].lower()
    is_markup = name in _ELEMENTS and (generic[1] == name or f"</{name}" in text.lower())
    return " " if name in _ACTIVE or (is_markup and not generic[2]) else match[0]


def clean(text: str) -> str:
    """Return a text as one line without invisible characters; markup is kept."""
    if not (text.isascii() and text.isprintable()):
        text = storable_text(_INVISIBLE.sub("", text[: 2 * MAX_CHARS]))
    return " ".join(text.split())[:MAX_CHARS].rstrip()


@lru_cache(maxsize=1024)  # a page repeats its title
def folded(text: str) -> str:
    """Return the case-folded words of a text, joined by spaces, without punctuation."""
    return " ".join(words_in(text.replace("\xad", "")))


@cache
def _lower_for(no_word: re.Pattern[str]) -> bytes:
    """Return a table of bytes: ASCII letters in lower case, spaces for characters in no word."""
    ascii = (32 if no_word.match(chr(b)) else ord(chr(b).lower()) for b in range(128))
    return bytes([*ascii, *range(128, 256)])


def words_in(
    text: str, no_word: re.Pattern[str] = _NO_WORD, fold: Fold = str.casefold
) -> list[str]:
    """Return the words of a text in lower case, split at characters that are in no word.

    ``no_word`` matches one such character. Searching words with a pattern would take five times as
    long as a table of bytes.
    """
    text = text.encode("utf-8", "replace").translate(_lower_for(no_word)).decode()
    if not text.isascii():
        text = _NOT_ASCII.sub(
            lambda run: own if (own := fold(run[0])).isalpha() else no_word.sub(" ", own), text
        )
    return text.split()


def one_line(text: str) -> str:
    """Return a block's text as one line."""
    return " ".join(text.split()) if "\n" in text else text


def first_of(value: Any) -> Any:
    """Return the first value of a list (None if empty); return other values unchanged."""
    if isinstance(value, list):
        return value[0] if value else None
    return value


def fingerprint(text: str) -> str:
    """Return the SimHash of a text as 16 hex digits; empty for a text without words.

    Similar texts have similar fingerprints (Charikar 2002). Near duplicates differ in at most 3 of
    64 bits (Manku, Jain, Das Sarma 2007). The features are shingles of four words, or of six
    characters in scripts without spaces. So texts with the same words in another order have
    different fingerprints.
    """
    shingles = _shingles(text)
    digests = []
    for shingle in shingles:
        state = _HASH.copy()  # faster than a new one
        state.update(shingle)
        digests.append(state.digest())
    hashes = b"".join(digests)
    value = 0
    masks = [int.from_bytes(bytes((1 << bit,)) * len(shingles), "big") for bit in range(8)]
    for place in range(BITS // 8):
        column = int.from_bytes(hashes[place :: BITS // 8], "big")
        counts = [(column & mask).bit_count() for mask in masks]
        value = value << 8 | sum((2 * n > len(shingles)) << bit for bit, n in enumerate(counts))
    return f"{value:016x}" if shingles else ""


def distance(one: str, other: str) -> int:
    """Return the number of bits in which two fingerprints differ, from 0 to 64."""
    return (int(one, 16) ^ int(other, 16)).bit_count()


def _shingles(text: str) -> set[bytes]:
    """Return the shingles of a text as UTF-8; a text too short for one is its only shingle."""
    words, size, gap = words_in(text), SHINGLE_WORDS, b" "
    if has_unspaced(text) and len(UNSPACED.findall(text)) * 2 > len(text):
        words, size, gap = [*"".join(words)], SHINGLE_CHARS, b""
    units = [word.encode() for word in words]
    number = len(units) - size + 1
    if number < 1:
        return {gap.join(units)} if units else set()
    step = max(1, number // MAX_SHINGLES)
    return set(
        map(gap.join, zip(*(units[k : k + number : step] for k in range(size)), strict=True))
    )
