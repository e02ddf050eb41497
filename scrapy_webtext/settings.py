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
from scrapy_webtext.registry import REGISTERED, Part, Target
from scrapy_webtext.results import Extractor, Judge
from scrapy_webtext.setting_values import DEFAULT_FIELDS

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

logger = logging.getLogger("scrapy_webtext")

PREFIX: Final = "WEBTEXT_"

Action = Literal["flag", "drop_items", "ignore"]
OnUndeclared = Literal["skip", "error"]
Executor = Literal["inline", "thread"]

#: What ``request.meta["webtext"]`` may override for one request.
PER_REQUEST: Final = frozenset(
    {"extractor", "extractor_options", "judge", "judge_options", "threshold", "action"}
)

#: Options that name a file. Requests come from queues that others may write to.
FILE_OPTIONS: Final = frozenset({"model"})


@dataclass(frozen=True, slots=True)
class WebtextSettings:
    """Every setting of the extension; field ``name`` is the setting ``WEBTEXT_NAME``.

    The comment above a field says what it means: docs/settings.md has its table from there
    (``python -m tests.kits.settings_table``), so the first sentence is about the user's choice.
    """

    #: ``False`` switches everything off.
    enabled: bool = True
    #: A registered name, your own class or its dotted path.
    extractor: Target = DEFAULT_EXTRACTOR
    #: Parameters of the extractor.
    extractor_options: Mapping[str, Any] = field(default_factory=dict)
    #: Further classes or dotted paths by names of your own; ``WEBTEXT_EXTRACTOR`` and requests may
    #: ask for them.
    extractors: Mapping[str, Target] = field(default_factory=dict)
    #: How ``has_article`` is decided: a registered name, a class or its dotted path.
    judge: Target = DEFAULT_JUDGE
    #: Parameters of the judge.
    judge_options: Mapping[str, Any] = field(default_factory=dict)
    #: Further judges by names of your own.
    judges: Mapping[str, Target] = field(default_factory=dict)
    #: The least probability of a page with an article, from 0 to 1.
    threshold: float = DEFAULT_THRESHOLD
    #: ``"flag"``: pages are flagged and items filled; ``"drop_items"``: items of pages without an
    #: article are dropped, their links still followed; ``"ignore"``: such pages never reach the
    #: spider, their links are lost.
    action: Action = "flag"
    #: Result → field of your item; ``None`` leaves one out.
    fields: Mapping[str, str] = field(default_factory=lambda: DEFAULT_FIELDS)
    #: For items that do not declare a field: ``"skip"`` (one warning per class) or ``"error"``.
    on_undeclared: OnUndeclared = "skip"
    #: Larger responses (bytes) are left alone and counted; ``0``: no limit. The largest of 1,741
    #: labelled pages has 5.3 MB, one in 800 more than 4 MB.
    max_body_size: int = 5_000_000
    #: Pages with more elements are left alone and counted; comments, end tags and a tenth of the
    #: attributes count, too. ``0``: no limit. The default is three times the most that any of the
    #: labelled pages has; the default extractor takes about a second for as many.
    max_elements: int = 50_000
    #: A body called Latin-1 that is valid non-ASCII UTF-8 is read as UTF-8.
    fix_encoding: bool = True
    #: ``"inline"``: extractors run in the crawl's own thread; ``"thread"``: the pipeline has them
    #: run in a second one, for a slow extractor of your own. Judges run inline.
    executor: Executor = "inline"

    @classmethod
    def from_settings(cls, settings: BaseSettings) -> WebtextSettings:
        """Return the settings of a crawl; SettingsError names what is wrong and what is allowed.

        What the extractor and the judge themselves refuse, `make` tells. A setting that is not
        known is warned of: another package, or a later version, may know it.
        """
        known = {PREFIX + f.name.upper(): f.name for f in fields(cls)}
        for name in cls.unknown(settings):
            logger.warning("webtext: unknown setting %s%s", name, did_you_mean(name))
        given = {
            field_name: _READERS[field_name](name, settings[name])
            for name, field_name in known.items()
            if settings.get(name) is not None
        }
        found = cls(**given)
        found._check_own_names()
        for name, part in (("EXTRACTOR", found.extractor_part), ("JUDGE", found.judge_part)):
            _naming(PREFIX + name, part, Part.check)
        return found

    @classmethod
    def unknown(cls, settings: BaseSettings) -> list[str]:
        """Return the names of settings that look like ours and are not."""
        known = {PREFIX + f.name.upper() for f in fields(cls)}
        ours = (name for name in settings if isinstance(name, str) and name.startswith(PREFIX))
        return [name for name in ours if name not in known]

    def for_request(self, overrides: Mapping[str, Any]) -> WebtextSettings:
        """Return these settings with what ``request.meta["webtext"]`` overrides.

        Another extractor or judge starts with its own default options. What a request asks for
        is data: it may choose among what is registered and what these settings name, and may
        not name files.
        """
        where = 'request.meta["webtext"]'
        unknown = sorted(map(repr, set(overrides) - PER_REQUEST))
        if unknown:
            allowed = ", ".join(sorted(PER_REQUEST))
            raise SettingsError(f"Unknown key {unknown[0]} in {where}; allowed: {allowed}")
        given = {
            name: _READERS[name](f"{where}[{name!r}]", value) for name, value in overrides.items()
        }
        for kind, names in (("extractor", self.extractor_names), ("judge", self.judge_names)):
            own, options = getattr(self, kind), f"{kind}_options"
            if given.get(kind, own) != own:
                if given[kind] not in names:
                    raise SettingsError(
                        f"{where}[{kind!r}] = {given[kind]!r} is not allowed: it must be one of "
                        f"{', '.join(names)}; give others a name in {PREFIX}{kind.upper()}S"
                    )
                given.setdefault(options, {})
            elif given.get(options) == getattr(self, options):
                del given[options]
            files = sorted(FILE_OPTIONS & set(given.get(options, ())))
            if files:
                raise SettingsError(
                    f"{where}[{options!r}] names a file, {files[0]!r}: only {PREFIX}"
                    f"{options.upper()} may"
                )
        found = replace(self, **given)
        _naming(f"{where}: extractor", found.extractor_part, Part.check)
        _naming(f"{where}: judge", found.judge_part, Part.check)
        return found

    def make(self, make: Callable[[Part], Any] = Part.make) -> tuple[Extractor, Judge]:
        """Return the extractor and the judge; SettingsError names the setting that they refuse."""
        extractor, judge = self.extractor_part, self.judge_part
        return (
            _naming(f"{PREFIX}EXTRACTOR", extractor, make),
            _naming(f"{PREFIX}JUDGE", judge, make),
        )

    @property
    def formats(self) -> frozenset[str]:
        """What items are to carry beside the text: renderings of it, what the article says."""
        return frozenset(self.fields.keys() & set(INCLUDED))

    @property
    def extractor_part(self) -> Part:
        """The extractor, not yet made."""
        target = self.extractor
        if isinstance(target, str):
            target = self.extractors.get(target, target)
        return Part("extractor", target, self.extractor_options)

    @property
    def judge_part(self) -> Part:
        """The judge, not yet made."""
        target = self.judge
        if isinstance(target, str):
            target = self.judges.get(target, target)
        return Part("judge", target, self.judge_options)

    @property
    def extractor_names(self) -> list[str]:
        """What a request may ask for."""
        return sorted({*REGISTERED["extractor"], *self.extractors, *_paths(self.extractors)})

    @property
    def judge_names(self) -> list[str]:
        """What a request may ask for."""
        return sorted({*REGISTERED["judge"], *self.judges, *_paths(self.judges)})

    def _check_own_names(self) -> None:
        for setting, own, registered in (
            ("EXTRACTORS", self.extractors, REGISTERED["extractor"]),
            ("JUDGES", self.judges, REGISTERED["judge"]),
        ):
            taken = sorted(set(own) & set(registered))
            if taken:
                raise SettingsError(
                    f"{PREFIX}{setting}: {taken[0]!r} is taken; choose another name"
                )
            for name, target in own.items():
                part = Part("extractor" if setting == "EXTRACTORS" else "judge", target)
                _naming(f"{PREFIX}{setting}[{name!r}]", part, Part.check)


def _naming(setting: str, part: Part, act: Callable[[Part], Any]) -> Any:
    """Return what is done with a part; errors name the setting that is at fault."""
    try:
        return act(part)
    except SettingsError as error:
        if part.options and not isinstance(error, UnknownExtractorError):
            setting += "_OPTIONS" if setting.isupper() else "_options"
        raise type(error)(f"{setting}: {error}") from error


def _paths(own: Mapping[str, Target]) -> list[str]:
    return [target for target in own.values() if isinstance(target, str)]


def did_you_mean(name: str) -> str:
    """Return what to say of a setting that is not known: the one that is like it, or all."""
    known = [PREFIX + f.name.upper() for f in fields(WebtextSettings)]
    close = get_close_matches(name, known, n=1)
    return f"; did you mean {close[0]}?" if close else f"; known: {', '.join(sorted(known))}"


_READERS: Final[Mapping[str, values.Reader]] = {
    "enabled": values.boolean,
    "extractor": values.target,
    "extractor_options": values.mapping,
    "extractors": values.targets,
    "judge": values.target,
    "judge_options": values.mapping,
    "judges": values.targets,
    "threshold": values.threshold,
    "action": values.one_of(get_args(Action)),
    "fields": values.item_fields,
    "on_undeclared": values.one_of(get_args(OnUndeclared)),
    "max_body_size": values.count("bytes"),
    "max_elements": values.count("elements"),
    "fix_encoding": values.boolean,
    "executor": values.one_of(get_args(Executor)),
}
