"""What the log says of a fault: escaped and bounded, since a page may have had a say in it.

The message of an exception can hold any text of a page, with line ends that fake log lines and
escape sequences that reach the terminal; so can a URL. Both are shown with whatever does not
print escaped, cut to some hundred characters. Of the traceback only the places are shown.
"""

from __future__ import annotations

import traceback
from typing import Final

#: Characters of a URL or message that are shown.
SHOWN_CHARS: Final = 300

#: Innermost places of a traceback that are shown.
SHOWN_FRAMES: Final = 8


class FramesError(Exception):
    """Carries the places of a traceback out of another process, as the cause of its error."""


def shown(text: str) -> str:
    """Return a text on one line, what does not print escaped, cut in its middle."""
    if len(text) > SHOWN_CHARS:
        half = SHOWN_CHARS // 2
        text = f"{text[:half]} [... {len(text) - 2 * half} more ...] {text[-half:]}"
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def describe(error: BaseException) -> str:
    """Return the type of an error and its message, as `shown` has it."""
    try:
        message = str(error)
    except Exception:
        message = "(its message cannot be shown)"
    return f"{type(error).__name__}: {shown(message)}"


def frames_of(error: BaseException) -> str:
    """Return the places that an error came through, innermost last, one per line."""
    if isinstance(error.__cause__, FramesError):
        return str(error.__cause__)
    places = traceback.extract_tb(error.__traceback__)[-SHOWN_FRAMES:]
    return "\n".join(f"  {place.filename}:{place.lineno} in {place.name}" for place in places)
