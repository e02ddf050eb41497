"""The WEBTEXT_* settings as one frozen value, checked once, when the spider starts."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, Final, Literal, get_args

from scrapy_webtext import setting_values as values
from scrapy_webtext.defaults import DEFAULT_EXTRACTOR, DEFAULT_JUDGE, DEFAULT_THRESHOLD
from scrapy_webtext.errors import SettingsError, UnknownExtractorError
from scrapy_webtext.extraction import INCLUDED
from scrapy_webtext.registry import REGISTERED, Kind, Part, Target
from scrapy_webtext.results import DEFAULT_FIELDS, Extractor, Judge

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

logger = logging.getLogger("scrapy_webtext")

PREFIX: Final = "WEBTEXT_"
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)

Action = Literal["flag", "drop_items", "ignore"]
OnUndeclared = Literal["skip", "error"]
Executor = Literal["inline", "thread"]

#: Options that name a file. Requests come from queues that others may write to.
FILE_OPTIONS: Final = frozenset({"model"})


def _setting(default: Any, read: values.Reader, per_request: bool = False) -> Any:
    """Declare a setting: its default, the reader of its values, whether requests may override it.

    Requests come from queues that others may write to.
    """
    metadata = {"read": read, "per_request": per_request}
    return field(default_factory=lambda: default, metadata=metadata)


@dataclass(frozen=True, slots=True)
class WebtextSettings:
    """Every setting of the extension; field ``name`` is the setting ``WEBTEXT_NAME``.

    The comment above a field says what it means: docs/settings.md has its table from there
    (``python -m tests.kits.settings_table``), so the first sentence is about the user's choice.
    """

    #: ``False`` switches everything off.
    enabled: bool = _setting(True, values.boolean)
    #: A registered name, your own class or its dotted path.
    extractor: Target = _setting(DEFAULT_EXTRACTOR, values.target, per_request=True)
    #: Parameters of the extractor.
    extractor_options: Mapping[str, Any] = _setting({}, values.mapping, per_request=True)
    #: Further classes or dotted paths by names of your own; ``WEBTEXT_EXTRACTOR`` and requests may
    #: ask for them.
    extractors: Mapping[str, Target] = _setting({}, values.targets)
    #: How ``has_article`` is decided: a registered name, a class or its dotted path.
    judge: Target = _setting(DEFAULT_JUDGE, values.target, per_request=True)
    #: Parameters of the judge.
    judge_options: Mapping[str, Any] = _setting({}, values.mapping, per_request=True)
    #: Further judges by names of your own.
    judges: Mapping[str, Target] = _setting({}, values.targets)
    #: The least probability of a page with an article, from 0 to 1.
    threshold: float = _setting(DEFAULT_THRESHOLD, values.threshold, per_request=True)
    #: ``"flag"``: pages are flagged and items filled; ``"drop_items"``: items of pages without an
    #: article are dropped, their links still followed; ``"ignore"``: such pages never reach the
    #: spider, their links are lost.
    action: Action = _setting("flag", values.one_of(Action), per_request=True)
    #: Result → field of your item; ``None`` leaves one out.
    fields: Mapping[str, str] = _setting(DEFAULT_FIELDS, values.item_fields)
    #: For items that do not declare a field: ``"skip"`` (one warning per class) or ``"error"``.
    on_undeclared: OnUndeclared = _setting("skip", values.one_of(OnUndeclared))
    #: Larger responses (bytes) are left alone and counted; ``0``: no limit. The largest of 1,741
    #: labelled pages has 5.3 MB, one in 800 more than 4 MB.
    max_body_size: int = _setting(5_000_000, values.count("bytes"))
    #: Pages with more elements are left alone and counted; comments, end tags and a tenth of the
    #: attributes count, too. ``0``: no limit. The default is three times the most that any of the
    #: labelled pages has; the default extractor takes about a second for as many.
    max_elements: int = _setting(50_000, values.count("elements"))
    #: A body called Latin-1 that is valid non-ASCII UTF-8 is read as UTF-8.
    fix_encoding: bool = _setting(True, values.boolean)
    #: ``"inline"``: extractors run in the crawl's own thread; ``"thread"``: the pipeline has them
    #: run in a second one, for a slow extractor of your own. Judges run inline.
    executor: Executor = _setting("inline", values.one_of(Executor))

    @classmethod
    def from_settings(cls, settings: BaseSettings) -> WebtextSettings:
        """Return the settings of a crawl; SettingsError names what is wrong and what is allowed.

        What the extractor and the judge themselves refuse, `make` tells. A setting that is not
        known is warned of: another package, or a later version, may know it.
        """
        for name in cls.unknown(settings):
            logger.warning("webtext: unknown setting %s%s", name, did_you_mean(name))
        given = {
            f.name: f.metadata["read"](name, settings[name])
            for name, f in DECLARED.items()
            if settings.get(name) is not None
        }
        found = cls(**given)
        for kind in KINDS:
            found._check_own_names(kind)
            _naming(PREFIX + kind.upper(), found.part(kind), Part.check)
        return found

    @classmethod
    def unknown(cls, settings: BaseSettings) -> list[str]:
        """Return the names of settings that look like ours and are not."""
        ours = (name for name in settings if isinstance(name, str) and name.startswith(PREFIX))
        return [name for name in ours if name not in DECLARED]

    def for_request(self, overrides: Mapping[str, Any]) -> WebtextSettings:
        """Return these settings with what ``request.meta["webtext"]`` overrides.

        Another extractor or judge starts with its own default options. What a request asks for
        is data: it may choose among what is registered and what these settings name, and may
        not name files.
        """
        where = 'request.meta["webtext"]'
        readers = {f.name: f.metadata["read"] for f in fields(self) if f.metadata["per_request"]}
        unknown = sorted(map(repr, set(overrides) - set(readers)))
        if unknown:
            allowed = ", ".join(sorted(readers))
            raise SettingsError(f"Unknown key {unknown[0]} in {where}; allowed: {allowed}")
        given = {name: readers[name](f"{where}[{name!r}]", v) for name, v in overrides.items()}
        for kind in KINDS:
            options, setting = f"{kind}_options", PREFIX + kind.upper()
            if given.get(kind, getattr(self, kind)) != getattr(self, kind):
                names = self._names(kind)
                if given[kind] not in names:
                    raise SettingsError(
                        f"{where}[{kind!r}] = {given[kind]!r} is not allowed: it must be one of "
                        f"{', '.join(names)}; give others a name in {setting}S"
                    )
                given.setdefault(options, {})
            elif given.get(options) == getattr(self, options):
                del given[options]
            files = sorted(FILE_OPTIONS & set(given.get(options, ())))
            if files:
                raise SettingsError(
                    f"{where}[{options!r}] names a file, {files[0]!r}: only {setting}_OPTIONS may"
                )
        found = replace(self, **given)
        for kind in KINDS:
            _naming(f"{where}: {kind}", found.part(kind), Part.check)
        return found

    def make(self, make: Callable[[Part], Any] = Part.make) -> tuple[Extractor, Judge]:
        """Return the extractor and the judge; SettingsError names the setting that they refuse."""
        extractor, judge = (_naming(PREFIX + k.upper(), self.part(k), make) for k in KINDS)
        return extractor, judge

    @property
    def formats(self) -> frozenset[str]:
        """What items are to carry beside the text: renderings of it, what the article says."""
        return frozenset(self.fields.keys() & set(INCLUDED))

    def part(self, kind: Kind) -> Part:
        """Return the extractor or the judge, not yet made."""
        target = getattr(self, kind)
        if isinstance(target, str):
            target = self._own(kind).get(target, target)
        return Part(kind, target, getattr(self, f"{kind}_options"))

    def _own(self, kind: Kind) -> Mapping[str, Target]:
        """Return the names of the user's own, each with its target."""
        own: Mapping[str, Target] = getattr(self, f"{kind}s")
        return own

    def _names(self, kind: Kind) -> list[str]:
        """Return what a request may ask for."""
        own = self._own(kind)
        paths = (target for target in own.values() if isinstance(target, str))
        return sorted({*REGISTERED[kind], *own, *paths})

    def _check_own_names(self, kind: Kind) -> None:
        setting = f"{PREFIX}{kind.upper()}S"
        for name, target in self._own(kind).items():
            if name in REGISTERED[kind]:
                raise SettingsError(f"{setting}: {name!r} is taken; choose another name")
            _naming(f"{setting}[{name!r}]", Part(kind, target), Part.check)


#: The settings by their names.
DECLARED: Final = {PREFIX + f.name.upper(): f for f in fields(WebtextSettings)}


def _naming(setting: str, part: Part, act: Callable[[Part], Any]) -> Any:
    """Return what is done with a part; errors name the setting that is at fault."""
    try:
        return act(part)
    except SettingsError as error:
        if part.options and not isinstance(error, UnknownExtractorError):
            setting += "_OPTIONS" if setting.isupper() else "_options"
        raise type(error)(f"{setting}: {error}") from error


def did_you_mean(name: str) -> str:
    """Return what to say of a setting that is not known: the one that is like it, or all."""
    close = get_close_matches(name, DECLARED, n=1)
    return f"; did you mean {close[0]}?" if close else f"; known: {', '.join(sorted(DECLARED))}"
