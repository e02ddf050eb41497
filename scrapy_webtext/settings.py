"""The WEBTEXT_* settings as one frozen value, validated once, when the spider starts.

Each setting has a reader: a function that takes the setting's name (for errors) and a value, which
is a Python object or text from the command line. It returns the validated value, or raises
SettingsError with the allowed values.
"""

from __future__ import annotations

import json
import logging
import re
import sys
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, fields, replace
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, get_args

from scrapy_webtext import registry
from scrapy_webtext.errors import (
    ModelError,
    SettingsError,
    UnknownExtractorError,
    UnknownJudgeError,
)
from scrapy_webtext.page.selectors import Selectors
from scrapy_webtext.reader import INCLUDED, PageReader, field_names, read_threshold
from scrapy_webtext.results import DEFAULT_FIELDS, RESULT_FIELDS

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

logger = logging.getLogger("scrapy_webtext")

PREFIX: Final = "WEBTEXT_"

Action = Literal["flag", "drop_items", "ignore"]
OnRepeats = Literal["mark", "drop"]

#: Options that name a file. Requests may not set them, because others may write into the queue that
#: requests come from.
FILE_OPTIONS: Final = frozenset({"model"})


_HOST: Final = re.compile(r"[\w-]+(?:\.[\w-]+)*(?::\d+)?")

#: A function of a setting's name and a value that returns the validated value.
Reader = Callable[[str, Any], Any]


def given_value(settings: BaseSettings, name: str) -> Any:
    """Return the value of a setting; None if it is missing or "None" (``-s NAME=None``)."""
    value = settings.get(name)
    return None if value == "None" else value


class FieldPreset(dict[str, str]):
    """A mapping of result fields to item fields that are filled all or none.

    An item that lacks one of the fields gets no value. ``shapes`` maps a result field to the
    function that converts its value.
    """

    def __init__(
        self, fields: Mapping[str, str], shapes: Mapping[str, Callable[[Any], Any]] | None = None
    ) -> None:
        super().__init__(fields)
        self.shapes = shapes or {}


def _named(names: list[str]) -> list[dict[str, str]] | None:
    return [{"name": name} for name in names] or None


#: Presets that ``WEBTEXT_FIELDS`` may name. The default fields are not added to a preset.
FIELD_PRESETS: Final[Mapping[str, FieldPreset]] = {
    "zyte-article": FieldPreset(  # for the class Article of zyte-common-items
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
            "article_probability": "metadata",
        },
        {
            "authors": _named,
            "breadcrumbs": lambda steps: steps or None,
            "language": lambda tag: tag.partition("-")[0],  # Article takes ISO 639
            "image": lambda address: {"url": address},
            "article_probability": lambda number: {"probability": number},
        },
    )
}


def _wrong(name: str, value: object, allowed: str) -> SettingsError:
    return SettingsError(f"{name} = {value!r} is not allowed: it must be {allowed}")


def read_boolean(name: str, value: Any) -> bool:
    """Return a boolean; the command line gives "True", "1", "false" and the like."""
    word = str(value).capitalize()
    if word not in ("True", "1", "False", "0"):
        raise _wrong(name, value, "True or False")
    return word in ("True", "1")


def read_target(name: str, value: Any) -> registry.Target:
    """Return a name, the dotted path of a class, or a class if its path cannot be imported."""
    if isinstance(value, type):
        path = registry.path_of(value)
        module = sys.modules.get(value.__module__)
        is_found = getattr(module, value.__name__, None) is value and "<locals>" not in path
        return path if is_found and value.__module__ != "__main__" else value
    if not isinstance(value, str) or not value:
        raise _wrong(name, value, "a registered name, a class or the dotted path of one")
    return value


def read_mapping(name: str, value: Any, example: str = "") -> dict[str, Any]:
    """Return a dict with str keys from a dict or JSON text; an error shows ``example``."""
    if isinstance(value, str):  # from the command line
        try:
            value = json.loads(value, object_pairs_hook=_without_repeats)
        except (ValueError, RecursionError) as error:
            words = f"it must be a dict, or a JSON object{example}: {error}"
            raise SettingsError(f"{name} is not allowed: {words}") from None
    if not isinstance(value, Mapping) or not all(isinstance(key, str) for key in value):
        raise _wrong(name, value, "a dict with str keys" + example)
    return dict(value)


def read_sites(name: str, value: Any) -> dict[str, Any]:
    """Return rules by host, from a dict, JSON text, or the path of a JSON file.

    For a folder or a ``.txt`` file in the format of ftr-site-config, return the path of each host's
    file; the files are read later.
    """
    where = name
    if isinstance(value, str | Path) and not str(value).lstrip().startswith("{"):
        path, where = Path(value), f"{name}: {str(value)!r}"
        if path.is_dir() or (path.suffix == ".txt" and path.is_file()):
            files = sorted(path.glob("*.txt")) if path.is_dir() else [path]
            found: dict[str, Any] = {one.stem.lower().lstrip("."): one for one in files}
            if not found:
                raise SettingsError(f"{where} has no file of a site (*.txt)")
            return found
        try:
            value = path.read_text("utf-8-sig")
        except (OSError, ValueError) as error:
            raise SettingsError(f"{where} cannot be read: {error}") from None
    rules = {}
    for host, rule in read_mapping(where, value).items():
        if not _HOST.fullmatch(host):
            raise SettingsError(f"{name} has the key {host!r}: it must be a host, as example.com")
        rules[host.lower()] = read_mapping(f"{name}[{host!r}]", rule)
    return rules


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    for key, number in Counter(key for key, _ in pairs).items():
        if number > 1:
            raise ValueError(f"the key {key!r} is there twice")
    return dict(pairs)


def count(unit: str, nothing: str = "no limit") -> Reader:
    """Return a reader of whole numbers; errors name the unit and the meaning of 0."""

    def read(name: str, value: Any) -> int:
        try:
            number = int(value)
            is_whole = number == float(value) and not isinstance(value, bool)
        except (TypeError, ValueError, OverflowError):
            is_whole, number = False, 0
        if not is_whole or not 0 <= number <= sys.maxsize:
            raise _wrong(name, value, f"a whole number of {unit}, 0 for {nothing}")
        return number

    return read


def one_of(words: Any) -> Reader:
    """Return a reader that allows the words of a ``Literal``."""
    choices = get_args(words)

    def read(name: str, value: Any) -> str:
        if value not in choices:
            raise _wrong(name, value, "one of " + ", ".join(map(repr, choices)))
        return str(value)

    return read


def read_fields(name: str, value: Any) -> Mapping[str, str]:
    """Return the default fields with the given changes (None removes a field), or a preset.

    A list of results, also as names with commas, gives each a field with its own name.
    """
    if isinstance(value, str) and not value.lstrip().startswith("{"):
        if value in FIELD_PRESETS:
            return FIELD_PRESETS[value]
        value = [one.strip() for one in value.split(",")]
    if isinstance(value, list | tuple | set) and all(isinstance(one, str) for one in value):
        value = {one: one for one in value}
    given = read_mapping(name, value, ", such as {'title': 'headline', 'authors': 'authors'}")
    for result, place in given.items():
        if result not in RESULT_FIELDS:
            known = f"{', '.join(sorted(RESULT_FIELDS))}; presets are: {', '.join(FIELD_PRESETS)}"
            raise SettingsError(f"{name} has the key {result!r}; results are: {known}")
        if place is not None and (not isinstance(place, str) or not place):
            raise _wrong(f"{name}[{result!r}]", place, "the name of a field, or None")
    merged = {result: place for result, place in {**DEFAULT_FIELDS, **given}.items() if place}
    if len({*merged.values()}) < len(merged):
        raise _wrong(name, value, "without two results in the same field")
    return merged


def _setting(default: Any, read: Reader, per_request: bool = False) -> Any:
    """Declare a setting: its default, its reader, whether a request may override it."""
    metadata = {"read": read, "per_request": per_request}
    return field(default_factory=lambda: default, metadata=metadata)


@dataclass(frozen=True, slots=True)
class WebtextSettings:
    """Every setting of the extension: the field ``name`` is the setting ``WEBTEXT_NAME``.

    ``python -m tests.kits.settings_table`` copies the comment above each field to docs/settings.md.
    The first sentence of a comment says what the user chooses.
    """

    #: ``False`` switches everything off.
    enabled: bool = _setting(True, read_boolean)
    #: A registered name, your own class or its dotted path.
    extractor: registry.Target = _setting(registry.DEFAULT_EXTRACTOR, read_target, per_request=True)
    #: Parameters of the extractor.
    extractor_options: Mapping[str, Any] = _setting({}, read_mapping, per_request=True)
    #: How ``has_article`` is decided: a registered name, a class or its dotted path.
    judge: registry.Target = _setting(registry.DEFAULT_JUDGE, read_target, per_request=True)
    #: Parameters of the judge.
    judge_options: Mapping[str, Any] = _setting({}, read_mapping, per_request=True)
    #: A page has an article if its probability (from 0 to 1) is at least this.
    threshold: float = _setting(registry.DEFAULT_THRESHOLD, read_threshold, per_request=True)
    #: What happens to pages without an article. ``"flag"``: they are only flagged, their items are
    #: filled. ``"drop_items"``: their items are dropped, and so are items of PDFs and other
    #: responses that are not read; links are followed. ``"ignore"``: the spider does not get the
    #: pages, so their links are lost.
    action: Action = _setting("flag", one_of(Action), per_request=True)
    #: Result field → field of your item; ``None`` leaves the result field out.
    fields: Mapping[str, str] = _setting(DEFAULT_FIELDS, read_fields)
    #: Rules for sites, by host: selectors (CSS, XPath) and the settings that requests may override.
    #: Also the path of a JSON file with rules, or of a folder in the format of ftr-site-config
    #: ([sites](sites.md)).
    sites: Mapping[str, Any] = _setting({}, read_sites)
    #: What happens to blocks of the text that a site repeats from page to page: ``"mark"`` marks
    #: them in ``blocks``, ``"drop"`` removes them from the text of articles, ``None`` does nothing
    #: ([sites](sites.md#repeated-text)).
    repeats: OnRepeats | None = _setting(None, one_of(OnRepeats))
    #: Maximum number of further pages of an article to fetch; their texts are added to the text of
    #: its items. ``0``: none ([sites](sites.md#articles-over-several-pages)).
    next_pages: int = _setting(0, count("pages", "none"))
    #: Maximum size of a body in bytes. A larger response is skipped and counted. ``0``: no limit.
    max_body_size: int = _setting(5_000_000, count("bytes"))
    #: Maximum number of elements, with comments. A page with more is skipped and counted, as is a
    #: page with more end tags, or more than ten times as many attributes. ``0``: no limit.
    #: ``fusion`` takes about a second for 50,000 elements.
    max_elements: int = _setting(50_000, count("elements"))

    @classmethod
    def from_settings(cls, settings: BaseSettings) -> WebtextSettings:
        """Return the settings of a crawl; SettingsError names a wrong value and what is allowed.

        Wrong values of extractor and judge options raise later, in `make`. An unknown setting logs
        a warning and is no error, since another package, or a later version, may use it.
        """
        for name in cls.unknown(settings):
            logger.warning("webtext: unknown setting %s%s", name, did_you_mean(name))
        given = {
            f.name: f.metadata["read"](name, settings[name])
            for name, f in DECLARED.items()
            if given_value(settings, name) is not None
        }
        found = cls(**given)
        found.make(registry.load)
        return found

    @classmethod
    def unknown(cls, settings: BaseSettings) -> list[str]:
        """Return the names in ``settings`` that begin with ``WEBTEXT_`` but are not declared."""
        ours = (name for name in settings if isinstance(name, str) and name.startswith(PREFIX))
        return [name for name in ours if name not in DECLARED]

    def for_request(self, overrides: Mapping[str, Any]) -> WebtextSettings:
        """Return these settings, overridden by ``request.meta["webtext"]``.

        A request is data, not code. It may name registered extractors and judges and the classes
        that these settings name, but no other class and no file.
        """
        return self.overridden(overrides, 'request.meta["webtext"]')

    def overridden(
        self,
        overrides: Mapping[str, Any],
        where: str,
        is_trusted: bool = False,
        also: Collection[str] = (),
    ) -> WebtextSettings:
        """Return these settings with ``overrides``; messages of errors begin with ``where``.

        If an override names another extractor or judge, its options are the defaults unless
        overridden, too. Only trusted overrides may name any class and any file. ``also`` are keys
        that the caller has read, for the message about an unknown one.
        """
        readers = {f.name: f.metadata["read"] for f in fields(self) if f.metadata["per_request"]}
        unknown = sorted(map(repr, set(overrides) - set(readers)))
        if unknown:
            allowed = ", ".join(sorted({*readers, *also}))
            raise SettingsError(f"Unknown key {unknown[0]} in {where}; allowed: {allowed}")
        given = {name: readers[name](f"{where}[{name!r}]", v) for name, v in overrides.items()}
        for kind in registry.KINDS:
            options = f"{kind}_options"
            if given.get(kind, getattr(self, kind)) != getattr(self, kind):
                given.setdefault(options, {})
            elif given.get(options) == getattr(self, options):
                del given[options]
            if not is_trusted:
                self._check_choice(kind, given, where)
        found = replace(self, **given)
        for kind in registry.KINDS:
            found._act(registry.load, kind, f"{where}: {kind}")
        return found

    def _check_choice(self, kind: registry.Kind, given: Mapping[str, Any], where: str) -> None:
        """Raise SettingsError if a request names a class that is not registered, or a file."""
        own, setting = getattr(self, kind), PREFIX + kind.upper()
        if given.get(kind, own) not in (*registry.REGISTERED[kind], own):
            known = ", ".join(sorted(registry.REGISTERED[kind]))
            words = f"one of {known}; for others use {setting} or WEBTEXT_SITES"
            raise _wrong(f"{where}[{kind!r}]", given[kind], words)
        files = sorted(FILE_OPTIONS & set(given.get(f"{kind}_options", ())))
        if files:
            words = f"names a file, {files[0]!r}: only {setting}_OPTIONS may"
            raise SettingsError(f"{where}['{kind}_options'] {words}")

    def make(self, act: Callable[..., Any] = registry.create) -> tuple[Any, Any]:
        """Return the extractor and the judge that ``act`` gives; errors name the wrong setting."""
        extractor, judge = (self._act(act, kind, PREFIX + kind.upper()) for kind in registry.KINDS)
        return extractor, judge

    def _act(self, act: Callable[..., Any], kind: registry.Kind, setting: str) -> Any:
        """Call ``act`` (`registry.create`, `registry.load`); errors begin with the setting."""
        options = getattr(self, f"{kind}_options")
        try:
            return act(kind, getattr(self, kind), options)
        except (SettingsError, ModelError) as error:
            is_unknown = isinstance(error, UnknownExtractorError | UnknownJudgeError)
            if options and not is_unknown and setting.lower().endswith(kind):
                setting += "_OPTIONS" if setting.isupper() else "_options"
            raise type(error)(f"{setting}: {error}") from error.__cause__

    def reader(
        self, selectors: Selectors | None = None, act: Callable[..., Any] = registry.create
    ) -> PageReader:
        """Return the reader of pages with these settings; errors are those of `make`."""
        return PageReader(
            *self.make(act),
            threshold=self.threshold,
            fields=field_names(self.fields.keys() & set(INCLUDED)),
            selectors=selectors,
            max_body_size=self.max_body_size,
            max_elements=self.max_elements,
            repeats=self.repeats,
        )


#: Removed setting -> what takes its place.
REMOVED: Final = {
    "WEBTEXT_SITE_STATS": "docs/sites.md shows how to compare crawls",
    "WEBTEXT_FIX_ENCODING": "a wrong encoding is always repaired",
}

#: The settings by their names.
DECLARED: Final = {PREFIX + f.name.upper(): f for f in fields(WebtextSettings)}


def did_you_mean(name: str) -> str:
    """Return the repair of an unknown setting: its successor, a similar name, or all names."""
    if name in REMOVED:
        return f": it was removed; {REMOVED[name]}"
    close = get_close_matches(name, DECLARED, n=1)
    return f"; did you mean {close[0]}?" if close else f"; known: {', '.join(sorted(DECLARED))}"
