"""Scores of extractors and judges on labelled pages, page by page, in one or more processes.

Each page is given to all systems in turn, so that their times are measured under the same
conditions. Times are CPU times, so they do not depend on other work of the machine. An error of a
system is stored with the page, and its text counts as empty.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from functools import cache, partial
from itertools import chain, islice
from multiprocessing import get_context
from time import process_time
from typing import Final, Literal, TypeVar

from scrapy_webtext.errors import SettingsError
from scrapy_webtext.lab.corpus import LabelledPage
from scrapy_webtext.lab.evaluate import metrics
from scrapy_webtext.lab.evaluate.metrics import Unit
from scrapy_webtext.lab.evaluate.scores import (
    ExtractorScore,
    JudgedPage,
    JudgeScore,
    PageScore,
    PaperMeasures,
)
from scrapy_webtext.lab.evaluate.systems import TextSystem, make_judge_of, make_system
from scrapy_webtext.page import parse
from scrapy_webtext.page.words import UNSPACED
from scrapy_webtext.results import Judge

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
    specs = _checked(extractors, _systems)
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
    specs = _checked(judges, _judges)
    typed = (page for page in pages if page.type)
    rows = list(in_order(partial(_judge_page, specs=specs), typed, processes))
    return tuple(JudgeScore(spec, tuple(row[n] for row in rows)) for n, spec in enumerate(specs))


def unit_of(texts: Iterable[str]) -> Unit:
    """Return the unit of these texts: characters if most are in a script without spaces."""
    unspaced = [2 * len(UNSPACED.findall(text)) > len("".join(text.split())) for text in texts]
    return "chars" if 2 * sum(unspaced) > len(unspaced) else "words"


@cache
def _systems(specs: tuple[str, ...]) -> tuple[TextSystem, ...]:
    return tuple(map(make_system, specs))


@cache
def _judges(specs: tuple[str, ...]) -> tuple[Judge, ...]:
    return tuple(map(make_judge_of, specs))


def _checked(specs: Sequence[str], make: Callable[[tuple[str, ...]], object]) -> tuple[str, ...]:
    if isinstance(specs, str) or not specs:
        raise SettingsError(f"{specs!r}: give a list of names, at least one")
    make(tuple(specs))
    return tuple(specs)


def _score_page(
    page: LabelledPage, *, specs: tuple[str, ...], unit: Unit, measures: Measures
) -> list[PageScore]:
    return [_score(page, system, unit, measures) for system in _systems(specs)]


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
    for judge in _judges(specs):
        start = process_time()
        judgement = judge.judge(parse(page.html, url=page.url))
        seconds = process_time() - start
        rows.append(
            JudgedPage(page.id, page.type, judgement.probability, judgement.p_value, seconds)
        )
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
