"""Texts of a page. The compiled version stores them as UTF-8 in one buffer."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

#: Characters that texts must not contain, or only at some places (`encoding.storable_text`).
_ODD: Final = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u034f\u115f\u1160\u17b4\u17b5\u180e\u2060-\u206f\u3164"
    "\ud800-\udfff\ufe00-\ufe0f\uffa0\ufff8-\ufffb\ufffe\uffff\U000e0000-\U000e0fff]"
)


def is_storable(text: str) -> bool:
    """Return whether a text has no character of `_ODD`."""
    return _ODD.search(text) is None


def encoded(text: str) -> bytes:
    """Return a text as UTF-8; lone surrogates become "?"."""
    return text.encode("utf-8", "replace")


def is_utf8(body: bytes) -> bool:
    """Return whether bytes are UTF-8 without NUL."""
    try:
        return "\0" not in body.decode()
    except UnicodeDecodeError:
        return False


class Signs:
    """Short lower-cased ASCII texts to search for; a space at the end of one ends a word."""

    def __init__(self, *signs: str) -> None:
        self.signs = tuple(sign.encode("ascii") for sign in signs)


class Texts(Sequence[str | None]):
    """A sequence of texts; an entry is None if missing."""

    __slots__ = ("_texts",)

    def __init__(self, texts: Iterable[str | None] = ()) -> None:
        self._texts = list(texts)

    def at(self, k: int) -> str:
        """Return a text; empty for None."""
        return self._texts[k] or ""

    def folded(self, k: int) -> str:
        """Return a text with folded white space: single spaces, none at the ends."""
        return " ".join(self.at(k).split())

    def letters(self, k: int) -> str:
        """Return a text without white space."""
        return "".join(self.at(k).split())

    def is_empty(self, k: int) -> bool:
        """Return whether a text is empty or None."""
        return not self._texts[k]

    def has_words(self, k: int) -> bool:
        """Return whether a text has characters other than white space."""
        text = self._texts[k]
        return bool(text) and not text.isspace()  # type: ignore[union-attr]

    def with_words(self) -> int:
        """Count the texts that have characters other than white space."""
        return sum(map(self.has_words, range(len(self._texts))))

    def starts_with(self, k: int, start: str) -> bool:
        """Return whether a text starts with another."""
        return self.at(k).startswith(start)

    def has_sign(self, k: int, signs: Signs) -> bool:
        """Return whether a text plus a space contains a sign; ASCII letters match in any case."""
        text = self.at(k).encode("utf-8", "surrogatepass").lower() + b" "
        return any(sign in text for sign in signs.signs)

    def begins_blank(self, k: int) -> bool:
        """Return whether a text begins with white space."""
        return self.at(k)[:1].isspace()

    def ends_blank(self, k: int) -> bool:
        """Return whether a text ends with white space."""
        return self.at(k)[-1:].isspace()

    def edges(self, k: int) -> int:
        """Count the ends of a text that are white space; 1 if the text is only white space."""
        text = self._texts[k]
        if not text:
            return 0
        return 1 if text.isspace() else text[0].isspace() + text[len(text) - 1].isspace()

    def is_seen(self, k: int, invisible: str) -> bool:
        """Return whether a text has a character that is not in ``invisible``."""
        return bool(self.at(k).strip(invisible))

    def chars(self, k: int) -> int:
        """Count the characters of a text without the white space at its ends."""
        return len(self.at(k).strip())

    def length(self, k: int) -> int:
        """Count the characters of a text."""
        return len(self.at(k))

    def __len__(self) -> int:
        return len(self._texts)

    def __getitem__(self, place):  # type: ignore[no-untyped-def]  # an index or a slice
        return self._texts[place]

    def __eq__(self, other: object) -> bool:
        return self[:] == other[:] if isinstance(other, Sequence) else NotImplemented

    def __repr__(self) -> str:
        return f"Texts({self._texts!r})"

    def __reduce__(self) -> tuple[type[Texts], tuple[list[str | None]]]:
        return Texts, (self._texts,)


# Single characters in the bytes of HTML.


def find(body: bytes, char: str, first: int, end: int) -> int:
    """Return the first index of an ASCII character in ``body[first:end]``; ``end`` if missing."""
    place = body.find(char.encode(), first, end)
    return place if place >= 0 else end


def rfind(body: bytes, char: str, first: int, end: int) -> int:
    """Return the last index of an ASCII character in ``body[first:end]``; -1 if missing."""
    return body.rfind(char.encode(), first, end)


def separators(body: bytes, first: int, end: int) -> int:
    """Count the bytes of ``body[first:end]`` that may separate attributes, even in quotes."""
    part = body[first:end]
    return len(part) - len(part.translate(None, b"=/ \t\n\v\f\r"))


def opened(body: bytes) -> int:
    """Count the "<" in a body."""
    return body.count(b"<")


def between_attributes(body: bytes) -> int:
    """Count the bytes of a body that may be between attributes or around their values."""
    return len(body) - len(body.translate(None, b" \t\r\n\f/\"'"))
