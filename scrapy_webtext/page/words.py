"""Counts words, also in scripts without spaces between words.

There are three sets of such characters in the package, for three purposes. This one counts words of
any text, so it has punctuation and full-width forms. `lab.corpus` compares a page with its
gold text character by character, so it has letters only. ``fusion`` (`features.tables`) decides
whether a page is mostly in such a script, by the letters that were in its training. Labels,
published figures and the model depend on the last two.
"""

from __future__ import annotations

import re
from typing import Final

#: Characters of scripts written without spaces: Thai, Lao, Tibetan, Burmese, Khmer, kana and
#: Han, with the punctuation and full-width forms that go with them. Korean has spaces.
UNSPACED: Final = re.compile(
    "[\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff\u3000-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef\U00020000-\U0003ffff]"
)

#: First bytes of these characters in UTF-8, and of no mark or letter of scripts with spaces.
_FIRST_BYTES: Final = bytes((0xE0, 0xE1, *range(0xE3, 0xEA), 0xEF, 0xF0))


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
    """Words of a text whose white space is folded; 0 for an empty one.

    Words are separated by spaces. In scripts without spaces, ``unspaced_chars`` characters count as
    one word; the number of words is rounded up.
    """
    if not text:
        return 0
    if not has_unspaced(text):
        return text.count(" ") + 1
    spaced, chars = UNSPACED.subn(" ", text)
    return len(spaced.split()) - (-chars // unspaced_chars)
