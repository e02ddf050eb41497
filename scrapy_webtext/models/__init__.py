"""Trained models (JSON files, each with a model card), and functions that read and write them.

A model file is an object with a ``kind``, a ``version`` and numbers; nothing in it is executed. No
file is trusted: its size is limited, and each value is checked when it is read. ModelError names
the file, the place in it and the repair.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from importlib.resources import files
from math import isnan
from os import PathLike
from pathlib import Path
from typing import Any, Final

from scrapy_webtext.errors import ModelError

#: Maximum size of a model file. Parsed JSON takes up to twenty times as much memory. The largest
#: model in the package has 1.5 million bytes.
MAX_BYTES: Final = 4 * 2**20
#: Greater numbers, infinity and NaN are errors.
MOST: Final = 1e300

#: A list of numbers as json.dumps indents it.
_NUMBERS: Final = re.compile(r"(?<=: )\[[^\[\]{}\"]*\]")


@dataclass(frozen=True, slots=True)
class ModelFile:
    """An object in a model file. Its methods return checked values or raise ModelError."""

    where: str  #: the file and the place in it, for messages
    content: Mapping[str, Any]

    def section(self, key: str) -> ModelFile:
        """Return the object under this key."""
        value = self._value(key)
        if not isinstance(value, dict):
            raise self._error(key, "an object", value)
        return ModelFile(f"{self.where}, {key}", value)

    def strings(self, key: str) -> tuple[str, ...]:
        """Return the list of distinct strings under this key."""
        value = self._value(key)
        if not isinstance(value, list) or not {*map(type, value)} <= {str}:
            raise self._error(key, "a list of strings", value)
        if len(set(value)) != len(value):
            raise ModelError(f"{self.where}: {key!r} has a string twice; train the model again")
        return tuple(value)

    def integer(self, key: str, low: int, high: int) -> int:
        """Return the integer in [low, high] under this key."""
        value = self._value(key)
        if type(value) is not int or not low <= value <= high:
            raise self._error(key, f"an integer in [{low}, {high}]", value)
        return value

    def numbers_by_key(self) -> dict[str, float]:
        """Return all values of this object, which must be numbers."""
        if not _are_numbers(self.content.values()):
            raise ModelError(f"{self.where}: each value must be a number; train the model again")
        return dict(zip(self.content, map(float, self.content.values()), strict=True))

    def numbers(
        self, key: str, length: int | None = None, low: float = -MOST, high: float = MOST
    ) -> tuple[float, ...]:
        """Return the list of numbers in [low, high] under this key; it must have this length."""
        value = self._value(key)
        is_list = isinstance(value, list) and length in (None, len(value))
        if not is_list or not _are_numbers(value, low, high):
            count = "numbers" if length is None else f"{length} numbers"
            raise self._error(key, f"a list of {count} in [{low}, {high}]", value)
        return tuple(map(float, value))

    def integers(
        self, key: str, length: int | None = None, low: float = -MOST, high: float = MOST
    ) -> tuple[int, ...]:
        """Return the list of integers in [low, high] under this key; it must have this length."""
        self.numbers(key, length, low, high)
        if not {*map(type, self.content[key])} <= {int}:
            raise self._error(key, "a list of integers", self.content[key])
        return tuple(self.content[key])

    def _value(self, key: str) -> Any:
        if key not in self.content:
            raise ModelError(f"{self.where}: {key!r} is missing; train the model again")
        return self.content[key]

    def _error(self, key: str, expected: str, value: object) -> ModelError:
        return ModelError(f"{self.where}: {key!r} must be {expected}, got {_brief(value)}")


def load_model(path: str | PathLike[str] | None, *, kind: str, version: int) -> ModelFile:
    """Return the model file at ``path``, or the package's own model of this kind.

    Raise ModelError if it is missing, too large, no JSON, or of another kind or version.
    """
    source = files(__package__) / f"{kind}.json" if path is None else Path(path).absolute()
    where = f"Model {source}"
    try:
        with source.open("rb") as file:
            body = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise ModelError(f"{where} cannot be read: {error.strerror or error}") from None
    if len(body) > MAX_BYTES:
        raise ModelError(f"{where} is larger than {MAX_BYTES} bytes; this is no {kind} model")
    try:
        content = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise ModelError(f"{where} is damaged: no JSON ({error})") from None
    if not isinstance(content, dict):
        raise ModelError(f"{where} is damaged: expected an object, got {_brief(content)}")
    for key, expected in (("kind", kind), ("version", version)):
        if (found := content.get(key)) != expected:
            raise ModelError(
                f"{where} is of {key} {_brief(found)}, this release needs {key} {expected!r}; "
                "train it again"
            )
    return ModelFile(where, content)


def dump_model(content: Mapping[str, Any]) -> str:
    """Return the text of a model file; equal content gives equal text.

    A list of numbers is written on one line.
    """
    text = json.dumps(content, ensure_ascii=False, indent=1, allow_nan=False)
    return _NUMBERS.sub(lambda found: " ".join(found[0].split()), text) + "\n"


def _are_numbers(values: Collection[Any], low: float = -MOST, high: float = MOST) -> bool:
    """Return whether all values are numbers in [low, high]; fast, since a model has 100,000."""
    return not values or (
        {*map(type, values)} <= {int, float}
        and low <= min(values)
        and max(values) <= high
        and not any(map(isnan, values))
    )


def _brief(value: object) -> str:
    return f"a {type(value).__name__}" if isinstance(value, dict | list) else f"{value!r:.60}"
