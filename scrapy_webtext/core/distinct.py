"""Numbers for distinct texts and for distinct triples of numbers, from 1 in order of appearance."""

from __future__ import annotations

from array import array
from typing import Final

from scrapy_webtext.core.texts import Texts

_DIGITS: Final = b"0123456789"


class DistinctTexts:
    """Texts; the empty one has the number 0."""

    def __init__(self) -> None:
        self._numbers = {b"": 0}

    def number(self, texts: Texts, k: int) -> int:
        """Return the number of a text of a column."""
        text = texts.at(k).encode("utf-8", "surrogatepass")
        return self._numbers.setdefault(text, len(self._numbers))

    def number_to_slash(self, texts: Texts, k: int, first: int) -> int:
        """Return the number of a text up to the first "/" after this many characters."""
        text = texts.at(k)
        slash = text.find("/", first)
        start = (text if slash < 0 else text[:slash]).encode("utf-8", "surrogatepass")
        return self._numbers.setdefault(start, len(self._numbers))

    def number_without_digits(self, texts: Texts, k: int) -> int:
        """Return the number of a text without its digits 0 to 9."""
        # Bytes, because `str.translate` would take ten times as long.
        text = texts.at(k).encode("utf-8", "surrogatepass").translate(None, _DIGITS)
        return self._numbers.setdefault(text, len(self._numbers))

    def add_words(self, text: str, numbers: array[int], is_unspaced: bool) -> int:
        """Write the numbers of a text's words, or of its characters; return how many there are."""
        words = [word.encode("utf-8", "surrogatepass") for word in text.split()]
        if is_unspaced:
            words = [char.encode("utf-8", "surrogatepass") for char in text]
        for k, word in enumerate(words):
            numbers[k] = self._numbers.setdefault(word, len(self._numbers))
        return len(words)


class DistinctTriples:
    """Triples of numbers from 0 on."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[int, int, int], int] = {}

    def number(self, a: int, b: int, c: int) -> int:
        """Return the number of a triple."""
        return self._numbers.setdefault((a, b, c), len(self._numbers) + 1)
