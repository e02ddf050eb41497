"""``scrapy webtext evaluate``: extractors and judges on labelled pages, in tables, JSON, HTML."""

from __future__ import annotations

import logging
import os
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import mean
from typing import Any

from scrapy_webtext.cli.output import json_text
from scrapy_webtext.cli.progress import Progress
from scrapy_webtext.errors import CorpusError
from scrapy_webtext.lab.corpus import LabelledPage, count_pages, read_corpora, read_corpus
from scrapy_webtext.lab.evaluate import (
    ExtractorScore,
    JudgeScore,
    PageScore,
    score_extractors,
    score_judges,
    tables,
)
from scrapy_webtext.lab.evaluate.corpora import corpus_path
from scrapy_webtext.lab.evaluate.metadata import (
    by_field,
    corpora_with_gold,
    metadata_cells,
    score_metadata,
)
from scrapy_webtext.lab.evaluate.run import Measures
from scrapy_webtext.lab.evaluate.systems import split_specs
from scrapy_webtext.log_text import shown
from scrapy_webtext.registry import EXTRACTORS


@dataclass(frozen=True, slots=True)
class CorpusScores:
    """The scores of several extractors on one corpus."""

    corpus: str  #: its path
    scores: tuple[ExtractorScore, ...]


@dataclass(frozen=True, slots=True)
class Evaluation:
    """All that was asked for."""

    corpora: tuple[CorpusScores, ...]
    judges: tuple[JudgeScore, ...]
    threshold: float  #: of the judges


@dataclass(frozen=True, slots=True)
class Order:
    """What is asked for."""

    corpora: Sequence[str]
    extractors: str | None = None  #: a list as `split_specs` reads it
    judges: str | None = None
    threshold: float = 0.5
    measures: Measures = "all"
    processes: int = 1


def evaluate(order: Order) -> Evaluation:
    """Return the scores; without a word on extractors or judges, of all built-in extractors.

    CorpusError for a corpus without pages to score, others as in `scrapy_webtext.lab.evaluate`.
    """
    # Peers log and warn page by page; what they raise is counted in the tables.
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")
    listed = order.extractors
    if listed is None and order.judges is None:
        listed = ",".join(EXTRACTORS)
    specs = [] if listed is None else split_specs(listed)
    judged = [] if order.judges is None else split_specs(order.judges)
    corpora = tuple(_score(path, specs, order) for path in order.corpora) if specs else ()
    judges: tuple[JudgeScore, ...] = ()
    if judged:
        pages = _watched(order.corpora)
        judges = score_judges(pages, judged, processes=order.processes)
        if not judges[0].pages:
            raise CorpusError("No page has a type: judges are scored on pages whose type is known")
    return Evaluation(corpora, judges, order.threshold)


def metadata_scores(corpora: Sequence[str], is_json: bool) -> str:
    """Return the table of titles, authors and dates, or JSON of the same.

    Without corpora, of those in the folder of WEBTEXT_CORPORA. CorpusError where no gold is found.
    """
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")
    paths = list(map(corpus_path, corpora))
    if not paths:
        if "WEBTEXT_CORPORA" not in os.environ:
            raise CorpusError(
                "evaluate --metadata: name a corpus, or its folder in WEBTEXT_CORPORA"
            )
        paths = corpora_with_gold(Path(os.environ["WEBTEXT_CORPORA"]))
    scores = score_metadata(paths, lambda few: _watched([str(path) for path in few]))
    if is_json:
        return json_text(by_field(scores), indent=1) + "\n"
    return tables.table(*metadata_cells(scores)) + "\n"


def _score(path: str, specs: Sequence[str], order: Order) -> CorpusScores:
    scores = score_extractors(
        _watched([path]), specs, measures=order.measures, processes=order.processes
    )
    if not scores[0].pages:
        raise CorpusError(f"No page of {path} has a gold text to compare with")
    return CorpusScores(path, scores)


def _watched(paths: Sequence[str]) -> Iterator[LabelledPage]:
    """Yield the pages of these corpora and draw a progress bar meanwhile."""
    progress = Progress(0)
    if progress.is_watched:
        progress = Progress(sum(map(count_pages, paths)))
    try:
        for page in read_corpora(paths):
            yield page
            progress.step()
    finally:
        progress.clear()


def as_tables(evaluation: Evaluation) -> str:
    """Return the tables of an evaluation."""
    parts = []
    for corpus in evaluation.corpora:
        scores = corpus.scores
        unit = "" if scores[0].unit == "words" else ", by 4-character shingles"
        parts.append(f"# {corpus.corpus}: {len(scores[0].pages)} pages{unit}")
        parts.append(tables.extractor_table(scores))
        if scores[0].papers:
            parts.append(tables.paper_table(scores))
        if len({page.type for page in scores[0].pages}) > 1:
            parts.append(tables.type_table(scores))
        parts += [
            f"{score.extractor} on {shown(page.id)}: {shown(page.error)}"
            for score in scores
            for page in score.errors[:3]
        ]
    if len(evaluation.corpora) > 1:
        columns = {corpus.corpus: corpus.scores for corpus in evaluation.corpora}
        parts.append(tables.corpora_table(columns))
    if evaluation.judges:
        parts.append(f"# Judges, threshold {evaluation.threshold:g}")
        parts.append(tables.judge_table(evaluation.judges, evaluation.threshold))
    return "\n\n".join(parts) + "\n"


def as_json(evaluation: Evaluation) -> str:
    """Return an evaluation as JSON, the scores of every page included."""
    content = {
        "corpora": [
            {
                "corpus": corpus.corpus,
                "unit": corpus.scores[0].unit,
                "extractors": [_extractor(score) for score in corpus.scores],
            }
            for corpus in evaluation.corpora
        ],
        "judges": [_judge(score, evaluation.threshold) for score in evaluation.judges],
    }
    return json_text(content, indent=1) + "\n"


def _extractor(score: ExtractorScore) -> dict[str, Any]:
    found: dict[str, Any] = {
        "extractor": score.extractor,
        **score.overlap._asdict(),
        "shingle_f1": score.shingle_f1,
        "accurate_ratio": score.accurate_ratio,
        "segments": score.segments._asdict(),
        "seconds_median": score.median_seconds,
        "seconds_mean": score.mean_seconds,
        "errors": len(score.errors),
        "f1_by_type": score.f1_by_type(),
    }
    if score.papers:
        names = ("lcs_recall", "edit_distance_ratio", "space_saved", "space_saved_compressed")
        found |= {name: mean(getattr(page, name) for page in score.papers) for name in names}
        found |= {"grades": asdict(score.grades)}
        completeness = score.completeness
        found |= {"accuracy": completeness.accuracy, "completeness": completeness.completeness}
    return found | {"pages": [_page(page) for page in score.pages]}


def _page(page: PageScore) -> dict[str, Any]:
    return {
        "id": page.id,
        "url": page.url,
        "type": page.type,
        **page.overlap._asdict(),
        "seconds": page.seconds,
        "error": page.error,
    }


def _judge(score: JudgeScore, threshold: float) -> dict[str, Any]:
    counted = score.confusion(threshold)
    return {
        "judge": score.judge,
        "threshold": threshold,
        **asdict(counted),
        "recall": counted.recall,
        "false_positive_rate": counted.false_positive_rate,
        "precision": counted.precision,
        "accuracy": counted.accuracy,
        "area_under_roc": score.area_under_roc,
        "seconds_median": score.median_seconds,
    }


def pages_numbered(path: str, numbers: Sequence[int]) -> dict[int, LabelledPage]:
    """Return those of a corpus' pages with a gold text that have these numbers, from 0."""
    wanted = frozenset(numbers)
    labelled = (page for page in read_corpus(path) if page.text)
    return {number: page for number, page in enumerate(labelled) if number in wanted}
