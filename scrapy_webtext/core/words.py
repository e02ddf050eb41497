"""Finds words of texts and tokens of class names, and counts words.

The package has three sets of characters of scripts without spaces. `UNSPACED` counts words of any
text, so it includes punctuation and full-width forms. `lab.corpus` compares a page with its gold
text character by character, so its set has only letters. ``fusion`` (`features.tables`) decides
whether a page is mostly in such a script; its set has the letters that the model was trained with.
Labels, published figures and the model depend on the last two sets.
"""

from __future__ import annotations

import re
from typing import Final

#: A word: no white space, no ASCII digits, punctuation or signs, and none of the most common
#: punctuation outside ASCII.
_WORD: Final = re.compile(r"[^\s\x00-@\[-`{-\x7f…•·–—’‘“”»«→›‹©®™]+")
#: Table for ``bytes.translate`` that replaces all bytes except ASCII letters by spaces.
_BLANKS: Final = bytes(c if chr(c).isascii() and chr(c).isalpha() else 32 for c in range(256))
#: A part of a name; names are split before capitals and at characters that are no letters.
_PART: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")
#: Maximum number of tokens that are read at a time; class names and short texts have fewer.
ROOM: Final = 128
#: Limits: names per element, parts per name, characters per name, characters of the joined parts.
MAX_CLASS_NAMES: Final = 12
MAX_PARTS: Final = 8
MAX_NAME_CHARS: Final = 200
MAX_CHARS: Final = 40

#: Characters of scripts written without spaces: Thai, Lao, Tibetan, Burmese, Khmer, kana and
#: Han, with the punctuation and full-width forms that go with them. Korean has spaces.
UNSPACED: Final = re.compile(
    "[\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff\u3000-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef\U00020000-\U0003ffff]"
)

#: First bytes of these characters in UTF-8. Most other texts contain none of these bytes.
_FIRST_BYTES: Final = bytes((0xE0, 0xE1, *range(0xE3, 0xEA), 0xEF, 0xF0))


def words_of(low: str) -> list[str]:
    """Return the words of a lower-cased text, without digits and punctuation."""
    if low.isascii():  # this way takes a fifth of the time
        return low.encode().translate(_BLANKS).decode().split()
    return _WORD.findall(low)


def tokens_of(name: str) -> tuple[str, ...]:
    """Return the tokens of one class name: its parts, and the joined parts.

    >>> tokens_of("articleBody")
    ('article', 'body', 'article-body')
    """
    parts = [part.lower() for part in _PART.findall(name[:MAX_NAME_CHARS])]
    if len(parts) > 1:
        return (*parts[:MAX_PARTS], "-".join(parts)[:MAX_CHARS])
    return tuple(parts)


def class_name_tokens(class_names: str) -> tuple[str, ...]:
    """Return the distinct tokens of the class names of one element.

    >>> class_name_tokens("entry-content post123")
    ('entry', 'content', 'entry-content', 'post')
    """
    found = [token for name in class_names.split()[:MAX_CLASS_NAMES] for token in tokens_of(name)]
    return tuple(dict.fromkeys(found))


def has_unspaced(text: str) -> bool:
    """Return whether a text has characters of scripts without spaces."""
    if text.isascii():
        return False
    # A fast test on bytes, because most texts outside ASCII only have a dash or an accent.
    body = text.encode("utf-8", "surrogatepass")
    if len(body.translate(None, _FIRST_BYTES)) == len(body):
        return False
    return UNSPACED.search(text) is not None


def count_words(text: str, unspaced_chars: int) -> int:
    """Count the words of a text whose white space is folded; 0 for an empty text.

    Words are separated by spaces. In scripts without spaces, ``unspaced_chars`` characters count as
    one word; the number of words is rounded up.
    """
    if not text:
        return 0
    if not has_unspaced(text):
        return text.count(" ") + 1
    spaced, chars = UNSPACED.subn(" ", text)
    return len(spaced.split()) - (-chars // unspaced_chars)
