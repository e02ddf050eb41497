"""Scores extractors and judges on labelled pages, and writes the scores as tables or as JSON.

Each process reads a page with all systems in turn, so their times are measured under the same
conditions. Times are CPU times, so other work on the machine hardly changes them. If a system
raises an error, the error is stored with the page and the extracted text counts as empty.

A system is written as its name, or with options as ``ttr:clustering=em,radius=3``. Commas also
separate the systems of a list: an entry like ``radius=3`` without ``NAME:`` is an option of the
system before it.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from itertools import chain, islice
from pathlib import Path
from statistics import mean, median
from time import process_time
from typing import Any, Final, Literal, NamedTuple

from scrapy_webtext.core.words import UNSPACED
from scrapy_webtext.errors import CorpusError, SettingsError, shown
from scrapy_webtext.extractors.peers import CALLS
from scrapy_webtext.lab import Table, metrics, resource, table_of
from scrapy_webtext.lab.corpus import LabelledPage, corpus_path, read_corpora
from scrapy_webtext.lab.metrics import Losses, Overlap, Unit, mean_overlap
from scrapy_webtext.page import parse
from scrapy_webtext.reader import in_order
from scrapy_webtext.registry import EXTRACTORS, make_extractor, make_judge
from scrapy_webtext.results import Extractor


@dataclass(frozen=True, slots=True)
class TextSystem:
    """A system that returns the main text of a page from its HTML and URL."""

    text: Callable[[str, str | None], str]  #: from HTML and URL
    extractor: Extractor | None = None  #: None for a peer


def split_specs(listed: str) -> list[str]:
    """Split a list of systems at its commas; the options of a system stay with its name.

    >>> split_specs("bte,ttr:clustering=em,radius=3,pvalue")
    ['bte', 'ttr:clustering=em,radius=3', 'pvalue']
    """
    found: list[str] = []
    for part in filter(None, map(str.strip, listed.split(","))):
        if "=" in part and ":" not in part.partition("=")[0]:
            if not found or ":" not in found[-1]:
                raise SettingsError(f"{part!r} belongs to no system; write NAME:{part}")
            found[-1] += f",{part}"
        else:
            found.append(part)
    return found


def parse_spec(written: str) -> tuple[str, dict[str, Any]]:
    """Return name and options of one system; an option is a string if its value is no JSON.

    >>> parse_spec("ttr:clustering=em,radius=2")
    ('ttr', {'clustering': 'em', 'radius': 2})
    """
    name, _, listed = written.partition(":")
    options: dict[str, Any] = {}
    for part in filter(None, listed.split(",")):
        key, equals, value = part.partition("=")
        if not equals:
            raise SettingsError(f"{part!r} in {written!r} is no option; write NAME:OPTION=VALUE")
        options[key.strip()] = value.strip()
        with suppress(ValueError):
            options[key.strip()] = json.loads(value)
    return name.strip(), options


def make_system(written: str) -> TextSystem:
    """Return the extractor with this name, or else the peer with this name.

    Raise SettingsError for an unknown name or option, MissingExtraError for a peer that is not
    installed.
    """
    name, options = parse_spec(written)
    if name in EXTRACTORS or name not in CALLS:
        extractor = make_extractor(name, options)
        return TextSystem(lambda html, url: extractor.extract(parse(html, url=url)).text, extractor)
    if options:
        raise SettingsError(f"{written!r}: the peer {name} takes no options")
    call = CALLS[name]()
    return TextSystem(lambda html, url: call(html, url) or "")


#: ``overlap`` is quick; ``all`` adds edit distances, space saved and sentences lost.
Measures = Literal["overlap", "all"]

#: The number of pages that decide whether a corpus is scored by words or by characters.
_SAMPLE: Final = 50


def score_extractors(
    pages: Iterable[LabelledPage],
    extractors: Sequence[str],
    *,
    measures: Measures = "overlap",
    processes: int = 1,
) -> tuple[ExtractorScore, ...]:
    """Return the scores of these systems (`make_system`), in the order given.

    Pages without a gold text are skipped. The first 50 pages decide on the unit: characters if most
    of them are in a script without spaces, else words. Errors in the list of systems are raised
    before any page is read.
    """
    specs = _checked(extractors, _system)
    labelled = (page for page in pages if page.text)
    sample = list(islice(labelled, _SAMPLE))
    unit = unit_of(page.text for page in sample)
    work = partial(_score_page, specs=specs, unit=unit, measures=measures)
    rows = list(in_order(work, chain(sample, labelled), processes))
    return tuple(
        ExtractorScore(spec, unit, tuple(row[n] for row in rows)) for n, spec in enumerate(specs)
    )


def score_judges(
    pages: Iterable[LabelledPage], judges: Sequence[str], *, processes: int = 1
) -> tuple[JudgeScore, ...]:
    """Judge all pages that have a type; return a score for each judge, in the order given."""
    specs = _checked(judges, _judge)
    typed = (page for page in pages if page.type)
    rows = list(in_order(partial(_judge_page, specs=specs), typed, processes))
    return tuple(JudgeScore(spec, tuple(row[n] for row in rows)) for n, spec in enumerate(specs))


def unit_of(texts: Iterable[str]) -> Unit:
    """Return "chars" if most of the texts are in a script without spaces, else "words"."""
    unspaced = [2 * len(UNSPACED.findall(text)) > len("".join(text.split())) for text in texts]
    return "chars" if 2 * sum(unspaced) > len(unspaced) else "words"


#: Systems and judges, made once in each process.
_system = cache(make_system)
_judge = cache(lambda written: make_judge(*parse_spec(written)))


def _checked(specs: Sequence[str], make: Callable[[str], object]) -> tuple[str, ...]:
    if not specs:
        raise SettingsError(f"{specs!r}: give a list of names, at least one")
    for spec in specs:
        make(spec)
    return tuple(specs)


def _score_page(
    page: LabelledPage, *, specs: tuple[str, ...], unit: Unit, measures: Measures
) -> list[PageScore]:
    return [_score(page, _system(spec), unit, measures) for spec in specs]


def _score(page: LabelledPage, system: TextSystem, unit: Unit, measures: Measures) -> PageScore:
    error = text = ""
    start = process_time()
    try:
        text = system.text(page.html, page.url)
    except Exception as raised:  # a fault on one page must not end a run over thousands
        error = f"{type(raised).__name__}: {raised}"
    seconds = process_time() - start
    shingles = metrics.shingle_overlap(text, page.text, unit)
    return PageScore(
        id=page.id,
        url=page.url,
        type=page.type,
        overlap=metrics.word_overlap(text, page.text) if unit == "words" else shingles,
        shingles=shingles,
        seconds=seconds,
        error=error,
        segments=metrics.segments(text, page.required, page.excluded),
        characters=character_measures(page, text) if measures == "all" else {},
        losses=metrics.losses(text, page.text) if measures == "all" else None,
    )


@lru_cache(maxsize=32)  # systems often extract the same text of a page
def character_measures(page: LabelledPage, text: str) -> dict[str, float]:
    """Return the measures of Weninger, Hsu 2008 for the text of a page, by name (see `metrics`)."""
    return {
        "lcs_recall": metrics.lcs_recall(text, page.text),
        "edit_distance_ratio": metrics.edit_distance_ratio(text, page.text),
        "space_saved": metrics.space_saved(page.html, text),
        "space_saved_compressed": metrics.space_saved_compressed(page.html, text),
    }


def _judge_page(page: LabelledPage, *, specs: tuple[str, ...]) -> list[JudgedPage]:
    rows = []
    for spec in specs:
        start = process_time()
        found = _judge(spec).judge(parse(page.html, url=page.url))
        seconds = process_time() - start
        rows.append(JudgedPage(found.probability, page.type == ARTICLE, seconds))
    return rows


#: The type of pages that have an article.
ARTICLE: Final = "article"


@dataclass(frozen=True, slots=True)
class PageScore:
    """The score of one system on one page."""

    id: str
    url: str | None
    type: str
    overlap: Overlap  #: of words; of 4-character shingles if the unit is characters
    shingles: Overlap  #: of 4-shingles of the unit
    seconds: float  #: CPU time of parsing and extraction
    error: str  #: type and message of an exception; empty without one
    segments: Mapping[str, float]  #: shares of the labels' segments, named ``kept`` and ``left``
    characters: Mapping[str, float]  #: as `character_measures` returns them; empty for "overlap"
    losses: Losses | None  #: None for "overlap"


@dataclass(frozen=True, slots=True)
class ExtractorScore:
    """The scores of one system on one corpus."""

    extractor: str  #: the system as the user wrote it, with its options
    unit: Unit
    pages: tuple[PageScore, ...]  #: the pages that have a gold text, in the order of the corpus

    @property
    def overlaps(self) -> list[Overlap]:
        """The ``overlap`` of each page."""
        return [page.overlap for page in self.pages]

    def summary(self) -> dict[str, Any]:
        """Return the means and counts over all pages, by their names in tables and in JSON.

        The slower measures are included only with ``measures="all"``.
        """
        seconds = [1e3 * page.seconds for page in self.pages]
        by_type, by_segments = defaultdict(list), defaultdict(list)
        for page in self.pages:
            by_type[page.type].append(page.overlap.f1)
            for name, value in page.segments.items():
                by_segments[name].append(value)
        found: dict[str, Any] = {
            "extractor": self.extractor,
            **metrics.mean_overlap(self.overlaps)._asdict(),
            "shingle_f1": metrics.pooled_f1([page.shingles for page in self.pages]),
            "accurate_ratio": metrics.accurate_ratio(self.overlaps),
            "segments": {name: mean(values) for name, values in by_segments.items()},
            "ms_median": median(seconds),
            "ms_mean": mean(seconds),
            "errors": sum(bool(page.error) for page in self.pages),
            "f1_by_type": {kind: mean(values) for kind, values in sorted(by_type.items())},
        }
        losses = [page.losses for page in self.pages if page.losses]
        if losses:
            for name in self.pages[0].characters:
                found[name] = mean(page.characters[name] for page in self.pages)
            perfect = [page.characters["lcs_recall"] == 1 for page in self.pages]
            found["perfect_lcs"] = mean(map(float, perfect))
            counted = metrics.completeness(self.overlaps)
            found["grades"] = metrics.grades(losses)
            found["accuracy"] = counted.accuracy
            found["completeness"] = counted.completeness
        return found

    def worst(self, count: int) -> list[int]:
        """Return the indices of the pages with the lowest word F1, the worst first."""
        return sorted(range(len(self.pages)), key=lambda n: self.pages[n].overlap.f1)[:count]


class JudgedPage(NamedTuple):
    """The judgement of one judge on one page."""

    probability: float
    is_article: bool  #: by its label
    seconds: float  #: CPU time of parsing and judging


@dataclass(frozen=True, slots=True)
class JudgeScore:
    """The judgements of one judge on one corpus, or on several corpora together."""

    judge: str  #: the judge as the user wrote it, with its options
    pages: tuple[JudgedPage, ...]  #: the pages that have a type, in the order of the corpus

    @property
    def judged(self) -> list[tuple[float, bool]]:
        """For each page its probability, and whether it has an article."""
        return [(page.probability, page.is_article) for page in self.pages]

    def summary(self, threshold: float) -> dict[str, Any]:
        """Return all figures over the pages, by their names in tables and in JSON."""
        counted = metrics.confusion(self.judged, threshold)
        shares = ("recall", "false_positive_rate", "precision", "accuracy")
        return {
            "judge": self.judge,
            "threshold": threshold,
            "pages": len(self.pages),
            "articles": sum(page.is_article for page in self.pages),
            **counted._asdict(),
            **{name: getattr(counted, name) for name in shares},
            "area_under_roc": metrics.area_under_roc(self.judged),
            "calibration_error": metrics.calibration_error(metrics.calibration(self.judged)),
            "ms_median": median(1e3 * page.seconds for page in self.pages),
        }


#: Name of a table -> head of a column -> format of the summary's values in that column.
_COLUMNS: Final[Mapping[str, Mapping[str, str]]] = json.loads(resource("evaluation.json"))


def corpus_tables(scores: Sequence[ExtractorScore]) -> list[Table]:
    """Return the tables of several extractors on one corpus.

    The first table has columns for segments if labels of the corpus name segments. Two tables
    follow if their values exist: the slower measures, and word F1 by type of page.
    """
    summaries = [score.summary() for score in scores]
    unknown = {"kept", "left"} - set(summaries[0]["segments"])
    columns = {name: form for name, form in _COLUMNS["extractors"].items() if name not in unknown}
    found = [table_of(columns, summaries)]
    if "grades" in summaries[0]:
        found.append(table_of(_COLUMNS["papers"], summaries))
    kinds = list(summaries[0]["f1_by_type"])
    if len(kinds) > 1:
        f1 = "{:.3f}".format
        rows = [[one["extractor"], *map(f1, one["f1_by_type"].values())] for one in summaries]
        found.append(Table(["extractor", *(kind or "(none)" for kind in kinds)], rows))
    return found


def corpora_table(scores: Mapping[str, Sequence[ExtractorScore]]) -> Table:
    """Return the table of word F1: a row for each extractor, a column for each corpus."""
    columns = [[f"{mean_overlap(s.overlaps).f1:.3f}" for s in column] for column in scores.values()]
    names = [score.extractor for score in next(iter(scores.values()))]
    return Table(["word F1", *scores], list(zip(names, *columns, strict=True)))


def judge_table(scores: Sequence[JudgeScore], threshold: float) -> Table:
    """Return the table of several judges on the same pages."""
    return table_of(_COLUMNS["judges"], [score.summary(threshold) for score in scores])


#: Reads the pages of corpora.
Read = Callable[[Sequence[Path]], Iterable[LabelledPage]]


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The scores of all extractors and judges on all corpora."""

    corpora: dict[str, tuple[ExtractorScore, ...]]  #: by name, as given
    judges: tuple[JudgeScore, ...]
    threshold: float  #: of the judges
    every: int  #: only pages 0, ``every``, 2 * ``every`` and so on were scored


def evaluate(
    corpora: Sequence[str],
    extractors: str | None = None,
    judges: str | None = None,
    *,
    threshold: float = 0.5,
    measures: Measures = "all",
    processes: int = 1,
    every: int = 1,
    read: Read = read_corpora,
) -> Evaluation:
    """Score extractors and judges on corpora.

    Corpora are paths or names. Extractors and judges are lists as `split_specs` reads them. Without
    either, all built-in extractors are scored. Raise CorpusError for a corpus without pages to
    score, other errors as `score_extractors` and `score_judges`.
    """
    if extractors is None and judges is None:
        extractors = ",".join(EXTRACTORS)
    paths = {name: corpus_path(name) for name in corpora}
    scores, specs = {}, split_specs(extractors or "")
    for name, path in paths.items() if extractors is not None else ():
        pages = islice(read([path]), None, None, every)
        scores[name] = score_extractors(pages, specs, measures=measures, processes=processes)
        if not scores[name][0].pages:
            raise CorpusError(f"No page of {name} has a gold text to compare with")
    judged: tuple[JudgeScore, ...] = ()
    if judges is not None:
        pages = islice(read(list(paths.values())), None, None, every)
        judged = score_judges(pages, split_specs(judges), processes=processes)
        if not judged[0].pages:
            raise CorpusError("No page has a type: judges are scored on pages whose type is known")
    return Evaluation(scores, judged, threshold, every)


def as_tables(evaluation: Evaluation) -> str:
    """Return the tables of an evaluation."""
    parts: list[object] = []
    for corpus, scores in evaluation.corpora.items():
        unit = "" if scores[0].unit == "words" else ", by 4-character shingles"
        parts.append(f"# {corpus}: {len(scores[0].pages)} pages{unit}")
        parts += corpus_tables(scores)
        parts += [
            f"{score.extractor} on {shown(page.id)}: {shown(page.error)}"
            for score in scores
            for page in [page for page in score.pages if page.error][:3]
        ]
    if len(evaluation.corpora) > 1:
        parts.append(corpora_table(evaluation.corpora))
    if evaluation.judges:
        parts.append(f"# Judges, threshold {evaluation.threshold:g}")
        parts.append(judge_table(evaluation.judges, evaluation.threshold))
    return "\n\n".join(map(str, parts)) + "\n"


def as_json(evaluation: Evaluation) -> dict[str, Any]:
    """Return an evaluation as values for JSON, with the scores of every page."""
    return {
        "corpora": [
            {
                "corpus": name,
                "unit": scores[0].unit,
                "extractors": [s.summary() | {"pages": list(map(_page, s.pages))} for s in scores],
            }
            for name, scores in evaluation.corpora.items()
        ],
        "judges": [score.summary(evaluation.threshold) for score in evaluation.judges],
    }


def _page(page: PageScore) -> dict[str, Any]:
    known = {"id": page.id, "url": page.url, "type": page.type}
    return known | page.overlap._asdict() | {"seconds": page.seconds, "error": page.error}
