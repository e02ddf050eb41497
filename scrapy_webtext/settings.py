"""The WEBTEXT_* settings as one frozen value, checked once, when the spider starts."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from difflib import get_close_matches
from itertools import pairwise
from threading import TIMEOUT_MAX
from typing import TYPE_CHECKING, Any, Final, Literal, get_args

from scrapy_webtext.errors import SettingsError, UnknownExtractorError
from scrapy_webtext.extraction import DEFAULT_EXTRACTOR, DEFAULT_JUDGE, DEFAULT_THRESHOLD
from scrapy_webtext.registry import is_built_in, make_extractor, make_judge
from scrapy_webtext.results import WebTextResult

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

PREFIX: Final = "WEBTEXT_"

Action = Literal["flag", "drop_items", "ignore"]
OnUndeclared = Literal["skip", "error"]
Executor = Literal["auto", "inline", "thread", "process"]

#: Result -> field of the item. A result that is not listed is written only if the user asks.
DEFAULT_FIELDS: Final[Mapping[str, str]] = {
    "main_text": "main_text",
    "has_article": "has_article",
    "p_value": "p_value",
    "score": "main_text_score",
}

#: What ``WEBTEXT_FIELDS`` may be by name. A preset stands as it is, nothing is merged into it.
FIELD_PRESETS: Final[Mapping[str, Mapping[str, str]]] = {
    "zyte-article": {  # Article of zyte-common-items
        "main_text": "articleBody",
        "article_probability": "metadata.probability",
    },
}

#: What ``request.meta["webtext"]`` may override for one request.
PER_REQUEST: Final = frozenset(
    {"extractor", "extractor_options", "judge", "judge_options", "threshold", "action"}
)


@dataclass(frozen=True, slots=True)
class WebtextSettings:
    """Every setting of the extension; field ``name`` is the setting ``WEBTEXT_NAME``.

    The bounds, 0 for none of them:

    ``max_body_size``
        Bytes of a response that is read. 5 MB: the largest of 1,741 labelled pages has 5.3 MB,
        one in 800 more than 4 MB.
    ``max_elements``
        Start tags of a page that is read. 50,000: three times the most elements that any of the
        labelled pages has; the default extractor takes about a second for as many.
    ``timeout``
        Seconds that an extractor in the worker (executors ``thread`` and ``process``) may take
        for one page. 30: the built-in ones take milliseconds, a large model on a slow machine
        some seconds. What runs inline cannot be interrupted: give your own extractors a worker.
    """

    enabled: bool = True
    extractor: str = DEFAULT_EXTRACTOR
    extractor_options: Mapping[str, Any] = field(default_factory=dict)
    judge: str = DEFAULT_JUDGE
    judge_options: Mapping[str, Any] = field(default_factory=dict)
    threshold: float = DEFAULT_THRESHOLD
    action: Action = "flag"
    fields: Mapping[str, str] = field(default_factory=lambda: DEFAULT_FIELDS)
    on_undeclared: OnUndeclared = "skip"
    max_body_size: int = 5_000_000
    max_elements: int = 50_000
    fix_encoding: bool = True
    executor: Executor = "auto"
    timeout: float = 30.0

    @classmethod
    def from_settings(cls, settings: BaseSettings) -> WebtextSettings:
        """Return the settings of a crawl; SettingsError names what is wrong and what is allowed."""
        known = {PREFIX + f.name.upper(): f.name for f in fields(cls)}
        for name in settings:
            if isinstance(name, str) and name.startswith(PREFIX) and name not in known:
                raise SettingsError(f"Unknown setting {name}{_did_you_mean(name, known)}")
        given = {
            field_name: _READERS[field_name](name, settings[name])
            for name, field_name in known.items()
            if settings.get(name) is not None
        }
        return _checked(cls(**given), PREFIX)

    def for_request(self, overrides: Mapping[str, Any]) -> WebtextSettings:
        """Return these settings with what ``request.meta["webtext"]`` overrides.

        Another extractor or judge starts with its own default options.
        """
        where = 'request.meta["webtext"]'
        unknown = sorted(set(overrides) - PER_REQUEST)
        if unknown:
            raise SettingsError(
                f"Unknown key {unknown[0]!r} in {where}; allowed: {', '.join(sorted(PER_REQUEST))}"
            )
        given = {
            name: _READERS[name](f"{where}[{name!r}]", value) for name, value in overrides.items()
        }
        for part in ("extractor", "judge"):
            if part in given and given[part] != getattr(self, part):
                given.setdefault(f"{part}_options", {})
        return _checked(replace(self, **given), where + ": ")

    @property
    def runs_inline(self) -> bool:
        """Whether the extractor runs in the crawler's own thread."""
        if self.executor == "auto":
            return is_built_in(self.extractor)
        return self.executor == "inline"


def _checked(settings: WebtextSettings, where: str) -> WebtextSettings:
    """Return the settings if the extractor and the judge that they name can be made."""
    for setting, make, name, options in (
        ("EXTRACTOR", make_extractor, settings.extractor, settings.extractor_options),
        ("JUDGE", make_judge, settings.judge, settings.judge_options),
    ):
        try:
            make(name, options)
        except SettingsError as error:
            if options and not isinstance(error, UnknownExtractorError):
                setting += "_OPTIONS"
            shown = setting if where == PREFIX else setting.lower()
            raise type(error)(f"{where}{shown}: {error}") from error
    return settings


def _did_you_mean(name: str, known: Mapping[str, str]) -> str:
    close = get_close_matches(name, known, n=1)
    return f"; did you mean {close[0]}?" if close else f"; known: {', '.join(sorted(known))}"


def _wrong(name: str, value: object, allowed: str) -> SettingsError:
    return SettingsError(f"{name} = {value!r} is not allowed: it must be {allowed}")


def _boolean(name: str, value: Any) -> bool:
    meanings = {True: True, "True": True, "true": True, "1": True}
    meanings |= {False: False, "False": False, "false": False, "0": False}
    try:
        return meanings[value]
    except (KeyError, TypeError):
        raise _wrong(name, value, "True or False") from None


def _text(name: str, value: Any) -> str:
    if not isinstance(value, str) or not value:
        raise _wrong(name, value, "a registered name or the dotted path of a class")
    return value


def _mapping(name: str, value: Any) -> dict[str, Any]:
    if isinstance(value, str):  # as given on the command line
        try:
            value = json.loads(value)
        except ValueError:
            raise _wrong(name, value, "a dict, or a JSON object") from None
    if not isinstance(value, Mapping) or not all(isinstance(key, str) for key in value):
        raise _wrong(name, value, "a dict with str keys")
    return dict(value)


def _threshold(name: str, value: Any) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise _wrong(name, value, "a number from 0 to 1") from None
    if isinstance(value, bool) or not 0 <= number <= 1:
        raise _wrong(name, value, "a number from 0 to 1")
    return number


def _count(unit: str) -> Any:
    allowed = f"a whole number of {unit}, 0 for no limit"

    def read(name: str, value: Any) -> int:
        try:
            number = int(value)
        except (TypeError, ValueError, OverflowError):
            raise _wrong(name, value, allowed) from None
        if isinstance(value, bool) or number < 0:
            raise _wrong(name, value, allowed)
        return number

    return read


def _seconds(name: str, value: Any) -> float:
    allowed = f"a number of seconds up to {TIMEOUT_MAX:.0f}, 0 for no limit"
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise _wrong(name, value, allowed) from None
    if isinstance(value, bool) or not 0 <= number <= TIMEOUT_MAX:
        raise _wrong(name, value, allowed)
    return number


def _one_of(choices: tuple[str, ...]) -> Any:
    def read(name: str, value: Any) -> str:
        if value not in choices:
            raise _wrong(name, value, "one of " + ", ".join(map(repr, choices)))
        return str(value)

    return read


def _fields(name: str, value: Any) -> dict[str, str]:
    """Return the default fields with the given ones in their place; None leaves one out.

    The name of a preset gives the preset.
    """
    if isinstance(value, str) and not value.lstrip().startswith("{"):
        if value not in FIELD_PRESETS:
            presets = ", ".join(map(repr, FIELD_PRESETS))
            raise _wrong(name, value, f"a dict, a JSON object, or the name of a preset: {presets}")
        return dict(FIELD_PRESETS[value])
    given = _mapping(name, value)
    results = {f.name for f in fields(WebTextResult)}
    for result, target in given.items():
        if result not in results:
            raise SettingsError(
                f"{name} has the key {result!r}; results are: {', '.join(sorted(results))}"
            )
        if target is not None and (not isinstance(target, str) or not all(target.split("."))):
            allowed = "the name of a field, a path such as 'metadata.probability', or None"
            raise _wrong(f"{name}[{result!r}]", target, allowed)
    merged = {result: target for result, target in {**DEFAULT_FIELDS, **given}.items() if target}
    targets = sorted(merged.values(), key=lambda target: target.split("."))
    for one, next_one in pairwise(targets):
        if f"{next_one}.".startswith(f"{one}."):
            raise _wrong(name, value, "without two results in the same field")
    return merged


_READERS: Final[Mapping[str, Any]] = {
    "enabled": _boolean,
    "extractor": _text,
    "extractor_options": _mapping,
    "judge": _text,
    "judge_options": _mapping,
    "threshold": _threshold,
    "action": _one_of(get_args(Action)),
    "fields": _fields,
    "on_undeclared": _one_of(get_args(OnUndeclared)),
    "max_body_size": _count("bytes"),
    "max_elements": _count("elements"),
    "fix_encoding": _boolean,
    "executor": _one_of(get_args(Executor)),
    "timeout": _seconds,
}
