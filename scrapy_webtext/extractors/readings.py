"""The two readings of a paper, and checks of parameters that its extractors share.

``"paper"`` is the letter; where a paper contradicts itself, its worked examples decide.
``"modern"`` is the reading for today's pages.
"""

from __future__ import annotations

from math import inf
from typing import Literal, get_args

from scrapy_webtext.errors import SettingsError, check_choice

Reading = Literal["modern", "paper"]


def check_reading(reading: object) -> None:
    """Raise SettingsError for a reading that does not exist."""
    check_choice("reading", reading, get_args(Reading))


def check_number(name: str, value: object, least: int = 0) -> None:
    """Raise SettingsError unless the parameter is a finite number of at least ``least``."""
    if type(value) not in (int, float) or not least <= value < inf:  # type: ignore[operator]
        raise SettingsError(f"{name}={value!r} is not allowed; use a number of {least} or more")


def check_integer(name: str, value: object, least: int = 0) -> None:
    """Raise SettingsError unless the parameter is an integer of at least ``least``."""
    if type(value) is not int or value < least:
        raise SettingsError(f"{name}={value!r} is not allowed; use an integer of {least} or more")
