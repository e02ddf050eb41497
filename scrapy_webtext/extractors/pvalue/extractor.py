"""The extractor ``pvalue`` and the judge ``pvalue``, with their parameters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final, get_args

from scrapy_webtext.errors import check_choice
from scrapy_webtext.extractors.pvalue.lengths import (
    Attributes,
    Empty,
    Entities,
    Forms,
    Hidden,
    Measuring,
    Whitespace,
)
from scrapy_webtext.extractors.pvalue.values import PValues, p_values
from scrapy_webtext.extractors.readings import BY_READING, PerReading, Reading, settle
from scrapy_webtext.page import Page
from scrapy_webtext.results import Extraction, Judgement, Signal

#: Values of the parameters by ``reading``, for the extractor and the judge.
READINGS: Final = {
    "whitespace": PerReading(paper="literal", modern="folded"),
    "entities": PerReading(paper="source", modern="characters"),
    "forms": PerReading(paper="removed", modern="unless_main"),
    "hidden": PerReading(paper="read", modern="skipped"),
}
#: The same, for the judge.
JUDGE_READINGS: Final = {**READINGS, "attributes": PerReading(paper="paper", modern="none")}

_CHOICES: Final = {
    "attributes": get_args(Attributes),
    "whitespace": get_args(Whitespace),
    "entities": get_args(Entities),
    "forms": get_args(Forms),
    "empty": get_args(Empty),
    "hidden": get_args(Hidden),
}


@dataclass(frozen=True)
class PValueExtractor:
    """Main text by P value. ``score`` is the P value of the chosen element, in [0, 1].

    ``reading``
        ``"paper"`` is the letter of the paper in all that follows, ``"modern"`` (default) what
        suits today's pages; a parameter that is given wins over both.
    ``attributes``
        ``"paper"`` (default) removes ``id``, ``class`` and ``style`` before lengths are taken,
        as step 1 has it; ``"none"`` removes all attributes, as the judge does.
    ``whitespace``
        ``"folded"``, modern, counts a run of white space as one character and none at the
        edges of tags: indentation is no text, and P would prefer badly indented elements.
        ``"literal"``, the letter, counts every character.
    ``entities``
        ``"source"``, the letter: ``&amp;`` has the five characters that it has in the source;
        ``"characters"``, modern: one.
    ``forms``
        ``"removed"``, the letter. ``"unless_main"``, modern: a ``<form>`` that holds more than
        half of the page's text outside links is kept as any other tag, since ASP.NET puts the
        whole page into one.
    ``empty``
        ``"dropped"``: elements without text count for no length, pictures among them, as in the
        code that the authors published with the paper; ``"kept"`` (default), as in the paper.
    ``hidden``
        ``"read"``, the letter. ``"skipped"``, modern: text that a browser does not show
        (`Page.hidden`) has no length and is not extracted; what attributes hide is removed like
        what step 1 names.
    """

    name: ClassVar[str] = "pvalue"

    attributes: Attributes = "paper"
    whitespace: Whitespace = BY_READING
    entities: Entities = BY_READING
    forms: Forms = BY_READING
    empty: Empty = "kept"
    hidden: Hidden = BY_READING
    reading: Reading = "modern"

    def __post_init__(self) -> None:
        settle(self, READINGS)
        _check(self)

    def extract(self, page: Page) -> Extraction:
        """Return the text of the element with the greatest P, without what step 1 removes."""
        values = self.values(page)
        if values.best < 0:
            return Extraction("", 0.0, self.name)
        owner, removed = page.runs.node, values.removed
        inside = range(page.runs.first[values.best], page.runs.end[values.best])
        runs = [k for k in inside if not removed[owner[k]]]
        return Extraction.of_runs(page, runs, values.page, self.name)

    def values(self, page: Page) -> PValues:
        """Return P for every element (eq. 1)."""
        return p_values(page, _measuring(self))

    def signals(self, page: Page) -> tuple[Signal, ...]:
        """Return P per node; selected is the chosen element."""
        values = self.values(page)
        selected = () if values.best < 0 else (values.best,)
        return (Signal("p_value", "node", tuple(values.p), None, selected),)


@dataclass(frozen=True)
class PValueJudge:
    """A page has an article if its P value is at least the threshold (the paper's: 0.5).

    The parameters are those of `PValueExtractor`, but that modern ``attributes`` are ``"none"``:
    today's pages carry their weight in ``data-*``, ``srcset`` and ``aria-*``, which push
    l_t / l_s of every article below one half.
    """

    name: ClassVar[str] = "pvalue"

    attributes: Attributes = BY_READING
    whitespace: Whitespace = BY_READING
    entities: Entities = BY_READING
    forms: Forms = BY_READING
    empty: Empty = "kept"
    hidden: Hidden = BY_READING
    reading: Reading = "modern"

    def __post_init__(self) -> None:
        settle(self, JUDGE_READINGS)
        _check(self)

    def judge(self, page: Page, threshold: float = 0.5) -> Judgement:
        """Return the judgement; ``probability`` is the page's P value."""
        p = p_values(page, _measuring(self)).page
        return Judgement(p >= threshold, p, p)


def _measuring(measured: PValueExtractor | PValueJudge) -> Measuring:
    return Measuring(
        measured.attributes,
        measured.whitespace,
        measured.entities,
        measured.forms,
        measured.empty,
        measured.hidden,
    )


def _check(measured: PValueExtractor | PValueJudge) -> None:
    for name, choices in _CHOICES.items():
        check_choice(name, getattr(measured, name), choices)
