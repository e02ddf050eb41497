"""What the log and a terminal show: escaped and bounded, since a page may have had a say in it.

The message of an exception can hold any text of a page, with line ends that fake log lines and
escape sequences that reach the terminal; so can a URL. Both are shown with whatever does not
print escaped, cut to some hundred characters. Of the traceback only the places are shown.
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
    """Return a text on one line, what does not print escaped, cut in its middle.

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
    """Return a text on one line, what does not print escaped."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def without_controls(text: str) -> str:
    r"""Return a text with its control characters escaped, but for line feeds and tabs.

    These are what a terminal may act on: C0, DEL and C1, such as U+009B, which begins a sequence
    as ``\x1b[`` does.
    """
    return CONTROLS.sub(lambda found: ascii(found[0])[1:-1], text)


def describe(error: BaseException) -> str:
    """Return the type of an error and its message, as `shown` has it."""
    try:
        message = str(error)
    except Exception:
        message = "(its message cannot be shown)"
    return f"{type(error).__name__}: {shown(message)}".removesuffix(": ")


def frames_of(error: BaseException) -> str:
    """Return the places that an error came through, innermost last, one per line."""
    places = traceback.extract_tb(error.__traceback__)[-SHOWN_FRAMES:]
    return "\n".join(f"  {place.filename}:{place.lineno} in {place.name}" for place in places)
