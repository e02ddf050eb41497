"""How the value of each WEBTEXT_* setting is read, as Python or as text of the command line.

A reader takes the name of the setting, for its errors, and the value; it returns the value as it
is used, or raises SettingsError with what is allowed.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any, Final, get_args

from scrapy_webtext.errors import SettingsError
from scrapy_webtext.registry import Target, path_of
from scrapy_webtext.results import DEFAULT_FIELDS, RESULT_FIELDS

#: Takes the name and the value of a setting.
Reader = Callable[[str, Any], Any]


class FieldPreset(dict[str, str]):
    """Fields that stand together: an item that lacks one of them gets none.

    ``shapes`` turn results, by name, into what the fields hold.
    """

    def __init__(
        self, fields: Mapping[str, str], shapes: Mapping[str, Callable[[Any], Any]] | None = None
    ) -> None:
        super().__init__(fields)
        self.shapes = shapes or {}


def _named(names: list[str]) -> list[dict[str, str]] | None:
    return [{"name": name} for name in names] or None


#: What ``WEBTEXT_FIELDS`` may be by name. A preset stands as it is, nothing is merged into it.
FIELD_PRESETS: Final[Mapping[str, FieldPreset]] = {
    "zyte-article": FieldPreset(  # Article of zyte-common-items
        {
            "title": "headline",
            "published": "datePublished",
            "modified": "dateModified",
            "authors": "authors",
            "breadcrumbs": "breadcrumbs",
            "language": "inLanguage",
            "image": "mainImage",
            "description": "description",
            "main_text": "articleBody",
            "main_html": "articleBodyHtml",
            "canonical_url": "canonicalUrl",
            "article_probability": "metadata.probability",
        },
        {
            "authors": _named,
            "breadcrumbs": lambda steps: steps or None,
            "language": lambda tag: tag.partition("-")[0],  # ISO 639 there
            "image": lambda address: {"url": address},
        },
    ),
}


def _wrong(name: str, value: object, allowed: str) -> SettingsError:
    return SettingsError(f"{name} = {value!r} is not allowed: it must be {allowed}")


def boolean(name: str, value: Any) -> bool:
    """Return a switch; "True", "1" and the like as the command line gives them."""
    meanings = {True: True, "True": True, "true": True, "1": True}
    meanings |= {False: False, "False": False, "false": False, "0": False}
    try:
        return meanings[value]
    except (KeyError, TypeError):
        raise _wrong(name, value, "True or False") from None


def target(name: str, value: Any) -> Target:
    """Return a name, a dotted path or a class; the path of a class that can be imported by it."""
    if isinstance(value, type):
        path = path_of(value)
        module = sys.modules.get(value.__module__)
        is_found = getattr(module, value.__name__, None) is value and "<locals>" not in path
        return path if is_found and value.__module__ != "__main__" else value
    if not isinstance(value, str) or not value:
        raise _wrong(name, value, "a registered name, a class or the dotted path of one")
    return value


def targets(name: str, value: Any) -> dict[str, Target]:
    """Return names of the user's own, each with its dotted path or class."""
    return {own: target(f"{name}[{own!r}]", given) for own, given in mapping(name, value).items()}


def mapping(name: str, value: Any) -> dict[str, Any]:
    """Return a dict with str keys, given as such or as JSON."""
    if isinstance(value, str):  # as given on the command line
        try:
            value = json.loads(value)
        except ValueError:
            raise _wrong(name, value, "a dict, or a JSON object") from None
    if not isinstance(value, Mapping) or not all(isinstance(key, str) for key in value):
        raise _wrong(name, value, "a dict with str keys")
    return dict(value)


def _number(
    convert: Callable[[Any], float], is_allowed: Callable[[float], bool], allowed: str
) -> Reader:
    """Return the reader of a number that ``is_allowed``; ``allowed`` says so in errors."""

    def read(name: str, value: Any) -> Any:
        try:
            number = convert(value)
        except (TypeError, ValueError, OverflowError):
            raise _wrong(name, value, allowed) from None
        if isinstance(value, bool) or not is_allowed(number):
            raise _wrong(name, value, allowed)
        return number

    return read


#: Reads a probability.
threshold: Final = _number(float, lambda n: 0 <= n <= 1, "a number from 0 to 1")


def count(unit: str) -> Reader:
    """Return the reader of a whole number of such units."""
    return _number(int, lambda n: n >= 0, f"a whole number of {unit}, 0 for no limit")


def one_of(words: Any) -> Reader:
    """Return the reader of one of the words of a ``Literal``."""
    choices = get_args(words)

    def read(name: str, value: Any) -> str:
        if value not in choices:
            raise _wrong(name, value, "one of " + ", ".join(map(repr, choices)))
        return str(value)

    return read


def item_fields(name: str, value: Any) -> Mapping[str, str]:
    """Return the default fields with the given ones in their place; None leaves one out.

    The name of a preset gives the preset.
    """
    if isinstance(value, str) and not value.lstrip().startswith("{"):
        if value not in FIELD_PRESETS:
            presets = ", ".join(map(repr, FIELD_PRESETS))
            raise _wrong(name, value, f"a dict, a JSON object, or the name of a preset: {presets}")
        return FIELD_PRESETS[value]
    given = mapping(name, value)
    for result, place in given.items():
        if result not in RESULT_FIELDS:
            raise SettingsError(
                f"{name} has the key {result!r}; results are: {', '.join(sorted(RESULT_FIELDS))}"
            )
        if place is not None and (not isinstance(place, str) or not all(place.split("."))):
            allowed = "the name of a field, a path such as 'metadata.probability', or None"
            raise _wrong(f"{name}[{result!r}]", place, allowed)
    merged = {result: place for result, place in {**DEFAULT_FIELDS, **given}.items() if place}
    places = sorted(merged.values(), key=lambda place: place.split("."))
    for one, next_one in pairwise(places):
        if f"{next_one}.".startswith(f"{one}."):
            raise _wrong(name, value, "without two results in the same field")
    return merged
