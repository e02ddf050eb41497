"""Texts of metadata: values as one plain line, their comparison, tables of words, fingerprints."""

from __future__ import annotations

import re
from functools import lru_cache
from hashlib import blake2b
from html import unescape
from importlib.resources import files
from typing import Any, Final

from scrapy_webtext.core.words import UNSPACED, has_unspaced
from scrapy_webtext.page.encoding import storable_text

#: Maximum of characters of a value that are read.
MAX_CHARS: Final = 2_000

_TAG: Final = re.compile(r"</?[a-zA-Z][^<>]*>|<!--[^<>]*-->")
#: Controls, characters without width, and marks of direction.
_INVISIBLE: Final = re.compile(
    "[\x7f-\x84\x86-\x9f\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]"
)
_WORD: Final = re.compile(r"\w+")

#: Bits of a fingerprint.
BITS: Final = 64
#: Words in a shingle, and characters in one of a script without spaces.
SHINGLE_WORDS: Final = 4
SHINGLE_CHARS: Final = 6
#: Maximum of shingles of a text that are hashed; of a longer text they are chosen evenly.
MAX_SHINGLES: Final = 2_000
#: Per bit of a byte, the table that keeps only that bit of every byte.
_BIT_TABLES: Final = [bytes(byte >> bit & 1 for byte in range(256)) for bit in range(8)]


class Tables(dict[str, list[str]]):
    """The lines of each table of a data file, by the table's name."""

    def words(self, name: str) -> list[str]:
        """Return the words of a table."""
        return " ".join(self[name]).split()

    def pairs(self, name: str) -> dict[str, str]:
        """Return the values of a table by their keys."""
        return dict(word.split("=") for word in self.words(name))

    def pattern(self, name: str) -> str:
        """Return the regular expression whose alternatives are the lines of a table."""
        return "|".join(self[name])


def load_tables(name: str) -> Tables:
    """Return the tables of a file in ``data``: a name in brackets, then lines; # is a comment."""
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
    """Return a value as one line without markup, entities and controls; empty if not a text."""
    if not isinstance(value, str):
        return ""
    text = value[: 2 * MAX_CHARS]
    if "&" not in text and "<" not in text and text.isprintable():
        return " ".join(text.split())[:MAX_CHARS].rstrip()
    if "&" in text:
        text = unescape(unescape(text))  # some are escaped twice
    if "<" in text:
        text = _TAG.sub(" ", text)
    return clean(text)


def clean(text: str) -> str:
    """Return a text as one line without invisible characters; its markup stays."""
    if not text.isprintable():
        text = storable_text(_INVISIBLE.sub("", text[: 2 * MAX_CHARS]))
    return " ".join(text.split())[:MAX_CHARS].rstrip()


@lru_cache(maxsize=1024)  # a page has its title in many places
def folded(text: str) -> str:
    """Return the words of a text of `MAX_CHARS` at most: no case, no punctuation."""
    text = text.casefold()
    return " ".join(_WORD.findall(text.replace("\xad", "") if "\xad" in text else text))


def one_line(text: str) -> str:
    """Return a block's text, which is plain, as one line."""
    return " ".join(text.split()) if "\n" in text else text


def first_of(value: Any) -> Any:
    """Return the first value of a list, None of an empty one, other values unchanged."""
    if isinstance(value, list):
        return value[0] if value else None
    return value


def fingerprint(text: str) -> str:
    """Return the SimHash of a text as 16 hex digits; empty for a text without words.

    Similar texts have similar fingerprints (Charikar 2002). Near duplicates differ in at most 3 of
    64 bits (Manku, Jain, Das Sarma 2007). The features are shingles of four words, or of six
    characters in scripts without spaces, so that texts of the same words in another order differ.
    """
    shingles = [shingle.encode("utf-8", "replace") for shingle in _shingles(text)]
    if not shingles:
        return ""
    hashes = b"".join([blake2b(shingle, digest_size=BITS // 8).digest() for shingle in shingles])
    value = 0
    for place in range(BITS // 8):
        column = hashes[place :: BITS // 8]
        ones = (column.translate(table).count(1) for table in _BIT_TABLES)
        value = value << 8 | sum((count * 2 > len(shingles)) << k for k, count in enumerate(ones))
    return f"{value:016x}"


def distance(one: str, other: str) -> int:
    """Return the number of bits that differ in two fingerprints, from 0 to 64."""
    return (int(one, 16) ^ int(other, 16)).bit_count()


def _shingles(text: str) -> list[str]:
    """Return the shingles of a text, without duplicates."""
    text = text.casefold()
    if has_unspaced(text) and len(UNSPACED.findall(text)) * 2 > len(text):
        units, size, joint = list("".join(_WORD.findall(text))), SHINGLE_CHARS, ""
    else:
        units, size, joint = _WORD.findall(text), SHINGLE_WORDS, " "
    count = max(1, len(units) - size + 1) if units else 0
    step = max(1, count // MAX_SHINGLES)
    return list({joint.join(units[k : k + size]) for k in range(0, count, step)})
