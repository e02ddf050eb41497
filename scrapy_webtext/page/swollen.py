"""Tags with thousands of attributes: a tree costs the square of their number (libxml2).

One tag with 50,000 attributes takes libxml2 two seconds and lxml three more. Such a page is read
from the parser's events, which are linear. Only long stretches without "<" and ">" are looked at
closely, so that a page pays some microseconds for this.
"""

from __future__ import annotations

import re
from typing import Final

#: More attributes than any tag of a page that means well (136 at most on 1,741 pages).
MAX_ATTRIBUTES: Final = 500

#: Characters. A tag twice as long covers a whole window.
WINDOW: Final = 8192

_QUOTED: Final = re.compile(r"\"[^\"]*\"?|'[^']*'?")
_CODE: Final = re.compile(r"[(){};]")
_NAME: Final = re.compile(r"[^\s/=]+")


def has_swollen_tag(source: str) -> bool:
    """Whether a tag of some HTML has more than ``MAX_ATTRIBUTES`` attributes in its first 16 KB.

    Tags below 16 KB may be missed, and such as have "<" or ">" in their values.
    """
    read = 0
    for window in range(WINDOW, len(source) - WINDOW, WINDOW):
        end = window + WINDOW
        if source.find(">", window, end) >= 0 or source.find("<", window, end) >= 0:
            continue
        start = source.rfind("<", read, window)
        if start >= 0 and source.find(">", start, window) < 0:
            tag = source[start : min(end, start + 2 * WINDOW)]
            if _count_attributes(tag) > MAX_ATTRIBUTES:
                return True
        read = window
    return False


def _count_attributes(tag: str) -> int:
    """Names, and values without quotes, in the source of a tag; 0 for what is none."""
    bare = _QUOTED.sub(" ", tag)
    if not bare[1:2].isalpha() or _CODE.search(bare):  # a comparison in a script
        return 0
    return len(_NAME.findall(bare))
