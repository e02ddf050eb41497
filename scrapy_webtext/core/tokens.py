"""The words of texts and the tokens of class names; scores and weights of them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from scrapy_webtext.core import arrays

#: All but white space, digits, punctuation and signs of ASCII, and the commonest beyond it.
_WORD: Final = re.compile(r"[^\s\x00-@\[-`{-\x7f…•·–—’‘“”»«→›‹©®™]+")
#: All bytes but ASCII letters are blanks.
_BLANKS: Final = bytes(c if chr(c).isascii() and chr(c).isalpha() else 32 for c in range(256))
#: Tokens that are read at once: more than an element's class names or a short text have.
ROOM: Final = 128
#: Limits: names per element, parts and characters per name, characters of all parts together.
MAX_CLASS_NAMES: Final = 12
MAX_PARTS: Final = 8
MAX_NAME_CHARS: Final = 200
MAX_CHARS: Final = 40


class TokenTable:
    """Two numbers per token. Token 0 is any other, with the numbers 0."""

    def __init__(self, scores: Mapping[str, float], weights: Mapping[str, float]) -> None:
        tokens = list(dict.fromkeys((*scores, *weights)))
        self._numbers = {token: k for k, token in enumerate(tokens, 1)}
        self.scores = arrays.as_doubles([0.0, *[scores.get(token, 0.0) for token in tokens]])
        self.weights = arrays.as_doubles([0.0, *[weights.get(token, 0.0) for token in tokens]])
        self.has_weight = bytearray([False, *[token in weights for token in tokens]])
        self.found = arrays.new_longs(ROOM)  #: the tokens that were read last

    def number(self, token: str) -> int:
        """Return the number of a token."""
        number = self._numbers.get(token)
        return 0 if number is None else number

    def read_words(self, text: str, most: int) -> int:
        """Write the numbers of a text's words into ``found``, and return how many there are.

        ``most``, up to ``ROOM``, is how many are read.
        """
        return self._write(words_of(text.lower())[:most])

    def read_names(self, class_names: str) -> int:
        """Write the numbers of the tokens of class names into ``found``; return their number."""
        return self._write(class_name_tokens(class_names))

    def _write(self, tokens: list[str]) -> int:
        found = arrays.longs(self.found)
        for k in range(len(tokens)):
            found[k] = self.number(tokens[k])
        return len(tokens)


def words_of(low: str) -> list[str]:
    """Return the words of a text in lower case, without digits and punctuation."""
    if low.isascii():  # bytes.translate takes a fifth of the time
        return low.encode().translate(_BLANKS).decode().split()
    return _WORD.findall(low)


def class_name_tokens(class_names: str) -> list[str]:
    """Return the tokens of the class names of one element.

    >>> class_name_tokens("entry-content post123")
    ['entry', 'content', 'entry-content', 'post']
    """
    found: list[str] = []
    for name in class_names.split()[:MAX_CLASS_NAMES]:
        parts = _parts_of(name[:MAX_NAME_CHARS])
        found += parts[:MAX_PARTS]
        if len(parts) > 1:
            found.append("-".join(parts)[:MAX_CHARS])
    return found


def _parts_of(name: str) -> list[str]:
    """Return the matches of ``[A-Z]?[a-z]+|[A-Z]+`` in lower case."""
    parts: list[str] = []
    k = 0
    while k < len(name):
        begin = k
        while k < len(name) and "A" <= name[k] <= "Z":
            k += 1
        if k - begin <= 1:
            while k < len(name) and "a" <= name[k] <= "z":
                k += 1
        if k > begin:
            parts.append(name[begin:k].lower())
        else:
            k += 1
    return parts
