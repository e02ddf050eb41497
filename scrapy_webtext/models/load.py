"""Model files: JSON objects with a ``kind``, a ``version`` and plain numbers, nothing executable.

A file is trusted with nothing: its size and depth are bounded, every number must fit a double,
and a value is only handed out by a reader that says what it expects. Whatever does not hold raises
ModelError with the file, the place in it and the repair.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from math import inf
from os import PathLike
from pathlib import Path
from typing import Any, Final

from scrapy_webtext.errors import ModelError

#: JSON takes up to twenty times its bytes; the largest model shipped has 1.5 million.
MAX_BYTES: Final = 4 * 2**20
MAX_DEPTH: Final = 32
MAX_NUMBER: Final = 1e300

#: A list without strings, as json.dumps indents it.
_NUMBERS: Final = re.compile(r"(?<=: )\[[^\[\]{}\"]*\]")


@dataclass(frozen=True, slots=True)
class ModelFile:
    """An object of a model file. Its readers return checked values or raise ModelError."""

    where: str  #: the file, and the place in it
    content: Mapping[str, Any]

    def section(self, key: str) -> ModelFile:
        """Return the object below this key."""
        value = self._value(key)
        if not isinstance(value, dict):
            raise self._error(key, "an object", value)
        return ModelFile(f"{self.where}, {key}", value)

    def string(self, key: str, *allowed: str) -> str:
        """Return the string below this key, one of those allowed if any are given."""
        value = self._value(key)
        if not isinstance(value, str) or (allowed and value not in allowed):
            raise self._error(key, " or ".join(map(repr, allowed)) or "a string", value)
        return value

    def strings(self, key: str) -> tuple[str, ...]:
        """Return the list of strings below this key."""
        value = self._value(key)
        if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
            raise self._error(key, "a list of strings", value)
        return tuple(value)

    def distinct_strings(self, key: str) -> tuple[str, ...]:
        """Return the list of strings below this key, without duplicates."""
        values = self.strings(key)
        if len(set(values)) != len(values):
            raise ModelError(f"{self.where}: {key!r} has a string twice; train the model again")
        return values

    def integer(self, key: str, low: float = -inf, high: float = inf) -> int:
        """Return the integer in [low, high] below this key."""
        value = self._value(key)
        if not _is_number(value) or not isinstance(value, int) or not low <= value <= high:
            raise self._error(key, f"an integer in [{low}, {high}]", value)
        return value

    def number(self, key: str, low: float = -inf, high: float = inf) -> float:
        """Return the number in [low, high] below this key."""
        value = self._value(key)
        if not _is_number(value) or not low <= value <= high:
            raise self._error(key, f"a number in [{low}, {high}]", value)
        return float(value)

    def numbers(
        self, key: str, length: int | None = None, low: float = -inf, high: float = inf
    ) -> tuple[float, ...]:
        """Return the numbers in [low, high] below this key, as many as ``length`` if given."""
        value = self._value(key)
        if (
            not isinstance(value, list)
            or (length is not None and len(value) != length)
            or not all(_is_number(one) and low <= one <= high for one in value)
        ):
            count = "numbers" if length is None else f"{length} numbers"
            raise self._error(key, f"a list of {count} in [{low}, {high}]", value)
        return tuple(map(float, value))

    def integers(
        self, key: str, length: int | None = None, low: float = -inf, high: float = inf
    ) -> tuple[int, ...]:
        """Return the integers in [low, high] below this key, as many as ``length`` if given."""
        values = self.numbers(key, length, low, high)
        if not all(isinstance(one, int) for one in self.content[key]):
            raise self._error(key, "a list of integers", self.content[key])
        return tuple(map(int, values))

    def _value(self, key: str) -> Any:
        try:
            return self.content[key]
        except KeyError:
            raise ModelError(f"{self.where}: {key!r} is missing; train the model again") from None

    def _error(self, key: str, expected: str, value: object) -> ModelError:
        return ModelError(f"{self.where}: {key!r} must be {expected}, got {_brief(value)}")


def load_model(path: str | PathLike[str] | None, *, kind: str, version: int) -> ModelFile:
    """Return the model file at ``path``, or the one of this kind that the package ships.

    ModelError where it is missing, too large, too deep, no JSON, of another kind or version.
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
    model = ModelFile(where, _parse(body, where))
    model.string("kind", kind)
    if model.content.get("version") != version:
        raise ModelError(
            f"{where} is of version {_brief(model.content.get('version'))}, this release reads "
            f"version {version}; train it again"
        )
    return model


def dump_model(content: Mapping[str, Any]) -> str:
    """Return the text of a model file: equal content gives equal bytes.

    A list of numbers is on one line.
    """
    text = json.dumps(content, ensure_ascii=False, indent=1, allow_nan=False)
    return _NUMBERS.sub(lambda found: " ".join(found[0].split()), text) + "\n"


def _parse(body: bytes, where: str) -> dict[str, Any]:
    try:
        content = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise ModelError(f"{where} is damaged: no JSON ({error})") from None
    if not isinstance(content, dict):
        raise ModelError(f"{where} is damaged: expected an object, got {_brief(content)}")
    _check_bounds(content, where)
    return content


def _check_bounds(content: dict[str, Any], where: str) -> None:
    level: list[Any] = [content]
    for _ in range(MAX_DEPTH):
        below: list[Any] = []
        for value in level:
            if isinstance(value, dict):
                below += value.values()
            elif isinstance(value, list):
                below += value
            elif isinstance(value, int | float) and not -MAX_NUMBER <= value <= MAX_NUMBER:
                raise ModelError(f"{where} is damaged: it holds the number {_brief(value)}")
        level = below
        if not level:
            return
    raise ModelError(f"{where} is damaged: nested more than {MAX_DEPTH} levels deep")


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _brief(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
