"""Numbers distinct texts and triples, from 1 on, in order of appearance; scores of tokens."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from scrapy_webtext.core import arrays
from scrapy_webtext.core.texts import Texts
from scrapy_webtext.core.words import ROOM, class_name_tokens, words_of

_DIGITS: Final = b"0123456789"


class DistinctTexts:
    """Numbers of distinct texts; the empty text has the number 0."""

    def __init__(self, texts: Iterable[str] = ()) -> None:
        self._numbers = {b"": 0}
        for text in texts:
            self._numbers.setdefault(text.encode("utf-8", "surrogatepass"), len(self._numbers))

    def number(self, texts: Texts, k: int) -> int:
        """Return the id of text ``k`` of a column; a new text gets the next id."""
        text = texts.at(k).encode("utf-8", "surrogatepass")
        return self._numbers.setdefault(text, len(self._numbers))

    def number_without_digits(self, texts: Texts, k: int) -> int:
        """Return the id of a text without its digits 0 to 9."""
        # Bytes, because `str.translate` would take ten times as long.
        text = texts.at(k).encode("utf-8", "surrogatepass").translate(None, _DIGITS)
        return self._numbers.setdefault(text, len(self._numbers))

    def similarity(self, texts: Texts, k: int, is_unspaced: bool) -> float:
        """Return the Jaccard similarity of these texts and the words of text ``k``, in [0, 1].

        The text has at most 256 distinct words. If ``is_unspaced``, its characters are the words.
        """
        words = texts.at(k) if is_unspaced else texts.at(k).split()
        distinct = {word.encode("utf-8", "surrogatepass") for word in words}
        shared = len(distinct & self._numbers.keys())
        return shared / (len(distinct) + len(self._numbers) - 1 - shared) if shared else 0.0

    def add_words(self, text: str, least: int = 1) -> None:
        """Add the words of a text with at least ``least`` bytes of UTF-8, in lower case."""
        for word in words_of(text.lower()):
            body = word.encode("utf-8", "surrogatepass")
            if len(body) >= least:
                self._numbers.setdefault(body, len(self._numbers))

    def share_of_words(self, texts: Texts, k: int, most: int) -> float:
        """Return the share of a lower-cased text's first ``most`` words that are among these."""
        words = words_of(texts.at(k))[:most]
        known = sum(word.encode("utf-8", "surrogatepass") in self._numbers for word in words)
        return known / len(words) if words else 0.0


class DistinctTriples:
    """Numbers of distinct triples of integers >= 0."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[int, int, int], int] = {}

    def number(self, a: int, b: int, c: int) -> int:
        """Return the number of a triple; a new triple gets the next number."""
        return self._numbers.setdefault((a, b, c), len(self._numbers) + 1)


class TokenTable:
    """A score and a weight per token. Unknown tokens have the number, score and weight 0."""

    def __init__(self, scores: Mapping[str, float], weights: Mapping[str, float]) -> None:
        tokens = [token for token in dict.fromkeys((*scores, *weights)) if token]
        self._numbers = {token: k for k, token in enumerate(tokens, 1)}
        self.scores = arrays.as_doubles([0.0, *(scores.get(token, 0.0) for token in tokens)])
        self.weights = arrays.as_doubles([0.0, *(weights.get(token, 0.0) for token in tokens)])
        self.has_weight = bytearray([False, *(token in weights for token in tokens)])
        self.found = arrays.new_longs(ROOM)  #: numbers of the tokens that were read last

    def number(self, token: str) -> int:
        """Return the number of a token; 0 if unknown."""
        return self._numbers.get(token, 0)

    def read_words(self, texts: Texts, k: int, most: int, whole: bool) -> int:
        """Write the numbers of a lower-cased text's words into ``found``; return their count.

        At most ``most`` words are read (``ROOM`` or fewer). ``whole`` adds the whole text as a
        token; there must be room for it.
        """
        low = texts.at(k)
        return self._write(words_of(low)[:most] + ([low] if whole else []))

    def read_names(self, class_names: str) -> int:
        """Write the numbers of the tokens of class names into ``found``; return their count."""
        return self._write(class_name_tokens(class_names))

    def _write(self, tokens: Iterable[str]) -> int:
        n = 0
        for token in tokens:
            self.found[n] = self._numbers.get(token, 0)
            n += 1
        return n
