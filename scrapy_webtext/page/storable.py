"""Removes characters that files, feeds or databases refuse."""

from __future__ import annotations

import re
from typing import Final

#: What XML 1.0 has no place for, as bytes of UTF-8: control characters but tab and line ends.
_CONTROLS: Final = bytes({*range(0x20)} - set(b"\t\n\r"))
#: U+FFFE and U+FFFF.
_NONCHARACTERS: Final = (b"\xef\xbf\xbe", b"\xef\xbf\xbf")

#: Controls that are white space to Python, and what else is left out.
_BLANK: Final = re.compile("[\x0b\x0c\x1c-\x1f]")
_FORBIDDEN: Final = re.compile("[\x00-\x08\x0e-\x1b\ufffe\uffff]")


def storable_text(text: str) -> str:
    """Return a text without what XML 1.0 forbids and UTF-8 cannot express.

    Halves of surrogate pairs become "?", control characters go; those that part words leave a
    blank.
    """
    text, body = _encoded(text)
    is_clean = len(body.translate(None, _CONTROLS)) == len(body)
    if is_clean and not any(one in body for one in _NONCHARACTERS):
        return text
    return _FORBIDDEN.sub("", _BLANK.sub(" ", text))


def storable_source(source: str) -> tuple[str, bytes]:
    """Return some HTML without NUL and halves of surrogate pairs, and its UTF-8.

    These are what parsers and databases refuse; the rest is for `storable_text`, once it is text.
    """
    source, body = _encoded(source)
    if b"\0" in body:
        source = source.replace("\0", "")
        body = source.encode()
    return source, body


def _encoded(text: str) -> tuple[str, bytes]:
    try:
        return text, text.encode()
    except UnicodeEncodeError:
        body = text.encode("utf-8", "replace")
        return body.decode(), body
