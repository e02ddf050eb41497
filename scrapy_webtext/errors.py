"""The errors that scrapy_webtext raises on purpose.

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

Odd HTML never raises: it gives empty text and ``has_article`` False.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any


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
    """A feature needs packages that are not installed; the message names them and the extra."""

    def __init__(self, feature: str, package: str, extra: str) -> None:
        names = package.split()
        plural = "s" if names[1:] else ""
        super().__init__(
            f"{feature} needs the package{plural} {', '.join(map(repr, names))}, of the extra "
            f"{extra!r}; install with: "
            f"pip install '.[{extra}]' in a clone of scrapy_webtext, or: pip install {package}"
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
