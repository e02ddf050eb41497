"""Names to extractors and judges; a dotted path or a class admits a user's own.

A new extractor, of a sixth paper say, is one file and one line:

1. ``extractors/NAME.py``: a frozen dataclass with ``name`` and ``extract(page)``
   (`results.Extractor`); ``signals(page)`` too, if it has values to draw. One of a paper has the
   parameter ``reading`` (`extractors.readings`).
2. its line in `EXTRACTORS`.

Settings, the command, the report, the benchmarks and the tests of what holds for every extractor
(hostile pages, hidden text, costs, memory, determinism) find it by that line. With it go its tests
(``tests/extractors/test_NAME.py``: each formula worked by hand), a row in docs/extractors.md, the
page ``docs/algorithms/NAME.md``, an entry in the changelog; if wanted, words for its signals
(``lab/sentences.json``), a least score (``tests/lab/test_floors.py``), and for a paper its tables
(``lab/reproduce.py``: `PAPERS`, `DEPARTURES`).

A new judge is the same with ``judge(page, threshold)`` (`results.Judge`) and `JUDGES`.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from importlib import import_module
from typing import Any, Final, Literal, cast

from scrapy_webtext.errors import SettingsError, UnknownExtractorError
from scrapy_webtext.results import Extractor, Judge

Kind = Literal["extractor", "judge"]

#: A registered name, the dotted path of a class, or the class.
Target = str | type

#: The same, or a ready object.
AnyExtractor = Target | Extractor
AnyJudge = Target | Judge

#: Registered name -> module and class, imported on use.
EXTRACTORS: Final[Mapping[str, str]] = {
    "bte": "scrapy_webtext.extractors.bte.BodyTextExtractor",
    "naive_bayes": "scrapy_webtext.extractors.naive_bayes.NaiveBayesExtractor",
    "pvalue": "scrapy_webtext.extractors.pvalue.PValueExtractor",
    "ttr": "scrapy_webtext.extractors.ttr.TextToTagRatioExtractor",
    "wffte": "scrapy_webtext.extractors.wffte.WffteExtractor",
    "fusion": "scrapy_webtext.extractors.fusion.FusionExtractor",
}
#: The same for extractors of other packages (extra ``peers``). Tests of what holds for every
#: extractor leave them out, and so do the report and the benchmarks.
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

#: The extractor, the judge and the threshold where nobody names one.
DEFAULT_EXTRACTOR: Final = "fusion"
DEFAULT_JUDGE: Final = "pvalue"
#: Probability, or P value, from which a page has an article.
DEFAULT_THRESHOLD: Final = 0.5

#: All of them, by kind.
REGISTERED: Final[Mapping[Kind, Mapping[str, str]]] = {
    "extractor": {**EXTRACTORS, **PEERS},
    "judge": JUDGES,
}
_METHODS: Final[Mapping[Kind, str]] = {
    "extractor": "extract(page)",
    "judge": "judge(page, threshold)",
}


@dataclass(frozen=True)
class Part:
    """An extractor or a judge: named with its parameters and not yet made, or ready."""

    kind: Kind
    target: Any  #: as `AnyExtractor` and `AnyJudge` say
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def key(self) -> tuple[object, ...]:
        """What tells this part from others: equal keys make equal parts."""
        return (self.kind, self.target, repr(sorted(self.options.items())))

    @property
    def is_ready(self) -> bool:
        """Whether it is an object that somebody made."""
        return not isinstance(self.target, str | type)

    def check(self) -> None:
        """Raise as `make` does for what can be told without calling anything."""
        if not self.is_ready:
            self._factory()
        elif self.options:
            raise TypeError(f"options {sorted(self.options)} need an extractor given by name")

    def make(self) -> Any:
        """Return the extractor or judge.

        Raises UnknownExtractorError for a name that leads nowhere, and SettingsError for a
        class without the method, a parameter that it does not have or a value that it does
        not allow. Nothing is called before its method and the names of its parameters are
        known to be there. TypeError for options of a ready object.
        """
        if self.is_ready:
            self.check()
            return self.target
        try:
            return self._factory()(**self.options)
        except TypeError as error:
            raise SettingsError(f"Options of {self.kind} {self.shown!r}: {error}") from error

    @property
    def shown(self) -> str:
        """Return the name, for messages and for results that it did not compute."""
        if isinstance(self.target, str):
            return self.target
        if isinstance(self.target, type):
            return path_of(self.target)
        return getattr(self.target, "name", type(self.target).__name__)

    def _factory(self) -> type:
        method = _METHODS[self.kind]
        factory = self._load(self.target) if isinstance(self.target, str) else self.target
        if not callable(getattr(factory, method.partition("(")[0], None)):
            raise SettingsError(f"{self.shown!r} is no {self.kind}: it has no method {method}")
        if not isinstance(factory, type):
            raise SettingsError(f"{self.shown!r} is no {self.kind}: name its class")
        self._check_names(factory)
        return factory

    def _load(self, target: str) -> object:
        path = REGISTERED[self.kind].get(target, target)
        module_name, _, attribute = path.rpartition(".")
        if not module_name:
            known = ", ".join(sorted(REGISTERED[self.kind]))
            raise UnknownExtractorError(
                f"Unknown {self.kind} {target!r}; known: {known}, or the dotted path of a class"
            )
        try:
            return cast(object, getattr(import_module(module_name), attribute))
        except Exception as error:  # its module may break in any way
            raise UnknownExtractorError(
                f"{self.kind} {target!r} cannot be imported: {type(error).__name__}: {error}"
            ) from error

    def _check_names(self, factory: type) -> None:
        if is_dataclass(factory):
            allowed = [field.name for field in fields(factory) if field.init]
        else:
            allowed = _keywords(factory, self.options)
        unknown = sorted(set(self.options) - set(allowed))
        if unknown:
            raise SettingsError(
                f"Unknown option {unknown[0]!r} for {self.kind} {self.shown!r}; "
                f"it takes: {', '.join(allowed) or 'none'}"
            )


def make_extractor(target: AnyExtractor, options: Mapping[str, Any] | None = None) -> Extractor:
    """Return the extractor of this name, dotted path or class, or the ready one."""
    return cast(Extractor, Part("extractor", target, options or {}).make())


def make_judge(target: AnyJudge, options: Mapping[str, Any] | None = None) -> Judge:
    """Return the judge of this name, dotted path or class, or the ready one."""
    return cast(Judge, Part("judge", target, options or {}).make())


def path_of(target: type) -> str:
    """Return the dotted path of a class."""
    return f"{target.__module__}.{target.__qualname__}"


def _keywords(factory: type, options: Mapping[str, Any]) -> list[str]:
    """Names that a class takes as keywords; all that are given where it takes any."""
    try:
        parameters = inspect.signature(factory).parameters.values()
    except (TypeError, ValueError):  # a class in C that does not tell
        return list(options)
    if any(p.kind is p.VAR_KEYWORD for p in parameters):
        return list(options)
    return [p.name for p in parameters if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)]
