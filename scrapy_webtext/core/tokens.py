"""Scores and weights of tokens, looked up by the characters of a text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from scrapy_webtext.core import arrays
from scrapy_webtext.core.words import ROOM, class_name_tokens, words_of


class TokenTable:
    """Two numbers per token. Token 0 is any other, with the numbers 0."""

    def __init__(self, scores: Mapping[str, float], weights: Mapping[str, float]) -> None:
        tokens = [token for token in dict.fromkeys((*scores, *weights)) if token]
        self._numbers = {token: k for k, token in enumerate(tokens, 1)}
        self.scores = arrays.as_doubles([0.0, *(scores.get(token, 0.0) for token in tokens)])
        self.weights = arrays.as_doubles([0.0, *(weights.get(token, 0.0) for token in tokens)])
        self.has_weight = bytearray([False, *(token in weights for token in tokens)])
        self.found = arrays.new_longs(ROOM)  #: the tokens that were read last

    def number(self, token: str) -> int:
        """Return the number of a token."""
        return self._numbers.get(token, 0)

    def read_words(self, text: str, most: int, whole: bool) -> int:
        """Write the numbers of a text's words into ``found``, and return how many there are.

        ``most``, up to ``ROOM``, is how many are read. ``whole`` adds the text in lower case, which
        must have fewer words.
        """
        low = text.lower()
        return self._write(words_of(low)[:most] + ([low] if whole else []))

    def read_names(self, class_names: str) -> int:
        """Write the numbers of the tokens of class names into ``found``; return their number."""
        return self._write(class_name_tokens(class_names))

    def _write(self, tokens: Iterable[str]) -> int:
        n = 0
        for token in tokens:
            self.found[n] = self._numbers.get(token, 0)
            n += 1
        return n
