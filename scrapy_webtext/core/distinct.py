"""Numbers for distinct texts and for distinct triples of numbers, from 1 in order of appearance."""

from __future__ import annotations

from typing import Any, Final

from scrapy_webtext.core import arrays
from scrapy_webtext.core.texts import Texts

_DIGITS: Final = b"0123456789"
#: Three numbers below this one fit into 63 bits.
_SMALL: Final = 1 << 21
#: Of the hash of a part: few parts that are not searched for share one.
_FACTOR: Final = 0x2545D
_MASK: Final = (1 << 18) - 1


class DistinctTexts:
    """Texts; the empty one has the number 0."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {"": 0}
        self._without_digits: dict[str, int] = {}

    def number(self, texts: Texts, k: int) -> int:
        """Return the number of a text of a column."""
        return self._numbers.setdefault(texts.at(k), len(self._numbers))

    def number_without_digits(self, texts: Texts, k: int) -> int:
        """Return the number of a text without its digits 0 to 9."""
        text = texts.at(k)
        number = self._without_digits.get(text)
        if number is None:
            # Bytes, because `str.translate` would take ten times as long.
            rest = text.encode("utf-8", "surrogatepass").translate(None, _DIGITS)
            short = rest.decode("utf-8", "surrogatepass")
            number = self._numbers.setdefault(short, len(self._numbers))
            self._without_digits[text] = number
        return number


class DistinctTriples:
    """Triples of numbers from 0 on."""

    def __init__(self) -> None:
        self._numbers: dict[Any, int] = {}

    def number(self, a: int, b: int, c: int) -> int:
        """Return the number of a triple."""
        if a < _SMALL and b < _SMALL and c < _SMALL:  # one number takes half of the time
            key: Any = (a * _SMALL + b) * _SMALL + c
        else:
            key = (a, b, c)
        return self._numbers.setdefault(key, len(self._numbers) + 1)


def parts_in(text: str, parts: set[str], chars: int) -> set[str]:
    """Return those of some texts, all of one length, that are in another text (Rabin-Karp)."""
    marks, found = bytearray(_MASK + 1), set()
    mark, last, value = arrays.octets(marks), 1, 0
    for _ in range(chars):
        last = last * _FACTOR & _MASK
    for part in parts:
        value = 0
        for char in part:
            value = (value * _FACTOR + ord(char)) & _MASK
        mark[value] = 1
    value = 0
    for k in range(len(text)):
        value = value * _FACTOR + ord(text[k])
        if k >= chars:
            value -= last * ord(text[k - chars])
        value &= _MASK
        if k >= chars - 1 and mark[value]:
            part = text[k - chars + 1 : k + 1]  # objects
            if part in parts:
                found.add(part)
    return found
