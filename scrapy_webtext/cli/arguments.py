"""What the words of the command line are read as. Nothing but argparse."""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Callable
from typing import Any


def whole_number(least: int) -> Callable[[str], int]:
    """Return what reads a whole number that is at least this."""

    def read(text: str) -> int:
        if not text.isdecimal() or int(text) < least:
            raise argparse.ArgumentTypeError(f"{text!r} is no whole number from {least} on")
        return int(text)

    return read


def names(text: str) -> list[str]:
    """Read names set off by commas, at least one, none twice."""
    found = [name.strip() for name in text.split(",") if name.strip()]
    if not found or len(set(found)) < len(found):
        raise argparse.ArgumentTypeError("give names set off by commas, each once")
    return found


def json_object(text: str) -> dict[str, Any]:
    """Read a JSON object."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise argparse.ArgumentTypeError(f"no JSON: {error}") from None
    if not isinstance(value, dict):
        raise argparse.ArgumentTypeError('no JSON object, such as {"playwright": true}')
    return value


def expression(text: str) -> re.Pattern[str]:
    """Read a regular expression."""
    try:
        return re.compile(text)
    except re.error as error:
        raise argparse.ArgumentTypeError(f"{text!r} is no regular expression: {error}") from None
