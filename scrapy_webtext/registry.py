"""Finds and makes extractors and judges, by registered name, dotted path or class.

To add an extractor, write one file and one line:

1. ``extractors/NAME.py``: a frozen dataclass with ``name`` and ``extract(page)``
   (`results.Extractor`); also ``signals(page)``, if the report can draw its values. An extractor of
   a paper has the parameter ``reading`` (`extractors.readings`).
2. its line in `EXTRACTORS`.

Settings, the command, the report, the benchmarks and the tests that run every extractor (hostile
pages, hidden text, costs, memory, determinism) find the extractor by this line. It also needs tests
(``tests/extractors/test_NAME.py``: each formula worked by hand), a row in docs/extractors.md, the
page ``docs/algorithms/NAME.md`` and an entry in the changelog. Optional are sentences about its
signals (``lab/sentences.json``) and a minimum score (``tests/lab/test_floors.py``).

For a new judge, write ``judge(page, threshold)`` (`results.Judge`) and a line in `JUDGES`.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from functools import lru_cache
from importlib import import_module
from typing import Any, Final, Literal, cast, get_args

from scrapy_webtext.errors import (
    SettingsError,
    UnknownExtractorError,
    UnknownJudgeError,
    UnknownOptionError,
)
from scrapy_webtext.results import Extractor, Judge

Kind = Literal["extractor", "judge"]
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)

#: A registered name, the dotted path of a class, or the class.
Target = str | type

#: A `Target` or a ready object.
AnyExtractor = Target | Extractor
AnyJudge = Target | Judge

#: Registered name -> dotted path of the class, which is imported on first use.
EXTRACTORS: Final[Mapping[str, str]] = {
    "bte": "scrapy_webtext.extractors.bte.BodyTextExtractor",
    "naive_bayes": "scrapy_webtext.extractors.naive_bayes.NaiveBayesExtractor",
    "pvalue": "scrapy_webtext.extractors.pvalue.PValueExtractor",
    "ttr": "scrapy_webtext.extractors.ttr.TextToTagRatioExtractor",
    "wffte": "scrapy_webtext.extractors.wffte.WffteExtractor",
    "fusion": "scrapy_webtext.extractors.fusion.FusionExtractor",
}
#: Extractors of other packages (extra ``peers``). The report, the benchmarks and the tests for
#: every extractor leave them out.
PEERS: Final[Mapping[str, str]] = {
    "newspaper4k": "scrapy_webtext.extractors.peers.Newspaper4kExtractor",
    "readability": "scrapy_webtext.extractors.peers.ReadabilityExtractor",
    "resiliparse": "scrapy_webtext.extractors.peers.ResiliparseExtractor",
    "trafilatura": "scrapy_webtext.extractors.peers.TrafilaturaExtractor",
}
JUDGES: Final[Mapping[str, str]] = {
    "pvalue": "scrapy_webtext.extractors.pvalue.PValueJudge",
    "learned": "scrapy_webtext.extractors.fusion.LearnedJudge",
}

DEFAULT_EXTRACTOR: Final = "fusion"
DEFAULT_JUDGE: Final = "pvalue"
#: A page has an article if its probability (P value for the judge `pvalue`) is at least this.
DEFAULT_THRESHOLD: Final = 0.5

#: Kind -> registered name -> dotted path of the class.
REGISTERED: Final[Mapping[Kind, Mapping[str, str]]] = {
    "extractor": {**EXTRACTORS, **PEERS},
    "judge": JUDGES,
}


def load(kind: Kind, target: Any, options: Mapping[str, Any]) -> Any:
    """Return the class that ``target`` names, or ``target`` if it is a ready object.

    The class is checked, but not called. Raise UnknownExtractorError or UnknownJudgeError if it
    cannot be imported, SettingsError if it lacks the method or a parameter named in ``options``,
    TypeError for options of a ready object.
    """
    if not isinstance(target, str | type):
        if options:
            words = f"can only be given with the {kind}'s name, not with an object"
            raise TypeError(f"options {sorted(options)} {words}")
        return target
    factory = _imported(kind, target) if isinstance(target, str) else target
    method = {"extractor": "extract(page)", "judge": "judge(page, threshold)"}[kind]
    if not callable(getattr(factory, method.partition("(")[0], None)):
        raise SettingsError(f"{shown_name(target)!r} is no {kind}: it has no method {method}")
    if not isinstance(factory, type):
        raise SettingsError(f"{shown_name(target)!r} is no {kind}: name its class")
    allowed = _parameters(factory) if options else ()
    for name in sorted(set(options) - set(allowed)) if allowed is not None else ():
        takes = f"{shown_name(target)!r}; it takes: {', '.join(allowed or ()) or 'none'}"
        raise UnknownOptionError(f"Unknown option {name!r} for {kind} {takes}")
    return factory


def create(kind: Kind, target: Any, options: Mapping[str, Any]) -> Any:
    """Make an extractor or judge; raise errors as `load`, and SettingsError for a wrong value."""
    factory = load(kind, target, options)
    if factory is target and not isinstance(target, type):
        return target
    try:
        return factory(**options)
    except TypeError as error:
        name = shown_name(target)
        raise SettingsError(f"Options of {kind} {name!r}: {error}") from None


def make_extractor(target: AnyExtractor, options: Mapping[str, Any] | None = None) -> Extractor:
    """Make the extractor with this name, dotted path or class; return an object unchanged."""
    return cast(Extractor, create("extractor", target, options or {}))


def make_judge(target: AnyJudge, options: Mapping[str, Any] | None = None) -> Judge:
    """Make the judge with this name, dotted path or class; return an object unchanged."""
    return cast(Judge, create("judge", target, options or {}))


def shown_name(target: Any) -> str:
    """Return the name of an extractor or judge for messages and results."""
    if isinstance(target, str):
        return target
    if isinstance(target, type) and not target.__module__.startswith("scrapy_webtext."):
        return path_of(target)
    return str(getattr(target, "name", type(target).__name__))


def path_of(target: type) -> str:
    """Return the dotted path of a class."""
    return f"{target.__module__}.{target.__qualname__}"


def _imported(kind: Kind, target: str) -> object:
    unknown = UnknownExtractorError if kind == "extractor" else UnknownJudgeError
    module_name, _, attribute = REGISTERED[kind].get(target, target).rpartition(".")
    if not module_name:
        known = ", ".join(sorted(REGISTERED[kind]))
        raise unknown(f"Unknown {kind} {target!r}; known: {known}, or the dotted path of a class")
    try:
        return cast(object, getattr(import_module(module_name), attribute))
    except Exception as error:  # importing the user's module may raise anything
        message = f"{kind} {target!r} cannot be imported: {type(error).__name__}: {error}"
        raise unknown(message) from error


@lru_cache(maxsize=64)
def _parameters(factory: type) -> tuple[str, ...] | None:
    """Return the keyword arguments of a class; None if it takes any or has no signature."""
    try:
        parameters = inspect.signature(factory).parameters.values()
    except (TypeError, ValueError):  # a class in C without a signature
        return None
    if any(p.kind is p.VAR_KEYWORD for p in parameters):
        return None
    kinds = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    return tuple(p.name for p in parameters if p.kind in kinds)
