"""The errors that scrapy_webtext raises on purpose, and how errors and addresses are shown.

::

    WebtextError                 every error below
    ├── SettingsError            a WEBTEXT_* setting or an option is wrong (also a ValueError)
    │   ├── UnknownExtractorError  a name that leads to no extractor
    │   ├── UnknownJudgeError      a name that leads to no judge
    │   └── UnknownOptionError     a parameter that an extractor or judge does not have
    ├── InputError               a file, address or option on the command line cannot be used
    ├── NotHtmlError             ``extract`` was given an address, JSON, ... (also a ValueError)
    ├── CorpusError              a labelled corpus that is missing or cannot be read
    ├── ModelError               a model file that is missing, damaged or of another version
    └── MissingExtraError        an optional package is needed (also an ImportError)

Odd HTML never raises an error; a page without text gives an empty text and ``has_article`` False.

The message of an exception, or a URL, can hold any text of a page: line ends that fake log lines,
and escape sequences that a terminal obeys. So long messages and URLs are cut, and unprintable
characters are escaped. A traceback is shown as its places only.
"""

from __future__ import annotations

import re
import traceback
from importlib import import_module
from typing import Any, Final

#: Characters of a URL or message that are shown.
SHOWN_CHARS: Final = 300

#: Innermost places of a traceback that are shown.
SHOWN_FRAMES: Final = 8

_CREDENTIALS: Final = re.compile(r"(?:(?<=://)|(?<=hostname: ))[^\s/?#@]{1,300}@")

CONTROLS: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


class WebtextError(Exception):
    """Base of every error that scrapy_webtext raises on purpose."""


class SettingsError(WebtextError, ValueError):
    """A setting, or a parameter of an extractor or judge, has a value that is not allowed."""


class UnknownExtractorError(SettingsError):
    """No extractor has this name."""


class UnknownJudgeError(SettingsError):
    """No judge has this name."""


class UnknownOptionError(SettingsError):
    """An extractor or judge has no parameter of this name."""


class InputError(WebtextError):
    """An input of the command line cannot be used; the message has the repair."""


class NotHtmlError(WebtextError, ValueError):
    """The input of ``extract`` is no HTML; the message has the repair."""


class CorpusError(WebtextError):
    """A labelled corpus is missing or cannot be read; the message names the file and the page."""


class ModelError(WebtextError):
    """A model file cannot be used: missing, damaged, of another kind or version."""


class MissingExtraError(WebtextError, ImportError):
    """A feature needs packages that are not installed; the message names them and their extra."""

    def __init__(self, feature: str, package: str, extra: str) -> None:
        names = package.split()
        plural = "s" if names[1:] else ""
        named = f", of the extra {extra!r}" if extra else ""
        clone = f"pip install '.[{extra}]' in a clone of scrapy_webtext, or: " if extra else ""
        super().__init__(
            f"{feature} needs the package{plural} {', '.join(map(repr, names))}{named}; install "
            f"with: {clone}pip install {package}"
        )


def import_extra(module: str, feature: str, extra: str, package: str = "") -> Any:
    """Return an installed module; MissingExtraError names the feature that needs its package."""
    try:
        return import_module(module)
    except ImportError as error:
        name = package or module.partition(".")[0]
        raise MissingExtraError(feature, name, extra) from error


def check_choice(name: str, value: object, allowed: tuple[str, ...]) -> None:
    """Raise SettingsError unless a parameter has one of these values."""
    if value not in allowed:
        raise SettingsError(f"{name}={value!r} is not allowed; use one of: {', '.join(allowed)}")


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
    """Remove the user's name and password from the addresses in a text."""
    return _CREDENTIALS.sub("", text)


def printable(text: str) -> str:
    """Return a text on one line, with unprintable characters escaped."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def without_controls(text: str) -> str:
    r"""Return a text with its control characters escaped, except line feeds and tabs.

    A terminal may obey control characters (C0, DEL, C1): U+009B is the same as ``\x1b[``.
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
