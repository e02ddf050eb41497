"""Scores of extractors and judges on labelled pages, page by page, in one or more processes.

Each page is given to all systems in turn, so that their times are measured under the same
conditions. Times are CPU times, so they do not depend on other work of the machine. An error of a
system is stored with the page, and its text counts as empty.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache, partial
from itertools import chain, islice
from multiprocessing import get_context
from statistics import mean, median
from time import process_time
from typing import Final, Literal, TypeVar

from scrapy_webtext.errors import SettingsError
from scrapy_webtext.lab import metrics
from scrapy_webtext.lab.corpus import LabelledPage
from scrapy_webtext.lab.metrics import Confusion, Losses, Overlap, Segments, Unit
from scrapy_webtext.lab.systems import TextSystem, make_judge_of, make_system
from scrapy_webtext.page import parse
from scrapy_webtext.page.words import UNSPACED

#: ``overlap`` is quick; ``all`` adds edit distances, space saved and sentences lost.
Measures = Literal["overlap", "all"]

#: The first pages, which decide whether a corpus is scored by words or by characters.
_SAMPLE: Final = 50
#: Pages under way per process: enough to keep it busy, few enough to keep memory small.
_AHEAD: Final = 4

T = TypeVar("T")


def score_extractors(
    pages: Iterable[LabelledPage],
    extractors: Sequence[str],
    *,
    unit: Unit | None = None,
    measures: Measures = "overlap",
    processes: int = 1,
) -> tuple[ExtractorScore, ...]:
    """Return the scores of these systems (see `systems`), in the order given.

    Pages without a gold text are passed over. ``unit`` is by default found from the first 50:
    characters if most are in a script without spaces, else words. Errors in the list of systems
    are raised before any page is read.
    """
    specs = _checked(extractors, _system)
    labelled: Iterator[LabelledPage] = (page for page in pages if page.text)
    if unit is None:
        sample = list(islice(labelled, _SAMPLE))
        unit = unit_of(page.text for page in sample)
        labelled = chain(sample, labelled)
    work = partial(_score_page, specs=specs, unit=unit, measures=measures)
    rows = list(in_order(work, labelled, processes))
    return tuple(
        ExtractorScore(spec, unit, tuple(row[n] for row in rows)) for n, spec in enumerate(specs)
    )


def score_judges(
    pages: Iterable[LabelledPage], judges: Sequence[str], *, processes: int = 1
) -> tuple[JudgeScore, ...]:
    """Return what these judges say of the pages whose type is known, in the order given."""
    specs = _checked(judges, _judge)
    typed = (page for page in pages if page.type)
    rows = list(in_order(partial(_judge_page, specs=specs), typed, processes))
    return tuple(JudgeScore(spec, tuple(row[n] for row in rows)) for n, spec in enumerate(specs))


def unit_of(texts: Iterable[str]) -> Unit:
    """Return the unit of these texts: characters if most are in a script without spaces."""
    unspaced = [2 * len(UNSPACED.findall(text)) > len("".join(text.split())) for text in texts]
    return "chars" if 2 * sum(unspaced) > len(unspaced) else "words"


#: Made once in each process.
_system, _judge = cache(make_system), cache(make_judge_of)


def _checked(specs: Sequence[str], make: Callable[[str], object]) -> tuple[str, ...]:
    if isinstance(specs, str) or not specs:
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
        papers=_paper_measures(page, text) if measures == "all" else None,
    )


def _paper_measures(page: LabelledPage, text: str) -> PaperMeasures:
    return PaperMeasures(
        lcs_recall=metrics.lcs_recall(text, page.text),
        edit_distance_ratio=metrics.edit_distance_ratio(text, page.text),
        space_saved=metrics.space_saved(page.html, text),
        space_saved_compressed=metrics.space_saved_compressed(page.html, text),
        losses=metrics.losses(text, page.text),
    )


def _judge_page(page: LabelledPage, *, specs: tuple[str, ...]) -> list[JudgedPage]:
    rows = []
    for spec in specs:
        start = process_time()
        found = _judge(spec).judge(parse(page.html, url=page.url))
        seconds = process_time() - start
        rows.append(JudgedPage(page.id, page.type, found.probability, found.p_value, seconds))
    return rows


def in_order(
    work: Callable[[LabelledPage], T], pages: Iterable[LabelledPage], processes: int
) -> Iterator[T]:
    """Yield the result of the work for each page, in their order, a few pages ahead.

    ``work`` must be picklable where there are several processes.
    """
    if processes < 1:
        raise SettingsError(f"processes={processes!r} is not allowed; use a whole number from 1 on")
    if processes == 1:
        yield from map(work, pages)
        return
    # Spawned, not forked: the same on every platform, and safe where threads are running.
    with ProcessPoolExecutor(processes, get_context("spawn")) as pool:
        under_way: deque[Future[T]] = deque()
        for page in pages:
            under_way.append(pool.submit(work, page))
            if len(under_way) >= _AHEAD * processes:
                yield under_way.popleft().result()
        while under_way:
            yield under_way.popleft().result()


#: The type of the pages that have an article.
ARTICLE: Final = "article"

_NO_SEGMENTS: Final = Segments()


@dataclass(frozen=True, slots=True)
class PaperMeasures:
    """The slower measures of one page; each is described in `metrics`."""

    lcs_recall: float
    edit_distance_ratio: float
    space_saved: float
    space_saved_compressed: float
    losses: Losses


@dataclass(frozen=True, slots=True)
class PageScore:
    """The score of one system on one page."""

    id: str
    url: str | None
    type: str
    overlap: Overlap  #: of words; of 4-character shingles where characters are the unit
    shingles: Overlap  #: of 4-shingles of the unit
    seconds: float  #: CPU time of parsing and extraction
    error: str = ""  #: what the system raised; empty if nothing
    segments: Segments = _NO_SEGMENTS
    papers: PaperMeasures | None = None


@dataclass(frozen=True, slots=True)
class ExtractorScore:
    """The scores of one system on one corpus."""

    extractor: str  #: as it was written, with its options
    unit: Unit
    pages: tuple[PageScore, ...]  #: in the order of the corpus; those with a gold text

    @property
    def overlap(self) -> Overlap:
        """Means of precision, recall and F1 of words over the pages."""
        return metrics.mean_overlap([page.overlap for page in self.pages])

    @property
    def shingle_f1(self) -> float:
        """F1 of mean precision and mean recall of 4-shingles."""
        return metrics.pooled_f1([page.shingles for page in self.pages])

    @property
    def accurate_ratio(self) -> float:
        """Share of the pages whose precision, recall and F1 are all above 0.95."""
        return metrics.accurate_ratio([page.overlap for page in self.pages])

    @property
    def completeness(self) -> metrics.Completeness:
        """Counts of correctly and completely extracted pages."""
        return metrics.completeness(page.overlap for page in self.pages)

    @property
    def papers(self) -> tuple[PaperMeasures, ...]:
        """The slower measures of the pages; empty if they were not asked for."""
        return tuple(page.papers for page in self.pages if page.papers)

    @property
    def segments(self) -> Segments:
        """Means over the pages that name segments; None where no page does."""
        columns = zip(*(page.segments for page in self.pages), strict=True)
        return Segments(*map(_mean_of_known, columns))

    @property
    def grades(self) -> metrics.Grades:
        """How many pages are excellent, good and poor."""
        return metrics.grades(page.losses for page in self.papers)

    @property
    def median_seconds(self) -> float:
        """Median time of a page; 0 without pages."""
        return median([page.seconds for page in self.pages] or [0.0])

    @property
    def mean_seconds(self) -> float:
        """Mean time of a page; 0 without pages."""
        return mean([page.seconds for page in self.pages] or [0.0])

    @property
    def errors(self) -> tuple[PageScore, ...]:
        """The pages on which the system raised."""
        return tuple(page for page in self.pages if page.error)

    def f1_by_type(self) -> dict[str, float]:
        """Return mean word F1 per type of page, types in alphabetical order."""
        by_type = defaultdict(list)
        for page in self.pages:
            by_type[page.type].append(page.overlap.f1)
        return {page_type: mean(values) for page_type, values in sorted(by_type.items())}

    def worst(self, count: int) -> list[int]:
        """Return the places of the pages with the lowest word F1, the worst first."""
        return sorted(range(len(self.pages)), key=lambda n: self.pages[n].overlap.f1)[:count]


@dataclass(frozen=True, slots=True)
class JudgedPage:
    """The judgement of one judge on one page."""

    id: str
    type: str
    probability: float
    p_value: float
    seconds: float  #: CPU time of parsing and judging

    @property
    def is_article(self) -> bool:
        """Whether the page has an article, by its label."""
        return self.type == ARTICLE


@dataclass(frozen=True, slots=True)
class JudgeScore:
    """The judgements of one judge on a corpus, or on several together."""

    judge: str  #: as it was written, with its options
    pages: tuple[JudgedPage, ...]  #: in the order of the corpus; those with a type

    def confusion(self, threshold: float = 0.5) -> Confusion:
        """Return the table of judgements and labels."""
        return metrics.confusion(self._judged(), threshold)

    @property
    def area_under_roc(self) -> float:
        """How often a page with an article has a greater probability than one without."""
        return metrics.area_under_roc(self._judged())

    @property
    def median_seconds(self) -> float:
        """Median time of a page; 0 without pages."""
        return median([page.seconds for page in self.pages] or [0.0])

    def _judged(self) -> Iterator[tuple[float, bool]]:
        return ((page.probability, page.is_article) for page in self.pages)


def _mean_of_known(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return mean(known) if known else None
