"""The options of the subcommands, from the table in ``options.json``.

Every ``scrapy`` command imports this module, so it imports little. An entry of the table is an
object or a string. An object has the ``name`` of an option and the arguments of ``add_argument``;
``type`` is a key of `TYPES`, ``under`` the title of a group in the help. A string is the name of a
group of options in the table.
"""

from __future__ import annotations

import argparse
import json
import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, NoReturn

from scrapy_webtext.errors import printable

#: Exit status for bad input; argparse uses it for bad options, too.
BAD_INPUT: Final = 2

_TABLE: Final = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))

#: Subcommand -> its help text and its options.
SUBCOMMANDS: Final[Mapping[str, Mapping[str, Any]]] = _TABLE["subcommands"]


class Parser(argparse.ArgumentParser):
    """Prints an error as one line."""

    def error(self, message: str) -> NoReturn:
        """Print this message and end the process."""
        line = printable(" ".join(message.split()))
        self.exit(BAD_INPUT, f"{self.prog}: {line} (see: {self.prog} -h)\n")


def add_options(parser: argparse.ArgumentParser, options: str | list[Any]) -> None:
    """Add options to a parser.

    ``options`` is a list of entries of the table, or the name of a subcommand or a group.
    """
    if isinstance(options, str):
        known = SUBCOMMANDS.get(options)
        options = known["options"] if known is not None else _TABLE["groups"][options]
    groups: dict[str, Any] = {}
    for option in options:
        if isinstance(option, str):
            add_options(parser, option)
            continue
        given = {key: value for key, value in option.items() if key not in ("name", "under")}
        if "type" in given:
            given["type"] = TYPES[given["type"]]
        if given.get("default") == "processors":
            given["default"] = os.cpu_count() or 1
        title = option.get("under")
        if title is not None and title not in groups:
            groups[title] = parser.add_argument_group(title)
        groups.get(title, parser).add_argument(option["name"], **given)


def whole_number(least: int) -> Callable[[str], int]:
    """Return a function that reads a whole number, at least ``least``."""

    def read(text: str) -> int:
        if not text.isdecimal() or int(text) < least:
            raise argparse.ArgumentTypeError(f"{text!r} is no whole number from {least} on")
        return int(text)

    return read


def names(text: str) -> list[str]:
    """Read names separated by commas: at least one, without duplicates."""
    found = [name.strip() for name in text.split(",") if name.strip()]
    if not found or len(set(found)) < len(found):
        raise argparse.ArgumentTypeError("give names separated by commas, each once")
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


#: Type in the table -> function that reads an option's text.
TYPES: Final[Mapping[str, Callable[[str], Any]]] = {
    "from 0": whole_number(0),
    "from 1": whole_number(1),
    "int": int,
    "names": names,
    "object": json_object,
    "expression": expression,
}
