"""Text of a page for the log and a terminal: escaped and cut.

The message of an exception, or a URL, can hold any text of a page: line ends that fake log lines,
and escape sequences that a terminal obeys. Both are cut to some hundred characters, and unprintable
characters are escaped. Of a traceback only the places are shown.
"""

from __future__ import annotations

import re
import traceback
from typing import Final

#: Characters of a URL or message that are shown.
SHOWN_CHARS: Final = 300

#: Innermost places of a traceback that are shown.
SHOWN_FRAMES: Final = 8

_CREDENTIALS: Final = re.compile(r"(?:(?<=://)|(?<=hostname: ))[^\s/?#@]{1,300}@")

CONTROLS: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def shown(text: str, chars: int = SHOWN_CHARS) -> str:
    """Return a text on one line, cut in its middle, with unprintable characters escaped.

    Addresses are shown without a user's name and password.
    """
    text = without_credentials(text)
    if len(text) > chars:
        half = chars // 2
        text = f"{text[:half]} [... {len(text) - 2 * half} more ...] {text[-half:]}"
    return printable(text)


def without_credentials(text: str) -> str:
    """Return a text whose addresses have no user's name and password."""
    return _CREDENTIALS.sub("", text)


def printable(text: str) -> str:
    """Return a text on one line, with unprintable characters escaped."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def without_controls(text: str) -> str:
    r"""Return a text with its control characters escaped, but for line feeds and tabs.

    A terminal may obey them: C0, DEL and C1, such as U+009B, which is the same as ``\x1b[``.
    """
    return CONTROLS.sub(lambda found: ascii(found[0])[1:-1], text)


def describe(error: BaseException) -> str:
    """Return the type of an error and its message, through `shown`."""
    try:
        message = str(error)
    except Exception:
        message = "(its message cannot be shown)"
    return f"{type(error).__name__}: {shown(message)}".removesuffix(": ")


def frames_of(error: BaseException) -> str:
    """Return the innermost places of an error's traceback, one per line, the innermost last."""
    places = traceback.extract_tb(error.__traceback__)[-SHOWN_FRAMES:]
    return "\n".join(f"  {place.filename}:{place.lineno} in {place.name}" for place in places)
