"""Names to extractors and judges; a dotted path admits a user's own class."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from importlib import import_module
from typing import Any, Final

from scrapy_webtext.errors import SettingsError, UnknownExtractorError
from scrapy_webtext.page import AttributeUse
from scrapy_webtext.results import Extractor, Judge

#: Registered name -> module and class, imported on use.
EXTRACTORS: Final[Mapping[str, str]] = {
    "bte": "scrapy_webtext.extractors.bte.BodyTextExtractor",
    "naive_bayes": "scrapy_webtext.extractors.naive_bayes.NaiveBayesExtractor",
    "pvalue": "scrapy_webtext.extractors.pvalue.PValueExtractor",
    "ttr": "scrapy_webtext.extractors.ttr.TextToTagRatioExtractor",
    "wffte": "scrapy_webtext.extractors.wffte.WffteExtractor",
    "fusion": "scrapy_webtext.extractors.fusion.FusionExtractor",
}
JUDGES: Final[Mapping[str, str]] = {
    "pvalue": "scrapy_webtext.extractors.pvalue.PValueJudge",
    "learned": "scrapy_webtext.extractors.fusion.LearnedJudge",
}

#: Extractors that read text and tags alone.
TEXT_ONLY: Final = frozenset({"bte", "naive_bayes", "ttr"})


def make_extractor(name: str, options: Mapping[str, Any] | None = None) -> Extractor:
    """Return the extractor of this registered name or dotted path, with these parameters.

    Raises UnknownExtractorError for a name that leads nowhere and SettingsError for a
    parameter that the extractor does not have or a value that it does not allow.
    """
    extractor = _make("extractor", EXTRACTORS, name, options or {})
    if not callable(getattr(extractor, "extract", None)):
        raise SettingsError(f"{name!r} is no extractor: it has no method extract(page)")
    return extractor  # type: ignore[no-any-return]


def make_judge(name: str, options: Mapping[str, Any] | None = None) -> Judge:
    """Return the judge of this registered name or dotted path; errors as `make_extractor`."""
    judge = _make("judge", JUDGES, name, options or {})
    if not callable(getattr(judge, "judge", None)):
        raise SettingsError(f"{name!r} is no judge: it has no method judge(page, threshold)")
    return judge  # type: ignore[no-any-return]


def is_built_in(name: str) -> bool:
    """Whether an extractor's name is registered here: it is fast enough to run inline."""
    return name in EXTRACTORS


def attributes_for(
    extractor: str | Extractor, judge: str | Judge, judge_options: Mapping[str, Any]
) -> AttributeUse:
    """Return whether a page for this extractor and judge needs its attributes read.

    "unread" only where both are known not to ask: a user's own may ask for anything.
    """
    asks_not = isinstance(extractor, str) and extractor in TEXT_ONLY
    return "unread" if asks_not and judge == "pvalue" and not judge_options else "read"


def _make(kind: str, known: Mapping[str, str], name: str, options: Mapping[str, Any]) -> Any:
    factory = _load(kind, known, name)
    if is_dataclass(factory):
        allowed = [field.name for field in fields(factory) if field.init]
        unknown = sorted(set(options) - set(allowed))
        if unknown:
            raise SettingsError(
                f"Unknown option {unknown[0]!r} for {kind} {name!r}; "
                f"it takes: {', '.join(allowed) or 'none'}"
            )
    try:
        return factory(**options)
    except TypeError as error:
        raise SettingsError(f"Options of {kind} {name!r}: {error}") from error


def _load(kind: str, known: Mapping[str, str], name: str) -> Any:
    path = known.get(name, name)
    module_name, _, attribute = path.rpartition(".")
    if not module_name:
        raise UnknownExtractorError(
            f"Unknown {kind} {name!r}; known: {', '.join(sorted(known))}, "
            f"or the dotted path of a class"
        )
    try:
        return getattr(import_module(module_name), attribute)
    except (ImportError, AttributeError) as error:
        raise UnknownExtractorError(f"{kind} {name!r} cannot be imported: {error}") from error
