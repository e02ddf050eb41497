"""A fingerprint of a text: texts that are nearly the same have nearly the same (SimHash).

Charikar 2002; Manku, Jain, Das Sarma 2007 take 64 bits and call pages near duplicates that differ
in 3 at most. The features are shingles of four words, or of six characters in scripts without
spaces, so that texts of the same words in another order differ.
"""

from __future__ import annotations

import re
from hashlib import blake2b
from typing import Final

from scrapy_webtext.page.words import UNSPACED, has_unspaced

BITS: Final = 64
#: Words, and characters of scripts without spaces, in a shingle.
WORDS: Final = 4
CHARS: Final = 6
#: Of a longer text so many shingles decide, evenly chosen.
MAX_SHINGLES: Final = 2_000

_WORD: Final = re.compile(r"\w+")
#: Per bit of a byte, the table that leaves that bit alone of every byte.
_ALONE: Final = [bytes(byte >> bit & 1 for byte in range(256)) for bit in range(8)]


def fingerprint(text: str) -> str:
    """Return the SimHash of a text as 16 hex digits; empty for a text without words."""
    shingles = [shingle.encode("utf-8", "replace") for shingle in _shingles(text)]
    if not shingles:
        return ""
    hashes = b"".join([blake2b(shingle, digest_size=BITS // 8).digest() for shingle in shingles])
    value = 0
    for place in range(BITS // 8):
        column = hashes[place :: BITS // 8]
        ones = (column.translate(alone).count(1) for alone in _ALONE)
        value = value << 8 | sum((count * 2 > len(shingles)) << k for k, count in enumerate(ones))
    return f"{value:016x}"


def distance(one: str, other: str) -> int:
    """Return in how many bits two fingerprints differ, from 0 to 64."""
    return (int(one, 16) ^ int(other, 16)).bit_count()


def _shingles(text: str) -> list[str]:
    """Return the shingles of a text, each once."""
    text = text.casefold()
    if has_unspaced(text) and len(UNSPACED.findall(text)) * 2 > len(text):
        units, size, joint = list("".join(_WORD.findall(text))), CHARS, ""
    else:
        units, size, joint = _WORD.findall(text), WORDS, " "
    if not units:
        return []
    if len(units) < size:
        return [joint.join(units)]
    count = len(units) - size + 1
    step = max(1, count // MAX_SHINGLES)
    return list({joint.join(units[k : k + size]) for k in range(0, count, step)})
