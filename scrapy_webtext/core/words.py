"""The words of a text, the tokens of class names, and numbers of words.

There are three sets of characters of scripts without spaces, for three purposes. `UNSPACED` counts
words of any text, so it has punctuation and full-width forms. `lab.corpus` compares a page with its
gold text character by character, so it has letters only. ``fusion`` (`features.tables`) decides
whether a page is mostly in such a script, by the letters that were in its training. Labels,
published figures and the model depend on the last two.
"""

from __future__ import annotations

import re
from typing import Final

#: All but white space, digits, punctuation and signs of ASCII, and the commonest beyond it.
_WORD: Final = re.compile(r"[^\s\x00-@\[-`{-\x7f…•·–—’‘“”»«→›‹©®™]+")
#: All bytes but ASCII letters are blanks.
_BLANKS: Final = bytes(c if chr(c).isascii() and chr(c).isalpha() else 32 for c in range(256))
#: Parts of a name: split before capitals and at everything that is no letter.
_PART: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")
#: Tokens that are read at once: more than an element's class names or a short text have.
ROOM: Final = 128
#: Limits: names per element, parts and characters per name, characters of all parts together.
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

#: First bytes of these characters in UTF-8, and of no mark or letter of scripts with spaces.
_FIRST_BYTES: Final = bytes((0xE0, 0xE1, *range(0xE3, 0xEA), 0xEF, 0xF0))


def words_of(low: str) -> list[str]:
    """Return the words of a text in lower case, without digits and punctuation."""
    if low.isascii():  # bytes.translate takes a fifth of the time
        return low.encode().translate(_BLANKS).decode().split()
    return _WORD.findall(low)


def tokens_of(name: str) -> tuple[str, ...]:
    """Return the tokens of one class name: its parts, and the whole.

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
    # Most texts that are not ASCII only have a dash or an accent; a test on bytes is faster.
    body = text.encode("utf-8", "surrogatepass")
    if len(body.translate(None, _FIRST_BYTES)) == len(body):
        return False
    return UNSPACED.search(text) is not None


def count_words(text: str, unspaced_chars: int) -> int:
    """Count the words of a text with single spaces; 0 for an empty text.

    Words are separated by spaces. In scripts without spaces, ``unspaced_chars`` characters count as
    one word; the number of words is rounded up.
    """
    if not text:
        return 0
    if not has_unspaced(text):
        return text.count(" ") + 1
    spaced, chars = UNSPACED.subn(" ", text)
    return len(spaced.split()) - (-chars // unspaced_chars)
